// SPDX-License-Identifier: MIT
// Files to begin fuzzing from: small graphs in every format that is written and read, DIR/FORMAT/N. Formats that are
// only read begin from what lies in tests/fuzz/seeds, as do parts of the others that no writer makes.
#include "io/random_graph.h"
#include "support/small_graph.h"

#include <opscape/base/paths.h>

#include <cstdio>

int main(int argc, char** argv) {
    using namespace opscape;
    if (argc != 2) {
        std::fprintf(stderr, "usage: fuzz_seeds DIR\n");
        return 2;
    }
    const std::filesystem::path folder = argv[1];
    std::filesystem::create_directories(folder);
    std::filesystem::copy(OPSCAPE_SOURCE_DIR "/tests/fuzz/seeds", folder,
                          std::filesystem::copy_options::recursive | std::filesystem::copy_options::overwrite_existing);
    constexpr std::size_t kGraphs = 24;
    for (const GraphFormat& format : graphFormats()) {
        if (format.read == nullptr || format.write == nullptr)
            continue;
        std::filesystem::create_directories(folder / format.id);
        for (std::size_t i = 0; i < kGraphs; ++i) {
            const Graph graph = i == 0 ? test::smallGraph() : RandomGraph(i).make(i);
            const auto written = format.write({graph});
            const auto done = written ? writeFile(folder / format.id / fmt::format("seed{}", i), written->bytes)
                                      : Result<>(fail(written.error()));
            if (!done) {
                std::fprintf(stderr, "fuzz_seeds: %s\n", done.error().message.c_str());
                return 1;
            }
        }
    }
    return 0;
}
