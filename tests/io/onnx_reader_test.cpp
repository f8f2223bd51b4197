// SPDX-License-Identifier: MIT
#include "onnx_model_maker.h"

#include <opscape/base/paths.h>
#include <opscape/io/onnx_reader.h>
#include <opscape/io/opscape_json.h>

#include <gmock/gmock.h>

namespace opscape {
namespace {

using onnx::AttributeProto;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;
using testing::UnorderedElementsAre;

TensorId findTensor(const Graph& graph, std::string_view name) {
    for (std::size_t i = 0; i < graph.tensorCount(); ++i) {
        if (graph.tensor(TensorId(i)).name == name)
            return TensorId(i);
    }
    return {};
}

std::vector<std::string> kinds(const Diagnostics& diagnostics) {
    std::vector<std::string> codes;
    for (const Diagnostic& d : diagnostics.entries())
        codes.push_back(d.code);
    return codes;
}

/// x -> Relu -> y
OnnxModelMaker smallModel() {
    OnnxModelMaker maker;
    maker.input("x", {2, 3}).output("y");
    maker.node("Relu", {"x"}, {"y"}, "relu");
    return maker;
}

TEST(OnnxReader, ReadsNodesTensorsAndShapes) {
    OnnxModelMaker maker;
    maker.input("x", {1, 3, 8, 8}).output("y");
    maker.weight("w", {4, 3, 3, 3});
    auto& conv = maker.node("Conv", {"x", "w", ""}, {"net/conv"}, "");
    OnnxModelMaker::attribute(conv, "pads", AttributeProto::INTS).add_ints(1);
    conv.mutable_attribute(0)->mutable_ints()->Resize(4, 1);
    maker.node("Relu", {"net/conv"}, {"y"}, "net/relu");
    const auto file = maker.read();
    ASSERT_TRUE(file) << file.error().message;
    const Graph& graph = file->graph;
    EXPECT_EQ(file->format, "onnx");
    EXPECT_EQ(graph.name(), "made");
    EXPECT_EQ(graph.op(OpId(0)).name, "net/conv"); // by its first output
    EXPECT_EQ(graph.op(OpId(0)).type, "Conv");
    EXPECT_EQ(graph.op(OpId(1)).name, "net/relu");
    ASSERT_EQ(graph.inputs(OpId(0)).size(), 3u);
    EXPECT_FALSE(graph.inputs(OpId(0))[2].valid());
    EXPECT_EQ(graph.tensor(graph.inputs(OpId(0))[0]).kind, TensorKind::Input);
    EXPECT_EQ(graph.tensor(graph.inputs(OpId(0))[1]).kind, TensorKind::Weight);
    EXPECT_EQ(graph.tensorBytes(graph.outputs(OpId(1))[0]), 4 * 8 * 8 * 4);
    EXPECT_EQ(graph.edgeCount(), 1u);
    EXPECT_THAT(kinds(file->diagnostics), ElementsAre());
}

TEST(OnnxReader, KeepsAttributesOfEveryPlainTypeAndCountsTheOthers) {
    auto maker = smallModel();
    auto& node = *maker.graph().mutable_node(0);
    node.set_domain("my.domain");
    OnnxModelMaker::attribute(node, "f", AttributeProto::FLOAT).set_f(0.1f);
    OnnxModelMaker::attribute(node, "i", AttributeProto::INT).set_i(-7);
    OnnxModelMaker::attribute(node, "s", AttributeProto::STRING).set_s("same");
    OnnxModelMaker::attribute(node, "fs", AttributeProto::FLOATS).add_floats(1.5f);
    OnnxModelMaker::attribute(node, "is", AttributeProto::INTS).add_ints(3);
    auto& texts = OnnxModelMaker::attribute(node, "ss", AttributeProto::STRINGS);
    texts.add_strings("Sigmoid");
    texts.add_strings("Tanh");
    OnnxModelMaker::attribute(node, "old", AttributeProto::UNDEFINED).set_i(9);
    OnnxModelMaker::attribute(node, "t", AttributeProto::TENSOR).mutable_t();
    OnnxModelMaker::attribute(node, "raw", AttributeProto::STRING).set_s("\xff\xfe");
    const auto file = maker.read();
    ASSERT_TRUE(file) << file.error().message;
    const std::vector<Attribute> expected{{"f", 0.1},
                                          {"i", std::int64_t{-7}},
                                          {"s", "same"},
                                          {"fs", std::vector<double>{1.5}},
                                          {"is", std::vector<std::int64_t>{3}},
                                          {"ss", "Sigmoid, Tanh"},
                                          {"old", std::int64_t{9}},
                                          {"domain", "my.domain"}};
    EXPECT_EQ(file->graph.op(OpId(0)).attributes, expected);
    EXPECT_EQ(file->diagnostics.count("attribute-not-kept"), 2u);
}

TEST(OnnxReader, WhatIsComputedFromConstantsAloneBecomesStateOfItsConsumers) {
    OnnxModelMaker maker;
    maker.input("x", {2, 6}).output("y");
    maker.integers("shape", {6, 4}).integers("flat", {-1});
    maker.node("ConstantOfShape", {"shape"}, {"w"});
    maker.node("Identity", {"w"}, {"w2"});
    auto& constant = maker.node("Constant", {}, {"two"});
    OnnxModelMaker::attribute(constant, "value_float", AttributeProto::FLOAT).set_f(2);
    maker.node("MatMul", {"x", "w2"}, {"h"}, "matmul");
    maker.node("Mul", {"h", "two"}, {"h2"}, "mul");
    maker.node("Reshape", {"h2", "flat"}, {"y"}, "reshape");
    const auto file = maker.read();
    ASSERT_TRUE(file) << file.error().message;
    const Graph& graph = file->graph;
    EXPECT_EQ(file->fileNodes, 6u);
    EXPECT_EQ(file->fileEdges, 5u);
    EXPECT_EQ(file->folded, 3u);
    EXPECT_EQ(graph.opCount(), 3u);
    EXPECT_EQ(graph.edgeCount(), 2u);
    const Tensor& weight = graph.tensor(graph.inputs(graph.findOp("matmul"))[1]);
    EXPECT_EQ(weight.name, "w2");
    EXPECT_EQ(weight.kind, TensorKind::Weight);
    EXPECT_EQ(weight.shape, (Shape{6, 4})); // seen through ConstantOfShape
    EXPECT_EQ(graph.tensor(graph.inputs(graph.findOp("mul"))[1]).kind, TensorKind::Constant);
    EXPECT_EQ(graph.tensor(graph.inputs(graph.findOp("reshape"))[1]).kind, TensorKind::Constant);
    EXPECT_EQ(graph.tensor(findTensor(graph, "y")).shape, (Shape{8})); // the shape's value was seen too
    EXPECT_FALSE(findTensor(graph, "shape").valid()) << "read by nothing that is left";
}

TEST(OnnxReader, RandomNodesAreNotConstants) {
    OnnxModelMaker maker;
    maker.output("y").weight("w", {4});
    maker.node("RandomNormalLike", {"w"}, {"noise"});
    maker.node("Identity", {"noise"}, {"y"});
    const auto file = maker.read();
    ASSERT_TRUE(file) << file.error().message;
    EXPECT_EQ(file->folded, 0u);
    EXPECT_EQ(file->graph.opCount(), 2u);
}

TEST(OnnxReader, InitializersListedAmongTheInputsAreWeights) {
    auto maker = smallModel();
    maker.weight("w", {3});
    maker.input("w", {3});
    maker.node("Add", {"y", "w"}, {"z"});
    const auto file = maker.read();
    ASSERT_TRUE(file) << file.error().message;
    EXPECT_EQ(file->graph.tensor(findTensor(file->graph, "w")).kind, TensorKind::Weight);
}

TEST(OnnxReader, AShapeComputedInTheGraphIsFollowed) {
    OnnxModelMaker maker;
    maker.input("x", {2, 3, 4}).input("z", {24}).output("y");
    maker.node("Shape", {"x"}, {"shape"});
    maker.node("Reshape", {"z", "shape"}, {"y"});
    const auto file = maker.read();
    ASSERT_TRUE(file) << file.error().message;
    EXPECT_EQ(file->graph.tensor(findTensor(file->graph, "y")).shape, (Shape{2, 3, 4}));
}

TEST(OnnxReader, ASymbolicDimensionStaysUnknownAndIsCounted) {
    OnnxModelMaker maker;
    maker.input("x", {-1, 3}).output("y");
    maker.node("Relu", {"x"}, {"y"});
    const auto file = maker.read();
    ASSERT_TRUE(file) << file.error().message;
    EXPECT_EQ(file->graph.tensor(findTensor(file->graph, "y")).shape, (Shape{kUnknownDim, 3}));
    EXPECT_EQ(file->diagnostics.count("unknown-shape"), 2u);
    EXPECT_EQ(file->diagnostics.entries()[0].examples[0], "x: ?x3");
}

TEST(OnnxReader, AnOptionalOutputThatNobodyReadsIsNoProblem) {
    OnnxModelMaker maker(9);
    maker.input("x", {2, 3}).output("y");
    maker.node("Dropout", {"x"}, {"y", "mask"});
    const auto file = maker.read();
    ASSERT_TRUE(file) << file.error().message;
    EXPECT_THAT(kinds(file->diagnostics), ElementsAre());
    EXPECT_EQ(file->graph.outputs(OpId(0)).size(), 1u);
}

TEST(OnnxReader, ADanglingInputIsKeptAsAnInputAndCounted) {
    auto maker = smallModel();
    maker.node("Add", {"y", "ghost"}, {"z"}, "sum");
    const auto file = maker.read();
    ASSERT_TRUE(file) << file.error().message;
    EXPECT_EQ(file->graph.tensor(findTensor(file->graph, "ghost")).kind, TensorKind::Input);
    EXPECT_EQ(file->diagnostics.count("dangling-input"), 1u);
    const auto entry = std::ranges::find(file->diagnostics.entries(), "dangling-input", &Diagnostic::code);
    EXPECT_EQ(entry->examples[0], "\"ghost\", read by sum (Add)");
}

TEST(OnnxReader, AnOutputOfTheGraphThatNothingProducesIsCounted) {
    auto maker = smallModel();
    maker.output("lost");
    EXPECT_EQ(maker.read()->diagnostics.count("dangling-output"), 1u);
}

TEST(OnnxReader, NodesOutOfOrderAreReadAsWell) {
    OnnxModelMaker maker;
    maker.input("x", {2});
    maker.node("Relu", {"h"}, {"y"}, "second");
    maker.node("Relu", {"x"}, {"h"}, "first");
    const auto file = maker.read();
    ASSERT_TRUE(file) << file.error().message;
    EXPECT_THAT(file->graph.topologicalOrder(), ElementsAre(OpId(1), OpId(0)));
}

TEST(OnnxReader, ARepeatedNodeNameIsRenamedAndCounted) {
    auto maker = smallModel();
    maker.node("Relu", {"y"}, {"z"}, "relu");
    const auto file = maker.read();
    ASSERT_TRUE(file) << file.error().message;
    EXPECT_EQ(file->graph.op(OpId(1)).name, "relu#2");
    EXPECT_EQ(file->diagnostics.count("duplicate-name"), 1u);
}

TEST(OnnxReader, NamesThatAreNotUtf8AreRepaired) {
    OnnxModelMaker maker;
    maker.input("x", {2});
    maker.node("Relu", {"x"}, {"y"}, "caf\xe9");
    EXPECT_EQ(maker.read()->graph.op(OpId(0)).name, "caf\ufffd");
}

TEST(OnnxReader, AnUnknownOpAndAnUnknownDomainAreKept) {
    auto maker = smallModel();
    maker.node("Frobnicate", {"y"}, {"z"});
    maker.node("Custom", {"z"}, {"v"}).set_domain("com.example");
    const auto file = maker.read();
    ASSERT_TRUE(file) << file.error().message;
    EXPECT_EQ(file->graph.opCount(), 3u);
    EXPECT_EQ(file->graph.edgeCount(), 2u);
    EXPECT_EQ(file->graph.op(OpId(1)).type, "Frobnicate");
}

TEST(OnnxReader, AFailedShapeInferenceIsCountedAndTheRestIsInferred) {
    OnnxModelMaker maker;
    maker.input("x", {2, 3}).input("z", {5, 7});
    maker.node("MatMul", {"x", "z"}, {"bad"}, "mismatch");
    maker.node("Relu", {"x"}, {"good"});
    const auto file = maker.read();
    ASSERT_TRUE(file) << file.error().message;
    EXPECT_EQ(file->diagnostics.count("shape-inference"), 1u);
    EXPECT_EQ(file->graph.tensor(findTensor(file->graph, "good")).shape, (Shape{2, 3}));
}

TEST(OnnxReader, ANewerOperatorSetIsReadWithTheShapesInTheFile) {
    OnnxModelMaker maker(99);
    maker.input("x", {2, 3});
    maker.node("Relu", {"x"}, {"y"});
    maker.node("Relu", {"y"}, {"z"});
    *maker.graph().add_value_info() = maker.graph().input(0);
    maker.graph().mutable_value_info(0)->set_name("y");
    auto& constant = maker.node("Constant", {}, {"c"});
    OnnxModelMaker::attribute(constant, "value_floats", AttributeProto::FLOATS).mutable_floats()->Resize(3, 1);
    maker.node("Add", {"z", "c"}, {"sum"});
    const auto file = maker.read();
    ASSERT_TRUE(file) << file.error().message;
    EXPECT_EQ(file->diagnostics.count("newer-opset"), 1u);
    EXPECT_EQ(file->graph.tensor(findTensor(file->graph, "y")).shape, (Shape{2, 3}));
    EXPECT_EQ(file->graph.tensor(findTensor(file->graph, "c")).shape, (Shape{3}));
    EXPECT_EQ(file->diagnostics.count("unknown-shape"), 1u); // z; nobody reads sum
}

TEST(OnnxReader, TheTwoNamesOfTheStandardDomainAreOne) {
    auto maker = smallModel();
    maker.model().mutable_opset_import(0)->set_domain("ai.onnx");
    const auto file = maker.read();
    ASSERT_TRUE(file) << file.error().message;
    EXPECT_THAT(kinds(file->diagnostics), ElementsAre());
    EXPECT_TRUE(file->graph.op(OpId(0)).attributes.empty());
}

TEST(OnnxReader, FunctionsExternalDataTrainingAndUnusedWeightsAreCounted) {
    auto maker = smallModel();
    maker.weight("spare", {2});
    auto& external = maker.weight("far", {3});
    external.clear_float_data();
    external.set_data_location(onnx::TensorProto::EXTERNAL);
    maker.node("Add", {"y", "far"}, {"z"});
    auto& function = *maker.model().add_functions();
    function.set_domain("my");
    function.set_name("fn");
    maker.model().add_training_info();
    const auto file = maker.read();
    ASSERT_TRUE(file) << file.error().message;
    EXPECT_THAT(kinds(file->diagnostics),
                UnorderedElementsAre("unused-weight", "external-data", "unused-function", "training-info"));
    EXPECT_EQ(file->graph.tensorBytes(findTensor(file->graph, "far")), 12);
}

TEST(OnnxReader, ASparseWeightHasTheBytesOfItsValuesAndIndices) {
    auto maker = smallModel();
    auto& sparse = *maker.graph().add_sparse_initializer();
    sparse.add_dims(1000);
    sparse.mutable_values()->set_name("s");
    sparse.mutable_values()->set_data_type(onnx::TensorProto::FLOAT);
    sparse.mutable_values()->add_dims(5);
    sparse.mutable_indices()->set_data_type(onnx::TensorProto::INT64);
    sparse.mutable_indices()->add_dims(5);
    maker.node("Add", {"y", "s"}, {"z"});
    const auto file = maker.read();
    ASSERT_TRUE(file) << file.error().message;
    const TensorId id = findTensor(file->graph, "s");
    EXPECT_EQ(file->graph.tensor(id).shape, (Shape{1000}));
    EXPECT_EQ(file->graph.tensorBytes(id), 5 * 4 + 5 * 8);
}

TEST(OnnxReader, TwoThingsOfOneNameAreRefused) {
    auto outputs = smallModel();
    outputs.node("Abs", {"x"}, {"y"}, "abs");
    EXPECT_EQ(outputs.error(),
              "dir/m.onnx: the output \"y\" of node abs (Abs) is written by node relu (Relu) already; every "
              "tensor needs a name of its own.");
    auto overInput = smallModel();
    overInput.node("Abs", {"y"}, {"x"}, "abs");
    EXPECT_EQ(overInput.error(),
              "dir/m.onnx: the output \"x\" of node abs (Abs) has the name of an input or initializer; "
              "every tensor needs a name of its own.");
    auto weights = smallModel();
    weights.weight("w", {1});
    weights.weight("w", {2});
    EXPECT_EQ(weights.error(),
              "dir/m.onnx: two initializers have the name \"w\"; every tensor needs a name of its own.");
    auto inputs = smallModel();
    inputs.input("x", {1});
    EXPECT_EQ(inputs.error(), "dir/m.onnx: two inputs have the name \"x\"; every tensor needs a name of its own.");
}

TEST(OnnxReader, ACycleIsRefusedWithTheOpsOnIt) {
    OnnxModelMaker maker;
    maker.node("Relu", {"b"}, {"a"}, "first");
    maker.node("Relu", {"a"}, {"b"}, "second");
    EXPECT_EQ(maker.error(),
              "dir/m.onnx: the graph has a cycle of 2 ops: first -> second -> first; a computation graph must "
              "be acyclic.");
}

TEST(OnnxReader, AModelWithoutAGraphIsRefused) {
    OnnxModelMaker maker;
    maker.model().clear_graph();
    EXPECT_TRUE(isOnnx(maker.bytes()));
    EXPECT_EQ(maker.error(), "dir/m.onnx: the ONNX model holds no graph.");
}

TEST(OnnxReader, AGraphWithoutNodesIsAnEmptyGraph) {
    OnnxModelMaker maker;
    const auto file = maker.read();
    ASSERT_TRUE(file) << file.error().message;
    EXPECT_EQ(file->graph.opCount(), 0u);
}

TEST(OnnxReader, WhatIsNotOnnxIsRefused) {
    for (const std::string& bytes : {std::string("plain text"), std::string("{\"json\": 1}"), std::string(100, '\0'),
                                     std::string("\x08\x01\x12\x03"
                                                 "abc"), // a number and a text: another protobuf format
                                     std::string("\x89PNG\r\n\x1a\n")}) {
        EXPECT_FALSE(isOnnx(bytes));
        EXPECT_EQ(readOnnx(bytes, "x.onnx").error().message, "x.onnx: this is not an ONNX model.");
    }
}

TEST(OnnxReader, DamageInsideIsRefused) {
    OnnxModelMaker maker;
    std::string bytes = maker.bytes();
    bytes += std::string("\x3a\x02\xff\xff"); // a graph of two bytes that are no fields
    EXPECT_EQ(readOnnx(bytes, "x.onnx").error().message,
              "x.onnx: the ONNX model is damaged: it starts as one, but its bytes break the format further inside.");
}

TEST(OnnxReader, AFileCutOffAnywhereIsRefused) {
    const std::string bytes = smallModel().bytes();
    const std::size_t graph = bytes.find('\x3a'); // tag of the graph
    ASSERT_NE(graph, std::string::npos);
    for (std::size_t length = graph + 1; length + 6 < bytes.size(); ++length) {
        const auto file = readOnnx(std::string_view(bytes).substr(0, length), "x.onnx");
        ASSERT_FALSE(file) << length;
        ASSERT_THAT(file.error().message, StartsWith("x.onnx: "));
    }
    EXPECT_THAT(readOnnx(std::string_view(bytes).substr(0, graph + 10), "x.onnx").error().message,
                StartsWith(fmt::format("x.onnx: the file is cut off: the part at byte {} needs ", graph)));
}

TEST(OnnxReader, RandomDamageNeverDoesMoreThanGiveAnError) {
    OnnxModelMaker maker;
    maker.input("x", {1, 3, 8, 8}).output("y").integers("shape", {4, 3, 3, 3}).integers("flat", {1, -1});
    maker.node("ConstantOfShape", {"shape"}, {"w"});
    maker.node("Conv", {"x", "w"}, {"c"}, "conv");
    maker.node("MaxPool", {"c"}, {"p"}, "pool");
    maker.node("Reshape", {"p", "flat"}, {"y"}, "reshape");
    const std::string bytes = maker.bytes();
    std::uint64_t state = 1;
    const auto next = [&state](std::size_t bound) {
        state = state * 6364136223846793005ULL + 1442695040888963407ULL;
        return static_cast<std::size_t>(state >> 33) % bound;
    };
    for (int round = 0; round < 300; ++round) {
        std::string damaged = bytes;
        for (std::size_t n = 1 + next(3); n > 0; --n)
            damaged[next(damaged.size())] = static_cast<char>(next(256));
        if (const auto file = readOnnx(damaged, "x.onnx"); !file)
            ASSERT_THAT(file.error().message, StartsWith("x.onnx: "));
        else
            ASSERT_TRUE(readOpscapeJson(writeOpscapeJson(file->graph), "x.json")) << round;
    }
}

TEST(OnnxReader, ADeepChainIsReadWithoutRecursion) {
    OnnxModelMaker maker;
    maker.input("t0", {1});
    for (int i = 0; i < 10000; ++i)
        maker.node("Relu", {fmt::format("t{}", i)}, {fmt::format("t{}", i + 1)}, fmt::format("n{}", i));
    const auto file = maker.read();
    ASSERT_TRUE(file) << file.error().message;
    EXPECT_EQ(file->graph.edgeCount(), 9999u);
}

} // namespace
} // namespace opscape
