// SPDX-License-Identifier: MIT
// Which runs are meant, as a person types it: "graph:rnnlm optimizer:go tag:best step<4ms date>2026-11 not died
// (cluster:p100x4 or learned)". The language is that of the search for ops (core/query): words are looked for in all
// that is said of a run, what stands side by side must hold together, and, or, not and brackets combine.
#pragma once

#include <opscape/base/result.h>
#include <opscape/store/run_query.h>

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace opscape {

/// An empty text fits every run. An error is one sentence that begins with the column.
[[nodiscard]] Result<RunCondition> parseRunFilter(std::string_view text);
/// What a field is compared with.
enum class RunMeasure : std::uint8_t { Text, Flag, Count, Time, Milliseconds, Bytes, Percent, Date, Seed };

struct RunFieldInfo {
    std::string_view name;
    RunField field;
    RunMeasure measure;
    std::string_view summary;
    std::string_view other = {}; ///< another name
};
[[nodiscard]] std::span<const RunFieldInfo> runFields();
[[nodiscard]] const RunFieldInfo* findRunField(std::string_view name);

/// "graph, cluster, ...": what can be asked for.
[[nodiscard]] std::string runFieldNames();
/// By one of the names that a filter knows.
[[nodiscard]] std::optional<RunField> runFieldNamed(std::string_view name);

} // namespace opscape
