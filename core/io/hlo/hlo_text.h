// SPDX-License-Identifier: MIT
// Reads HLO text piece by piece: words, quoted texts, bracketed parts, shapes; and says where it is. Included by the
// HLO reader's own files only.
#pragma once

#include <opscape/io/hlo/hlo_module.h>

namespace opscape {

class HloText {
public:
    HloText(std::string_view text, std::string origin) : m_text(text), m_origin(std::move(origin)) {}

    [[nodiscard]] std::size_t at() const { return m_at; }
    [[nodiscard]] bool atEnd() const { return m_at == m_text.size(); }
    /// The next character, '\0' at the end.
    [[nodiscard]] char peek() const { return atEnd() ? '\0' : m_text[m_at]; }
    [[nodiscard]] std::string_view between(std::size_t begin, std::size_t end) const {
        return m_text.substr(begin, end - begin);
    }

    void backTo(std::size_t at) { m_at = at; }
    void skipLine();
    /// Past blanks, line ends and comments.
    void skipBlanks();
    /// True, and past it, where it stands next, blanks before it left aside.
    bool take(std::string_view token);
    /// The same for a word of its own.
    bool takeWord(std::string_view word);
    Result<> expect(char c, std::string_view after);
    /// A name or keyword, without the % before names; empty where there is none.
    std::string_view word();
    /// Past "(...)", "[...]" or "{...}" and all within; quotes are respected.
    Result<> skipBrackets();
    /// What stands until a comma, a line end or a closing bracket that belongs to something around it.
    Result<std::string_view> value();
    Result<std::int64_t> integer(std::string_view what);
    Result<HloShape> shape(int depth = 0);

    template <class... Args>
    [[nodiscard]] tl::unexpected<Error> failAt(std::size_t at, fmt::format_string<Args...> format,
                                               Args&&... args) const {
        return failWith(at, fmt::format(format, std::forward<Args>(args)...));
    }

private:
    [[nodiscard]] tl::unexpected<Error> failWith(std::size_t at, const std::string& message) const;
    [[nodiscard]] std::string found() const;
    Result<> skipQuotes();

    std::string_view m_text;
    std::size_t m_at = 0;
    std::string m_origin;
};

} // namespace opscape
