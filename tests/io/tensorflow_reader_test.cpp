// SPDX-License-Identifier: MIT
// Small TensorFlow graphs as text, each showing what is in its file; the real ones where they are there; and files
// that are wrong, with the sentence a person reads.
#include "io/graph_facts.h"
#include "io/malformed.h"
#include "support/sentence.h"

#include <opscape/cost/op_cost.h>
#include <opscape/io/tensorflow/tensorflow.pb.h>
#include <opscape/io/tensorflow/tensorflow_reader.h>

#include <gmock/gmock.h>
#include <google/protobuf/text_format.h>

namespace opscape {
namespace {

using test::attributeOf;
using test::controlNames;
using test::errorOf;
using test::inputNames;
using test::opNamed;
using test::opNames;
using test::tensorNamed;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::string_view kSound = R"(# a layer
node {
  name: "x" op: "Placeholder"
  attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "shape" value { shape { dim { size: 8 } dim { size: 4 } } } }
}
node {
  name: "w" op: "VariableV2"
  attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "shape" value { shape { dim { size: 4 } dim { size: 6 } } } }
}
node {
  name: "w/read" op: "Identity" input: "w"
  attr { key: "T" value { type: DT_FLOAT } }
  attr { key: "_class" value { list { s: "loc:@w" } } }
  attr { key: "_output_shapes" value { list { shape { dim { size: 4 } dim { size: 6 } } } } }
}
node {
  name: "fc/MatMul" op: "MatMul" input: "x" input: "w/read:0" device: "/job:worker/device:GPU:1"
  attr { key: "T" value { type: DT_FLOAT } }
  attr { key: "transpose_a" value { b: false } }
  attr { key: "_output_shapes" value { list { shape { dim { size: 8 } dim { size: 6 } } } } }
}
node {
  name: "axis" op: "Const"
  attr { key: "dtype" value { type: DT_INT32 } }
  attr { key: "value" value { tensor { dtype: DT_INT32 tensor_shape { } int_val: 1 } } }
}
node {
  name: "split" op: "Split" input: "axis" input: "fc/MatMul"
  attr { key: "T" value { type: DT_FLOAT } }
  attr { key: "num_split" value { i: 2 } }
  attr { key: "_output_shapes" value { list { shape { dim { size: 8 } dim { size: 3 } }
                                              shape { dim { size: 8 } dim { size: 3 } } } } }
}
node {
  name: "sum" op: "AddV2" input: "split:1" input: "split" input: "^fc/MatMul"
  attr { key: "T" value { type: DT_FLOAT } }
  attr { key: "_class" value { list { s: "loc:@w" } } }
}
node { name: "done" op: "NoOp" input: "^sum" input: "^axis" }
)";

tensorflow::GraphDef parsed(std::string_view text) {
    tensorflow::TextGraphDef read;
    google::protobuf::TextFormat::Parser parser;
    parser.AllowUnknownField(true);
    EXPECT_TRUE(parser.ParseFromString(std::string(text), &read));
    tensorflow::GraphDef graph;
    EXPECT_TRUE(graph.ParseFromString(read.SerializeAsString()));
    return graph;
}

std::string binary(std::string_view text) { return parsed(text).SerializeAsString(); }

GraphFile read(std::string_view text) {
    auto file = readGraph(text, "dir/net.pbtxt");
    EXPECT_TRUE(file.has_value()) << errorOf(file);
    return file ? std::move(*file) : GraphFile();
}

TEST(TensorflowReader, ConstantsVariablesAndPlaceholdersBecomeStateOfTheOpsThatReadThem) {
    const GraphFile file = read(kSound);
    EXPECT_EQ(file.format, "tensorflow-text");
    EXPECT_EQ(file.fileNodes, 8u);
    EXPECT_EQ(file.fileEdges, 10u);
    EXPECT_EQ(file.folded, 3u) << "x, w and axis";
    const Graph& graph = file.graph;
    EXPECT_EQ(graph.name(), "net");
    EXPECT_THAT(opNames(graph), ElementsAre("w/read", "fc/MatMul", "split", "sum", "done"));
    EXPECT_EQ(tensorNamed(graph, "x").kind, TensorKind::Input);
    EXPECT_EQ(tensorNamed(graph, "x").shape, (Shape{8, 4}));
    EXPECT_EQ(tensorNamed(graph, "w").kind, TensorKind::Weight);
    EXPECT_EQ(tensorNamed(graph, "axis").kind, TensorKind::Constant);
    EXPECT_EQ(tensorNamed(graph, "axis").dtype, DType::I32);
}

TEST(TensorflowReader, InputsNameOutputsByNumberAndControlEdgesByACaret) {
    const Graph graph = read(kSound).graph;
    EXPECT_THAT(inputNames(graph, "fc/MatMul"), ElementsAre("x", "w/read"));
    EXPECT_THAT(inputNames(graph, "sum"), ElementsAre("split:1", "split"));
    EXPECT_THAT(controlNames(graph, "sum"), ElementsAre("fc/MatMul"));
    EXPECT_THAT(controlNames(graph, "done"), ElementsAre("sum"));
    EXPECT_EQ(tensorNamed(graph, "split:1").shape, (Shape{8, 3}));
}

TEST(TensorflowReader, KeepsTheDeviceTheColocationAndTheAttributes) {
    const Graph graph = read(kSound).graph;
    EXPECT_EQ(opNamed(graph, "fc/MatMul").requestedDevice, "/job:worker/device:GPU:1");
    EXPECT_EQ(opNamed(graph, "w/read").colocation, "w");
    EXPECT_EQ(opNamed(graph, "sum").colocation, "w");
    EXPECT_EQ(opNamed(graph, "split").colocation, "");
    EXPECT_EQ(attributeOf(graph, "split", "num_split"), AttributeValue(std::int64_t{2}));
    EXPECT_EQ(attributeOf(graph, "split", "T"), AttributeValue(std::string("f32")));
}

TEST(TensorflowReader, WhatIsLeftOutIsCounted) {
    const GraphFile file = read(kSound);
    EXPECT_EQ(file.diagnostics.count("control-of-state"), 1u) << "done after axis";
    EXPECT_EQ(file.diagnostics.count("unknown-shape"), 0u);
}

TEST(TensorflowReader, TextAndBinaryAreOneGraph) {
    const GraphFile text = read(kSound);
    const auto file = readGraph(binary(kSound), "dir/net.pb");
    ASSERT_TRUE(file.has_value()) << errorOf(file);
    EXPECT_EQ(file->format, "tensorflow");
    EXPECT_EQ(file->graph, text.graph);
    EXPECT_EQ(file->fileEdges, text.fileEdges);
}

/// Far more text than is parsed at a time.
std::string manyNodes(std::string_view separator, int nodes = 5000) {
    std::string text;
    for (int i = 0; i < nodes; ++i) {
        text += fmt::format("node {{ name: \"n{}\" op: \"Neg\"", i);
        if (i > 0)
            text += fmt::format(" input: \"n{}\"", i - 1);
        text += fmt::format(" attr {{ key: \"note\" value {{ s: \"}} \\\" ' # {{\" }} }} }}{}", separator);
    }
    return text;
}

TEST(TensorflowReader, ATextIsOneGraphWhereverItsNodesEnd) {
    const GraphFile lines = read(manyNodes("\n"));
    EXPECT_EQ(lines.graph.opCount(), 5000u);
    EXPECT_EQ(lines.graph.edgeCount(), 4999u);
    EXPECT_EQ(attributeOf(lines.graph, "n4999", "note"), AttributeValue(std::string("} \" ' # {")));
    for (const std::string_view separator : {"", " ", ", ", ";\n", " # } {\n\n", "\t"})
        EXPECT_EQ(read(manyNodes(separator)).graph, lines.graph) << separator;
}

TEST(TensorflowReader, ErrorsFarInATextNameTheirPlace) {
    const std::string wrong = "node { name: 7 }";
    EXPECT_EQ(errorOf(readTensorflowText(manyNodes("\n") + wrong, "net")),
              "net: line 5001, column 14: expected string, got: 7.");
    const std::string line = manyNodes(" ");
    EXPECT_EQ(errorOf(readTensorflowText(line + wrong, "net")),
              fmt::format("net: line 1, column {}: expected string, got: 7.", line.size() + 14));
    EXPECT_THAT(errorOf(readTensorflowText(line + "node {", "net")), HasSubstr("but the text ends here"));
}

TEST(TensorflowReader, AnAttributeThatIsDamagedIsSaid) {
    const std::string sound = binary(kSound);
    const std::size_t at = sound.find("transpose_a"); // behind it the value: a field and its length
    ASSERT_NE(at, std::string::npos);
    std::string bytes = sound;
    bytes[at + std::string_view("transpose_a").size() + 1] = '\x7f';
    EXPECT_EQ(errorOf(readTensorflow(bytes, "net")),
              "net: the TensorFlow graph is damaged: it starts as one, but its bytes break the format further inside.");
}

TEST(TensorflowReader, AMetaGraphAndASavedModelHoldAGraph) {
    tensorflow::SavedModel model;
    model.set_saved_model_schema_version(1);
    *model.add_meta_graphs()->mutable_graph_def() = parsed(kSound);
    const std::string meta = model.meta_graphs(0).SerializeAsString();
    model.add_meta_graphs()->mutable_meta_info_def()->add_tags("train");
    for (const std::string& bytes : {meta, model.SerializeAsString()}) {
        const auto file = readGraph(bytes, "net");
        ASSERT_TRUE(file.has_value()) << errorOf(file);
        EXPECT_EQ(file->fileNodes, 8u);
        EXPECT_EQ(file->diagnostics.count("further-graph"), bytes == meta ? 0u : 1u);
    }
}

TEST(TensorflowReader, WhatIsComputedFromConstantsAloneIsAConstant) {
    const GraphFile file = read(R"(
node { name: "a" op: "Const" attr { key: "value" value { tensor { dtype: DT_FLOAT tensor_shape { dim { size: 2 } } } } } }
node { name: "b" op: "Identity" input: "a" }
node { name: "c" op: "Mul" input: "b" input: "a" }
node { name: "r" op: "RandomUniform" input: "a" }
node { name: "u" op: "MyOp" input: "b" input: "c" }
)");
    EXPECT_EQ(file.folded, 3u);
    EXPECT_THAT(opNames(file.graph), ElementsAre("r", "u")) << "random numbers and unknown ops are work";
    EXPECT_THAT(inputNames(file.graph, "u"), ElementsAre("a", "c")) << "b is a by another name";
    EXPECT_EQ(tensorNamed(file.graph, "a").kind, TensorKind::Weight);
}

TEST(TensorflowReader, AnOptimizersVariablesAreItsState) {
    const GraphFile file = read(R"(
node { name: "w" op: "VarHandleOp" attr { key: "dtype" value { type: DT_FLOAT } }
       attr { key: "shape" value { shape { dim { size: 5 } } } } }
node { name: "m" op: "VarHandleOp" attr { key: "dtype" value { type: DT_FLOAT } }
       attr { key: "shape" value { shape { dim { size: 5 } } } } }
node { name: "rate" op: "Const" attr { key: "value" value { tensor { dtype: DT_FLOAT } } } }
node { name: "gradients/g" op: "Dequantize" attr { key: "dtype" value { type: DT_FLOAT } } }
node { name: "step" op: "ResourceApplyMomentum" input: "w" input: "m" input: "rate" input: "gradients/g" input: "rate" }
)");
    EXPECT_EQ(tensorNamed(file.graph, "w").kind, TensorKind::Weight);
    EXPECT_EQ(tensorNamed(file.graph, "w").shape, Shape{5});
    EXPECT_EQ(tensorNamed(file.graph, "m").kind, TensorKind::OptimizerState);
    EXPECT_EQ(tensorNamed(file.graph, "rate").kind, TensorKind::Constant);
    EXPECT_EQ(opNamed(file.graph, "step").phase, Phase::Update);
    EXPECT_EQ(opNamed(file.graph, "gradients/g").phase, Phase::Backward);
}

constexpr std::string_view kCalls = R"(
node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } } }
node { name: "before" op: "NoOp" }
node {
  name: "call" op: "StatefulPartitionedCall" input: "x" input: "x" input: "^before"
  attr { key: "f" value { func { name: "outer" } } }
}
node { name: "y" op: "Neg" input: "call:1" }
node { name: "z" op: "Abs" input: "call" input: "^call" }
library {
  function {
    signature { name: "outer"
      input_arg { name: "a" type: DT_FLOAT } input_arg { name: "b" type: DT_FLOAT }
      output_arg { name: "first" type: DT_FLOAT } output_arg { name: "second" type: DT_FLOAT } }
    node_def { name: "s" op: "Sqrt" input: "a" }
    node_def { name: "inner" op: "double" input: "s:y:0" }
    ret { key: "first" value: "inner:out:0" }
    ret { key: "second" value: "b" }
  }
  function {
    signature { name: "double" input_arg { name: "v" type: DT_FLOAT } output_arg { name: "out" type: DT_FLOAT } }
    node_def { name: "twice" op: "Add" input: "v" input: "v" }
    ret { key: "out" value: "twice:z:0" }
  }
  function { signature { name: "nobody" } }
}
)";

TEST(TensorflowReader, ACallIsAScopeWithTheNodesOfItsFunction) {
    const GraphFile file = read(kCalls);
    const Graph& graph = file.graph;
    EXPECT_THAT(opNames(graph), ElementsAre("before", "call/s", "call/inner/twice", "y", "z", "call/input_control_node",
                                            "call/output_control_node", "call/inner/output_control_node"));
    EXPECT_THAT(inputNames(graph, "call/s"), ElementsAre("x"));
    EXPECT_THAT(inputNames(graph, "call/inner/twice"), ElementsAre("call/s", "call/s"));
    EXPECT_THAT(inputNames(graph, "z"), ElementsAre("call/inner/twice"));
    EXPECT_THAT(inputNames(graph, "y"), ElementsAre("x")) << "handed through";
    EXPECT_EQ(file.diagnostics.count("uncalled-function"), 1u);
    EXPECT_EQ(file.fileNodes, 6u) << "without the calls";
}

TEST(TensorflowReader, ControlEdgesOfACallHoldForAllThatItRuns) {
    const Graph graph = read(kCalls).graph;
    EXPECT_THAT(controlNames(graph, "call/input_control_node"), ElementsAre("before"));
    EXPECT_THAT(controlNames(graph, "call/s"), ElementsAre("call/input_control_node"));
    EXPECT_THAT(controlNames(graph, "z"), ElementsAre("call/output_control_node"));
    EXPECT_THAT(controlNames(graph, "call/inner/output_control_node"), ElementsAre("call/inner/twice"));
}

TEST(TensorflowReader, OutputsOfACallWithinAFunctionAreNumbered) {
    std::string text(kCalls);
    const std::size_t at = text.find("op: \"double\"");
    text.replace(at, std::string_view("op: \"double\"").size(),
                 "op: \"PartitionedCall\" attr { key: \"f\" value { func { name: \"double\" } } }");
    text.replace(text.find("inner:out:0"), 11, "inner:output:0");
    EXPECT_EQ(read(text).graph.hash(), read(kCalls).graph.hash());
}

constexpr std::string_view kControlFlow = R"(
node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } } }
node { name: "flag" op: "Dequantize" input: "x" }
node { name: "loop" op: "StatelessWhile" input: "x" input: "flag"
       attr { key: "cond" value { func { name: "more" } } } attr { key: "body" value { func { name: "round" } } } }
node { name: "either" op: "If" input: "flag" input: "loop:1"
       attr { key: "then_branch" value { func { name: "short" } } }
       attr { key: "else_branch" value { func { name: "long" } } } }
node { name: "one" op: "Case" input: "flag" input: "either"
       attr { key: "branches" value { list { func { name: "short" } func { name: "long" } } } } }
node { name: "y" op: "Neg" input: "one" }
library {
  function {
    signature { name: "round"
      input_arg { name: "a" type: DT_FLOAT } input_arg { name: "b" type: DT_FLOAT }
      output_arg { name: "p" type: DT_FLOAT } output_arg { name: "q" type: DT_FLOAT } }
    node_def { name: "sum" op: "Add" input: "a" input: "b" }
    ret { key: "p" value: "a" } ret { key: "q" value: "sum:z:0" }
  }
  function { signature { name: "more" input_arg { name: "a" type: DT_FLOAT } input_arg { name: "b" type: DT_FLOAT }
                         output_arg { name: "r" type: DT_BOOL } }
             node_def { name: "test" op: "Less" input: "a" input: "b" } ret { key: "r" value: "test:z:0" } }
  function { signature { name: "short" input_arg { name: "v" type: DT_FLOAT } output_arg { name: "o" type: DT_FLOAT } }
             ret { key: "o" value: "v" } }
  function { signature { name: "long" input_arg { name: "v" type: DT_FLOAT } output_arg { name: "o" type: DT_FLOAT } }
             node_def { name: "exp" op: "Exp" input: "v" } ret { key: "o" value: "exp:y:0" } }
}
)";

TEST(TensorflowReader, LoopsAndConditionalsThatHoldFunctionsAreOpened) {
    const GraphFile file = read(kControlFlow);
    EXPECT_THAT(opNames(file.graph), ElementsAre("flag", "loop/sum", "either/exp", "one/exp", "y"));
    EXPECT_THAT(inputNames(file.graph, "loop/sum"), ElementsAre("x", "flag"));
    EXPECT_THAT(inputNames(file.graph, "either/exp"), ElementsAre("loop/sum"));
    EXPECT_THAT(inputNames(file.graph, "one/exp"), ElementsAre("either/exp"));
    EXPECT_THAT(inputNames(file.graph, "y"), ElementsAre("one/exp"));
    EXPECT_EQ(file.diagnostics.count("loop-once"), 1u);
    EXPECT_EQ(file.diagnostics.count("one-branch"), 2u);
    EXPECT_EQ(file.diagnostics.count("uncalled-function"), 0u);
    EXPECT_EQ(file.diagnostics.count("held-function"), 0u);
}

TEST(TensorflowReader, AFunctionWithinItselfStaysOneOp) {
    const GraphFile file = read(R"(
node { name: "f" op: "again" }
library { function { signature { name: "again" output_arg { name: "o" type: DT_FLOAT } }
  node_def { name: "n" op: "again" } ret { key: "o" value: "n:o:0" } } })");
    EXPECT_THAT(opNames(file.graph), ElementsAre("f/n"));
    EXPECT_EQ(file.diagnostics.count("recursive-call"), 1u);
}

TEST(TensorflowReader, FunctionsThatMultiplyAreOpenedUpToALimit) {
    const std::string name(2000, 'n'); // long, so that the limit comes soon
    std::string text = "node { name: 'x' op: 'f0' }\nlibrary {\n";
    for (int level = 0; level < 40; ++level) {
        text += fmt::format("function {{ signature {{ name: 'f{}' }}\n", level);
        for (int i = 0; i < 4; ++i)
            text += fmt::format("node_def {{ name: '{}{}' op: 'f{}' }}\n", name, i, level + 1);
        text += "}\n";
    }
    const GraphFile file = read(text + "}");
    EXPECT_GT(file.diagnostics.count("call-not-opened"), 0u);
    EXPECT_LE(file.graph.opCount(), 100'000u);
}

TEST(TensorflowReader, ALoopIsShownAsItRunsOnce) {
    const GraphFile file = read(R"(
node { name: "x" op: "Placeholder" }
node { name: "enter" op: "Enter" input: "x" }
node { name: "merge" op: "Merge" input: "enter" input: "next" }
node { name: "body" op: "Neg" input: "merge" }
node { name: "next" op: "NextIteration" input: "body" }
)");
    EXPECT_EQ(file.graph.opCount(), 4u);
    EXPECT_EQ(file.fileEdges, 5u);
    EXPECT_THAT(inputNames(file.graph, "merge"), ElementsAre("enter", "-"));
    EXPECT_EQ(file.diagnostics.count("loop-back-edge"), 1u);
}

TEST(TensorflowReader, WhatNamesNothingIsAnInputOrCounted) {
    const GraphFile file = read(R"(
node { name: "a" op: "Neg" input: "gone:1" input: "^nothing" }
node { name: "b" op: "Neg" input: "gone:1" })");
    EXPECT_THAT(inputNames(file.graph, "a"), ElementsAre("gone:1"));
    EXPECT_EQ(file.diagnostics.count("dangling-input"), 2u);
    EXPECT_EQ(file.diagnostics.count("dangling-control"), 1u);
    EXPECT_EQ(file.fileEdges, 0u);
}

TEST(TensorflowReader, OpsHaveTheWorkOfTheirRules) {
    const Graph graph = read(R"(
node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_HALF } }
       attr { key: "shape" value { shape { dim { size: 2 } dim { size: 8 } dim { size: 8 } dim { size: 3 } } } } }
node { name: "k" op: "VariableV2" attr { key: "dtype" value { type: DT_HALF } }
       attr { key: "shape" value { shape { dim { size: 3 } dim { size: 3 } dim { size: 3 } dim { size: 16 } } } } }
node { name: "conv" op: "Conv2D" input: "x" input: "k" attr { key: "T" value { type: DT_HALF } }
  attr { key: "_output_shapes" value { list { shape { dim { size: 2 } dim { size: 8 } dim { size: 8 } dim { size: 16 } } } } } }
node { name: "mean" op: "Mean" input: "conv" attr { key: "T" value { type: DT_HALF } }
  attr { key: "_output_shapes" value { list { shape { dim { size: 2 } dim { size: 16 } } } } } }
)")
                            .graph;
    const OpCost conv = opCost(graph, graph.findOp("conv")), mean = opCost(graph, graph.findOp("mean"));
    EXPECT_EQ(conv.flops, 2.0 * (2 * 8 * 8 * 16) * (3 * 3 * 3));
    EXPECT_EQ(conv.opClass, OpClass::Convolution);
    EXPECT_EQ(conv.workspaceBytes, 3 * 3 * 3 * 8 * 8 * 2);
    EXPECT_EQ(mean.flops, 2 * 8 * 8 * 16) << "a reduction, other than ONNX's op of that name";
    EXPECT_EQ(mean.opClass, OpClass::Reduction);
}

TEST(TensorflowReader, ReadsTheRealGraphs) {
    const std::filesystem::path shared = OPSCAPE_SHARED_DATA;
    if (!std::filesystem::exists(shared / "tensorflow"))
        GTEST_SKIP() << "skipped: no shared/data";
    struct Real {
        const char* name;
        std::size_t nodes, edges, controls, folded;
    };
    for (const Real& real :
         {Real{"tensorflow/gru.frozen.pb", 548, 827, 0, 135}, Real{"tensorflow/regression.meta", 128, 193, 27, 32},
          Real{"tensorflow/regression.saved_model.pb", 148, 222, 34, 40},
          Real{"model-explorer/graphdef_foo.pbtxt", 1, 0, 0, 0}}) {
        SCOPED_TRACE(real.name);
        const auto file = readGraph(shared / real.name);
        ASSERT_TRUE(file.has_value()) << errorOf(file);
        EXPECT_EQ(file->fileNodes, real.nodes);
        EXPECT_EQ(file->fileEdges, real.edges);
        EXPECT_EQ(file->folded, real.folded);
        EXPECT_EQ(file->graph.controlEdgeCount() + file->diagnostics.count("control-of-state"), real.controls);
        EXPECT_EQ(file->graph.opCount() + file->folded, file->fileNodes);
        EXPECT_EQ(file->diagnostics.count("dangling-input") + file->diagnostics.count("dangling-control"), 0u);
    }
}

TEST(TensorflowReader, AGraphCutOffAnywhereGetsOneSentence) {
    const std::string bytes = binary(kSound);
    for (std::size_t length = 1; length < bytes.size(); ++length) {
        const auto file = readTensorflow(std::string_view(bytes).substr(0, length), "net");
        if (!file) {
            EXPECT_THAT(file.error().message, test::IsOneSentence()) << length;
        }
    }
    for (std::size_t length = 1; length < kSound.size(); ++length) {
        const auto file = readTensorflowText(kSound.substr(0, length), "net");
        if (!file) {
            EXPECT_THAT(file.error().message, test::IsOneSentence()) << length;
        }
    }
}

TEST(TensorflowReader, DamagedBytesDoNoHarm) {
    const std::string sound = binary(kCalls);
    for (std::size_t at = 0; at < sound.size(); ++at) {
        for (const char changed : {'\0', '\x7f', '\xff', '\x0a'}) {
            std::string bytes = sound;
            bytes[at] = changed;
            const auto file = readTensorflow(bytes, "net");
            if (!file) {
                EXPECT_THAT(file.error().message, test::IsOneSentence()) << at;
            }
        }
    }
}

TEST(TensorflowReader, LongNamesDeepChainsAndWideFansAreRead) {
    tensorflow::GraphDef graph;
    constexpr int kDeep = 100'000, kWide = 50'000;
    for (int i = 0; i < kDeep; ++i) {
        auto& node = *graph.add_node();
        node.set_name("n" + std::to_string(i));
        node.set_op("Neg");
        if (i > 0)
            node.add_input("n" + std::to_string(i - 1));
    }
    for (int i = 0; i < kWide; ++i) {
        auto& node = *graph.add_node();
        node.set_name("fan" + std::to_string(i));
        node.set_op("Abs");
        node.add_input("n0");
    }
    graph.add_node()->set_name(std::string(10'000, 'n'));
    graph.mutable_node()->rbegin()->set_op("Neg");
    const auto file = readGraph(graph.SerializeAsString(), "net");
    ASSERT_TRUE(file.has_value()) << errorOf(file);
    EXPECT_EQ(file->graph.opCount(), kDeep + kWide + 1u);
}

TEST(TensorflowReader, TextThatIsDeepGetsOneSentence) {
    for (const auto& [open, close] :
         {std::pair{"a {", "}"}, std::pair{"a: [", "]"}, std::pair{"attr { value { func { attr {", "} } } }"}}) {
        std::string text = "node { ";
        for (int i = 0; i < 100'000; ++i)
            text += open;
        for (int i = 0; i < 100'000; ++i)
            text += close;
        const std::string message = errorOf(readTensorflowText(text + "}", "net"));
        EXPECT_THAT(message, HasSubstr("line 1, column "));
        EXPECT_THAT(message, test::IsOneSentence());
    }
}

constexpr test::Malformed kCases[] = {
    {"TextNotClosed", "node { name: \"done\" op: \"NoOp\" input: \"^sum\" input: \"^axis\" }", "node { name: \"done\"",
     "net: line 42, column 1: expected identifier, but the text ends here."},
    {"NumberForAName", "num_split\" value { i: 2", "num_split\" value { i: two",
     "net: line 32, column 38: expected integer, got: two."},
    {"UnknownType", "type: DT_FLOAT", "type: DT_FLOATING",
     "net: line 4, column 49: unknown enumeration value of \"DT_FLOATING\" for field \"type\"."},
    {"TwoOfOneName", "name: \"sum\"", "name: \"split\"",
     "net: two nodes have the name \"split\"; every node needs a name of its own."},
    {"Cycle", "name: \"fc/MatMul\" op: \"MatMul\" input: \"x\"", "name: \"fc/MatMul\" op: \"MatMul\" input: \"sum\"",
     "net: the graph has a cycle of 2 ops: fc/MatMul -> sum -> fc/MatMul; a computation graph must be "
     "acyclic."},
};

class TensorflowErrors : public testing::TestWithParam<test::Malformed> {};

TEST_P(TensorflowErrors, NamesFileAndPlace) { test::expectRefused(kSound, GetParam(), readTensorflowText, "net"); }

INSTANTIATE_TEST_SUITE_P(Malformed, TensorflowErrors, testing::ValuesIn(kCases),
                         [](const auto& test) { return std::string(test.param.what); });

TEST(TensorflowReader, WhatHoldsNoGraphIsRefused) {
    EXPECT_EQ(errorOf(readGraph(std::string_view("\x08\x01\x12\x00", 4), "m.pb")),
              "m.pb: this is not a TensorFlow graph, neither a GraphDef, a MetaGraphDef nor a SavedModel.");
    EXPECT_EQ(errorOf(readGraph(std::string_view("library { }"), "m.pbtxt")),
              "m.pbtxt: the TensorFlow file holds no graph.");
    EXPECT_EQ(errorOf(readGraph(std::string_view("hello"), "m.pbtxt")),
              "m.pbtxt: this is not a TensorFlow graph as text; it would begin with a field such as \"node {\".");
}

TEST(TensorflowReader, ArgumentsThatLeadInACircleAreRefused) {
    EXPECT_EQ(errorOf(readTensorflowText(R"(
node { name: "c" op: "same" input: "c" }
node { name: "d" op: "Neg" input: "c" }
library { function { signature { name: "same" input_arg { name: "v" } output_arg { name: "o" } }
  ret { key: "o" value: "v" } } })",
                                         "net")),
              "net: the input \"c\" leads from call to call without an end; a computation graph must be acyclic.");
}

} // namespace
} // namespace opscape
