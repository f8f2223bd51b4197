// SPDX-License-Identifier: MIT
// What a simulated step looks like: when every op and every transfer ran, how much memory was in use, and why it took
// as long as it did. Times are integer nanoseconds from the start of the step; memory is bytes.
#pragma once

#include <opscape/base/ids.h>
#include <opscape/device/cluster.h>

#include <cstdint>
#include <string>
#include <vector>

namespace opscape {

struct OpRun {
    std::int64_t readyNs = 0; ///< all inputs on the device, control predecessors done
    std::int64_t startNs = 0;
    std::int64_t endNs = 0;
};

struct Transfer {
    TensorId tensor; ///< invalid for the signal of a control edge
    OpId producer;
    DeviceId from, to;
    std::int64_t bytes = 0;
    std::int64_t readyNs = 0; ///< when the producer ended
    std::int64_t startNs = 0; ///< when its channels were free
    std::int64_t endNs = 0;
};

struct MemoryStep {
    std::int64_t timeNs = 0;
    std::int64_t bytes = 0; ///< in use from then on
};

struct DeviceReport {
    std::int64_t busyNs = 0;
    std::int64_t idleNs = 0;        ///< makespan - busy
    std::int64_t residentBytes = 0; ///< weights, constants, optimizer state and inputs of the ops on it
    std::int64_t peakBytes = 0;
    std::int64_t peakNs = 0;        ///< first time the peak is reached
    std::int64_t overBytes = 0;     ///< peak above the capacity; 0 when it fits
    std::vector<MemoryStep> memory; ///< curve over time, first step at 0; filled at Detail::Full
    std::vector<TensorId> alive;    ///< tensors in memory at the peak, largest first; filled at Detail::Full
};

struct ChannelReport {
    std::int64_t busyNs = 0;
    std::int64_t bytes = 0;
    std::size_t transfers = 0;
};

struct Schedule {
    std::int64_t makespanNs = 0;
    bool feasible = true;            ///< false when a device runs out of memory
    std::int64_t peakBytes = 0;      ///< largest peak of any device
    std::int64_t bytesMoved = 0;     ///< over channels, each transfer counted once
    std::vector<OpRun> ops;          ///< per op
    std::vector<Transfer> transfers; ///< in the order of their start, then of their tensor
    std::vector<DeviceReport> devices;
    std::vector<ChannelReport> channels;
};

/// "gpu:1 runs out of memory at 3.2 ms: 17.1 GiB needed, 16.0 GiB there."; empty when feasible.
[[nodiscard]] std::string outOfMemoryReport(const Cluster& cluster, const Schedule& schedule);

} // namespace opscape
