// SPDX-License-Identifier: MIT
#include <opscape/task/option.h>

#include <algorithm>
#include <charconv>
#include <stdexcept>

namespace opscape {
namespace {

template <class T>
bool parseNumber(std::string_view text, T& value) {
    const auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), value);
    return ec == std::errc() && end == text.data() + text.size();
}

/// Control characters are in no path that a person means to give, and would tear lines of reports apart.
bool isPath(std::string_view text) {
    constexpr std::size_t kLongest = 4096; // PATH_MAX
    return text.size() < kLongest && std::ranges::none_of(text, [](char c) {
               const auto byte = static_cast<unsigned char>(c);
               return byte < 0x20 || byte == 0x7f;
           });
}

std::size_t indexOf(const std::vector<OptionSpec>& specs, std::string_view name) {
    const auto it = std::ranges::find(specs, name, &OptionSpec::name);
    return static_cast<std::size_t>(it - specs.begin());
}

} // namespace

OptionSpec OptionSpec::flag(std::string name, std::string summary, bool value) {
    return {std::move(name), std::move(summary), Type::Bool, value, 0, 1, {}, {}};
}

OptionSpec OptionSpec::integer(std::string name, std::string summary, std::int64_t value, std::int64_t least,
                               std::int64_t most, std::string unit) {
    return {std::move(name),           std::move(summary), Type::Int, value, static_cast<double>(least),
            static_cast<double>(most), std::move(unit),    {}};
}

OptionSpec OptionSpec::real(std::string name, std::string summary, double value, double least, double most,
                            std::string unit) {
    return {std::move(name), std::move(summary), Type::Real, value, least, most, std::move(unit), {}};
}

OptionSpec OptionSpec::choice(std::string name, std::string summary, std::string value,
                              std::vector<std::string> choices) {
    return {std::move(name), std::move(summary), Type::Choice, std::move(value), 0, 0, {}, std::move(choices)};
}

OptionSpec OptionSpec::fileToRead(std::string name, std::string summary) {
    return {std::move(name), std::move(summary), Type::FileToRead, std::string(), 0, 0, {}, {}};
}

OptionSpec OptionSpec::fileToWrite(std::string name, std::string summary) {
    return {std::move(name), std::move(summary), Type::FileToWrite, std::string(), 0, 0, {}, {}};
}

std::string OptionSpec::domain() const {
    const std::string tail = unit.empty() ? "" : ", in " + unit;
    switch (type) {
    case Type::Bool:
        return "true or false";
    case Type::Int:
        return fmt::format("integer from {:.0f} to {:.0f}{}", least, most, tail);
    case Type::Real:
        return fmt::format("number from {} to {}{}", least, most, tail);
    case Type::Choice:
        return fmt::format("one of {}", fmt::join(choices, ", "));
    case Type::FileToRead:
    case Type::FileToWrite:
        return "path of a file without control characters, or empty";
    }
    return {};
}

std::string toString(const OptionValue& value) {
    if (const bool* flag = std::get_if<bool>(&value))
        return *flag ? "true" : "false";
    if (const auto* integer = std::get_if<std::int64_t>(&value))
        return std::to_string(*integer);
    if (const double* real = std::get_if<double>(&value))
        return fmt::format("{}", *real); // shortest text that reads back to the same bits
    return std::get<std::string>(value);
}

Options::Options(std::span<const OptionSpec> specs) : m_specs(specs.begin(), specs.end()) {
    for (const OptionSpec& spec : m_specs)
        m_values.push_back(spec.value);
}

Result<> Options::set(std::string_view name, std::string_view text) {
    const std::size_t i = indexOf(m_specs, name);
    if (i == m_specs.size()) {
        std::vector<std::string_view> known;
        for (const OptionSpec& spec : m_specs)
            known.push_back(spec.name);
        return fail("there is no option \"{}\"; {}{}.", name,
                    known.empty() ? "this optimizer has none" : "the options are ", fmt::join(known, ", "));
    }
    const OptionSpec& spec = m_specs[i];
    OptionValue value;
    bool good = false;
    if (spec.type == OptionSpec::Type::Bool) {
        good = text == "true" || text == "false";
        value = text == "true";
    } else if (spec.type == OptionSpec::Type::Int) {
        std::int64_t number = 0;
        good = parseNumber(text, number) && static_cast<double>(number) >= spec.least &&
               static_cast<double>(number) <= spec.most;
        value = number;
    } else if (spec.type == OptionSpec::Type::Real) {
        double number = 0;
        good = parseNumber(text, number) && number >= spec.least && number <= spec.most;
        value = number;
    } else if (spec.isFile()) {
        good = isPath(text);
        value = std::string(text);
    } else {
        good = std::ranges::count(spec.choices, text) > 0;
        value = std::string(text);
    }
    if (!good)
        return fail("option {}={}: the value must be {}.", name, text, spec.domain());
    m_values[i] = std::move(value);
    return {};
}

Result<> Options::setPair(std::string_view pair) {
    const std::size_t equals = pair.find('=');
    if (equals == std::string_view::npos)
        return fail("\"{}\" is not of the form name=value.", pair);
    return set(pair.substr(0, equals), pair.substr(equals + 1));
}

const OptionValue& Options::value(std::string_view name) const {
    const std::size_t i = indexOf(m_specs, name);
    if (i == m_specs.size())
        throw std::logic_error(fmt::format("option {} was never declared", name));
    return m_values[i];
}

bool Options::flag(std::string_view name) const { return std::get<bool>(value(name)); }
std::int64_t Options::integer(std::string_view name) const { return std::get<std::int64_t>(value(name)); }
double Options::real(std::string_view name) const { return std::get<double>(value(name)); }
const std::string& Options::choice(std::string_view name) const { return std::get<std::string>(value(name)); }
const std::string& Options::file(std::string_view name) const { return std::get<std::string>(value(name)); }

std::map<std::string, std::string> Options::toMap() const {
    std::map<std::string, std::string> map;
    for (std::size_t i = 0; i < m_specs.size(); ++i)
        map[m_specs[i].name] = toString(m_values[i]);
    return map;
}

} // namespace opscape
