// SPDX-License-Identifier: MIT
// Clusters to learn on: the bundled ones, and others made from their kinds of devices, with other numbers of devices,
// bandwidths and ways to join them.
#pragma once

#include <opscape/base/random.h>
#include <opscape/device/cluster.h>

#include <map>
#include <memory>

namespace opscape {

struct ClusterShape {
    std::vector<std::string> kinds; ///< one, or two that take turns: "P100", "V100", "A100"
    int devices = 2;
    double bandwidth = 0; ///< bytes per second, of each device's link in each direction
    bool paired = false;  ///< two devices to a switch, and one link from switch to switch for both

    /// "4 x p100, 12 GB/s"
    [[nodiscard]] std::string name() const;
};

/// Devices as in the bundled clusters; the name is its id. Fails where these are not installed or have no such kind.
[[nodiscard]] Result<Cluster> makeCluster(const ClusterShape& shape);

/// Draws clusters, each made once.
class LessonClusters {
public:
    LessonClusters(int leastDevices, int mostDevices) : m_least(leastDevices), m_most(mostDevices) {}

    struct Named {
        std::string name; ///< "4 x p100, 12 GB/s"; of a bundled one its id
        std::shared_ptr<const Cluster> cluster;
    };
    [[nodiscard]] Result<Named> draw(Random& random);
    /// A bundled one.
    [[nodiscard]] Result<Named> bundled(const std::string& id);

private:
    int m_least, m_most;
    std::vector<std::string> m_bundled; ///< with that many devices
    bool m_lookedFor = false;
    std::map<std::string, std::shared_ptr<const Cluster>> m_made;
};

} // namespace opscape
