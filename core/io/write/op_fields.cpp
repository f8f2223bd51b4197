// SPDX-License-Identifier: MIT
#include <opscape/io/write/op_fields.h>

#include <fmt/format.h>

namespace opscape {

void countTimes(const GraphToWrite& what, Diagnostics& lost) {
    for (std::size_t i = 0; i < what.graph.opCount(); ++i) {
        const Op& op = what.graph.op(OpId(i));
        const std::int64_t written = what.timeNs(OpId(i));
        for (const auto& [kind, ns] : op.timeNs) {
            if (ns != written || kind != "gpu")
                lost.add(Severity::Info, lossCode(GraphPart::Time),
                         "Times given for a kind of device, which are written without it or give way to another one",
                         fmt::format("{}: {} ns on {}", op.name, ns, kind));
        }
    }
}

} // namespace opscape
