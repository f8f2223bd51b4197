// SPDX-License-Identifier: MIT
// Plugins: shared libraries in one folder, each with a plain C entry that is read, not called, before anything else of
// it runs. One that cannot be loaded is listed with its reason and never fatal.
//
//     OPSCAPE_PLUGIN("heft", [](opscape::Registry& registry) -> opscape::Result<> {
//         return registry.addOptimizer(info(), [] { return std::make_unique<Heft>(); });
//     })
#pragma once

#include <opscape/task/registry.h>

#include <cstdint>
#include <filesystem>

namespace opscape {

/// Raised whenever a type that crosses the plugin boundary changes.
inline constexpr std::uint32_t kPluginAbi = 2;

struct PluginEntry {
    std::uint32_t abi;
    const char* id;
    const char* version;
    Result<> (*registerInto)(Registry&);
};

#define OPSCAPE_PLUGIN(ID, ...)                                                                                        \
    extern "C" __attribute__((visibility("default"))) const ::opscape::PluginEntry opscapePlugin;                      \
    extern "C" const ::opscape::PluginEntry opscapePlugin{::opscape::kPluginAbi, ID, OPSCAPE_VERSION, __VA_ARGS__};

struct PluginStatus {
    std::filesystem::path file;
    std::string id;      ///< empty when it could not be read
    std::string version; ///< of the product it was built with
    std::string error;   ///< empty when it is loaded; else one sentence
    [[nodiscard]] bool loaded() const { return error.empty(); }
};

/// Loads every .so of the folder in the order of their names. A missing folder gives one status that says so.
[[nodiscard]] std::vector<PluginStatus> loadPlugins(const std::filesystem::path& folder, Registry& registry);

} // namespace opscape
