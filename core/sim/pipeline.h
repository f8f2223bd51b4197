// SPDX-License-Identifier: MIT
// The other objective next to the step time: throughput in pipelined steady state, when every device works on another
// input at once and the busiest device sets the pace (Tarnawski et al., "Efficient Algorithms for Device Placement of
// DNN Graph Operators", NeurIPS 2020). An accelerator's load is the sum of its ops' times plus the transfer time of
// each distinct tensor that crosses its boundary, once where it is sent and once at each device that receives it;
// compute and transfers add. A CPU (device type "cpu") pays for its ops alone. Memory is the resident bytes, not
// liveness.
#pragma once

#include <opscape/sim/simulator.h>

namespace opscape {

struct PipelineLoad {
    std::int64_t computeNs = 0;
    std::int64_t sendNs = 0;
    std::int64_t receiveNs = 0;
    std::int64_t residentBytes = 0;
    std::int64_t overBytes = 0; ///< resident bytes above the capacity; 0 when they fit
    [[nodiscard]] std::int64_t totalNs() const { return computeNs + sendNs + receiveNs; }
};

struct PipelineReport {
    std::int64_t periodNs = 0; ///< load of the busiest device: time between two results
    DeviceId bottleneck;
    bool feasible = true;
    std::vector<PipelineLoad> devices;
};

/// The plan must be valid (checkPlan). What a tensor costs to send and to receive is its time over the route from its
/// device to the first other device that reads it.
[[nodiscard]] PipelineReport pipelineReport(const Problem& problem, const Plan& plan);

/// What the busiest device is busy with, for a search that wants to relieve it: each of its ops as a delay of kind
/// Device, each tensor that crosses its boundary as a delay of kind Transfer. Empty where it has nothing to do.
void pipelineDelays(const Problem& problem, const Plan& plan, const PipelineReport& report, std::vector<Delay>& found);

/// A sentence for each device whose resident bytes do not fit; empty when they all do.
[[nodiscard]] std::string outOfMemoryReport(const Cluster& cluster, const PipelineReport& report);

} // namespace opscape
