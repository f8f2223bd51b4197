// SPDX-License-Identifier: MIT
#include "run_filter.h"

#include <opscape/base/text.h>
#include <opscape/query/tokens.h>
#include <opscape/query/values.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <ctime>
#include <utility>

namespace opscape {
namespace {

using Kind = RunCondition::Kind;
using Compare = RunCondition::Compare;

using Measure = RunMeasure;

constexpr std::array kFields{
    RunFieldInfo{"run", RunField::Id, Measure::Count, "its number", "id"},
    RunFieldInfo{"graph", RunField::Graph, Measure::Text, "name of the graph"},
    RunFieldInfo{"cluster", RunField::Cluster, Measure::Text, "what it is placed on"},
    RunFieldInfo{"links", RunField::Links, Measure::Text, "link model"},
    RunFieldInfo{"optimizer", RunField::Optimizer, Measure::Text, "who made the plan", "method"},
    RunFieldInfo{"objective", RunField::Objective, Measure::Text, "what was made short"},
    RunFieldInfo{"step", RunField::StepTime, Measure::Time, "step time", "time"},
    RunFieldInfo{"bound", RunField::Bound, Measure::Time, "lower bound of the step time"},
    RunFieldInfo{"gap", RunField::Gap, Measure::Percent, "how far above the bound"},
    RunFieldInfo{"memory", RunField::Peak, Measure::Bytes, "peak of one device", "mem"},
    RunFieldInfo{"moved", RunField::Moved, Measure::Bytes, "sent between devices"},
    RunFieldInfo{"status", RunField::Status, Measure::Text, "how far it is or how it ended"},
    RunFieldInfo{"took", RunField::Took, Measure::Milliseconds, "how long it was made"},
    RunFieldInfo{"date", RunField::Started, Measure::Date, "when it was made", "started"},
    RunFieldInfo{"tag", RunField::Tags, Measure::Text, "a tag", "tags"},
    RunFieldInfo{"note", RunField::Notes, Measure::Text, "in the notes", "notes"},
    RunFieldInfo{"option", RunField::Option, Measure::Text, "name=value"},
    RunFieldInfo{"version", RunField::Version, Measure::Text, "of the program"},
    RunFieldInfo{"revision", RunField::Revision, Measure::Count, "of the optimizer"},
    RunFieldInfo{"seed", RunField::Seed, Measure::Seed, "of the random numbers"},
    RunFieldInfo{"ops", RunField::Ops, Measure::Count, "of the graph"},
    RunFieldInfo{"edges", RunField::Edges, Measure::Count, "of the graph"},
    RunFieldInfo{"pinned", RunField::Pinned, Measure::Flag, "kept on top"},
    RunFieldInfo{"learned", RunField::Learns, Measure::Flag, "has a curve", "learns"},
    RunFieldInfo{"fits", RunField::Fits, Measure::Flag, "into the memory"},
};

/// From its first millisecond to that of the next: a year, a month or a day, in the local time zone.
std::optional<std::pair<std::int64_t, std::int64_t>> parseDate(std::string_view text) {
    std::array<int, 3> parts{0, 1, 1};
    std::size_t count = 0;
    for (std::size_t at = 0; count < 3;) {
        const char* end = text.data() + text.size();
        const auto read = std::from_chars(text.data() + at, end, parts[count]);
        if (read.ec != std::errc() || parts[count] < 0)
            return std::nullopt;
        ++count;
        if (read.ptr == end)
            break;
        if (*read.ptr != '-' || count == 3)
            return std::nullopt;
        at = static_cast<std::size_t>(read.ptr - text.data()) + 1;
    }
    if (parts[0] < 1970 || parts[0] > 9999 || parts[1] < 1 || parts[1] > 12 || parts[2] < 1 || parts[2] > 31)
        return std::nullopt;
    const auto startOf = [&parts](int years, int months, int days) {
        std::tm time{};
        time.tm_year = parts[0] + years - 1900;
        time.tm_mon = parts[1] + months - 1;
        time.tm_mday = parts[2] + days;
        time.tm_isdst = -1;
        return static_cast<std::int64_t>(std::mktime(&time)) * 1000;
    };
    return std::pair{startOf(0, 0, 0), startOf(count == 1, count == 2, count == 3)};
}

RunCondition numberTerm(RunField field, Compare compare, std::int64_t value) {
    RunCondition term{.kind = Kind::Number, .field = field, .compare = compare};
    term.whole = value;
    term.isWhole = true;
    return term;
}

RunCondition negated(RunCondition condition) {
    RunCondition result{.kind = Kind::Not};
    result.parts.push_back(std::move(condition));
    return result;
}

class Parser {
public:
    explicit Parser(std::string_view text) : m_text(text) {}

    Result<RunCondition> parse() {
        skipSpace();
        if (atEnd())
            return RunCondition();
        auto all = anyOf();
        if (all && !atEnd())
            return error(m_at, "there is no opening bracket for this one");
        return all;
    }

private:
    [[nodiscard]] bool atEnd() const { return m_at >= m_text.size(); }
    void skipSpace() {
        while (!atEnd() && isSpace(m_text[m_at]))
            ++m_at;
    }
    [[nodiscard]] tl::unexpected<Error> error(std::size_t at, std::string_view sentence) const {
        return fail(queryError(m_text, at, sentence));
    }
    /// The bare word that begins here; empty before a bracket, a quote or the end.
    [[nodiscard]] std::string_view bareWord() const {
        std::size_t end = m_at;
        while (end < m_text.size() && !isSpace(m_text[end]) && m_text[end] != '(' && m_text[end] != ')' &&
               m_text[end] != '"')
            ++end;
        return m_text.substr(m_at, end - m_at);
    }
    bool take(std::string_view word) {
        if (lowerCase(bareWord()) != word)
            return false;
        m_at += word.size();
        skipSpace();
        return true;
    }

    Result<RunCondition> anyOf() {
        RunCondition any{.kind = Kind::Any};
        do {
            auto all = allOf();
            if (!all)
                return all;
            any.parts.push_back(std::move(*all));
        } while (take("or"));
        return any.parts.size() == 1 ? std::move(any.parts.front()) : std::move(any);
    }

    Result<RunCondition> allOf() {
        RunCondition all{.kind = Kind::All};
        do {
            auto part = one();
            if (!part)
                return part;
            all.parts.push_back(std::move(*part));
            skipSpace();
            take("and");
        } while (!atEnd() && m_text[m_at] != ')' && lowerCase(bareWord()) != "or");
        return all.parts.size() == 1 ? std::move(all.parts.front()) : std::move(all);
    }

    Result<RunCondition> one() {
        const std::string word = lowerCase(bareWord());
        if (word == "and" || word == "or")
            return error(m_at, "something to look for is missing before this word");
        if (take("not")) {
            if (++m_depth > kMostNested)
                return error(m_at, "there is too much in one another");
            auto part = one();
            --m_depth;
            return part ? Result<RunCondition>(negated(std::move(*part))) : part;
        }
        if (atEnd())
            return error(m_at, "something to look for is missing here");
        if (m_text[m_at] == ')')
            return error(m_at, "something to look for is missing before this bracket");
        if (m_text[m_at] != '(')
            return term();
        if (++m_depth > kMostNested)
            return error(m_at, "there is too much in one another");
        const std::size_t opening = m_at++;
        skipSpace();
        auto inner = anyOf();
        if (!inner)
            return inner;
        if (atEnd())
            return error(opening, "there is no closing bracket for this one");
        ++m_at; // anyOf ends at the end or before a closing bracket
        --m_depth;
        skipSpace();
        return inner;
    }

    Result<RunCondition> term() {
        const std::size_t begin = m_at;
        if (m_text[m_at] == '"') {
            auto words = value();
            return words ? Result<RunCondition>(anyText(std::move(*words))) : fail(words.error());
        }
        const std::string_view word = bareWord();
        const std::size_t cut = word.find_first_of(":<>=!");
        const std::string_view name = word.substr(0, cut);
        const RunFieldInfo* field = findRunField(name);
        if (field == nullptr) {
            if (cut != std::string_view::npos && cut > 0)
                return error(begin, fmt::format("there is no field \"{}\"; there are {}", name, runFieldNames()));
            m_at += word.size();
            return anyText(std::string(word));
        }
        m_at += name.size();
        const std::size_t afterName = m_at;
        skipSpace();
        if (atEnd() || std::string_view(":<>=!").find(m_text[m_at]) == std::string_view::npos) {
            m_at = afterName;
            if (field->measure == Measure::Flag)
                return numberTerm(field->field, Compare::Equal, 1);
            return anyText(std::string(name));
        }
        bool isNot = false;
        const auto compare = comparison(isNot);
        if (!compare)
            return fail(compare.error());
        skipSpace();
        const std::size_t at = m_at;
        auto text = value();
        if (!text)
            return fail(text.error());
        auto made = valued(*field, *compare, *text, at);
        return made && isNot ? Result<RunCondition>(negated(std::move(*made))) : made;
    }

    Result<Compare> comparison(bool& isNot) {
        const auto starts = [this](std::string_view sign) {
            if (!m_text.substr(m_at).starts_with(sign))
                return false;
            m_at += sign.size();
            return true;
        };
        if (starts("<="))
            return Compare::LessEqual;
        if (starts(">="))
            return Compare::GreaterEqual;
        if (starts("!=")) {
            isNot = true;
            return Compare::Equal;
        }
        if (starts("<"))
            return Compare::Less;
        if (starts(">"))
            return Compare::Greater;
        if (starts("="))
            return Compare::Equal;
        if (starts(":"))
            return Compare::Has;
        return error(m_at, "one of : = != < <= > >= is expected here");
    }

    /// What is compared with: a bare word, or any text in quotes.
    Result<std::string> value() {
        if (atEnd() || m_text[m_at] != '"') {
            const std::string_view word = bareWord();
            if (word.empty())
                return error(m_at, "a value is missing here");
            m_at += word.size();
            return std::string(word);
        }
        std::string text;
        const std::size_t opening = m_at++;
        for (; !atEnd() && m_text[m_at] != '"'; ++m_at) {
            if (m_text[m_at] == '\\' && m_at + 1 < m_text.size())
                ++m_at;
            text += m_text[m_at];
        }
        if (atEnd())
            return error(opening, "there is no closing quote for this one");
        ++m_at;
        return text;
    }

    static RunCondition anyText(std::string text) {
        RunCondition term{.kind = Kind::Text};
        term.text = std::move(text);
        return term;
    }

    Result<RunCondition> valued(const RunFieldInfo& field, Compare compare, const std::string& text, std::size_t at) {
        if (field.measure == Measure::Text) {
            if (compare != Compare::Has && compare != Compare::Equal)
                return error(at, fmt::format("{} is a text: use {}: or {}=", field.name, field.name, field.name));
            RunCondition term{.kind = Kind::Text, .field = field.field, .compare = compare};
            term.text = text;
            return term;
        }
        if (field.measure == Measure::Date)
            return dated(compare, text, at);
        const bool orders = compare != Compare::Has && compare != Compare::Equal;
        if (compare == Compare::Has)
            compare = Compare::Equal;
        if (field.measure == Measure::Seed || field.measure == Measure::Flag) {
            std::uint64_t seed = 0;
            const auto read = std::from_chars(text.data(), text.data() + text.size(), seed);
            const bool yes = lowerCase(text) == "yes", no = lowerCase(text) == "no";
            const bool number = read.ec == std::errc() && read.ptr == text.data() + text.size();
            if (orders || (field.measure == Measure::Seed ? !number : !yes && !no))
                return error(at, field.measure == Measure::Seed ? "a seed is a whole number, as in seed:7"
                                                                : "yes or no is expected here");
            return numberTerm(field.field, compare, yes ? 1 : static_cast<std::int64_t>(seed));
        }
        if (field.measure == Measure::Percent) {
            double number = 0;
            const char* end = text.data() + text.size();
            const auto read = std::from_chars(text.data(), end, number, std::chars_format::fixed);
            if (read.ec != std::errc() || (read.ptr != end && std::string_view(read.ptr, end) != "%"))
                return error(at, "a share is expected here, such as 5%");
            RunCondition term{.kind = Kind::Number, .field = field.field, .compare = compare};
            term.number = number / 100;
            return term;
        }
        const bool isTime = field.measure == Measure::Time || field.measure == Measure::Milliseconds;
        const auto quantity = parseQuantity(isTime                            ? QueryValue::Time
                                            : field.measure == Measure::Bytes ? QueryValue::Bytes
                                                                              : QueryValue::Count,
                                            text);
        if (!quantity)
            return error(at, isTime                            ? "a time with its unit is expected here, such as 2ms"
                             : field.measure == Measure::Bytes ? "a size is expected here, such as 1.5GiB"
                                                               : "a number is expected here");
        const auto term = [&field](Compare how, std::int64_t value) {
            if (field.measure != Measure::Milliseconds)
                return numberTerm(field.field, how, value);
            RunCondition inMs{.kind = Kind::Number, .field = field.field, .compare = how};
            inMs.number = static_cast<double>(value) / 1e6;
            return inMs;
        };
        if (compare != Compare::Equal || quantity->least == quantity->most)
            return term(compare, quantity->value);
        RunCondition within; // to the precision that was written
        within.parts = {term(Compare::GreaterEqual, quantity->least), term(Compare::LessEqual, quantity->most)};
        return within;
    }

    Result<RunCondition> dated(Compare compare, const std::string& text, std::size_t at) {
        const auto span = parseDate(text);
        if (!span)
            return error(at, "a date is expected here, such as 2026-11-29 or 2026-11");
        const auto [from, to] = *span;
        switch (compare) {
        case Compare::Less:
            return numberTerm(RunField::Started, Compare::Less, from);
        case Compare::LessEqual:
            return numberTerm(RunField::Started, Compare::Less, to);
        case Compare::Greater:
            return numberTerm(RunField::Started, Compare::GreaterEqual, to);
        case Compare::GreaterEqual:
            return numberTerm(RunField::Started, Compare::GreaterEqual, from);
        default:
            break;
        }
        RunCondition within{.kind = Kind::All};
        within.parts = {numberTerm(RunField::Started, Compare::GreaterEqual, from),
                        numberTerm(RunField::Started, Compare::Less, to)};
        return within;
    }

    static constexpr int kMostNested = 100;
    std::string_view m_text;
    std::size_t m_at = 0;
    int m_depth = 0;
};

} // namespace

std::span<const RunFieldInfo> runFields() { return kFields; }

const RunFieldInfo* findRunField(std::string_view name) {
    const std::string lower = lowerCase(name);
    const auto at = std::ranges::find_if(kFields, [&lower](const RunFieldInfo& field) {
        return field.name == lower || (!field.other.empty() && field.other == lower);
    });
    return at == kFields.end() ? nullptr : &*at;
}

Result<RunCondition> parseRunFilter(std::string_view text) { return Parser(text).parse(); }

std::string runFieldNames() {
    std::string names;
    for (const RunFieldInfo& field : kFields)
        names += (names.empty() ? "" : ", ") + std::string(field.name);
    return names;
}

std::optional<RunField> runFieldNamed(std::string_view name) {
    const RunFieldInfo* field = findRunField(name);
    return field == nullptr ? std::nullopt : std::optional(field->field);
}

} // namespace opscape
