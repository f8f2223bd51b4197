// SPDX-License-Identifier: MIT
// What can be asked of an op: one list, from which the parser, the completion and the help are made.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace opscape {

enum class QueryField : std::uint8_t {
    Name,
    Type,
    Scope,
    Phase,
    Device,
    Time,
    Start,
    End,
    Wait,
    Memory,
    Flops,
    Inputs,
    Outputs,
    Priority,
    Critical,
    Fused,
    Cut
};

enum class QueryValue : std::uint8_t { Text, Phase, Device, Time, Bytes, Count, None };

struct QueryFieldInfo {
    QueryField field;
    std::string_view name;
    QueryValue value; ///< None: a word that stands alone
    bool ofPlan;      ///< known only once there is a plan and its schedule
    std::string_view summary;
};

[[nodiscard]] std::span<const QueryFieldInfo> queryFields();
/// By name, whatever its case; null when there is none.
[[nodiscard]] const QueryFieldInfo* findQueryField(std::string_view name);

/// "name:, type:, ... critical, fused": every field, for a sentence.
[[nodiscard]] std::string_view queryFieldNames();

} // namespace opscape
