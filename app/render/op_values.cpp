// SPDX-License-Identifier: MIT
#include "op_values.h"

#include <opscape/base/paths.h>

#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <set>

namespace opscape {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

std::string_view trimmed(std::string_view s) {
    const auto first = s.find_first_not_of(" \t\r");
    return first == s.npos ? std::string_view() : s.substr(first, s.find_last_not_of(" \t\r") - first + 1);
}

std::optional<double> number(std::string_view s) {
    double value = 0;
    const auto [end, error] = std::from_chars(s.data(), s.data() + s.size(), value);
    if (error != std::errc() || end != s.data() + s.size() || !std::isfinite(value))
        return std::nullopt;
    return value;
}

std::optional<double> asNumber(const AttributeValue& value) {
    if (const auto* whole = std::get_if<std::int64_t>(&value))
        return static_cast<double>(*whole);
    if (const auto* real = std::get_if<double>(&value); real != nullptr && std::isfinite(*real))
        return *real;
    return std::nullopt;
}

/// A name may stand in quotes, in which a quote is written twice.
std::string unquoted(std::string_view s) {
    if (s.size() < 2 || s.front() != '"' || s.back() != '"')
        return std::string(s);
    std::string name;
    for (std::size_t i = 1; i + 1 < s.size(); ++i) {
        name += s[i];
        if (s[i] == '"' && i + 2 < s.size() && s[i + 1] == '"')
            ++i;
    }
    return name;
}

} // namespace

std::vector<std::string> numberAttributes(const Graph& graph) {
    std::set<std::string> names;
    for (std::size_t i = 0; i < graph.opCount(); ++i) {
        for (const Attribute& attribute : graph.op(OpId(i)).attributes) {
            if (asNumber(attribute.value))
                names.insert(attribute.name);
        }
    }
    return {names.begin(), names.end()};
}

OpValues attributeValues(const Graph& graph, std::string_view attribute) {
    OpValues values{std::string(attribute), std::vector<double>(graph.opCount(), kNone), 0, 0, {}};
    for (std::size_t i = 0; i < graph.opCount(); ++i) {
        for (const Attribute& a : graph.op(OpId(i)).attributes) {
            const auto value = a.name == attribute ? asNumber(a.value) : std::nullopt;
            if (!value)
                continue;
            values.value[i] = *value;
            ++values.known;
            break;
        }
    }
    return values;
}

Result<OpValues> parseValues(std::string_view text, const std::string& origin, const Graph& graph) {
    OpValues values{
        std::filesystem::path(origin).stem().string(), std::vector<double>(graph.opCount(), kNone), 0, 0, {}};
    if (text.substr(0, 3) == "\xEF\xBB\xBF") // mark of UTF-8, as spreadsheets write it
        text.remove_prefix(3);
    for (std::size_t line = 1; !text.empty(); ++line) {
        const std::string_view all = trimmed(text.substr(0, text.find('\n')));
        text.remove_prefix(std::min(text.size(), std::min(text.find('\n'), text.size()) + 1));
        if (all.empty())
            continue;
        const auto comma = all.rfind(',');
        const auto value = comma == all.npos ? std::nullopt : number(trimmed(all.substr(comma + 1)));
        if (!value && comma != all.npos && line == 1) {
            values.title = unquoted(trimmed(all.substr(comma + 1)));
            continue;
        }
        if (!value)
            return fail("{}, line {}: \"{}\" is not like name,value with a number at its end.", origin, line, all);
        const std::string name = unquoted(trimmed(all.substr(0, comma)));
        const OpId op = graph.findOp(name);
        if (!op.valid()) {
            if (values.strangers++ == 0)
                values.firstStranger = name;
            continue;
        }
        values.known += std::isnan(values.value[op.index()]) ? 1 : 0;
        values.value[op.index()] = *value;
    }
    if (values.known == 0)
        return fail("{}: no line names an op of {}; the names must be those of the ops in full, such as \"{}\".",
                    origin, graph.name(), graph.opCount() > 0 ? graph.op(OpId(0)).name : "scope/op");
    return values;
}

Result<OpValues> readValues(const std::filesystem::path& file, const Graph& graph) {
    const auto text = readFile(file);
    if (!text)
        return fail(text.error());
    return parseValues(*text, file.string(), graph);
}

} // namespace opscape
