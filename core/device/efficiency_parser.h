// SPDX-License-Identifier: MIT
// Reads the "efficiency" of a kind of device (format: data/clusters/README.md); a part of the cluster parser.
#pragma once

#include <opscape/device/cluster.h>
#include <opscape/device/json_checks.h>

namespace opscape {

/// Throws json::BadJson.
void readEfficiency(const json::Json& object, const std::string& place, DeviceKind& kind);

} // namespace opscape
