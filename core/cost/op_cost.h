// SPDX-License-Identifier: MIT
// How much work an op is: floating-point operations and memory traffic from its type, attributes and tensor shapes. One
// table of rules, one row per op type, each with its formula.
#pragma once

#include <opscape/device/efficiency.h>
#include <opscape/graph/graph.h>

namespace opscape {

struct OpCost {
    double flops = 0;                       ///< multiply and add count one each
    double bytesMoved = 0;                  ///< inputs, weights and outputs, each read or written once
    DType computeType = DType::F32;         ///< selects the device's peak
    OpClass opClass = OpClass::Elementwise; ///< with computeType selects the part of the peaks that is reached
    std::int64_t workspaceBytes = 0;        ///< scratch memory while it runs
    bool launches = true;                   ///< false: a view, for which no kernel runs
    bool known = true;                      ///< false: no rule for the type; costed by bytes
};

/// One row of the table, for documentation and for the tests.
struct OpRule {
    std::string_view type;
    std::string_view formula;               ///< e.g. "2 * N * Co * Ho * Wo * Ci/g * Kh * Kw"
    OpClass opClass = OpClass::Elementwise; ///< of a convolution in few groups; many make it GroupedConvolution
};

[[nodiscard]] std::span<const OpRule> opRules();
[[nodiscard]] bool hasOpRule(std::string_view type);
/// Convolutions of at least this many groups are of the class GroupedConvolution.
inline constexpr std::int64_t kManyGroups = 8;

/// Figures given with the op (flops, bytesMoved, a workspace that is not 0) take precedence over the rule.
[[nodiscard]] OpCost opCost(const Graph& graph, OpId id);

} // namespace opscape
