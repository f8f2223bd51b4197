// SPDX-License-Identifier: MIT
// Where the product finds its own files: beside its programs, in the build tree as when installed.
#pragma once

#include <opscape/base/result.h>

#include <filesystem>
#include <string>

namespace opscape {

/// Folder of the running program.
[[nodiscard]] std::filesystem::path programFolder();
/// Bundled graphs and clusters: $OPSCAPE_DATA, or <program>/../share/opscape.
[[nodiscard]] std::filesystem::path dataFolder();
/// Plugins: $OPSCAPE_PLUGINS, or <program>/../lib/opscape/plugins.
[[nodiscard]] std::filesystem::path pluginFolder();
/// What a person makes is kept here: $XDG_DATA_HOME/opscape or ~/.local/share/opscape. Not created by this call.
[[nodiscard]] std::filesystem::path userDataFolder();

/// Whole file into memory. The error names the file and says why.
[[nodiscard]] Result<std::string> readFile(const std::filesystem::path& path);
/// Writes to a temporary file beside it and renames, so that a reader never sees half a file. A link keeps its target,
/// a file its permissions; what is not a regular file (a pipe, a device) is written to as it is.
[[nodiscard]] Result<> writeFile(const std::filesystem::path& path, std::string_view bytes);

} // namespace opscape
