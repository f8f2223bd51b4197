// SPDX-License-Identifier: MIT
#include "cli_checks.h"

#include <opscape/base/text.h>
#include <opscape/base/units.h>

#include <fmt/format.h>

#include <charconv>
#include <limits>

namespace opscape {

CLI::Validator wholeNumber() {
    const auto check = [](const std::string& text) {
        const bool digits = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
        if (!digits)
            return fmt::format("\"{}\" is not a whole number from 0", text);
        std::uint64_t number = 0;
        const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
        return read.ec == std::errc() ? std::string()
                                      : fmt::format("\"{}\" is too large; the largest is {}", elide(text, 40),
                                                    std::numeric_limits<std::uint64_t>::max());
    };
    return {check, "NUMBER"};
}

CLI::Validator runNumber() {
    const auto check = [](const std::string& text) {
        std::int64_t number = 0;
        const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
        const bool sound = read.ec == std::errc() && read.ptr == text.data() + text.size() && number > 0;
        return sound ? std::string()
                     : fmt::format("\"{}\" is not the number of a run; they count from 1, see runs list",
                                   elide(text, 40));
    };
    return {check, "RUN"};
}

CLI::App* addCommand(CLI::App& app, const std::string& name, const std::string& summary) {
    CLI::App* command = app.add_subcommand(name, summary);
    command->fallthrough(); // the global options may follow the command
    return command;
}

} // namespace opscape
