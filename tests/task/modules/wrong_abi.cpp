// SPDX-License-Identifier: MIT
// Built for another plugin interface: nothing of it may be called.
#include <opscape/task/plugin.h>

#include <cstdlib>

extern "C" __attribute__((visibility("default"))) const opscape::PluginEntry opscapePlugin;
extern "C" const opscape::PluginEntry opscapePlugin{opscape::kPluginAbi + 1, "wrong_abi", "9.9",
                                                    [](opscape::Registry&) -> opscape::Result<> { std::abort(); }};
