// SPDX-License-Identifier: MIT
#include "graph_facts.h"
#include "io/malformed.h"

#include <opscape/io/read/graphml_reader.h>

#include <gmock/gmock.h>

namespace opscape {
namespace {

using test::edgesOf;
using test::opNamed;
using test::opNames;
using test::sound;
using testing::ElementsAre;

constexpr std::string_view kSound = R"(<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns" xmlns:y="http://www.yworks.com/xml/graphml">
  <desc>a step &amp; more</desc>
  <key id="d0" for="node" attr.name="type" attr.type="string"><default>MatMul</default></key>
  <key id="d1" for="node" attr.name="time_ns" attr.type="long"/>
  <key id="d2" for="node" attr.name="note" attr.type="string"/>
  <key id="d3" for="edge" attr.name="bytes" attr.type="long"><default>64</default></key>
  <key id="d4" for="node" attr.name="device"/>
  <key id="d5" for="edge" attr.name="control"/>
  <key id="d6" for="node" yfiles.type="nodegraphics"/>
  <graph id="step" edgedefault="directed">
    <edge source="in" target="body::left"/>
    <node id="in"><data key="d0">Split</data><data key="d1">1500</data><port name="o1"/></node>
    <node id="body"><data key="d6"><y:Shape><y:NodeLabel>body &lt;1&gt;</y:NodeLabel></y:Shape></data>
      <graph id="body:" edgedefault="directed">
        <node id="body::left"><data key="d4">cpu:0</data><data key="d1">7</data><data key="d2">by <![CDATA[hand]]></data></node>
        <node id="right"/>
      </graph>
    </node>
    <node id="out"/>
    <edge source="in" target="right" sourceport="o1"><data key="d3">32</data></edge>
    <edge source="right" target="out"><data key="d5">true</data></edge>
    <edge source="body::left" target="out"/>
  </graph>
</graphml>
)";

TEST(GraphmlReader, ReadsNodesNestedGraphsAndWhatTheirKeysMean) {
    ASSERT_TRUE(isGraphml(kSound));
    const GraphFile file = sound(readGraphml(kSound, "some/net.graphml"));
    const Graph& graph = file.graph;
    EXPECT_EQ(file.format, "graphml");
    EXPECT_EQ(file.fileNodes, 4u);
    EXPECT_EQ(file.fileEdges, 4u);
    EXPECT_TRUE(file.diagnostics.empty());
    EXPECT_EQ(graph.name(), "step");
    EXPECT_THAT(opNames(graph), ElementsAre("in", "body <1>/body::left", "body <1>/right", "out"));
    EXPECT_THAT(edgesOf(graph), ElementsAre("in -> body <1>/body::left 64", "in -> body <1>/right 32",
                                            "body <1>/body::left -> out 64", "body <1>/right => out"));
    EXPECT_EQ(opNamed(graph, "in").type, "Split");
    EXPECT_EQ(opNamed(graph, "in").timeNs, (TimesByKind{{"gpu", 1500}}));
    const Op& left = opNamed(graph, "body <1>/body::left");
    EXPECT_EQ(left.type, "MatMul") << "the default of its key";
    EXPECT_EQ(left.timeNs, (TimesByKind{{"cpu", 7}}));
    EXPECT_THAT(left.attributes, ElementsAre(Attribute{"note", std::string("by hand")}));
}

TEST(GraphmlReader, NamesThatSayTheirScopeStayWhole) {
    const GraphFile file = sound(readGraphml(
        R"(<graphml><graph><node id="encoder"><graph><node id="encoder/fc"/><node id="encoder/layer_0"><graph>
<node id="encoder/layer_0/relu"/></graph></node></graph></node><edge source="encoder" target="encoder/fc"/></graph></graphml>)",
        "net"));
    EXPECT_THAT(opNames(file.graph), testing::UnorderedElementsAre("encoder", "encoder/fc", "encoder/layer_0/relu"))
        << "a group that an edge begins at is an op, too";
}

TEST(GraphmlReader, WhatIsOddIsReadAndCounted) {
    const GraphFile file = sound(readGraphml(
        R"(<graphml><key id="w" for="all"/><key id="time_ns"/><graph edgedefault="undirected"><node id="a">
<data key="time_ns">soon</data></node><node id="b"/><edge source="a" target="b"><data key="w">1</data></edge>
<hyperedge><endpoint node="a"/></hyperedge></graph></graphml>)",
        "net"));
    EXPECT_THAT(edgesOf(file.graph), ElementsAre("a -> b 0"));
    for (const char* code : {"undirected", "unreadable-figure", "edge-attribute", "hyperedge"})
        EXPECT_EQ(file.diagnostics.count(code), 1u) << code;
}

TEST(GraphmlReader, EntitiesAndOtherFilesAreRefused) {
    constexpr std::string_view kTail = "<graphml><graph><node id=\"&lol9;\"/></graph></graphml>";
    for (const std::string& head : {
             std::string("<!DOCTYPE lolz [<!ENTITY lol \"lol\"><!ENTITY lol9 \"&lol;&lol;&lol;\">]>"),
             std::string("<!DOCTYPE graphml [<!ENTITY lol9 SYSTEM \"file:///etc/passwd\">]>"),
             std::string("<!DOCTYPE graphml SYSTEM \"http://example.org/graphml.dtd\">"),
         }) {
        const auto file = readGraphml(head + std::string(kTail), "net");
        ASSERT_FALSE(file.has_value());
        EXPECT_THAT(
            file.error().message,
            testing::HasSubstr("a document type declaration, with which entities could be defined, is not read; "
                               "remove it."));
        EXPECT_THAT(file.error().message, test::IsOneSentence());
    }
    const auto file = readGraphml(kTail, "net");
    ASSERT_FALSE(file.has_value());
    EXPECT_EQ(file.error().message, "net: line 1, column 17: not valid XML: undefined entity.");
}

constexpr test::Malformed kCases[] = {
    {"CutOff", "  </graph>\n</graphml>\n", "",
     "net: line 24: the XML ends before it is complete; the file seems to be cut off."},
    {"WrongTag", "</node>\n    <node id=\"out\"/>", "</nodes>",
     "net: line 19, column 7: not valid XML: mismatched tag."},
    {"OtherRoot", "<graphml xmlns", "<svg xmlns", "net: line 2, column 1: the outermost element is svg, not graphml."},
    {"NodeWithoutId", "<node id=\"right\"/>", "<node/>",
     "net: line 17, column 9: the element lacks the attribute \"id\"."},
    {"NodeTwice", "<node id=\"right\"/>", "<node id=\"in\"/>",
     "net: line 17, column 24: there is a node \"in\" already; each must have an id of its own."},
    {"EdgeWithoutTarget", "<edge source=\"body::left\" target=\"out\"/>", "<edge source=\"body::left\"/>",
     "net: line 23, column 5: the element lacks the attribute \"target\"."},
    {"EdgeToNowhere", "target=\"right\"", "target=\"wrong\"",
     "net: line 21: the edge names the node \"wrong\", which is not in the file."},
    {"KeyUnknown", "<data key=\"d2\">", "<data key=\"d9\">",
     "net: line 16, column 115: the key \"d9\" is not declared."},
    {"NodeOutside", "  <graph id=\"step\" edgedefault=\"directed\">", "<node id=\"x\"/><graph>",
     "net: line 11, column 1: a node must stand in a graph."},
    {"Cycle", "source=\"right\" target=\"out\"><data key=\"d5\">true</data></edge>",
     "source=\"out\" target=\"in\"/><edge "
     "source=\"in\" target=\"out\"/>",
     "net: the graph has a cycle of 2 ops: in -> out -> in; a computation graph must be acyclic."},
};

class GraphmlErrors : public testing::TestWithParam<test::Malformed> {};

TEST_P(GraphmlErrors, NamesFileAndPlace) { test::expectRefused(kSound, GetParam(), readGraphml, "net"); }

INSTANTIATE_TEST_SUITE_P(Malformed, GraphmlErrors, testing::ValuesIn(kCases),
                         [](const auto& test) { return std::string(test.param.what); });

} // namespace
} // namespace opscape
