// SPDX-License-Identifier: MIT
// Shapes that TensorFlow graphs do not say: worked out from node to node.
#include "io/graph_facts.h"

#include <opscape/cost/op_cost.h>
#include <opscape/io/tensorflow/tensorflow_reader.h>
#include <opscape/io/tensorflow/tensorflow_shape_rules.h>

#include <gmock/gmock.h>

namespace opscape {
namespace {

using test::errorOf;
using test::tensorNamed;
using testing::ElementsAre;

std::string shapeText(const Shape& shape) {
    std::string text = "shape {";
    for (const std::int64_t dim : shape)
        text += fmt::format(" dim {{ size: {} }}", dim);
    return text + " }";
}

std::string input(const std::string& name, const Shape& shape) {
    return fmt::format("node {{ name: \"{}\" op: \"Placeholder\" attr {{ key: \"dtype\" value {{ type: DT_FLOAT }} }} "
                       "attr {{ key: \"shape\" value {{ {} }} }} }}\n",
                       name, shapeText(shape));
}

std::string numbers(const std::string& name, const std::vector<std::int64_t>& values, bool isScalar = false) {
    std::string text;
    for (const std::int64_t value : values)
        text += fmt::format(" int_val: {}", value);
    return fmt::format(
        "node {{ name: \"{}\" op: \"Const\" attr {{ key: \"dtype\" value {{ type: DT_INT32 }} }} attr {{ "
        "key: \"value\" value {{ tensor {{ dtype: DT_INT32 tensor_{}{} }} }} }} }}\n",
        name, shapeText(isScalar ? Shape() : Shape{static_cast<std::int64_t>(values.size())}), text);
}

/// `attributes` as "name: b: true; other: i: 3".
std::string node(const std::string& name, const std::string& op, const std::vector<std::string>& inputs,
                 const std::vector<std::pair<std::string, std::string>>& attributes = {}) {
    std::string text = fmt::format("node {{ name: \"{}\" op: \"{}\"", name, op);
    for (const std::string& from : inputs)
        text += fmt::format(" input: \"{}\"", from);
    text += " attr { key: \"T\" value { type: DT_FLOAT } }";
    for (const auto& [key, value] : attributes)
        text += fmt::format(" attr {{ key: \"{}\" value {{ {} }} }}", key, value);
    return text + " }\n";
}

GraphFile read(const std::string& text) {
    auto file = readGraph(text, "net.pbtxt");
    EXPECT_TRUE(file.has_value()) << errorOf(file);
    return file ? std::move(*file) : GraphFile();
}

/// Of the output "y" of a graph.
Shape shapeOf(const std::string& text) {
    const GraphFile file = read(text);
    const Tensor tensor = tensorNamed(file.graph, "y");
    EXPECT_TRUE(tensor.shapeKnown) << text;
    return tensor.shape;
}

TEST(TensorflowShapes, AreThoseOfTheRuleOfEachOp) {
    const std::string x = input("x", {2, 9, 9, 4}), m = input("m", {6, 5});
    EXPECT_EQ(shapeOf(x + node("y", "Relu", {"x"})), (Shape{2, 9, 9, 4}));
    EXPECT_EQ(shapeOf(x + input("b", {9, 1}) + node("y", "AddV2", {"b", "x"})), (Shape{2, 9, 9, 4}));
    EXPECT_EQ(shapeOf(x + input("b", {4}) + node("y", "BiasAdd", {"x", "b"})), (Shape{2, 9, 9, 4}));
    EXPECT_EQ(shapeOf(m + input("n", {7, 6}) +
                      node("y", "MatMul", {"m", "n"}, {{"transpose_a", "b: true"}, {"transpose_b", "b: true"}})),
              (Shape{5, 7}));
    EXPECT_EQ(shapeOf(input("a", {3, 1, 6, 5}) + input("b", {8, 5, 2}) + node("y", "BatchMatMulV2", {"a", "b"})),
              (Shape{3, 8, 6, 2}));
    EXPECT_EQ(shapeOf(m + numbers("s", {3, -1}) + node("y", "Reshape", {"m", "s"})), (Shape{3, 10}));
    EXPECT_EQ(shapeOf(m + input("n", {6, 2}) + numbers("a", {-1}, true) + node("y", "ConcatV2", {"m", "n", "a"})),
              (Shape{6, 7}));
    EXPECT_EQ(shapeOf(m + numbers("a", {0}, true) + node("z", "Split", {"a", "m"}, {{"num_split", "i: 3"}}) +
                      node("y", "Neg", {"z:2"})),
              (Shape{2, 5}));
    EXPECT_EQ(shapeOf(m + node("y", "Pack", {"m", "m", "m"}, {{"axis", "i: 1"}})), (Shape{6, 3, 5}));
    EXPECT_EQ(shapeOf(m + node("z", "Unpack", {"m"}, {{"num", "i: 6"}}) + node("y", "Neg", {"z:5"})), (Shape{5}));
    EXPECT_EQ(shapeOf(m + numbers("p", {1, 0}) + node("y", "Transpose", {"m", "p"})), (Shape{5, 6}));
    EXPECT_EQ(shapeOf(x + numbers("a", {1, 2}) + node("y", "Mean", {"x", "a"})), (Shape{2, 4}));
    EXPECT_EQ(shapeOf(x + numbers("a", {1, 2}) + node("y", "Mean", {"x", "a"}, {{"keep_dims", "b: true"}})),
              (Shape{2, 1, 1, 4}));
    EXPECT_EQ(shapeOf(m + numbers("a", {1}, true) + node("y", "ExpandDims", {"m", "a"})), (Shape{6, 1, 5}));
    EXPECT_EQ(shapeOf(input("o", {1, 3, 1}) + node("y", "Squeeze", {"o"}, {{"squeeze_dims", "list { i: 0 }"}})),
              (Shape{3, 1}));
    EXPECT_EQ(shapeOf(m + numbers("i", {4, 4, 4}) + numbers("a", {0}, true) + node("y", "GatherV2", {"m", "i", "a"})),
              (Shape{3, 5}));
    EXPECT_EQ(shapeOf(m + numbers("p", {1, 2, 0, 0}) + node("q", "Reshape", {"p", "r"}) + numbers("r", {2, 2}) +
                      node("y", "Pad", {"m", "q"})),
              (Shape{9, 5}));
    EXPECT_EQ(shapeOf(m + numbers("b", {1, -2}) + numbers("e", {0, 0}) + numbers("s", {2, 1}) +
                      node("y", "StridedSlice", {"m", "b", "e", "s"}, {{"end_mask", "i: 3"}})),
              (Shape{3, 2}));
}

TEST(TensorflowShapes, WindowsSlideAsTheirPaddingSays) {
    const std::string x = input("x", {2, 9, 9, 4}), k = input("k", {3, 3, 4, 8});
    const auto conv = [&](const std::string& padding, int stride, int dilation) {
        return shapeOf(x + k +
                       node("y", "Conv2D", {"x", "k"},
                            {{"padding", "s: \"" + padding + "\""},
                             {"strides", fmt::format("list {{ i: 1 i: {0} i: {0} i: 1 }}", stride)},
                             {"dilations", fmt::format("list {{ i: 1 i: {0} i: {0} i: 1 }}", dilation)}}));
    };
    EXPECT_EQ(conv("SAME", 1, 1), (Shape{2, 9, 9, 8}));
    EXPECT_EQ(conv("SAME", 2, 1), (Shape{2, 5, 5, 8}));
    EXPECT_EQ(conv("VALID", 2, 1), (Shape{2, 4, 4, 8}));
    EXPECT_EQ(conv("VALID", 1, 2), (Shape{2, 5, 5, 8}));
    EXPECT_EQ(shapeOf(x + input("d", {3, 3, 4, 2}) +
                      node("y", "DepthwiseConv2dNative", {"x", "d"},
                           {{"padding", "s: \"SAME\""}, {"strides", "list { i: 1 i: 1 i: 1 i: 1 }"}})),
              (Shape{2, 9, 9, 8}));
    EXPECT_EQ(shapeOf(input("c", {2, 4, 9, 9}) + node("y", "MaxPool", {"c"},
                                                      {{"padding", "s: \"VALID\""},
                                                       {"data_format", "s: \"NCHW\""},
                                                       {"ksize", "list { i: 1 i: 1 i: 2 i: 2 }"},
                                                       {"strides", "list { i: 1 i: 1 i: 2 i: 2 }"}})),
              (Shape{2, 4, 4, 4}));
}

TEST(TensorflowShapes, NumbersThatShapesAreComputedFromAreFollowed) {
    const std::string text =
        input("x", {2, 3, 4}) + node("shape", "Shape", {"x"}) + numbers("zero", {0}) + numbers("one", {1}) +
        node("rows", "StridedSlice", {"shape", "zero", "one", "one"}, {{"shrink_axis_mask", "i: 1"}}) +
        numbers("twelve", {12}, true) + node("target", "Pack", {"rows", "twelve"}) +
        node("y", "Reshape", {"x", "target"});
    EXPECT_EQ(shapeOf(text), (Shape{2, 12}));
}

TEST(TensorflowShapes, ADimensionThatNothingTellsIsOneAndCountedWhereItBegins) {
    const GraphFile file =
        read(input("x", {-1, 4}) + input("w", {4, 6}) + node("h", "MatMul", {"x", "w"}) + node("y", "Relu", {"h"}));
    EXPECT_EQ(tensorNamed(file.graph, "y").shape, (Shape{1, 6}));
    EXPECT_EQ(opCost(file.graph, file.graph.findOp("h")).flops, 2 * 4 * 6);
    EXPECT_EQ(file.diagnostics.count("open-dimension"), 1u);
    EXPECT_THAT(file.diagnostics.entries().front().examples, ElementsAre("x: ?x4"));
    EXPECT_EQ(file.diagnostics.count("unknown-shape"), 0u);
}

TEST(TensorflowShapes, AShapeOfOpenLengthIsNotTakenAsOneOfOneDimension) {
    const GraphFile file =
        read(input("x", {3, 4}) + node("odd", "Frobnicate", {"x"}) +
             node("s", "Shape", {"odd"},
                  {{"out_type", "type: DT_INT32"}, {"_output_shapes", "list { " + shapeText({-1}) + " }"}}) +
             node("y", "Reshape", {"x", "s"}) + node("z", "Neg", {"y"}));
    EXPECT_EQ(file.diagnostics.count("open-dimension"), 0u);
    EXPECT_FALSE(tensorNamed(file.graph, "y").shapeKnown);
}

TEST(TensorflowShapes, WhatNoRuleTellsStaysUnknownAndIsCounted) {
    const GraphFile file = read(input("x", {3, 4}) + node("odd", "Frobnicate", {"x"}) + node("relu", "Relu", {"odd"}) +
                                node("y", "Neg", {"x"}));
    EXPECT_FALSE(tensorNamed(file.graph, "odd").shapeKnown);
    EXPECT_EQ(file.diagnostics.count("unknown-shape"), 1u) << "nobody reads the relu";
    EXPECT_EQ(tensorNamed(file.graph, "y").shape, (Shape{3, 4})) << "nor this one, but it is known";
}

TEST(TensorflowShapes, WhatTheFileSaysCountsMoreThanARule) {
    EXPECT_EQ(shapeOf(input("x", {3, 4}) +
                      node("y", "Relu", {"x"}, {{"_output_shapes", "list { " + shapeText({5, 5}) + " }"}})),
              (Shape{5, 5}));
    EXPECT_EQ(shapeOf(input("x", {3, 4}) +
                      node("y", "Relu", {"x"}, {{"_output_shapes", "list { " + shapeText({-1, 4}) + " }"}})),
              (Shape{3, 4}))
        << "what the file leaves open, the rule fills in";
}

TEST(TensorflowShapes, ConstantsAreReadInEveryFormTheyAreWrittenIn) {
    const auto constant = [](tensorflow::DataType type, const Shape& shape) {
        tensorflow::TensorProto tensor;
        tensor.set_dtype(type);
        for (const std::int64_t dim : shape)
            tensor.mutable_tensor_shape()->add_dim()->set_size(dim);
        return tensor;
    };
    auto raw = constant(tensorflow::DT_INT32, {2});
    raw.set_tensor_content(std::string("\xff\xff\xff\xff\x03\0\0\0", 8));
    EXPECT_EQ(constantValue(raw), (TfNumbers{-1, 3}));
    auto repeated = constant(tensorflow::DT_INT64, {3});
    repeated.add_int64_val(7);
    EXPECT_EQ(constantValue(repeated), (TfNumbers{7, 7, 7})) << "the last number stands for those that are left out";
    EXPECT_EQ(constantValue(constant(tensorflow::DT_INT32, {})), (TfNumbers{0}));
    EXPECT_EQ(constantValue(constant(tensorflow::DT_INT32, {0})), TfNumbers());
    EXPECT_FALSE(constantValue(constant(tensorflow::DT_INT32, {1 << 20})));
    EXPECT_FALSE(constantValue(constant(tensorflow::DT_INT32, {-1})));
    EXPECT_FALSE(constantValue(constant(tensorflow::DT_FLOAT, {1})));
}

TEST(TensorflowShapes, OddNumbersDoNoHarm) {
    const std::int64_t big = std::numeric_limits<std::int32_t>::max(), low = std::numeric_limits<std::int32_t>::min();
    for (const std::int64_t odd : {big, low, std::int64_t{0}, std::int64_t{-1}}) {
        const std::string x = input("x", {3, 4}), a = numbers("a", {odd}, true), p = numbers("p", {odd, odd});
        for (const std::string& text :
             {node("y", "ConcatV2", {"x", "x", "a"}), node("y", "Split", {"a", "x"}, {{"num_split", "i: -3"}}),
              node("y", "Reshape", {"x", "p"}), node("y", "Transpose", {"x", "p"}), node("y", "Sum", {"x", "p"}),
              node("y", "Tile", {"x", "p"}), node("y", "ExpandDims", {"x", "a"}), node("y", "Fill", {"p", "x"}),
              node("y", "StridedSlice", {"x", "p", "p", "p"}), node("y", "Slice", {"x", "p", "p"}),
              node("y", "Pack", {"x"}, {{"axis", fmt::format("i: {}", odd)}}), node("y", "GatherV2", {"x", "p", "a"}),
              node("y", "MaxPool", {"x"}, {{"ksize", "list { i: 0 }"}, {"strides", "list { i: 0 }"}}),
              node("y", "ConcatV2", {}), node("y", "Conv2D", {"x"})})
            EXPECT_TRUE(readGraph(x + a + p + text + node("z", "Neg", {"y"}), "net.pbtxt")) << text;
    }
}

TEST(TensorflowShapes, DamagedNumbersDoNoHarm) {
    const std::string text =
        input("x", {2, 9, 9, 4}) + input("k", {3, 3, 4, 8}) + numbers("a", {1}, true) + numbers("p", {0, 3, 1, 2}) +
        node("conv", "Conv2D", {"x", "k"}, {{"padding", "s: \"SAME\""}, {"strides", "list { i: 1 i: 2 i: 2 i: 1 }"}}) +
        node("t", "Transpose", {"conv", "p"}) + node("shape", "Shape", {"t"}) + node("tile", "Tile", {"t", "p"}) +
        node("sum", "Sum", {"tile", "p"}) + node("part", "StridedSlice", {"tile", "p", "shape", "p"}) +
        node("split", "Split", {"a", "part"}, {{"num_split", "i: 2"}}) + node("y", "Reshape", {"split:1", "shape"});
    const std::string digits = "0123456789";
    std::vector<std::size_t> places; // of digits behind "size:", "int_val:" and "i:"
    for (std::size_t at = text.find(": "); at != std::string::npos; at = text.find(": ", at + 1)) {
        if (digits.find(text[at + 2]) != std::string::npos)
            places.push_back(at + 2);
    }
    ASSERT_GT(places.size(), 15u);
    for (const std::size_t place : places) {
        for (const char* odd : {"0", "-1", "7", "2147483647", "-2147483648"}) {
            std::string damaged = text;
            damaged.replace(place, 1, odd);
            EXPECT_TRUE(readGraph(damaged, "net.pbtxt")) << place << " " << odd;
        }
    }
}

TEST(TensorflowShapes, ARealGraphWithoutShapesHasWork) {
    const std::filesystem::path file = std::filesystem::path(OPSCAPE_SHARED_DATA) / "tensorflow/gru.frozen.pb";
    if (!std::filesystem::exists(file))
        GTEST_SKIP() << "skipped: no shared/data";
    const auto gru = readGraph(file);
    ASSERT_TRUE(gru) << gru.error().message;
    double flops = 0;
    for (std::size_t i = 0; i < gru->graph.opCount(); ++i)
        flops += opCost(gru->graph, OpId(i)).flops;
    EXPECT_GT(flops, 1e6);
    EXPECT_GT(gru->diagnostics.count("open-dimension"), 0u);
}

} // namespace
} // namespace opscape
