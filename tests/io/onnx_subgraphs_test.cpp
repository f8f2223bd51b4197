// SPDX-License-Identifier: MIT
// ONNX models with graphs inside graphs: branches, loops, functions.
#include "io/graph_facts.h"
#include "onnx_model_maker.h"
#include "support/sentence.h"

#include <opscape/cost/op_cost.h>
#include <opscape/io/onnx_annotations.h>
#include <opscape/io/onnx_functions.h>

#include <gmock/gmock.h>
#include <google/protobuf/unknown_field_set.h>

namespace opscape {
namespace {

using onnx::AttributeProto;
using test::controlNames;
using test::inputNames;
using test::opNamed;
using test::opNames;
using test::tensorNamed;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

using Maker = OnnxModelMaker;

onnx::GraphProto& subgraph(onnx::NodeProto& node, const std::string& attribute) {
    return *Maker::attribute(node, attribute, AttributeProto::GRAPH).mutable_g();
}

void scalar(onnx::GraphProto& graph, const std::string& name, onnx::TensorProto::DataType type) {
    auto& info = *graph.add_input();
    info.set_name(name);
    info.mutable_type()->mutable_tensor_type()->set_elem_type(type);
    info.mutable_type()->mutable_tensor_type()->mutable_shape();
}

Graph graphOf(const Maker& maker) {
    auto file = maker.read();
    EXPECT_TRUE(file) << maker.error();
    return file ? std::move(file->graph) : Graph();
}

double flopsOf(const Graph& graph, const std::string& op) { return opCost(graph, graph.findOp(op)).flops; }

/// Chooses between a product and a sum of x with itself.
Maker choosing() {
    Maker maker;
    maker.input("x", {8, 8}).output("y");
    scalar(maker.graph(), "p", onnx::TensorProto::FLOAT);
    maker.node("Relu", {"x"}, {"a"}, "a");
    auto& cast = maker.node("Cast", {"p"}, {"cond"}, "cast");
    Maker::attribute(cast, "to", AttributeProto::INT).set_i(onnx::TensorProto::BOOL);
    auto& choose = maker.node("If", {"cond"}, {"y"}, "choose");
    auto& then = subgraph(choose, "then_branch");
    Maker::add(then, "MatMul", {"a", "x"}, {"m"}, "product");
    Maker::add(then, "Relu", {"m"}, {"out"}, "relu");
    then.add_output()->set_name("out");
    auto& other = subgraph(choose, "else_branch");
    Maker::add(other, "Add", {"a", "x"}, {"out"}, "sum"); // a name that the other branch has, too
    other.add_output()->set_name("out");
    return maker;
}

TEST(OnnxSubgraphs, TheBranchesOfAnIfAreGroupsOfWhichTheOneWithMostWorkIsCosted) {
    const auto file = choosing().read();
    ASSERT_TRUE(file) << file.error().message;
    EXPECT_THAT(file->diagnostics.entries(), IsEmpty());
    const Graph& graph = file->graph;
    EXPECT_THAT(opNames(graph), ElementsAre("a", "cast", "choose/then_branch/product", "choose/then_branch/relu",
                                            "choose/else_branch/sum", "choose"));
    EXPECT_THAT(inputNames(graph, "choose/then_branch/product"), ElementsAre("a", "x"));
    EXPECT_THAT(inputNames(graph, "choose"), ElementsAre("cond", "choose/then_branch/out", "choose/else_branch/out"));
    EXPECT_THAT(controlNames(graph, "choose/then_branch/product"), ElementsAre("cast"));
    EXPECT_THAT(controlNames(graph, "choose/then_branch/relu"), IsEmpty()) << "it waits for what is in the branch";
    EXPECT_THAT(controlNames(graph, "choose/else_branch/sum"), ElementsAre("cast"));
    EXPECT_EQ(flopsOf(graph, "choose/then_branch/product"), 2 * 8 * 8 * 8);
    EXPECT_EQ(flopsOf(graph, "choose/else_branch/sum"), 0);
    EXPECT_EQ(opCost(graph, graph.findOp("choose")).bytesMoved, 0);
    EXPECT_EQ(graph.tensor(graph.outputs(graph.findOp("choose"))[0]).shape, (Shape{8, 8}));
    EXPECT_EQ(file->fileNodes, 6u);
}

/// h goes through as many rounds of a product with a weight as `rounds` says; none: it is fed.
Maker looping(std::optional<std::int64_t> rounds) {
    Maker maker;
    maker.input("x", {4, 4}).output("last").output("all");
    maker.weight("w", {4, 4});
    if (rounds) {
        maker.integers("n", {*rounds});
        maker.graph().mutable_initializer(1)->clear_dims();
    } else {
        scalar(maker.graph(), "n", onnx::TensorProto::INT64);
    }
    auto& loop = maker.node("Loop", {"n", "", "x"}, {"last", "all"}, "loop");
    auto& body = subgraph(loop, "body");
    scalar(body, "i", onnx::TensorProto::INT64);
    scalar(body, "go", onnx::TensorProto::BOOL);
    body.add_input()->set_name("h");
    Maker::add(body, "Identity", {"go"}, {"still"}, "keep");
    Maker::add(body, "MatMul", {"h", "w"}, {"h2"}, "product");
    Maker::add(body, "Identity", {"h2"}, {"copy"}, "copy");
    for (const char* output : {"still", "h2", "copy"})
        body.add_output()->set_name(output);
    return maker;
}

TEST(OnnxSubgraphs, TheBodyOfALoopIsAGroupWithTheWorkOfAllRounds) {
    const auto file = looping(5).read();
    ASSERT_TRUE(file) << file.error().message;
    EXPECT_EQ(file->diagnostics.count("rounds-unknown"), 0u);
    const Graph& graph = file->graph;
    EXPECT_THAT(opNames(graph), ElementsAre("loop/body/keep", "loop/body/product", "loop/body/copy", "loop"));
    EXPECT_THAT(inputNames(graph, "loop/body/product"), ElementsAre("x", "w"));
    EXPECT_EQ(tensorNamed(graph, "w").kind, TensorKind::Weight);
    EXPECT_EQ(flopsOf(graph, "loop/body/product"), 5 * 2 * 4 * 4 * 4);
    EXPECT_EQ(graph.tensor(graph.outputs(graph.findOp("loop"))[0]).shape, (Shape{4, 4}));
}

TEST(OnnxSubgraphs, ALoopOfUnknownRoundsIsCostedAsOneAndCounted) {
    const auto file = looping({}).read();
    ASSERT_TRUE(file) << file.error().message;
    EXPECT_EQ(file->diagnostics.count("rounds-unknown"), 1u);
    EXPECT_EQ(flopsOf(file->graph, "loop/body/product"), 2 * 4 * 4 * 4);
}

TEST(OnnxSubgraphs, AScanReadsSlicesOfItsSequences) {
    Maker maker;
    maker.input("state", {2, 3}).input("xs", {7, 2, 3}).output("last").output("ys");
    auto& scan = maker.node("Scan", {"state", "xs"}, {"last", "ys"}, "scan");
    Maker::attribute(scan, "num_scan_inputs", AttributeProto::INT).set_i(1);
    auto& body = subgraph(scan, "body");
    body.add_input()->set_name("s");
    body.add_input()->set_name("x");
    Maker::add(body, "Add", {"s", "x"}, {"sum"}, "sum");
    Maker::add(body, "Identity", {"sum"}, {"copy"}, "copy");
    body.add_output()->set_name("sum");
    body.add_output()->set_name("copy");
    const Graph graph = graphOf(maker);
    EXPECT_THAT(opNames(graph), ElementsAre("scan/body/x", "scan/body/sum", "scan/body/copy", "scan"));
    EXPECT_THAT(inputNames(graph, "scan/body/x"), ElementsAre("xs"));
    EXPECT_THAT(inputNames(graph, "scan/body/sum"), ElementsAre("state", "scan/body/x"));
    EXPECT_EQ(graph.tensor(graph.outputs(OpId(0))[0]).shape, (Shape{2, 3})) << "one of seven";
    EXPECT_EQ(flopsOf(graph, "scan/body/sum"), 7 * 2 * 3);
    EXPECT_EQ(graph.tensor(graph.outputs(graph.findOp("scan"))[1]).shape, (Shape{7, 2, 3}));
}

TEST(OnnxSubgraphs, WhatIsNotSoundOrNotOfTheStandardIsOneOpAndCounted) {
    auto broken = choosing();
    auto& then = *broken.graph().mutable_node(2)->mutable_attribute(0)->mutable_g();
    Maker::add(then, "Relu", {"m"}, {"out"}, "twice"); // a second writer of one value
    auto other = choosing();
    other.graph().mutable_node(2)->set_domain("com.example");
    auto half = choosing();
    half.graph().mutable_node(2)->mutable_attribute()->RemoveLast();
    for (const Maker& maker : {broken, other, half}) {
        const auto file = maker.read();
        ASSERT_TRUE(file) << file.error().message;
        EXPECT_EQ(file->diagnostics.count("subgraph"), 1u);
        EXPECT_THAT(opNames(file->graph), ElementsAre("a", "cast", "choose"));
        EXPECT_EQ(file->fileNodes, 3u);
    }
}

TEST(OnnxSubgraphs, AChoiceInABranchIsOneOfItsOwn) {
    auto maker = choosing();
    auto& other = *maker.graph().mutable_node(2)->mutable_attribute(1)->mutable_g();
    auto& inner = Maker::add(other, "If", {"cond"}, {"unread"}, "inner");
    for (const char* branch : {"then_branch", "else_branch"}) {
        auto& graph = subgraph(inner, branch);
        Maker::add(graph, "MatMul", {"a", "x"}, {"half"}, "product");
        Maker::add(graph, "MatMul", {"half", "x"}, {"out"}, "more");
        graph.add_output()->set_name("out");
    }
    other.mutable_output(0)->set_name("unread");
    const Graph graph = graphOf(maker);
    // Two products in each inner branch, and a sum beside them, are more than the product of the other branch.
    EXPECT_EQ(flopsOf(graph, "choose/else_branch/inner/then_branch/product"), 2 * 8 * 8 * 8);
    EXPECT_EQ(flopsOf(graph, "choose/else_branch/inner/else_branch/product"), 0);
    EXPECT_EQ(flopsOf(graph, "choose/else_branch/sum"), 8 * 8);
    EXPECT_EQ(flopsOf(graph, "choose/then_branch/product"), 0);
}

TEST(OnnxSubgraphs, GroupsLieInOneAnother) {
    Maker maker = looping(3);
    auto& body = *maker.graph().mutable_node(0)->mutable_attribute(0)->mutable_g();
    body.mutable_node(1)->set_output(0, "half");
    auto& choose = Maker::add(body, "If", {"go"}, {"h2"}, "choose");
    for (const char* branch : {"then_branch", "else_branch"}) {
        auto& graph = subgraph(choose, branch);
        Maker::add(graph, "MatMul", {"half", "w"}, {"out"}, "inner");
        graph.add_output()->set_name("out");
    }
    const Graph graph = graphOf(maker);
    EXPECT_THAT(inputNames(graph, "loop/body/choose/then_branch/inner"), ElementsAre("loop/body/half", "w"));
    EXPECT_EQ(flopsOf(graph, "loop/body/choose/then_branch/inner"), 3 * 2 * 4 * 4 * 4);
    EXPECT_EQ(flopsOf(graph, "loop/body/choose/else_branch/inner"), 0);
}

/// y = scale(x): a product with a constant of the attribute "by", called "twice".
onnx::FunctionProto& addScale(Maker& maker) {
    auto& function = *maker.model().add_functions();
    function.set_domain("my");
    function.set_name("Scale");
    function.add_input("v");
    function.add_output("scaled");
    function.add_attribute("by");
    auto& constant = *function.add_node();
    constant.set_op_type("Constant");
    constant.add_output("factor");
    auto& by = Maker::attribute(constant, "value_float", AttributeProto::FLOAT);
    by.set_ref_attr_name("by");
    auto& product = *function.add_node();
    product.set_op_type("Mul");
    product.set_name("mul");
    product.add_input("v");
    product.add_input("factor");
    product.add_output("scaled");
    maker.model().add_opset_import()->set_domain("my");
    return function;
}

onnx::NodeProto& call(Maker& maker, const std::string& input, const std::string& output, const std::string& name) {
    auto& node = maker.node("Scale", {input}, {output}, name);
    node.set_domain("my");
    Maker::attribute(node, "by", AttributeProto::FLOAT).set_f(2);
    return node;
}

TEST(OnnxFunctions, ACallBecomesAGroupOfTheNodesOfTheFunction) {
    Maker maker;
    maker.input("x", {4, 6}).output("y");
    addScale(maker);
    call(maker, "x", "h", "first");
    call(maker, "h", "y", "second");
    const auto file = maker.read();
    ASSERT_TRUE(file) << file.error().message;
    EXPECT_THAT(file->diagnostics.entries(), IsEmpty());
    EXPECT_THAT(opNames(file->graph), ElementsAre("first/mul", "second/mul"));
    EXPECT_THAT(inputNames(file->graph, "second/mul"), ElementsAre("h", "y/factor"));
    EXPECT_EQ(file->graph.tensor(file->graph.outputs(OpId(1))[0]).shape, (Shape{4, 6})) << "inferred";
}

TEST(OnnxFunctions, FunctionsCallOneAnotherAndTakeDefaultsAndDevices) {
    Maker maker;
    maker.model().set_ir_version(11);
    maker.input("x", {4, 6}).output("y");
    auto& scale = addScale(maker);
    onnx::AttributeProto byThree;
    byThree.set_name("by");
    byThree.set_type(AttributeProto::FLOAT);
    byThree.set_f(3);
    constexpr int kDefaults = 11; // a field that libonnx does not know
    scale.mutable_unknown_fields()->AddLengthDelimited(kDefaults, byThree.SerializeAsString());
    auto& outer = *maker.model().add_functions();
    outer.set_domain("my");
    outer.set_name("Outer");
    outer.add_input("in");
    outer.add_output("same");
    outer.add_output("in"); // handed on
    auto& inner = *outer.add_node();
    inner.set_domain("my");
    inner.set_op_type("Scale");
    inner.add_input("in");
    inner.add_output("same");
    auto& node = maker.node("Outer", {"x"}, {"y", "z"}, "outer");
    node.set_domain("my");
    addDeviceConfiguration(maker.model(), {"c", {"gpu:0", "gpu:1"}});
    setDevice(node, "c", 1);
    maker.node("Relu", {"z"}, {"r"}, "relu");
    const auto file = maker.read();
    ASSERT_TRUE(file) << file.error().message;
    EXPECT_EQ(opNamed(file->graph, "outer/same/mul").requestedDevice, "gpu:1");
    EXPECT_THAT(inputNames(file->graph, "outer/same/mul"), ElementsAre("x", "y/factor"));
    EXPECT_EQ(opNamed(file->graph, "relu").type, "Relu");
    EXPECT_EQ(tensorNamed(file->graph, "y/factor").kind, TensorKind::Constant) << "made from the default";
}

TEST(OnnxFunctions, WhatIsNotOpenedIsCounted) {
    Maker maker;
    maker.input("x", {4, 6}).output("y");
    auto& other = addScale(maker);
    other.add_opset_import()->set_version(9);
    call(maker, "x", "y", "call");
    auto& unused = *maker.model().add_functions();
    unused.set_domain("my");
    unused.set_name("Unused");
    const auto file = maker.read();
    ASSERT_TRUE(file) << file.error().message;
    EXPECT_THAT(opNames(file->graph), ElementsAre("call"));
    EXPECT_EQ(file->diagnostics.count("local-function"), 1u);
    EXPECT_EQ(file->diagnostics.count("unused-function"), 1u);
}

TEST(OnnxFunctions, AFunctionThatCallsItselfIsRefused) {
    Maker maker;
    maker.input("x", {4, 6}).output("y");
    auto& scale = addScale(maker);
    auto& again = *scale.add_node();
    again.set_domain("my");
    again.set_op_type("Scale");
    again.add_input("scaled");
    again.add_output("more");
    call(maker, "x", "y", "call");
    EXPECT_EQ(maker.error(),
              "dir/m.onnx: function Scale calls itself, through others or at once; ONNX has no recursion.");
    EXPECT_THAT(maker.error(), test::IsOneSentence());
}

TEST(OnnxFunctions, CallsThatWouldBecomeTooManyStayOneOpEach) {
    Maker maker;
    maker.input("x", {1}).output("y");
    addScale(maker);
    std::string callee = "Scale";
    for (int level = 0; level < 12; ++level) { // each calls the one before ten times
        auto& function = *maker.model().add_functions();
        function.set_domain("my");
        function.set_name(fmt::format("F{}", level));
        function.add_input("t0");
        function.add_output("t10");
        for (int i = 0; i < 10; ++i) {
            auto& node = *function.add_node();
            node.set_domain("my");
            node.set_op_type(callee);
            node.add_input(fmt::format("t{}", i));
            node.add_output(fmt::format("t{}", i + 1));
        }
        callee = function.name();
    }
    maker.node(callee, {"x"}, {"y"}, "all").set_domain("my");
    Diagnostics diagnostics;
    ASSERT_TRUE(openOnnxFunctions(maker.model(), "m", diagnostics, {.nodes = 1000}));
    EXPECT_LE(maker.graph().node_size(), 1000);
    EXPECT_GT(diagnostics.count("local-function"), 0u);
    maker.model().clear_functions();
    const auto file = maker.read(); // values have names of their own though calls have none
    ASSERT_TRUE(file) << file.error().message;
    EXPECT_EQ(file->graph.opCount() + file->folded, file->fileNodes);
}

TEST(OnnxSubgraphs, RandomDamageNeverDoesMoreThanGiveAnError) {
    Maker calls;
    calls.input("x", {4, 6}).output("y");
    addScale(calls);
    call(calls, "x", "y", "call");
    std::uint64_t state = 1;
    const auto next = [&state](std::size_t bound) {
        state = state * 6364136223846793005ULL + 1442695040888963407ULL;
        return static_cast<std::size_t>(state >> 33) % bound;
    };
    for (const Maker& maker : {choosing(), looping(5), calls}) {
        const std::string bytes = maker.bytes();
        for (int round = 0; round < 100; ++round) {
            std::string damaged = bytes;
            for (std::size_t n = 1 + next(3); n > 0; --n)
                damaged[next(damaged.size())] = static_cast<char>(next(256));
            const auto file = readOnnx(damaged, "x.onnx");
            const std::string said = file ? "x.onnx: is read" : file.error().message;
            ASSERT_THAT(said, testing::StartsWith("x.onnx: "));
        }
    }
}

class OnnxOpset : public testing::TestWithParam<int> {};

TEST_P(OnnxOpset, ShapesAreInferredByItsRules) {
    Maker maker(GetParam());
    maker.input("x", {2, 3, 8, 8}).output("y");
    maker.weight("w", {4, 3, 3, 3}).set_name("w");
    maker.integers("axes", {2, 3}).integers("flat", {-1}).integers("none", {});
    maker.node("Conv", {"x", "w"}, {"c"}, "conv");
    maker.node("Relu", {"c"}, {"r"}, "relu");
    auto& mean = maker.node("ReduceMean", {"r"}, {"m"}, "mean");
    Maker::attribute(mean, "keepdims", AttributeProto::INT).set_i(0);
    if (GetParam() < 18) {
        auto& axes = Maker::attribute(mean, "axes", AttributeProto::INTS);
        axes.add_ints(2);
        axes.add_ints(3);
    } else {
        mean.add_input("axes");
    }
    maker.node("Reshape", {"m", "flat"}, {"f"}, "reshape");
    if (GetParam() >= 20)
        maker.node("Gelu", {"f"}, {"y"}, "gelu");
    else
        maker.node("Tanh", {"f"}, {"y"}, "tanh");
    const auto file = maker.read();
    ASSERT_TRUE(file) << file.error().message;
    const Graph& graph = file->graph;
    EXPECT_EQ(tensorNamed(graph, "r").shape, (Shape{2, 4, 6, 6}));
    EXPECT_EQ(tensorNamed(graph, "m").shape, (Shape{2, 4}));
    EXPECT_EQ(tensorNamed(graph, "f").shape, (Shape{8}));
    EXPECT_EQ(tensorNamed(graph, "y").shape, (Shape{8}));
    EXPECT_EQ(opNamed(graph, "mean").type, "ReduceMean") << "only inference sees it in other terms";
    EXPECT_THAT(inputNames(graph, "mean").size(), GetParam() < 18 ? 1u : 2u);
    EXPECT_EQ(file->diagnostics.count("newer-opset"), 0u);
    EXPECT_EQ(file->diagnostics.count("shape-inference"), 0u);
}

INSTANTIATE_TEST_SUITE_P(From7To21, OnnxOpset, testing::Range(7, 22));

TEST(OnnxOpset, WhatTheOlderRuleWouldGetWrongHasNoShape) {
    Maker maker(21);
    maker.input("x", {1, 1, 9, 9}).output("y").output("z");
    auto& pool = maker.node("AveragePool", {"x"}, {"y"}, "pool");
    Maker::attribute(pool, "kernel_shape", AttributeProto::INTS).mutable_ints()->Resize(2, 3);
    Maker::attribute(pool, "dilations", AttributeProto::INTS).mutable_ints()->Resize(2, 2);
    maker.node("ReduceMax", {"x", "axes"}, {"z"}, "max"); // axes that are computed
    scalar(maker.graph(), "axes", onnx::TensorProto::INT64);
    const Graph graph = graphOf(maker);
    EXPECT_FALSE(tensorNamed(graph, "y").shapeKnown);
    EXPECT_FALSE(tensorNamed(graph, "z").shapeKnown);
}

TEST(OnnxDevices, ADeviceIsTheOneOfAllTensorsOfANode) {
    Maker maker;
    maker.model().set_ir_version(11);
    maker.input("x", {4}).output("b");
    addDeviceConfiguration(maker.model(), {"two", {"gpu:0", "gpu:1"}});
    setDevice(maker.node("Relu", {"x"}, {"a"}, "one"), "two", 1);
    auto& split = maker.node("Relu", {"a"}, {"b"}, "split");
    setDevice(split, "two", 0);
    setDevice(split, "two", 1);
    setDevice(maker.node("Relu", {"b"}, {"c"}, "unnamed"), "two", 7);
    addMetadata(maker.node("Relu", {"c"}, {"d"}, "own"), "opscape.device", "gpu:3");
    addMetadata(maker.node("Relu", {"d"}, {"e"}, "foreign"), "device", "gpu:3");
    const Graph graph = graphOf(maker);
    EXPECT_EQ(opNamed(graph, "one").requestedDevice, "gpu:1");
    EXPECT_EQ(opNamed(graph, "split").requestedDevice, "") << "sharded over two: no device of its own";
    EXPECT_EQ(opNamed(graph, "unnamed").requestedDevice, "two:7") << "a number that the configuration does not name";
    EXPECT_EQ(opNamed(graph, "own").requestedDevice, "gpu:3");
    EXPECT_EQ(opNamed(graph, "foreign").requestedDevice, "") << "metadata of others means what they say";
}

TEST(OnnxExternalData, IsNeitherOpenedNorMissed) {
    Maker maker;
    maker.input("x", {4}).output("y");
    auto& far = maker.weight("far", {4});
    far.clear_float_data();
    far.set_data_location(onnx::TensorProto::EXTERNAL);
    auto& entry = *far.add_external_data();
    entry.set_key("location");
    entry.set_value("../../no/such/file.bin");
    maker.node("Add", {"x", "far"}, {"y"}, "add");
    const auto file = maker.read();
    ASSERT_TRUE(file) << file.error().message;
    EXPECT_EQ(file->diagnostics.count("external-data"), 1u);
    EXPECT_EQ(file->graph.tensorBytes(file->graph.inputs(OpId(0))[1]), 16);
}

} // namespace
} // namespace opscape
