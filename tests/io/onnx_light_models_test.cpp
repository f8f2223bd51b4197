// SPDX-License-Identifier: MIT
// Real networks, made by others (onnx/onnx light models): opset 9, IR 3, no shapes in the file, weights as
// ConstantOfShape, initializers listed among the inputs. The counts in the file are those that came with the data; the
// numbers of parameters are published: VGG-19 143,667,240, ResNet-50 25,557,032 and 53,120 running statistics,
// SqueezeNet 1.1 1,235,496 (torchvision's model pages), AlexNet 60,965,224 and GoogLeNet 6,998,552 (Caffe model zoo).
#include <opscape/io/format.h>

#include <gtest/gtest.h>

namespace opscape {
namespace {

struct Facts {
    const char* file;
    std::size_t nodes, edges; ///< in the file
    std::size_t folded, ops, opEdges;
    std::int64_t parameters;
};

void PrintTo(const Facts& facts, std::ostream* out) { *out << facts.file; }

class OnnxLightModels : public testing::TestWithParam<Facts> {
protected:
    void SetUp() override {
        const std::filesystem::path path = std::filesystem::path(OPSCAPE_SHARED_DATA) / "onnx" / GetParam().file;
        if (!std::filesystem::exists(path))
            GTEST_SKIP() << "skipped: no shared/data";
        auto read = readGraph(path);
        ASSERT_TRUE(read) << read.error().message;
        m_file = std::move(*read);
    }
    GraphFile m_file;
};

TEST_P(OnnxLightModels, HasTheNodesAndEdgesOfTheFileAndFoldsWhatIsConstant) {
    const Facts& facts = GetParam();
    EXPECT_EQ(m_file.fileNodes, facts.nodes);
    EXPECT_EQ(m_file.fileEdges, facts.edges);
    EXPECT_EQ(m_file.folded, facts.folded);
    EXPECT_EQ(m_file.graph.opCount(), facts.ops);
    EXPECT_EQ(m_file.graph.edgeCount(), facts.opEdges);
    for (std::size_t i = 0; i < m_file.graph.opCount(); ++i)
        EXPECT_NE(m_file.graph.op(OpId(i)).type, "ConstantOfShape");
}

TEST_P(OnnxLightModels, EveryTensorHasAShapeAndASize) {
    for (std::size_t i = 0; i < m_file.graph.tensorCount(); ++i) {
        const Tensor& tensor = m_file.graph.tensor(TensorId(i));
        EXPECT_TRUE(tensor.shapeKnown && elementCount(tensor.shape)) << tensor.name;
        EXPECT_GT(m_file.graph.tensorBytes(TensorId(i)), 0) << tensor.name;
    }
    for (const Diagnostic& d : m_file.diagnostics.entries())
        EXPECT_EQ(d.severity, Severity::Info) << d.code << ": " << d.examples[0];
}

TEST_P(OnnxLightModels, TheWeightsHaveThePublishedNumberOfParameters) {
    std::int64_t parameters = 0;
    for (std::size_t i = 0; i < m_file.graph.tensorCount(); ++i) {
        const Tensor& tensor = m_file.graph.tensor(TensorId(i));
        if (tensor.kind == TensorKind::Weight)
            parameters += *elementCount(tensor.shape);
    }
    EXPECT_EQ(parameters, GetParam().parameters);
}

INSTANTIATE_TEST_SUITE_P(All, OnnxLightModels,
                         testing::Values(Facts{"light_bvlc_alexnet.onnx", 40, 39, 16, 24, 23, 60'965'224},
                                         Facts{"light_inception_v1.onnx", 237, 263, 94, 143, 169, 6'998'552},
                                         Facts{"light_resnet50.onnx", 415, 430, 239, 176, 191, 25'557'032 + 53'120},
                                         Facts{"light_squeezenet.onnx", 105, 112, 39, 66, 73, 1'235'496},
                                         Facts{"light_vgg19.onnx", 82, 81, 36, 46, 45, 143'667'240}),
                         [](const auto& instance) {
                             const std::string name = instance.param.file;
                             return name.substr(0, name.find('.'));
                         });

} // namespace
} // namespace opscape
