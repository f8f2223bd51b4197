// SPDX-License-Identifier: MIT
// The words of a DOT file one after the other. Texts in quotes come without them, joined where '+' stands between, with
// \" and \\ resolved; other escapes are left to who reads a label.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace opscape {

/// "line 3, column 7: the text is never closed": without the file and full stop. It never leaves core/io.
struct DotError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

struct DotToken {
    enum class Kind : std::uint8_t { Id, Html, Keyword, Mark, Arrow, Line, End };
    Kind kind = Kind::End;
    std::string text; ///< of a keyword in lower case; of a mark the character
    std::size_t at = 0;

    [[nodiscard]] bool is(char mark) const { return kind == Kind::Mark && text[0] == mark; }
    [[nodiscard]] bool isKeyword(std::string_view word) const { return kind == Kind::Keyword && text == word; }
    [[nodiscard]] bool isText() const { return kind == Kind::Id || kind == Kind::Html; }
    [[nodiscard]] bool isEdge() const { return kind == Kind::Arrow || kind == Kind::Line; }
};

class DotLexer {
public:
    explicit DotLexer(std::string_view text) : m_text(text) { next(); }

    [[nodiscard]] const DotToken& token() const { return m_token; }
    /// The text of the token at hand; goes on to the next.
    std::string take();
    void next();
    /// Throws for the token at hand.
    [[noreturn]] void bad(std::string_view what) const { badAt(m_token.at, what); }
    [[noreturn]] void badAt(std::size_t at, std::string_view what) const;

private:
    void skipBlanks();
    void quoted();
    void html();
    void word();
    [[nodiscard]] char peek(std::size_t ahead = 0) const {
        return m_at + ahead < m_text.size() ? m_text[m_at + ahead] : '\0';
    }

    std::string_view m_text;
    std::size_t m_at = 0;
    DotToken m_token;
};

} // namespace opscape
