// SPDX-License-Identifier: MIT
// Which models there are: those that come with the product, in data/models, and a person's own, in the user's data
// folder; and which of them is the default, the one that `go` begins with unless it is told otherwise. The only place
// that knows; window, command line and optimizer ask here.
#pragma once

#include <opscape/base/result.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace opscape::rl {

struct ShelvedModel {
    std::string name; ///< of a bundled one "bundled/default", of a person's own "mine"
    std::filesystem::path file;
    [[nodiscard]] bool isBundled() const;
};

inline constexpr std::string_view kNoModel = "none";         ///< in place of a name: learn from nothing
inline constexpr std::string_view kDefaultModel = "default"; ///< the one that is the default

/// userDataFolder()/models. Not created by this call.
[[nodiscard]] std::filesystem::path userModelFolder();
/// Where a person's model of that name is, or would be. Fails on what is no name: letters, digits, '.', '_' and '-',
/// at most 64 of them, not one of the words above.
[[nodiscard]] Result<std::filesystem::path> userModelFile(std::string_view name);
/// Bundled ones first, by name.
[[nodiscard]] std::vector<ShelvedModel> shelvedModels();
/// By name, or the default, or any file. Fails with what there is.
[[nodiscard]] Result<ShelvedModel> findModel(std::string_view said);

/// The name of the default: what was chosen, else bundled/default; kNoModel where that is chosen or not there.
[[nodiscard]] std::string defaultModel();
/// Its file; empty where there is none. One that was chosen and is gone since is named all the same.
[[nodiscard]] std::filesystem::path defaultModelFile();
/// Of all windows and programs of this person, from now on. Empty: as it comes with the product.
[[nodiscard]] Result<> chooseDefaultModel(std::string_view name);

} // namespace opscape::rl
