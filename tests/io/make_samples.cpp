// SPDX-License-Identifier: MIT
// Writes the bundled sample graphs: make_samples [FOLDER], by default data/graphs of the source tree.
#include "sample_graphs.h"

#include <opscape/io/format.h>

#include <fmt/core.h>

int main(int argc, char** argv) {
    const std::filesystem::path folder =
        argc > 1 ? std::filesystem::path(argv[1]) : std::filesystem::path(OPSCAPE_SOURCE_DIR) / "data/graphs";
    for (const opscape::SampleGraph& sample : opscape::sampleGraphs()) {
        if (const auto written = opscape::writeGraph(sample.graph, folder / sample.file); !written) {
            fmt::print(stderr, "{}\n", written.error().message);
            return 1;
        }
        fmt::print("{}: {} ops, {} edges\n", (folder / sample.file).string(), sample.graph.opCount(),
                   sample.graph.edgeCount());
    }
    return 0;
}
