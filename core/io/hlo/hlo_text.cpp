// SPDX-License-Identifier: MIT
#include <opscape/base/text.h>
#include <opscape/base/units.h>
#include <opscape/io/hlo/hlo_text.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace opscape {
namespace {

bool isBlank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
bool isWord(char c) {
    constexpr std::string_view kEnds = ",()[]{}=\"%";
    return static_cast<unsigned char>(c) > ' ' && kEnds.find(c) == std::string_view::npos;
}

struct ElementType {
    std::string_view name;
    DType dtype;
};
constexpr std::array kElements{
    ElementType{"bf16", DType::BF16}, ElementType{"c128", DType::C128}, ElementType{"c64", DType::C64},
    ElementType{"f16", DType::F16},   ElementType{"f32", DType::F32},   ElementType{"f64", DType::F64},
    ElementType{"pred", DType::Bool}, ElementType{"s16", DType::I16},   ElementType{"s32", DType::I32},
    ElementType{"s4", DType::I4},     ElementType{"s64", DType::I64},   ElementType{"s8", DType::I8},
    ElementType{"u16", DType::U16},   ElementType{"u32", DType::U32},   ElementType{"u4", DType::I4},
    ElementType{"u64", DType::U64},   ElementType{"u8", DType::U8},
};

} // namespace

HloShape hloElement(std::string_view type) {
    HloShape shape;
    shape.isData = type != "token" && type != "opaque";
    const auto found = std::ranges::find(kElements, type, &ElementType::name);
    if (found != kElements.end())
        shape.dtype = found->dtype;
    else if (type.starts_with("f8"))
        shape.dtype = DType::F8;
    return shape;
}

std::size_t HloShape::leaves() const {
    if (!isTuple)
        return 1;
    std::size_t count = 0;
    for (const HloShape& element : elements)
        count += element.leaves();
    return count;
}

void HloText::skipBlanks() {
    for (;;) {
        while (isBlank(peek()))
            ++m_at;
        const std::string_view rest = m_text.substr(m_at);
        if (rest.starts_with("/*")) {
            const std::size_t end = m_text.find("*/", m_at + 2);
            m_at = end == std::string_view::npos ? m_text.size() : end + 2;
        } else if (rest.starts_with("//")) {
            skipLine();
        } else {
            return;
        }
    }
}

void HloText::skipLine() { m_at = std::min(m_text.find('\n', m_at), m_text.size()); }

bool HloText::take(std::string_view token) {
    skipBlanks();
    if (!m_text.substr(m_at).starts_with(token))
        return false;
    m_at += token.size();
    return true;
}

bool HloText::takeWord(std::string_view expected) {
    skipBlanks();
    const std::string_view rest = m_text.substr(m_at);
    if (!rest.starts_with(expected) || (rest.size() > expected.size() && isWord(rest[expected.size()])))
        return false;
    m_at += expected.size();
    return true;
}

Result<> HloText::expect(char c, std::string_view after) {
    if (take(std::string_view(&c, 1)))
        return {};
    return failAt(m_at, "there must be '{}' after {}, but {}", c, after, found());
}

std::string_view HloText::word() {
    skipBlanks();
    if (peek() == '%')
        ++m_at;
    const std::size_t begin = m_at;
    while (!atEnd() && isWord(peek()))
        ++m_at;
    return between(begin, m_at);
}

Result<> HloText::skipQuotes() {
    const std::size_t begin = m_at;
    for (++m_at; !atEnd() && peek() != '"'; ++m_at)
        m_at += peek() == '\\' && m_at + 1 < m_text.size() ? 1 : 0;
    if (atEnd())
        return failAt(begin, "the text in quotes that begins here has no end");
    ++m_at;
    return {};
}

Result<> HloText::skipBrackets() {
    const std::size_t begin = m_at;
    int depth = 0;
    while (!atEnd()) {
        const char c = peek();
        if (c == '"') {
            if (auto skipped = skipQuotes(); !skipped)
                return skipped;
            continue;
        }
        ++m_at;
        depth += c == '(' || c == '[' || c == '{' ? 1 : c == ')' || c == ']' || c == '}' ? -1 : 0;
        if (depth == 0)
            return {};
    }
    return failAt(begin, "the bracket that opens here is not closed");
}

Result<std::string_view> HloText::value() {
    skipBlanks();
    const std::size_t begin = m_at;
    while (!atEnd() && peek() != ',' && peek() != '\n') {
        const char c = peek();
        if (c == ')' || c == ']' || c == '}')
            break;
        const bool opens = c == '(' || c == '[' || c == '{';
        auto skipped = c == '"' ? skipQuotes() : opens ? skipBrackets() : Result<>();
        if (!skipped)
            return fail(std::move(skipped.error()));
        m_at += c == '"' || opens ? 0 : 1;
    }
    std::size_t end = m_at;
    while (end > begin && isBlank(m_text[end - 1]))
        --end;
    return between(begin, end);
}

Result<std::int64_t> HloText::integer(std::string_view what) {
    skipBlanks();
    std::int64_t number = 0;
    const auto [end, ec] = std::from_chars(m_text.data() + m_at, m_text.data() + m_text.size(), number);
    if (ec != std::errc())
        return failAt(m_at, "{} must be a number, but {}", what, found());
    m_at = static_cast<std::size_t>(end - m_text.data());
    return number;
}

Result<HloShape> HloText::shape(int depth) {
    skipBlanks();
    HloShape made;
    if (depth > kDeepestHlo)
        return failAt(m_at, "a shape has tuples within tuples, more than {} deep", kDeepestHlo);
    if (take("(")) {
        made.isTuple = true;
        while (!take(")")) {
            if (!made.elements.empty()) {
                if (auto comma = expect(',', "an element of a tuple"); !comma)
                    return fail(std::move(comma.error()));
            }
            auto element = shape(depth + 1);
            if (!element)
                return element;
            made.elements.push_back(std::move(*element));
        }
        return made;
    }
    const std::size_t begin = m_at;
    const std::string_view type = word();
    if (type.empty() || peek() != '[')
        return failAt(begin, "there must be a shape such as f32[2,3], but {}",
                      type.empty() ? found() : fmt::format("\"{}\" stands here", elide(printable(type), 60)));
    made = hloElement(type);
    for (++m_at; !take("]");) {
        if (!made.dims.empty()) {
            if (auto comma = expect(',', "a dimension"); !comma)
                return fail(std::move(comma.error()));
        }
        if (take("?")) {
            made.dims.push_back(kUnknownDim);
            continue;
        }
        take("<=");
        const std::size_t where = m_at;
        const auto dim = integer("a dimension");
        if (!dim)
            return fail(dim.error());
        if (*dim < 0)
            return failAt(where, "a dimension is {}; it cannot be negative", *dim);
        made.dims.push_back(*dim);
    }
    if (peek() == '{') { // the layout, which follows without a blank
        if (auto skipped = skipBrackets(); !skipped)
            return fail(std::move(skipped.error()));
    }
    return made;
}

std::string HloText::found() const {
    if (atEnd())
        return "the file ends here";
    const std::string_view rest = m_text.substr(m_at, 40);
    return fmt::format("\"{}\" stands here", printable(toUtf8(rest.substr(0, rest.find_first_of("\r\n")))));
}

tl::unexpected<Error> HloText::failWith(std::size_t at, const std::string& message) const {
    const std::string_view before = m_text.substr(0, at);
    const auto line = std::ranges::count(before, '\n') + 1;
    const std::size_t column = characterCount(before.substr(before.rfind('\n') + 1)) + 1;
    return fail("{}: line {}, column {}: {}.", m_origin, line, column, message);
}

} // namespace opscape
