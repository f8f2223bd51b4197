// SPDX-License-Identifier: MIT
#include "random_graph.h"
#include "support/small_graph.h"

#include <opscape/io/format.h>
#include <opscape/io/onnx_annotations.h>
#include <opscape/io/write/csv_tables.h>
#include <opscape/io/write/dot_writer.h>
#include <opscape/io/write/graphml_writer.h>
#include <opscape/io/write/model_explorer_writer.h>
#include <opscape/io/write/onnx_writer.h>
#include <opscape/io/write/scope_path.h>
#include <opscape/io/write/tensorflow_writer.h>
#include <opscape/sim/simulator.h>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace opscape {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

/// A small graph on two devices of a bundled cluster: "body/right" on the second.
class WriterTest : public testing::Test {
protected:
    WriterTest() {
        m_graph = std::make_shared<const Graph>(test::smallGraph());
        auto loaded = Cluster::load(OPSCAPE_SOURCE_DIR "/data/clusters/p100x4.json");
        EXPECT_TRUE(loaded) << loaded.error().message;
        Diagnostics diagnostics;
        m_problem = makeProblem(m_graph, std::make_shared<const Cluster>(std::move(*loaded)), diagnostics);
        m_plan = Plan::allOn(DeviceId(0), m_graph->opCount());
        m_plan.device[m_graph->findOp("body/right").index()] = DeviceId(1);
        auto schedule = simulate(m_problem, m_plan);
        EXPECT_TRUE(schedule);
        m_schedule = std::move(*schedule);
    }
    [[nodiscard]] GraphToWrite graph() const { return {*m_graph}; }
    [[nodiscard]] GraphToWrite all() const { return {*m_graph, &m_problem, &m_plan, &m_schedule}; }
    [[nodiscard]] std::int64_t timeOf(std::string_view op) const {
        return m_problem.opNs(m_graph->findOp(op), DeviceId(0));
    }

    std::shared_ptr<const Graph> m_graph;
    Problem m_problem;
    Plan m_plan;
    Schedule m_schedule;
};

std::string bytesOf(const Result<WrittenGraph>& written) {
    EXPECT_TRUE(written) << written.error().message;
    return written ? written->bytes : std::string();
}

std::size_t linesOf(std::string_view text) { return static_cast<std::size_t>(std::ranges::count(text, '\n')); }

TEST_F(WriterTest, DotHasScopesAsClustersAndWhatIsKnownAsAttributes) {
    const std::string dot = bytesOf(writeDot(all()));
    EXPECT_THAT(dot, HasSubstr("subgraph \"cluster_body\" {\n    label=\"body\";\n"));
    EXPECT_THAT(dot, HasSubstr(fmt::format("\"body/right\" [label=\"right\", type=\"MatMul\", device=\"gpu:1\", "
                                           "cost={}];",
                                           timeOf("body/right"))));
    EXPECT_THAT(dot, HasSubstr("\"body/in\" -> \"body/left\" [bytes=262144, tensor=0];"));
    EXPECT_THAT(bytesOf(writeDot(graph())), Not(HasSubstr("cost=")));
}

TEST_F(WriterTest, GraphmlNestsScopes) {
    const std::string xml = bytesOf(writeGraphml(all()));
    EXPECT_THAT(xml, HasSubstr("<node id=\"scope0\"><data key=\"label\">body</data><graph id=\"scope0:\" "
                               "edgedefault=\"directed\">"));
    EXPECT_THAT(xml, HasSubstr("<node id=\"body/right\"><data key=\"type\">MatMul</data><data key=\"device\">gpu:1"
                               "</data>"));
    EXPECT_THAT(xml, HasSubstr("<edge source=\"body/in\" target=\"body/left\"><data key=\"bytes\">262144</data>"));
}

TEST_F(WriterTest, ModelExplorerHasNamespacesEdgesAndData) {
    const auto json = nlohmann::json::parse(bytesOf(writeModelExplorer(all())));
    const auto& left = json["graphs"][0]["nodes"][1];
    EXPECT_EQ(left["id"], "body/left");
    EXPECT_EQ(left["label"], "left");
    EXPECT_EQ(left["namespace"], "body");
    EXPECT_EQ(left["incomingEdges"].size(), 1U);
    EXPECT_EQ(left["incomingEdges"][0]["sourceNodeId"], "body/in");
    EXPECT_EQ(left["outputsMetadata"][0]["attrs"][1]["value"], "f32[256,256]");
    const auto times = nlohmann::json::parse(bytesOf(writeModelExplorerTimes(all())));
    EXPECT_EQ(times["small"]["results"]["join"]["value"], timeOf("join"));
    const auto devices = nlohmann::json::parse(bytesOf(writeModelExplorerDevices(all())));
    EXPECT_EQ(devices["small"]["results"]["body/right"]["value"], "gpu:1");
    EXPECT_NE(devices["small"]["results"]["body/right"]["bgColor"], devices["small"]["results"]["join"]["bgColor"]);
}

TEST_F(WriterTest, OnnxKeepsThePlacementInAnnotationsOfTheNodes) {
    onnx::ModelProto model;
    ASSERT_TRUE(model.ParseFromString(bytesOf(writeOnnx(all()))));
    EXPECT_EQ(model.ir_version(), kIrVersionOfDevices);
    const auto configurations = deviceConfigurationsOf(model);
    ASSERT_EQ(configurations.size(), 1U);
    EXPECT_THAT(configurations[0].devices, ElementsAre("gpu:0", "gpu:1"));
    for (const auto& node : model.graph().node())
        EXPECT_EQ(deviceOf(node, configurations), node.name() == "body/right" ? "gpu:1" : "gpu:0") << node.name();
    EXPECT_EQ(model.graph().node(0).domain(), "");
    ASSERT_TRUE(model.ParseFromString(bytesOf(writeOnnx(graph()))));
    EXPECT_LT(model.ir_version(), kIrVersionOfMetadata); // nothing is said that needs a newer one
}

TEST_F(WriterTest, OnnxSaysThatValuesOfWeightsAreNotThere) {
    const auto written = writeOnnx(graph());
    ASSERT_TRUE(written);
    EXPECT_EQ(written->lost.count("values-not-written"), 1U);
}

TEST_F(WriterTest, TensorflowHasDeviceStringsPortsAndState) {
    const std::string text = bytesOf(writeTensorflowText(all()));
    EXPECT_THAT(text, HasSubstr("node {\n  name: \"weight\"\n  op: \"VariableV2\"\n"));
    EXPECT_THAT(text, HasSubstr("node {\n  name: \"body/right\"\n  op: \"MatMul\"\n  input: \"body/in\"\n  input: "
                                "\"weight\"\n  device: \"/device:GPU:1\"\n"));
    EXPECT_THAT(text, HasSubstr("shape { dim { size: 256 } dim { size: 256 } }"));
}

TEST_F(WriterTest, NamesThatTensorflowWouldRefuseAreChangedAndCounted) {
    GraphBuilder builder("odd");
    for (const char* name : {"a b", "a:b", "_c"})
        builder.addOp(namedOp(name));
    Diagnostics diagnostics;
    const Graph odd = *std::move(builder).build(diagnostics);
    const auto written = writeTensorflowText({odd});
    ASSERT_TRUE(written);
    EXPECT_EQ(written->lost.count("name-changed"), 3U);
    EXPECT_THAT(written->bytes, HasSubstr("name: \"a_b\""));
    EXPECT_THAT(written->bytes, HasSubstr("name: \"a_b_2\""));
    EXPECT_THAT(written->bytes, HasSubstr("name: \".c\""));
}

TEST_F(WriterTest, TablesHaveALineForEveryOpEdgeAndMoment) {
    const std::string ops = bytesOf(writeOpsCsv(all()));
    EXPECT_EQ(linesOf(ops), 5U);
    EXPECT_THAT(ops, HasSubstr(fmt::format("\nbody/right,MatMul,forward,body,gpu:1,{},", timeOf("body/right"))));
    const std::string edges = bytesOf(writeEdgesCsv(all()));
    EXPECT_EQ(linesOf(edges), 5U);
    EXPECT_THAT(edges, HasSubstr("\nbody/in,body/right,data,body/in:0,f32,256x256,262144,gpu:0,gpu:1\n"));
    EXPECT_THAT(bytesOf(writePlacementCsv(all())), HasSubstr("\nbody/right,gpu:1,,\n"));
    EXPECT_THAT(bytesOf(writeMemoryCsv(all())), HasSubstr("\ngpu:1,0,"));
    EXPECT_THAT(bytesOf(writeOpsCsv(graph())), HasSubstr("\njoin,Add,forward,,,,"));
}

TEST_F(WriterTest, AFormatAboutAPlanRefusesAGraphAlone) {
    for (const GraphFormat& format : graphFormats()) {
        if (format.write == nullptr)
            continue;
        EXPECT_EQ(writeGraph(graph(), format, "x").has_value(), format.needs == WriteNeeds::Graph) << format.id;
        EXPECT_TRUE(writeGraph(all(), format, "x").has_value()) << format.id;
    }
    const auto format = formatToWrite("p.csv", "csv-placement");
    ASSERT_TRUE(format) << format.error().message;
    EXPECT_EQ(writeGraph(graph(), **format, "p.csv").error().message,
              "p.csv: csv-placement is about a plan, and there is none; choose one.");
}

TEST(ScopePath, OpsOfAScopeStandTogether) {
    GraphBuilder builder("scopes");
    for (const char* name : {"a/x", "b", "a/c/y", "d/z", "a/w", "a"})
        builder.addOp(namedOp(name));
    Diagnostics diagnostics;
    const Graph graph = *std::move(builder).build(diagnostics);
    std::vector<std::string> names;
    for (const OpId op : opsByScope(graph))
        names.push_back(graph.op(op).name);
    EXPECT_THAT(names, ElementsAre("a/x", "a/c/y", "a/w", "b", "d/z", "a"));
}

TEST(ScopePath, AWalkOpensAndClosesWhatNamesSay) {
    std::string log;
    ScopeWalk walk;
    for (const std::string_view path : {"", "a/b", "a/bc", "a", "", "/x", "", "a//b"})
        walk.goTo(
            path, [&](std::string_view opened) { log += fmt::format("({}", opened); }, [&] { log += ')'; });
    walk.goTo(
        {}, [](std::string_view) {}, [&] { log += ')'; });
    EXPECT_EQ(log, "(a(a/b)(a/bc))((/x))(a(a/(a//b)))");
}

} // namespace
} // namespace opscape
