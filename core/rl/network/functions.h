// SPDX-License-Identifier: MIT
// Functions of tensors whose gradients are written by hand, because torch's own would take several times the time or
// the memory. For the .cpp files of this folder that see torch.
#pragma once

#include <opscape/rl/features/decision_graph.h>
#include <opscape/rl/pch.h>

namespace opscape::rl {

/// segmentMax(): per unit the maximum over its neighbours, per column of `values`, [unit, column]. The neighbours must
/// outlive the gradient.
[[nodiscard]] torch::Tensor neighbourMax(const torch::Tensor& values, const Adjacency& neighbours);

/// Rows of a table, [row, column], in the order of `rows`, which may repeat: [rows.size(), column].
[[nodiscard]] torch::Tensor pickRows(const torch::Tensor& table, std::span<const std::int32_t> rows);

/// Attention within segments and to the segment before, through which no gradient flows: per unit the mean of values
/// with weights softmax(query key' / sqrt(width of a head)). `projected`: query, key and value beside each other,
/// [sample, unit, 3 hidden]; `before`: key and value of the units just before the first, [sample, unit, 2 hidden], or
/// undefined. A segment is worked out at a time, so nothing grows with the square of the number of units.
[[nodiscard]] torch::Tensor segmentAttention(const torch::Tensor& projected, const torch::Tensor& before,
                                             std::int64_t segment, std::int64_t heads);

} // namespace opscape::rl
