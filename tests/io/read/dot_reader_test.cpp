// SPDX-License-Identifier: MIT
// The language as Graphviz describes it, what its attributes mean here, and one malformed file per thing that can be
// wrong, with the sentence a person reads.
#include "graph_facts.h"
#include "io/malformed.h"

#include <opscape/io/read/dot_reader.h>

#include <gmock/gmock.h>

namespace opscape {
namespace {

using test::edgesOf;
using test::opNamed;
using test::opNames;
using test::sound;
using testing::ElementsAre;

constexpr std::string_view kSound = R"(// a step
strict digraph "step" {
  graph [rankdir=LR]; node [shape=box, device="gpu:1"]; edge [bytes=64];
# a line for the preprocessor
  in [type=Split, cost=1500, flops="2e3"];
  subgraph cluster_body {
    label = "body";
    left [label="MatMul\nfast", device="/device:CPU:0", time=7, note="by hand", depth=3];
    "right" [label=<<b>Mat&#43;</b><br/>x>, color=red];
    left -> join [bytes=128];
  }
  in -> left -> "out";
  in:o1 -> { right; join } [bytes=32, color=blue]
  right -> out /* no bytes of its own */ [control=true];
  "jo" + "in" [phase=backward]
}
)";

TEST(DotReader, ReadsNodesEdgesAndWhatTheirAttributesMean) {
    ASSERT_TRUE(isDot(kSound));
    const GraphFile file = sound(readDot(kSound, "some/net.dot"));
    const Graph& graph = file.graph;
    EXPECT_EQ(file.format, "dot");
    EXPECT_EQ(file.fileNodes, 5u);
    EXPECT_EQ(file.fileEdges, 6u);
    EXPECT_TRUE(file.diagnostics.empty());
    EXPECT_EQ(graph.name(), "step");
    EXPECT_THAT(opNames(graph), ElementsAre("in", "body/left", "body/right", "body/join", "out"));
    EXPECT_THAT(edgesOf(graph), ElementsAre("in -> body/left 64", "in -> body/right 32", "in -> body/join 32",
                                            "body/left -> out 64", "body/left -> body/join 128", "body/right => out"));
    const Op& in = opNamed(graph, "in");
    EXPECT_EQ(in.type, "Split");
    EXPECT_EQ(in.requestedDevice, "gpu:1") << "the default";
    EXPECT_EQ(in.flops, 2000);
    EXPECT_EQ(in.timeNs, (TimesByKind{{"gpu", 1500}}));
    const Op& left = opNamed(graph, "body/left");
    EXPECT_EQ(left.type, "MatMul") << "the first line of its label";
    EXPECT_EQ(left.timeNs, (TimesByKind{{"cpu", 7}}));
    EXPECT_THAT(left.attributes,
                ElementsAre(Attribute{"note", std::string("by hand")}, Attribute{"depth", std::int64_t{3}}));
    EXPECT_EQ(opNamed(graph, "body/right").type, "Mat&#43;");
    EXPECT_TRUE(opNamed(graph, "body/right").attributes.empty()) << "a colour says nothing of the op";
    EXPECT_EQ(opNamed(graph, "body/join").phase, Phase::Backward);
}

TEST(DotReader, AnEdgeBetweenGroupsLeadsFromEachToEach) {
    const GraphFile file = sound(readDot("digraph { {a b} -> subgraph x { c; d; c } -> e }", "net"));
    EXPECT_EQ(file.fileEdges, 6u);
    EXPECT_THAT(edgesOf(file.graph),
                ElementsAre("a -> c 0", "a -> d 0", "b -> c 0", "b -> d 0", "c -> e 0", "d -> e 0"));
    EXPECT_EQ(file.graph.name(), "net");
}

TEST(DotReader, ClustersAreScopesAndNamesThatSayTheirScopeStayWhole) {
    const GraphFile file = sound(readDot(R"(digraph {
  subgraph cluster_0 { label="encoder"; "encoder/layer_0/fc";
    subgraph cluster_1 { label="encoder/layer_0"; "encoder/layer_0/fc"; relu }
    subgraph clusterpool { mean; subgraph inner { max } } }
})",
                                         "net"));
    EXPECT_THAT(opNames(file.graph),
                ElementsAre("encoder/layer_0/fc", "encoder/layer_0/relu", "encoder/pool/mean", "encoder/pool/max"));
}

TEST(DotReader, PortsAndTensorNamesTellOutputsApart) {
    const GraphFile file = sound(
        readDot(R"(digraph { a:o1:s -> b [bytes=8]; a:o2 -> c [bytes=8]; a:o1 -> c:in [bytes=8]; a -> d [tensor=o2] })",
                "net"));
    const Graph& graph = file.graph;
    EXPECT_EQ(graph.outputs(graph.findOp("a")).size(), 2u);
    EXPECT_EQ(graph.inputs(graph.findOp("c")).size(), 2u);
    EXPECT_EQ(graph.inputs(graph.findOp("d"))[0], graph.outputs(graph.findOp("a"))[1]);
}

TEST(DotReader, WhatIsOddIsReadAndCounted) {
    const GraphFile file = sound(
        readDot("graph { a -- b [weight=3, shape=1, lanes=4]; a [cost=soon]; node [lanes=2] } graph { c }", "net"));
    EXPECT_THAT(edgesOf(file.graph), ElementsAre("a -> b 0"));
    for (const char* code : {"undirected", "unreadable-figure", "edge-attribute", "default-attribute", "further-graph"})
        EXPECT_EQ(file.diagnostics.count(code), 1u) << code;
}

TEST(DotReader, OtherTextIsNoDot) {
    for (const char* text :
         {"graph of something {", "digraph", "graphs {", "{\"digraph\": 1}", "digraph \"open {", "subgraph {}"})
        EXPECT_FALSE(isDot(text)) << text;
    EXPECT_TRUE(isDot("\xef\xbb\xbf/* x */ DiGraph G\n{"));
}

constexpr test::Malformed kCases[] = {
    {"CutOff", "  \"jo\" + \"in\" [phase=backward]\n}\n", "",
     "net: line 15, column 1: the file ends before the graph is closed; it seems to be cut off."},
    {"QuotesOpen", "\"by hand\"", "\"by hand", "net: line 15, column 13: the text in quotes is never closed."},
    {"HtmlOpen", "x>, color=red]", "x, color=red]",
     "net: line 10, column 18: a ] or the name of an attribute must stand here."},
    {"CommentOpen", "*/", "", "net: line 14, column 16: the comment is never closed."},
    {"NoBrace", "\"step\" {", "\"step\"", "net: line 3, column 3: a { must follow here."},
    {"WrongWord", "digraph", "digraf", "net: line 2, column 8: a DOT file must begin with digraph or graph."},
    {"ArrowToNowhere", "-> \"out\";", "-> ;",
     "net: line 12, column 17: a node, an edge, a subgraph or an attribute must "
     "stand here."},
    {"ListOpen", "flops=\"2e3\"];", "flops=\"2e3\";",
     "net: line 6, column 3: a ] or the name of an attribute must stand here."},
    {"NoValue", "cost=1500", "cost=,", "net: line 5, column 24: a value must follow the =."},
    {"NumberAndLetters", "depth=3", "depth=3x",
     "net: line 8, column 87: a name that begins like a number, but is none, must stand in quotes."},
    {"OddCharacter", "in [type", "in@ [type",
     "net: line 5, column 5: \"@\" has no meaning here; a name with special characters must stand in quotes."},
    {"NoPort", "in:o1", "in:;", "net: line 13, column 6: a port must follow the :."},
    {"DefaultWithoutList", "node [shape", "node x [shape", "net: line 3, column 28: a [ must follow the word node."},
    {"PlusAlone", "\"jo\" + \"in\"", "\"jo\" + in", "net: line 15, column 10: a text in quotes must follow the +."},
    {"Cycle", "right -> out", "left -> in",
     "net: the graph has a cycle of 2 ops: in -> body/left -> in; a computation graph must be acyclic."},
};

class DotErrors : public testing::TestWithParam<test::Malformed> {};

TEST_P(DotErrors, NamesFileAndPlace) { test::expectRefused(kSound, GetParam(), readDot, "net"); }

INSTANTIATE_TEST_SUITE_P(Malformed, DotErrors, testing::ValuesIn(kCases),
                         [](const auto& test) { return std::string(test.param.what); });

TEST(DotReader, AnEdgeBetweenTwoCrowdsIsRefused) {
    std::string text = "digraph { {";
    for (int i = 0; i < 4000; ++i)
        text += fmt::format(" a{}", i);
    text += " } -> {";
    for (int i = 0; i < 4000; ++i)
        text += fmt::format(" b{}", i);
    const auto file = readDot(text + " } }", "net");
    ASSERT_FALSE(file.has_value());
    EXPECT_THAT(file.error().message,
                testing::EndsWith("an edge between groups of 4000 and 4000 nodes makes too many edges."));
    EXPECT_THAT(file.error().message, test::IsOneSentence());
}

} // namespace
} // namespace opscape
