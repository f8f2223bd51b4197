// SPDX-License-Identifier: MIT
// A small profile as it should be, the published ones where they are there, and one malformed profile per thing that
// can be wrong, with the sentence a person reads.
#include "io/malformed.h"
#include "support/sentence.h"

#include <opscape/io/pipedream_reader.h>
#include <opscape/plan/problem.h>

#include <gmock/gmock.h>

namespace opscape {
namespace {

/// An addition takes no time backward, but the gradient passes through it; `Size` is nobody's gradient.
constexpr std::string_view kSound =
    "node1 -- Input0 -- forward_compute_time=7.5, backward_compute_time=0.000, activation_size=64.0, "
    "parameter_size=0.000\n"
    "node2 -- Conv2d(3, 64, kernel_size=(7, 7)) -- forward_compute_time=1.25, backward_compute_time=2.5, "
    "activation_size=1000.0, parameter_size=400.000 -- stage_id=0\n"
    "node3 -- Add(inplace) -- forward_compute_time=0.5, backward_compute_time=0.000, activation_size=[600; 400], "
    "parameter_size=0.000\n"
    "node4 -- Linear(10, 10) -- forward_compute_time=0.25, backward_compute_time=0.75, activation_size=20, "
    "parameter_size=80.000\r\n"
    "node5 -- Size(0) -- forward_compute_time=0.000, backward_compute_time=0.000, activation_size=0.0, "
    "parameter_size=0.000\n"
    "\n"
    "\tnode1 -- node2\n"
    "\tnode2 -- node3\n"
    "\tnode3 -- node4\n"
    "\tnode2 -- node5\n";

TEST(PipedreamReader, GivesEachLayerItsMeasuredTimes) {
    ASSERT_TRUE(looksLikePipedream(kSound));
    const auto file = readPipedream(kSound, "some/net.graph.txt");
    ASSERT_TRUE(file.has_value()) << file.error().message;
    EXPECT_EQ(file->fileNodes, 5u);
    EXPECT_EQ(file->fileEdges, 4u);
    EXPECT_EQ(file->folded, 1u) << "the input";
    const auto graph = std::make_shared<const Graph>(file->graph);
    std::map<std::string, std::int64_t> timeNs;
    for (std::size_t i = 0; i < graph->opCount(); ++i)
        timeNs[graph->op(OpId(i)).name] = TimesByKind(graph->op(OpId(i)).timeNs)["gpu"];
    EXPECT_EQ(timeNs, (std::map<std::string, std::int64_t>{{"node2", 1'250'000},
                                                           {"node3", 500'000},
                                                           {"node4", 250'000},
                                                           {"node5", 0},
                                                           {"gradients/node2", 2'500'000},
                                                           {"gradients/node3", 0},
                                                           {"gradients/node4", 750'000}}));
    EXPECT_EQ(graph->op(OpId(0)).type, "Conv2d");
    EXPECT_EQ(graph->tensorBytes(graph->outputs(OpId(1))[0]), 1000) << "a list is a sum";
    EXPECT_EQ(graph->colocationGroups().size(), 3u);

    // The times are what an op takes on a GPU, in place of an estimate.
    const auto cluster = Cluster::load("p100x4");
    ASSERT_TRUE(cluster.has_value());
    Diagnostics diagnostics;
    const Problem problem = makeProblem(graph, std::make_shared<const Cluster>(*cluster), diagnostics);
    EXPECT_EQ(problem.opNs(OpId(0), DeviceId(0)), 1'250'000);
}

TEST(PipedreamReader, LeadsTheGradientThroughLayersThatTakeNoTimeBackward) {
    const auto file = readPipedream(kSound, "net");
    ASSERT_TRUE(file.has_value()) << file.error().message;
    const Graph& graph = file->graph;
    const auto namesBefore = [&](std::string_view name) {
        std::vector<std::string> names;
        for (std::size_t i = 0; i < graph.opCount(); ++i) {
            if (graph.op(OpId(i)).name != name)
                continue;
            for (const OpId before : graph.predecessors(OpId(i)))
                names.push_back(graph.op(before).name);
        }
        return names;
    };
    EXPECT_THAT(namesBefore("gradients/node4"), testing::ElementsAre("node4"));
    EXPECT_THAT(namesBefore("gradients/node3"), testing::UnorderedElementsAre("node3", "gradients/node4"));
    EXPECT_THAT(namesBefore("gradients/node2"), testing::UnorderedElementsAre("node2", "gradients/node3"));
}

TEST(PipedreamReader, CountsEdgesIntoInputs) {
    const auto file = readPipedream(std::string(kSound) + "\tnode2 -- node1\n", "net");
    ASSERT_TRUE(file.has_value()) << file.error().message;
    ASSERT_EQ(file->diagnostics.entries().size(), 1u);
    EXPECT_EQ(file->diagnostics.entries()[0].code, "edge-into-input");
    EXPECT_EQ(file->diagnostics.entries()[0].examples[0], "node2 -- node1");
}

TEST(PipedreamReader, ReadsThePublishedProfiles) {
    const std::filesystem::path folder = std::string(OPSCAPE_SHARED_DATA) + "/pipedream";
    if (!std::filesystem::exists(folder))
        GTEST_SKIP() << "skipped: no shared/data";
    struct Profile {
        const char* name;
        std::size_t nodes, edges, inputs;
        double forwardMs, backwardMs; ///< summed over all layers but the inputs
    };
    for (const Profile& profile :
         {Profile{"gnmt", 48, 58, 3, 33.533, 55.883}, Profile{"gnmt_large", 96, 122, 3, 182.563, 337.89},
          Profile{"inception_v3", 326, 362, 1, 289.269, 399.769},
          Profile{"nasnetamobile", 921, 1078, 1, 322.921, 261.363}, Profile{"resnet50", 177, 193, 1, 182.488, 260.931},
          Profile{"vgg16", 41, 41, 1, 233.902, 438.633}}) {
        SCOPED_TRACE(profile.name);
        const auto file = readGraph(folder / (std::string(profile.name) + ".graph.txt"));
        ASSERT_TRUE(file.has_value()) << file.error().message;
        EXPECT_EQ(file->format, "pipedream");
        EXPECT_EQ(file->fileNodes, profile.nodes);
        EXPECT_EQ(file->fileEdges, profile.edges);
        EXPECT_EQ(file->folded, profile.inputs);
        EXPECT_TRUE(file->diagnostics.empty());
        std::int64_t forwardNs = 0, backwardNs = 0;
        for (std::size_t i = 0; i < file->graph.opCount(); ++i) {
            const Op& op = file->graph.op(OpId(i));
            (op.phase == Phase::Backward ? backwardNs : forwardNs) += TimesByKind(op.timeNs)["gpu"];
        }
        EXPECT_NEAR(static_cast<double>(forwardNs) / 1e6, profile.forwardMs, 1e-6);
        EXPECT_NEAR(static_cast<double>(backwardNs) / 1e6, profile.backwardMs, 1e-6);
    }
}

constexpr test::Malformed kCases[] = {
    {"LayerWithoutFigures", " -- forward_compute_time=1.25", " ",
     "net: line 2: layer node2 lacks forward_compute_time=, which must come in its place."},
    {"LayerWithoutDescription", "node4 -- Linear(10, 10) -- forward", "node4 -- forward",
     "net: line 4: a layer must read \"id -- description -- forward_compute_time=...\"."},
    {"FigureMissing", "activation_size=20, ", "",
     "net: line 4: layer node4 lacks activation_size=, which must come in its place."},
    {"FigureCutOff", ", activation_size=20, parameter_size=80.000", "",
     "net: line 4: layer node4 lacks activation_size=, which must come in its place."},
    {"FigureEmpty", "activation_size=20,", "activation_size=,",
     "net: line 4: activation_size of layer node4 is \"\"; it must be a number, or a sum like [1; 2], from 0 to "
     "1000000000000000 bytes."},
    {"FigureNotANumber", "forward_compute_time=0.25", "forward_compute_time=fast",
     "net: line 4: forward_compute_time of layer node4 is \"fast\"; it must be a number, or a sum like [1; 2], from 0 "
     "to 1000000000 ms."},
    {"FigureNegative", "forward_compute_time=0.25", "forward_compute_time=-0.25",
     "net: line 4: forward_compute_time of layer node4 is \"-0.25\"; it must be a number, or a sum like [1; 2], from 0 "
     "to 1000000000 ms."},
    {"FigureTooLarge", "parameter_size=80.000", "parameter_size=8e300",
     "net: line 4: parameter_size of layer node4 is \"8e300\"; it must be a number, or a sum like [1; 2], from 0 to "
     "1000000000000000 bytes."},
    {"FigureNotFinite", "backward_compute_time=0.75", "backward_compute_time=nan",
     "net: line 4: backward_compute_time of layer node4 is \"nan\"; it must be a number, or a sum like [1; 2], from 0 "
     "to 1000000000 ms."},
    {"SumNotClosed", "[600; 400]", "[600; 400",
     "net: line 3: activation_size of layer node3 is \"[600; 400\"; it must be a number, or a sum like [1; 2], from 0 "
     "to 1000000000000000 bytes."},
    {"SumWithAGap", "[600; 400]", "[600; ]",
     "net: line 3: activation_size of layer node3 is \"[600; ]\"; it must be a number, or a sum like [1; 2], from 0 to "
     "1000000000000000 bytes."},
    {"LayerTwice", "node4 -- Linear", "node3 -- Linear",
     "net: line 4: there is a layer node3 already; each must have an id of its own."},
    {"EdgeOfOne", "\tnode3 -- node4", "\tnode3", "net: line 9: an edge must read \"node1 -- node2\" after its tab."},
    {"EdgeOfThree", "\tnode3 -- node4", "\tnode3 -- node4 -- node5",
     "net: line 9: an edge must read \"node1 -- node2\" after its tab."},
    {"EdgeFromNowhere", "\tnode3 -- node4", "\tnode6 -- node4",
     "net: line 9: the edge names node6, but no line describes that layer."},
    {"EdgeToNowhere", "\tnode3 -- node4", "\tnode3 -- node6",
     "net: line 9: the edge names node6, but no line describes that layer."},
    {"Cycle", "\tnode2 -- node5", "\tnode4 -- node2",
     "net: the graph has a cycle of 3 ops: node2 -> node3 -> node4 -> node2; a computation graph must be acyclic."},
};

class PipedreamErrors : public testing::TestWithParam<test::Malformed> {};

TEST_P(PipedreamErrors, NamesFileAndPlace) { test::expectRefused(kSound, GetParam(), readPipedream, "net"); }

INSTANTIATE_TEST_SUITE_P(Malformed, PipedreamErrors, testing::ValuesIn(kCases),
                         [](const auto& test) { return std::string(test.param.what); });

} // namespace
} // namespace opscape
