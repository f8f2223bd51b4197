// SPDX-License-Identifier: MIT
// The formats that measured_times.h reads, one by one.
#pragma once

#include <opscape/io/times/measured_times.h>

namespace opscape {

/// Protobuf, binary or text: a StepStats, or a RunMetadata that holds one. Of an op on a GPU the time of its kernels
/// counts where they were traced, else the time of the op itself.
[[nodiscard]] bool isStepStats(std::string_view bytes);
[[nodiscard]] Result<MeasuredTimes> readStepStats(std::string_view bytes, const std::string& origin);

/// Complete events ("ph": "X"). The op is args.name where there is one (TensorFlow), else the event's name.
[[nodiscard]] bool isChromeTrace(std::string_view bytes);
[[nodiscard]] Result<MeasuredTimes> readChromeTrace(std::string_view bytes, const std::string& origin);

/// With a title line "op,device,time_us" in any order, in which other columns are left out.
[[nodiscard]] Result<MeasuredTimes> readTimesCsv(std::string_view bytes, const std::string& origin);

[[nodiscard]] bool isGzip(std::string_view bytes);
/// Refuses what is more than `most` bytes unpacked.
[[nodiscard]] Result<std::string> unpackGzip(std::string_view bytes, std::size_t most, const std::string& origin);

} // namespace opscape
