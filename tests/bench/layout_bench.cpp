// SPDX-License-Identifier: MIT
// From a graph in memory to where its boxes lie, for large graphs of the zoo, one without scopes, and the graph files
// that are given. Prints a table, or JSON with --json.
#include "bench/bench_table.h"
#include "bench/bench_timing.h"
#include "bench/layout_figures.h"

#include <opscape/base/random.h>
#include <opscape/graph/graph_builder.h>
#include <opscape/io/format.h>
#include <opscape/zoo/zoo.h>

#include <cstdlib>
#include <cstring>

namespace opscape::bench {
namespace {

/// A network of modules of a few branches, whose names carry no scopes.
Graph withoutScopes(std::size_t ops) {
    Random random(1);
    GraphBuilder builder("no scopes");
    std::vector<TensorId> outputs;
    const auto add = [&](const char* type, const std::vector<TensorId>& inputs) {
        Op op;
        op.name = fmt::format("n{}", outputs.size());
        op.type = type;
        const OpId id = builder.addOp(std::move(op));
        for (const TensorId input : inputs)
            builder.addInput(id, input);
        Tensor tensor;
        tensor.bytes = 1024;
        outputs.push_back(builder.addOutput(id, std::move(tensor)));
        return outputs.back();
    };
    TensorId last = add("Input", {});
    while (outputs.size() < ops) {
        std::vector<TensorId> branches;
        for (std::uint32_t branch = 2 + random.below(3); branch > 0; --branch) {
            TensorId value = last;
            for (std::uint32_t depth = 1 + random.below(4); depth > 0; --depth)
                value = add("Conv", {value});
            branches.push_back(value);
        }
        last = add("Concat", branches);
    }
    Diagnostics diagnostics;
    return orExit(std::move(builder).build(diagnostics));
}

void print(const std::string& name, const Graph& graph, bool json, bool last) {
    const LayoutFigures f = measureLayout(graph);
    const BenchRow rows[] = {{"ops", "ops", static_cast<double>(graph.opCount()), 0},
                             {"scopes_ms", "tree of what is shown, ms", f.scopesMs, 1},
                             {"first_ms", "first scene, ms", f.firstMs, 1},
                             {"first_boxes", "boxes in it", f.firstBoxes, 0},
                             {"open_ms", "opening a group, ms", f.openMs, 2},
                             {"open_worst_ms", "the slowest of them, ms", f.worstOpenMs, 2},
                             {"close_ms", "closing it again, ms", f.closeMs, 2},
                             {"all_ms", "every group open, ms", f.allMs, 1},
                             {"all_boxes", "boxes in it", f.allBoxes, 0}};
    json ? fmt::print("\"{}\": ", name) : fmt::print("{}\n", name);
    printRows(rows, json);
    fmt::print("{}\n", json && !last ? "," : "");
}

int run(const std::vector<std::string>& files, bool json) {
    if (json)
        std::puts("{");
    print("gnmt8, paper", orExit(buildZooModel("gnmt8", "paper")), json, false);
    print("inception32, paper", orExit(buildZooModel("inception32", "paper")), json, false);
    for (const std::string& file : files)
        print(file, orExit(readGraph(file)).graph, json, false);
    print("no scopes", withoutScopes(10'000), json, true);
    if (json)
        std::puts("}");
    return 0;
}

} // namespace
} // namespace opscape::bench

int main(int argc, char** argv) {
    bool json = false;
    std::vector<std::string> files;
    for (int i = 1; i < argc; ++i) {
        if (std::strcmp(argv[i], "--json") == 0)
            json = true;
        else
            files.emplace_back(argv[i]);
    }
    return opscape::bench::run(files, json);
}
