// SPDX-License-Identifier: MIT
// The hash and equality of graphs: equal for equal graphs, different after a change of any field.
#include "small_graph.h"

#include <set>

namespace opscape {
namespace {

using test::built;
using test::op;
using test::tensor;

/// What a variant may change before the graph is built.
struct Parts {
    std::string name = "graph";
    Op a = op("a", "Conv"), b = op("b", "Relu");
    Tensor x = tensor("x", {2, 3}), w = tensor("w", {4}, TensorKind::Weight);
    std::vector<int> inputsOfB{0, 1}; ///< 0 is x, 1 is w, -1 an omitted one
    bool control = true, swapOps = false, swapTensors = false;
};

Graph make(const Parts& parts) {
    GraphBuilder builder(parts.name);
    const OpId first = builder.addOp(parts.swapOps ? parts.b : parts.a);
    const OpId second = builder.addOp(parts.swapOps ? parts.a : parts.b);
    const OpId a = parts.swapOps ? second : first, b = parts.swapOps ? first : second;
    TensorId ids[2];
    if (parts.swapTensors)
        ids[1] = builder.addResident(parts.w);
    ids[0] = builder.addOutput(a, parts.x);
    if (!parts.swapTensors)
        ids[1] = builder.addResident(parts.w);
    for (const int input : parts.inputsOfB)
        builder.addInput(b, input < 0 ? TensorId() : ids[input]);
    if (parts.control)
        builder.addControl(a, b);
    return built(std::move(builder));
}

Parts rich() {
    Parts parts;
    parts.a.colocation = "group";
    parts.a.requestedDevice = "/gpu:0";
    parts.a.flops = 10;
    parts.a.bytesMoved = 20;
    parts.a.workspaceBytes = 30;
    parts.a.timeNs = {{"P100", 40}, {"V100", 50}};
    parts.a.attributes = {{"i", std::int64_t{1}},
                          {"d", 0.5},
                          {"s", std::string("text")},
                          {"is", std::vector<std::int64_t>{1, 2}},
                          {"ds", std::vector<double>{0.5, 1.5}}};
    parts.x.bytes = 24;
    return parts;
}

TEST(GraphHash, IsTheSameForEqualGraphs) {
    const Graph one = make(rich()), other = make(rich());
    EXPECT_EQ(one, other);
    EXPECT_EQ(one.hash(), other.hash());
    EXPECT_EQ(one.hash().size(), 32u);
    EXPECT_EQ(one.hash().find_first_not_of("0123456789abcdef"), std::string::npos);
}

TEST(GraphHash, IsStableFromReleaseToRelease) {
    // Runs and plans are found by it: a change here needs a new scheme name and a way to read the old ones.
    EXPECT_EQ(make(Parts()).hash(), "429187f3e3596e617a814186ceeee593");
}

TEST(GraphHash, DoesNotDependOnTheOrderOfControlEdgesOrRepetitions) {
    const auto withControl = [](const std::vector<std::pair<std::size_t, std::size_t>>& edges) {
        GraphBuilder builder = test::ops({"a", "b", "c"});
        for (const auto& [from, to] : edges)
            builder.addControl(OpId(from), OpId(to));
        return built(std::move(builder));
    };
    const Graph one = withControl({{0, 1}, {0, 2}}), other = withControl({{0, 2}, {0, 1}, {0, 2}});
    EXPECT_EQ(one, other);
    EXPECT_EQ(one.hash(), other.hash());
}

struct Change {
    const char* what;
    void (*change)(Parts&);
};

constexpr Change kChanges[] = {
    {"graph name", [](Parts& p) { p.name = "other"; }},
    {"op name", [](Parts& p) { p.a.name = "c"; }},
    {"op type", [](Parts& p) { p.a.type = "Gemm"; }},
    {"phase", [](Parts& p) { p.a.phase = Phase::Backward; }},
    {"colocation", [](Parts& p) { p.a.colocation = "other"; }},
    {"requested device", [](Parts& p) { p.a.requestedDevice = ""; }},
    {"text moved to the next field",
     [](Parts& p) {
         p.a.colocation = "group/";
         p.a.requestedDevice = "gpu:0";
     }},
    {"flops", [](Parts& p) { ++p.a.flops; }},
    {"bytes moved", [](Parts& p) { ++p.a.bytesMoved; }},
    {"workspace", [](Parts& p) { ++p.a.workspaceBytes; }},
    {"time", [](Parts& p) { ++p.a.timeNs["P100"]; }},
    {"time of another kind", [](Parts& p) { p.a.timeNs["A100"] = 1; }},
    {"no times", [](Parts& p) { p.a.timeNs.clear(); }},
    {"attribute name", [](Parts& p) { p.a.attributes[0].name = "j"; }},
    {"attribute integer", [](Parts& p) { p.a.attributes[0].value = std::int64_t{2}; }},
    {"attribute type", [](Parts& p) { p.a.attributes[0].value = 1.0; }},
    {"attribute real", [](Parts& p) { p.a.attributes[1].value = 0.25; }},
    {"attribute text", [](Parts& p) { p.a.attributes[2].value = std::string("Text"); }},
    {"attribute integers",
     [](Parts& p) {
         p.a.attributes[3].value = std::vector<std::int64_t>{2, 1};
     }},
    {"attribute reals", [](Parts& p) { p.a.attributes[4].value = std::vector<double>{0.5}; }},
    {"attribute order", [](Parts& p) { std::swap(p.a.attributes[0], p.a.attributes[1]); }},
    {"attribute gone", [](Parts& p) { p.a.attributes.pop_back(); }},
    {"tensor name", [](Parts& p) { p.x.name = "y"; }},
    {"tensor kind", [](Parts& p) { p.w.kind = TensorKind::Constant; }},
    {"element type", [](Parts& p) { p.x.dtype = DType::I32; }},
    {"shape",
     [](Parts& p) {
         p.x.shape = {3, 2};
     }},
    {"rank",
     [](Parts& p) {
         p.x.shape = {2, 3, 1};
     }},
    {"shape unknown", [](Parts& p) { p.x.shapeKnown = false; }},
    {"tensor bytes", [](Parts& p) { p.x.bytes = 25; }},
    {"tensor bytes not given", [](Parts& p) { p.x.bytes = -1; }},
    {"input order",
     [](Parts& p) {
         p.inputsOfB = {1, 0};
     }},
    {"input repeated",
     [](Parts& p) {
         p.inputsOfB = {0, 1, 1};
     }},
    {"input omitted",
     [](Parts& p) {
         p.inputsOfB = {0, -1, 1};
     }},
    {"input gone", [](Parts& p) { p.inputsOfB = {0}; }},
    {"control edge", [](Parts& p) { p.control = false; }},
    {"order of ops", [](Parts& p) { p.swapOps = true; }},
    {"order of tensors", [](Parts& p) { p.swapTensors = true; }},
};

TEST(GraphHash, ChangesWithEveryField) {
    const Graph original = make(rich());
    std::set<std::string> hashes{original.hash()};
    for (const auto& [what, change] : kChanges) {
        Parts parts = rich();
        change(parts);
        const Graph changed = make(parts);
        EXPECT_NE(changed, original) << what;
        EXPECT_TRUE(hashes.insert(changed.hash()).second) << what << " has the hash of another variant";
    }
}

} // namespace
} // namespace opscape
