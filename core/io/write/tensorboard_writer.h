// SPDX-License-Identifier: MIT
// A training curve as TensorBoard event file: records of TFRecord (length, its masked CRC-32C, bytes, their masked
// CRC-32C) that hold an Event each, with scalars under "train/..." by update; what the curve is compared with is a
// constant scalar under "baseline_ms/...".
#pragma once

#include <opscape/base/run_context.h>

#include <span>
#include <string>
#include <string_view>

namespace opscape {

/// CRC-32 with Castagnoli's polynomial, as in iSCSI (RFC 3720).
[[nodiscard]] std::uint32_t crc32c(std::string_view bytes);
/// As TFRecord stores it: rotated and added to, because a CRC of bytes with CRCs in them says little.
[[nodiscard]] std::uint32_t maskedCrc32c(std::string_view bytes);

/// `startedMs`: when the training began, Unix time.
[[nodiscard]] std::string writeTensorBoard(std::span<const CurvePoint> points, std::span<const NamedTime> baselines,
                                           std::int64_t startedMs);

} // namespace opscape
