// SPDX-License-Identifier: MIT
#include <opscape/base/units.h>
#include <opscape/sim/schedule.h>

namespace opscape {

std::string outOfMemoryReport(const Cluster& cluster, const Schedule& schedule) {
    std::string report;
    for (std::size_t d = 0; d < schedule.devices.size(); ++d) {
        const DeviceReport& device = schedule.devices[d];
        if (device.overBytes <= 0)
            continue;
        report += fmt::format("{}{} runs out of memory at {}: {} needed, {} there.", report.empty() ? "" : " ",
                              cluster.device(DeviceId(d)).name, formatTime(device.peakNs),
                              formatBytes(device.peakBytes), formatBytes(device.peakBytes - device.overBytes));
    }
    return report;
}

} // namespace opscape
