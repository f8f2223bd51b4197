// SPDX-License-Identifier: MIT
// Placement problems of msr-fiddle/dnn-partitioning (JSON): per node a time on an accelerator and on a CPU in ms,
// resident bytes, and a colour class that shares a device; per edge the time of the tensor between accelerator and host
// in ms. The file brings its own cluster: maxFPGAs accelerators of maxSizePerFPGA bytes and maxCPUs CPUs. A tensor is
// given the bytes that take its time at the 1 GB/s of that cluster's channels.
#pragma once

#include <opscape/io/format.h>

namespace opscape {

[[nodiscard]] bool looksLikeDnnPartitioning(std::string_view bytes);
[[nodiscard]] Result<GraphFile> readDnnPartitioning(std::string_view bytes, const std::string& origin);

} // namespace opscape
