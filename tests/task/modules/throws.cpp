// SPDX-License-Identifier: MIT
// Gives up while registering.
#include <opscape/task/plugin.h>

#include <stdexcept>

OPSCAPE_PLUGIN("throws", [](opscape::Registry&) -> opscape::Result<> { throw std::runtime_error("no licence found"); })
