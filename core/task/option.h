// SPDX-License-Identifier: MIT
// Options of optimizers. Each is declared once, as an OptionSpec; the form in the window, the command line, JSON, the
// database and the help are all derived from it.
#pragma once

#include <opscape/base/result.h>

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace opscape {

using OptionValue = std::variant<bool, std::int64_t, double, std::string>;

struct OptionSpec {
    enum class Type { Bool, Int, Real, Choice, FileToRead, FileToWrite };

    std::string name;    ///< e.g. "budget"; lower case, words joined by '-'
    std::string summary; ///< one sentence
    Type type = Type::Int;
    OptionValue value;                ///< default
    double least = 0, most = 0;       ///< bounds of Int and Real, inclusive
    std::string unit;                 ///< "s", "bytes", ...; may be empty
    std::vector<std::string> choices; ///< of Choice
    std::string group{};              ///< of options that belong together, e.g. "Budget"; may be empty

    [[nodiscard]] static OptionSpec flag(std::string name, std::string summary, bool value);
    [[nodiscard]] static OptionSpec integer(std::string name, std::string summary, std::int64_t value,
                                            std::int64_t least, std::int64_t most, std::string unit = {});
    [[nodiscard]] static OptionSpec real(std::string name, std::string summary, double value, double least, double most,
                                         std::string unit = {});
    [[nodiscard]] static OptionSpec choice(std::string name, std::string summary, std::string value,
                                           std::vector<std::string> choices);
    /// The path of a file, none at first. Whether it can be read is seen when it is.
    [[nodiscard]] static OptionSpec fileToRead(std::string name, std::string summary);
    [[nodiscard]] static OptionSpec fileToWrite(std::string name, std::string summary);
    [[nodiscard]] bool isFile() const { return type == Type::FileToRead || type == Type::FileToWrite; }
    /// The same option in a group. Options of a group are declared one after the other.
    [[nodiscard]] OptionSpec in(std::string itsGroup) && {
        group = std::move(itsGroup);
        return std::move(*this);
    }
    /// "integer from 1 to 100, s": for help and errors.
    [[nodiscard]] std::string domain() const;
};

/// The canonical text of a value: what parse() reads back to the same value.
[[nodiscard]] std::string toString(const OptionValue& value);

/// Values for a list of specs; always complete and within bounds.
class Options {
public:
    Options() = default;
    /// All at their defaults.
    explicit Options(std::span<const OptionSpec> specs);

    /// Reads `text` as the option's type. The error names the option, the value and what is allowed.
    [[nodiscard]] Result<> set(std::string_view name, std::string_view text);
    /// "name=value"
    [[nodiscard]] Result<> setPair(std::string_view pair);

    [[nodiscard]] bool flag(std::string_view name) const;
    [[nodiscard]] std::int64_t integer(std::string_view name) const;
    [[nodiscard]] double real(std::string_view name) const;
    [[nodiscard]] const std::string& choice(std::string_view name) const;
    [[nodiscard]] const std::string& file(std::string_view name) const; ///< empty: none

    [[nodiscard]] const std::vector<OptionSpec>& specs() const { return m_specs; }
    [[nodiscard]] const OptionValue& value(std::string_view name) const;
    /// Name to canonical text, for files and the database.
    [[nodiscard]] std::map<std::string, std::string> toMap() const;

private:
    std::vector<OptionSpec> m_specs;
    std::vector<OptionValue> m_values;
};

} // namespace opscape
