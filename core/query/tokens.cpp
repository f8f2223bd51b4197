// SPDX-License-Identifier: MIT
#include "tokens.h"

#include "values.h"

#include <opscape/base/text.h>

#include <algorithm>

namespace opscape {
namespace {

bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

class Tokenizer {
public:
    explicit Tokenizer(std::string_view query) : m_text(query) {}

    Result<std::vector<QueryToken>> tokens() {
        for (skipSpace(); m_at < m_text.size(); skipSpace()) {
            QueryToken token;
            token.at = token.textAt = m_at;
            if (auto read = next(token); !read)
                return fail(read.error());
            m_tokens.push_back(std::move(token));
        }
        return std::move(m_tokens);
    }

private:
    [[nodiscard]] Result<> refuse(std::size_t at, std::string_view sentence) const {
        return fail(queryError(m_text, at, sentence));
    }
    void skipSpace() {
        while (m_at < m_text.size() && isSpace(m_text[m_at]))
            ++m_at;
    }

    Result<> next(QueryToken& token) {
        if (m_text[m_at] == '(' || m_text[m_at] == ')') {
            token.kind = m_text[m_at++] == '(' ? QueryToken::Kind::Open : QueryToken::Kind::Close;
            return {};
        }
        if (m_text[m_at] == '"')
            return quoted(token);
        if (const std::size_t close = closingSlash(); close != std::string_view::npos)
            return between(token, close);
        std::size_t end = m_at;
        while (end < m_text.size() && isLetter(m_text[end]))
            ++end;
        const std::string_view key = m_text.substr(m_at, end - m_at);
        const QueryFieldInfo* field = findQueryField(key);
        std::size_t at = end;
        while (field != nullptr && field->value != QueryValue::None && at < m_text.size() && isSpace(m_text[at]))
            ++at;
        if (const std::size_t length = comparisonAt(at, token.comparison);
            length > 0 && (at == end || m_text[at] != ':'))
            return fieldWith(token, key, field, at + length);
        return word(token);
    }

    /// How long the comparison at a place is; 0 when there is none.
    std::size_t comparisonAt(std::size_t at, Comparison& comparison) const {
        constexpr std::pair<std::string_view, Comparison> kAll[] = {{">=", Comparison::GreaterEqual},
                                                                    {"<=", Comparison::LessEqual},
                                                                    {"!=", Comparison::NotEqual},
                                                                    {">", Comparison::Greater},
                                                                    {"<", Comparison::Less},
                                                                    {"=", Comparison::Equal},
                                                                    {":", Comparison::Has}};
        for (const auto& [text, meaning] : kAll) {
            if (m_text.substr(std::min(at, m_text.size())).starts_with(text)) {
                comparison = meaning;
                return text.size();
            }
        }
        return 0;
    }

    Result<> fieldWith(QueryToken& token, std::string_view key, const QueryFieldInfo* field, std::size_t valueAt) {
        if (field == nullptr && key.empty())
            return refuse(token.at, fmt::format("{} needs a field before it; the fields are {}",
                                                m_text.substr(m_at, valueAt - m_at), queryFieldNames()));
        if (field == nullptr)
            return refuse(token.at, fmt::format("there is no field \"{}\"; the fields are {}; write \"...\" in quotes "
                                                "to look for it in names",
                                                key, queryFieldNames()));
        if (field->value == QueryValue::None)
            return refuse(token.at, fmt::format("{} stands alone, without a value", field->name));
        token.kind = QueryToken::Kind::Field;
        token.field = field;
        m_at = valueAt;
        skipSpace();
        token.textAt = m_at;
        if (m_at >= m_text.size() || m_text[m_at] == ')' || m_text[m_at] == '(')
            return refuse(m_at, fmt::format("{} needs a value here", field->name));
        if (m_text[m_at] == '"')
            return quoted(token);
        if (const std::size_t close = closingSlash(); close != std::string_view::npos)
            return between(token, close);
        return number(token);
    }

    Result<> word(QueryToken& token) {
        if (auto read = plain(token); !read)
            return read;
        const std::string lower = lowerCase(token.text);
        if (lower == "and")
            token.kind = QueryToken::Kind::And;
        else if (lower == "or")
            token.kind = QueryToken::Kind::Or;
        else if (lower == "not")
            token.kind = QueryToken::Kind::Not;
        else if (const QueryFieldInfo* field = findQueryField(lower);
                 field != nullptr && field->value == QueryValue::None) {
            token.kind = QueryToken::Kind::Flag;
            token.field = field;
        }
        return {};
    }

    /// A number and, behind blanks, its unit.
    Result<> number(QueryToken& token) {
        if (auto read = plain(token); !read)
            return read;
        const std::size_t end = m_at;
        if (token.text.find_first_not_of("0123456789.-") == std::string::npos) {
            skipSpace();
            QueryToken unit;
            if (plain(unit) && isUnit(token.field->value, unit.text)) {
                token.text += unit.text;
                return {};
            }
        }
        m_at = end;
        return {};
    }

    /// Up to a space, a bracket or a quote.
    Result<> plain(QueryToken& token) {
        const std::size_t from = m_at;
        while (m_at < m_text.size() && !isSpace(m_text[m_at]) && m_text[m_at] != '(' && m_text[m_at] != ')' &&
               m_text[m_at] != '"')
            ++m_at;
        token.text = m_text.substr(from, m_at - from);
        // A name may begin with a slash; what looks like an expression was meant to be one.
        if (token.text.starts_with('/') && token.text.find_first_of("*+?[]|^$\\") != std::string::npos)
            return refuse(from, "the regular expression is not closed; end it with / before the next space");
        return {};
    }

    Result<> quoted(QueryToken& token) {
        const std::size_t from = m_at++;
        while (m_at < m_text.size() && m_text[m_at] != '"') {
            if (m_text[m_at] == '\\' && m_at + 1 < m_text.size())
                ++m_at;
            token.text += m_text[m_at++];
        }
        if (m_at >= m_text.size())
            return refuse(from, "the quotes are never closed");
        ++m_at;
        if (token.text.empty())
            return refuse(from, "there is nothing between the quotes");
        return {};
    }

    /// The slash that ends a regular expression at the current place: the last before a space, behind which only
    /// brackets close. None for a name such as /model/layer.
    [[nodiscard]] std::size_t closingSlash() const {
        if (m_text[m_at] != '/')
            return std::string_view::npos;
        std::size_t end = m_at;
        while (end < m_text.size() && !isSpace(m_text[end]))
            ++end;
        while (end > m_at && m_text[end - 1] == ')')
            --end;
        return end > m_at + 1 && m_text[end - 1] == '/' ? end - 1 : std::string_view::npos;
    }
    Result<> between(QueryToken& token, std::size_t close) {
        token.regex = true;
        token.textAt = m_at + 1;
        token.text = m_text.substr(m_at + 1, close - m_at - 1);
        if (token.text.empty())
            return refuse(m_at, "there is nothing between the slashes");
        m_at = close + 1;
        return {};
    }

    std::string_view m_text;
    std::size_t m_at = 0;
    std::vector<QueryToken> m_tokens;
};

} // namespace

Error queryError(std::string_view query, std::size_t at, std::string_view sentence) {
    return {printable(fmt::format("Column {}: {}.", characterCount(query.substr(0, at)) + 1, sentence))};
}

Result<std::vector<QueryToken>> queryTokens(std::string_view query) { return Tokenizer(query).tokens(); }

std::string quotedForQuery(std::string_view text) {
    const bool plain = text.find_first_of(" \t\n\v\f\r()\"") == std::string_view::npos && !text.starts_with('/');
    if (plain)
        return std::string(text);
    std::string quoted = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\')
            quoted += '\\';
        quoted += c;
    }
    return quoted + '"';
}

} // namespace opscape
