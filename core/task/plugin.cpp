// SPDX-License-Identifier: MIT
#include <opscape/task/plugin.h>

#include <dlfcn.h>

#include <algorithm>

namespace opscape {
namespace {

/// The library stays loaded for the life of the process: objects it made may outlive any owner we could give it.
PluginStatus loadOne(const std::filesystem::path& file, Registry& registry) {
    PluginStatus status{file, {}, {}, {}};
    void* library = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
        const char* reason = ::dlerror();
        status.error = fmt::format("cannot be loaded: {}.", reason != nullptr ? reason : "no reason given");
        return status;
    }
    const auto* entry = static_cast<const PluginEntry*>(::dlsym(library, "opscapePlugin"));
    if (entry == nullptr) {
        status.error = "is not an Opscape plugin: it has no symbol opscapePlugin.";
    } else if (entry->abi != kPluginAbi) {
        status.error =
            fmt::format("was built for plugin interface {}, this program has {}; rebuild it.", entry->abi, kPluginAbi);
    } else {
        status.id = entry->id;
        status.version = entry->version;
        try {
            if (auto registered = entry->registerInto(registry); !registered)
                status.error = registered.error().message;
        } catch (const std::exception& error) {
            status.error = fmt::format("failed while registering: {}.", error.what());
        } catch (...) {
            status.error = "failed while registering and gave no reason.";
        }
        return status;
    }
    ::dlclose(library);
    return status;
}

} // namespace

std::vector<PluginStatus> loadPlugins(const std::filesystem::path& folder, Registry& registry) {
    std::vector<std::filesystem::path> files;
    std::error_code ec;
    for (const auto& entry : std::filesystem::directory_iterator(folder, ec)) {
        if (entry.path().extension() == ".so")
            files.push_back(entry.path());
    }
    if (ec)
        return {PluginStatus{folder, {}, {}, fmt::format("the plugin folder cannot be read: {}.", ec.message())}};
    std::ranges::sort(files);
    std::vector<PluginStatus> statuses;
    for (const auto& file : files)
        statuses.push_back(loadOne(file, registry));
    return statuses;
}

} // namespace opscape
