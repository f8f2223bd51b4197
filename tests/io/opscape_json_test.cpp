// SPDX-License-Identifier: MIT
#include "random_graph.h"

#include <opscape/io/opscape_json.h>

#include <gmock/gmock.h>

#include <bit>
#include <cmath>

namespace opscape {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

std::string errorOf(std::string_view json) {
    const auto file = readOpscapeJson(json, "dir/g.json");
    return file ? "no error" : file.error().message;
}

/// A file whose ops and tensors are as given.
std::string fileWith(std::string_view ops, std::string_view tensors) {
    return fmt::format("{{\"opscape_graph\": 1, \"ops\": [{}], \"tensors\": [{}]}}", ops, tensors);
}

TEST(OpscapeJson, AnyGraphWrittenAndReadBackIsEqualAndHasTheSameHash) {
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        SCOPED_TRACE(seed);
        const Graph graph = RandomGraph(seed).make(seed % 40);
        const std::string json = writeOpscapeJson(graph);
        ASSERT_TRUE(isOpscapeJson(json));
        const auto file = readOpscapeJson(json, "x.json");
        ASSERT_TRUE(file) << file.error().message;
        EXPECT_EQ(file->graph, graph);
        EXPECT_EQ(file->graph.hash(), graph.hash());
        EXPECT_EQ(writeOpscapeJson(file->graph), json);
    }
}

TEST(OpscapeJson, EveryFieldOfOpAndTensorComesBack) {
    GraphBuilder builder("all");
    Op op;
    op.name = "scope/op";
    op.type = "Conv";
    op.phase = Phase::Backward;
    op.colocation = "group";
    op.requestedDevice = "/gpu:3";
    op.flops = 12;
    op.bytesMoved = 34;
    op.workspaceBytes = 56;
    op.timeNs = {{"P100", 78}, {"V100", 9}};
    op.attributes = {{"i", std::int64_t{-3}},
                     {"d", 3.0},
                     {"s", "text"},
                     {"is", std::vector<std::int64_t>{1, 2}},
                     {"ds", std::vector<double>{1.0, 0.1}},
                     {"none", std::vector<std::int64_t>{}},
                     {"noReals", std::vector<double>{}},
                     {"inf", -HUGE_VAL}};
    const OpId a = builder.addOp(op);
    const OpId b = builder.addOp(namedOp("b"));
    const TensorId x = builder.addResident({"x", TensorKind::Input, DType::F16, true, {2, kUnknownDim}, 99});
    builder.addInput(a, x);
    builder.addInput(a, TensorId());
    builder.addInput(a, x);
    builder.addOutput(a, {"y", TensorKind::Activation, DType::F32, true, {}, -1});
    builder.addOutput(a, {"z", TensorKind::Activation, DType::Unknown, false, {}, -1});
    builder.addControl(a, b);
    Diagnostics diagnostics;
    const Graph graph = *std::move(builder).build(diagnostics);

    const auto file = readOpscapeJson(writeOpscapeJson(graph), "x.json");
    ASSERT_TRUE(file) << file.error().message;
    EXPECT_EQ(file->graph.op(a), op);
    EXPECT_EQ(file->graph.tensor(x), graph.tensor(x));
    EXPECT_EQ(file->graph.inputs(a).size(), 3u);
    EXPECT_FALSE(file->graph.inputs(a)[1].valid());
    EXPECT_EQ(file->graph.outputs(a).size(), 2u);
    EXPECT_EQ(file->graph.controlPredecessors(b).size(), 1u);
    EXPECT_EQ(file->graph, graph);
}

TEST(OpscapeJson, NanAttributesComeBackAsNan) {
    GraphBuilder builder("nan");
    builder.op(builder.addOp(namedOp("op"))).attributes = {{"v", std::nan("")}};
    Diagnostics diagnostics;
    const Graph graph = *std::move(builder).build(diagnostics);
    const auto file = readOpscapeJson(writeOpscapeJson(graph), "x.json");
    ASSERT_TRUE(file) << file.error().message;
    EXPECT_TRUE(std::isnan(std::get<double>(file->graph.op(OpId(0)).attributes[0].value)));
    GraphBuilder another("nan"); // of other bits, which no text can tell
    another.op(another.addOp(namedOp("op"))).attributes = {{"v", std::bit_cast<double>(0xfff8000000000007)}};
    EXPECT_EQ(*std::move(another).build(diagnostics), file->graph);
    EXPECT_EQ(file->graph.hash(), graph.hash());
}

TEST(OpscapeJson, AnOpOrTensorTakesOneLine) {
    const Graph graph = RandomGraph(3).make(20);
    const std::string json = writeOpscapeJson(graph);
    EXPECT_EQ(std::ranges::count(json, '\n'), static_cast<std::ptrdiff_t>(graph.opCount() + graph.tensorCount() + 5));
}

TEST(OpscapeJson, KeysMayStandInAnyOrderAndTheNameDefaultsToThatOfTheFile) {
    const auto file = readOpscapeJson(
        R"({"tensors": [{"producer": 1, "bytes": 4}], "ops": [{"inputs": [0]}, {"type": "A"}], "opscape_graph": 1})",
        "dir/small.json");
    ASSERT_TRUE(file) << file.error().message;
    EXPECT_EQ(file->graph.name(), "small");
    EXPECT_EQ(file->format, "opscape-json");
    EXPECT_EQ(file->fileNodes, 2u);
    EXPECT_EQ(file->fileEdges, 1u);
    EXPECT_EQ(file->diagnostics.count("unnamed-op"), 2u);
}

TEST(OpscapeJson, ARepeatedOpNameIsRenamedAndCounted) {
    const auto file = readOpscapeJson(fileWith(R"({"name": "a"}, {"name": "a"})", ""), "x.json");
    ASSERT_TRUE(file) << file.error().message;
    EXPECT_EQ(file->graph.op(OpId(1)).name, "a#2");
    EXPECT_EQ(file->diagnostics.count("duplicate-name"), 1u);
}

TEST(OpscapeJson, ATensorOfUnknownSizeIsCounted) {
    const auto file = readOpscapeJson(fileWith(R"({"name": "a"})", R"({"producer": 0, "dtype": "f32"})"), "x.json");
    ASSERT_TRUE(file) << file.error().message;
    EXPECT_EQ(file->diagnostics.count("unknown-size"), 1u);
}

TEST(OpscapeJson, AWrongFileGivesOneSentenceThatNamesThePlace) {
    const struct {
        std::string json, message;
    } cases[] = {
        {"[]", "dir/g.json: the file must be an object."},
        {R"({"ops": [], "tensors": []})",
         R"(dir/g.json: the file is not an Opscape graph: it lacks the key "opscape_graph".)"},
        {R"({"opscape_graph": 1, "tensors": []})", R"(dir/g.json: the file lacks the key "ops".)"},
        {R"({"opscape_graph": 1, "ops": []})", R"(dir/g.json: the file lacks the key "tensors".)"},
        {R"({"opscape_graph": 2, "ops": [], "tensors": []})",
         "dir/g.json: opscape_graph is 2, but this program reads version 1."},
        {R"({"opscape_graph": 1, "graph": 3})",
         "dir/g.json: graph is not a known key; known here are opscape_graph, name, ops, tensors."},
        {R"({"opscape_graph": 1, "ops": 9000000000000000000, "tensors": []})", "dir/g.json: ops must be a list."},
        {R"({"opscape_graph": 1, "ops": [], "tensors": {}})", "dir/g.json: tensors must be a list."},
        {fileWith("7", ""), "dir/g.json: ops[0] must be an object."},
        {fileWith(R"({}, {"name": 1})", ""), "dir/g.json: ops[1].name must be a text."},
        {fileWith(R"({"name": "a", "name": "b"})", ""), R"(dir/g.json: ops[0] has the key "name" twice.)"},
        {fileWith(R"({"phase": "late"})", ""),
         R"(dir/g.json: ops[0].phase "late" is not a phase: forward, backward or update.)"},
        {fileWith(R"({"flops": -1})", ""), "dir/g.json: ops[0].flops must be a whole number of at least 0."},
        {fileWith(R"({"flops": 1.5})", ""), "dir/g.json: ops[0].flops must be a whole number of at least 0."},
        {fileWith(R"({"flops": 9223372036854775808})", ""),
         "dir/g.json: ops[0].flops must be a whole number of at least 0."},
        {fileWith(R"({"time_ns": {"P100": "fast"}})", ""),
         "dir/g.json: ops[0].time_ns.P100 must be a whole number of at least 0."},
        {fileWith(R"({"time_ns": {"a\nb\u202e": -1}})", ""),
         R"(dir/g.json: ops[0].time_ns.a\nb\u202E must be a whole number of at least 0.)"},
        {fileWith(R"({"phase": "la\nte"})", ""),
         R"(dir/g.json: ops[0].phase "la\nte" is not a phase: forward, backward or update.)"},
        {fileWith(R"({"attributes": {"a": true}})", ""),
         R"(dir/g.json: ops[0].attributes.a must be a number, a text, a list of numbers, {"real": ...} or {"reals": [...]}.)"},
        {fileWith(R"({"attributes": {"a": [1, "x"]}})", ""),
         "dir/g.json: ops[0].attributes.a[1] must be a whole number."},
        {fileWith(R"({"attributes": {"a": {"real": "big"}}})", ""),
         R"(dir/g.json: ops[0].attributes.a.real must be a number, "inf", "-inf" or "nan".)"},
        {fileWith(R"({"inputs": [2]})", R"({"kind": "input"})"),
         "dir/g.json: ops[0].inputs[0] names tensor 2, but there are only 1, counted from 0."},
        {fileWith(R"({"after": [1]})", ""),
         "dir/g.json: ops[0].after[0] names op 1, but there are only 1, counted from 0."},
        {fileWith("", R"({"producer": 0})"),
         "dir/g.json: tensors[0].producer names op 0, but there are only 0, counted from 0."},
        {fileWith("", R"({"name": "t"})"),
         "dir/g.json: tensors[0] must have either a producer or a kind: input, weight, constant or optimizer-state."},
        {fileWith("{}", R"({"producer": 0, "kind": "weight"})"),
         "dir/g.json: tensors[0] must have either a producer or a kind: input, weight, constant or optimizer-state."},
        {fileWith("", R"({"kind": "heavy"})"),
         R"(dir/g.json: tensors[0].kind "heavy" is not a kind: input, weight, constant or optimizer-state.)"},
        {fileWith("", R"({"kind": "input", "dtype": "float"})"),
         R"(dir/g.json: tensors[0].dtype "float" is not an element type such as f32 or i64.)"},
        {fileWith("", R"({"kind": "input", "shape": [-2]})"),
         "dir/g.json: tensors[0].shape[0] must be a whole number of at least -1."},
        {fileWith(R"({"colour": 1})", ""),
         "dir/g.json: ops[0].colour is not a known key; known here are name, type, phase, colocation, device, flops, "
         "bytes_moved, workspace_bytes, time_ns, attributes, inputs, after."},
        {fileWith(R"({"name": "a", "after": [1]}, {"name": "b", "after": [0]})", ""),
         "dir/g.json: the graph has a cycle of 2 ops: a -> b -> a; a computation graph must be acyclic."},
        {"{\"opscape_graph\": 1,\n\"ops\": [}", "dir/g.json: line 2, column 9: not valid JSON."},
        {fileWith("{\"name\": \"\xff\"}", ""), "dir/g.json: line 1, column 40: not valid JSON."},
    };
    for (const auto& c : cases)
        EXPECT_EQ(errorOf(c.json), c.message) << c.json;
}

TEST(OpscapeJson, AFileCutOffAnywhereIsRefusedAndSaysSo) {
    const std::string json = writeOpscapeJson(RandomGraph(5).make(5));
    const std::size_t complete = json.rfind('}');
    for (std::size_t length = 1; length <= complete; ++length) {
        const std::string message = errorOf(std::string_view(json).substr(0, length));
        ASSERT_THAT(message, StartsWith("dir/g.json: line ")) << length;
    }
    EXPECT_EQ(errorOf(std::string_view(json).substr(0, complete)),
              fmt::format("dir/g.json: line {}: the JSON ends before it is complete; the file seems to be cut off.",
                          std::ranges::count(json, '\n')));
}

TEST(OpscapeJson, DeeplyNestedListsAreRefused) {
    const std::string deep = fileWith("{\"attributes\": {\"a\": " + std::string(1'000'000, '[') + "}", "");
    EXPECT_THAT(errorOf(deep), StartsWith("dir/g.json: ops[0].attributes.a[0][0]"));
    EXPECT_THAT(errorOf(deep), HasSubstr("nested more than 32 deep"));
}

TEST(OpscapeJson, RandomDamageNeverDoesMoreThanGiveAnError) {
    const std::string json = writeOpscapeJson(RandomGraph(11).make(12));
    Random random(7);
    for (int round = 0; round < 3000; ++round) {
        std::string damaged = json;
        for (std::uint32_t n = 1 + random.below(4); n > 0; --n)
            damaged[random.below(static_cast<std::uint32_t>(damaged.size()))] = static_cast<char>(random.below(256));
        if (const auto file = readOpscapeJson(damaged, "g.json"); !file)
            ASSERT_THAT(file.error().message, StartsWith("g.json: "));
        else
            ASSERT_EQ(readOpscapeJson(writeOpscapeJson(file->graph), "g.json")->graph.hash(), file->graph.hash());
    }
}

TEST(OpscapeJson, AChainOfManyOpsIsReadWithoutRecursion) {
    std::string ops, tensors;
    for (int i = 0; i < 20000; ++i) {
        ops += fmt::format("{}{{\"inputs\": [{}]}}", i == 0 ? "" : ",", i == 0 ? "" : std::to_string(i - 1));
        tensors += fmt::format("{}{{\"producer\": {}, \"bytes\": 4}}", i == 0 ? "" : ",", i);
    }
    const auto file = readOpscapeJson(fileWith(ops, tensors), "x.json");
    ASSERT_TRUE(file) << file.error().message;
    EXPECT_EQ(file->graph.edgeCount(), 19999u);
}

} // namespace
} // namespace opscape
