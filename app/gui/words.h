// SPDX-License-Identifier: MIT
// What the panes say about ops, groups and transfers, said once: tooltips, the inspector and the text report share it.
#pragma once

#include "gui/shown_run.h"

#include <QString>

namespace opscape {

[[nodiscard]] inline QString qs(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

/// "f32 1x64x56x56"
[[nodiscard]] QString tensorText(const Tensor& tensor);
/// Of an op's outputs, joined by commas; at most three.
[[nodiscard]] QString outputText(const Graph& graph, OpId op);
/// "A · gpu:0"
[[nodiscard]] QString deviceText(const Cluster& cluster, DeviceId device);
/// "12.3 ms (gap 25.0%)" and the like use it too: "25.0%"; a dash where there is no bound.
[[nodiscard]] QString gapText(std::int64_t makespanNs, std::int64_t boundNs);
/// "p100x4, fifo links"
[[nodiscard]] QString clusterText(const Cluster& cluster);
/// "12.3 ms"; of an edited plan "12.3 ms, -0.4 ms (-3.2%) against start"
[[nodiscard]] QString stepTimeText(const ShownRun& run);
/// "heft, run 12", "expert, preview", "go, best so far" or "heft, edited"
[[nodiscard]] QString methodText(const ShownRun& run);

/// Several lines for a tooltip. `run` may be null.
[[nodiscard]] QString opTip(const OpenedGraph& opened, const ShownRun* run, OpId op);
[[nodiscard]] QString scopeTip(const OpenedGraph& opened, const ShownRun* run, ScopeId scope);
[[nodiscard]] QString transferTip(const ShownRun& run, std::size_t transfer);

/// Why an op started when it did: what it waited for. Empty when it did not wait.
[[nodiscard]] QString waitText(const ShownRun& run, OpId op);
[[nodiscard]] QString waitText(const ShownRun& run, std::size_t transfer);

} // namespace opscape
