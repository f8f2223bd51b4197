// SPDX-License-Identifier: MIT
// What the program was asked to do on its command line.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace opscape {

struct GuiOptions {
    std::string file;
    std::string database;
    std::string cluster;            ///< empty: the graph's own, else the default
    std::string optimizer;          ///< empty: the default, as a preview
    long long run = 0;              ///< reopened when positive
    std::vector<long long> compare; ///< kept runs to compare
    std::string compareView;        ///< of the compared plans; may be empty
    std::string screenshot;
    int width = 0, height = 0; ///< of the window; 0: as it was left
    std::string pane;          ///< brought to the front; may be empty
    std::string theme;         ///< "light", "dark" or empty
};

/// The options, or the exit code after help, the version or a mistake was printed.
[[nodiscard]] std::variant<GuiOptions, int> parseCommandLine(int argc, char** argv);

} // namespace opscape
