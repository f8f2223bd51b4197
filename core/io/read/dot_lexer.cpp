// SPDX-License-Identifier: MIT
#include <opscape/base/text.h>
#include <opscape/io/read/dot_lexer.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace opscape {
namespace {

bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isLetter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}

bool isKeyword(std::string_view word) {
    static constexpr std::array kKeywords{"strict", "graph", "digraph", "subgraph", "node", "edge"};
    return std::ranges::find(kKeywords, word) != kKeywords.end();
}

} // namespace

void DotLexer::badAt(std::size_t at, std::string_view what) const {
    const std::string_view before = m_text.substr(0, at);
    const std::size_t lineBegin = before.rfind('\n') + 1; // npos + 1 is 0
    throw DotError(fmt::format("line {}, column {}: {}", 1 + std::ranges::count(before, '\n'),
                               characterCount(before.substr(lineBegin)) + 1, what));
}

std::string DotLexer::take() {
    std::string text = std::move(m_token.text);
    next();
    return text;
}

void DotLexer::skipBlanks() {
    if (m_at == 0 && m_text.starts_with("\xef\xbb\xbf"))
        m_at = 3;
    for (;;) {
        const char c = peek();
        if (m_at < m_text.size() && (c == ' ' || (c >= '\t' && c <= '\r'))) {
            ++m_at;
        } else if ((c == '/' && peek(1) == '/') || (c == '#' && (m_at == 0 || m_text[m_at - 1] == '\n'))) {
            m_at = std::min(m_text.find('\n', m_at), m_text.size());
        } else if (c == '/' && peek(1) == '*') {
            const std::size_t end = m_text.find("*/", m_at + 2);
            if (end == std::string_view::npos)
                badAt(m_at, "the comment is never closed");
            m_at = end + 2;
        } else {
            return;
        }
    }
}

void DotLexer::next() {
    skipBlanks();
    m_token.at = m_at;
    m_token.text.clear();
    if (m_at >= m_text.size()) {
        m_token.kind = DotToken::Kind::End;
        return;
    }
    const char c = peek();
    if (c == '"') {
        quoted();
    } else if (c == '<') {
        html();
    } else if (c == '-' && (peek(1) == '>' || peek(1) == '-')) {
        m_token.kind = peek(1) == '>' ? DotToken::Kind::Arrow : DotToken::Kind::Line;
        m_at += 2;
    } else if (isLetter(c) || isDigit(c) || c == '-' || c == '.') {
        word();
    } else if (std::string_view("{}[];,=:").find(c) != std::string_view::npos) {
        m_token.kind = DotToken::Kind::Mark;
        m_token.text = c;
        ++m_at;
    } else {
        bad(fmt::format("\"{}\" has no meaning here; a name with special characters must stand in quotes",
                        printable(m_text.substr(m_at, characterBytes(m_text.substr(m_at))))));
    }
}

void DotLexer::quoted() {
    m_token.kind = DotToken::Kind::Id;
    for (;;) {
        const std::size_t begin = m_at++;
        for (;;) {
            const std::size_t stop = m_text.find_first_of("\"\\", m_at);
            if (stop == std::string_view::npos)
                badAt(begin, "the text in quotes is never closed");
            m_token.text += m_text.substr(m_at, stop - m_at);
            m_at = stop + 1;
            if (m_text[stop] == '"')
                break;
            const char escaped = peek();
            if (escaped == '"' || escaped == '\\' || escaped == '\n') {
                if (escaped != '\n') // a line that goes on
                    m_token.text += escaped;
                ++m_at;
            } else {
                m_token.text += '\\';
            }
        }
        const std::size_t end = m_at;
        skipBlanks();
        if (peek() != '+') {
            m_at = end;
            return;
        }
        ++m_at;
        skipBlanks();
        if (peek() != '"')
            badAt(m_at, "a text in quotes must follow the +");
    }
}

void DotLexer::html() {
    m_token.kind = DotToken::Kind::Html;
    const std::size_t begin = ++m_at;
    for (std::size_t depth = 1; depth > 0;) {
        const std::size_t stop = m_text.find_first_of("<>", m_at);
        if (stop == std::string_view::npos)
            bad("the HTML text is never closed");
        depth = m_text[stop] == '<' ? depth + 1 : depth - 1;
        m_at = stop + 1;
    }
    m_token.text = m_text.substr(begin, m_at - 1 - begin);
}

void DotLexer::word() {
    const std::size_t begin = m_at;
    if (isLetter(peek())) {
        while (isLetter(peek()) || isDigit(peek()))
            ++m_at;
    } else {
        m_at += peek() == '-' ? 1 : 0;
        std::size_t digits = 0, dots = 0;
        for (; isDigit(peek()) || (peek() == '.' && dots == 0); ++m_at)
            ++(peek() == '.' ? dots : digits);
        if (digits == 0 || isLetter(peek()) || peek() == '.')
            bad("a name that begins like a number, but is none, must stand in quotes");
    }
    m_token.kind = DotToken::Kind::Id;
    m_token.text = m_text.substr(begin, m_at - begin);
    if (m_token.text.size() <= 8) {
        if (std::string lower = lowerCase(m_token.text); isKeyword(lower)) {
            m_token.kind = DotToken::Kind::Keyword;
            m_token.text = std::move(lower);
        }
    }
}

} // namespace opscape
