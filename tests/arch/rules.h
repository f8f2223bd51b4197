// SPDX-License-Identifier: MIT
// The walls between the folders, checked by reading the includes of every source file. Each rule takes the whole tree
// as a value, so that a rule can be tried on a few lines of text as well as on the project.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace opscape::arch {

/// Path below the root, e.g. "core/graph/graph.h", to content.
using Tree = std::map<std::string, std::string>;

struct Violation {
    std::string path;
    std::size_t line = 0; ///< from 1
    std::string message;
    /// "core/graph/graph.h:7: ..."
    [[nodiscard]] std::string text() const;
};

/// Folders of core include only those below them; core includes nothing of app and plugins.
[[nodiscard]] std::vector<Violation> checkLayers(const Tree& tree);
/// Qt, torch, Graphviz and SQLite stay where they belong, and plugins see core only.
[[nodiscard]] std::vector<Violation> checkLibraries(const Tree& tree);
/// app/render and app/service know nothing of the programs that use them.
[[nodiscard]] std::vector<Violation> checkApp(const Tree& tree);
/// First line, include guard and length of a source file.
[[nodiscard]] std::vector<Violation> checkShape(const Tree& tree);
/// No file names a folder of somebody's machine. For all text files, not only sources.
[[nodiscard]] std::vector<Violation> checkMachinePaths(const Tree& tree);

/// .h and .cpp files below core, plugins, app and tests.
[[nodiscard]] bool isSource(std::string_view path);

} // namespace opscape::arch
