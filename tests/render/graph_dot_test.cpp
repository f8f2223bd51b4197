// SPDX-License-Identifier: MIT
#include "picture_scene.h"
#include "support/temporary_folder.h"

#include <opscape/base/paths.h>

#include <QXmlStreamReader>

#include <render/graph_dot.h>
#include <render/graph_file.h>

#include <cstdlib>

namespace opscape {
namespace {

using test::TemporaryFolder;

std::size_t countOf(const std::string& text, std::string_view what) {
    std::size_t count = 0;
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1))
        ++count;
    return count;
}

class GraphDot : public testing::Test {
protected:
    PictureScene m_picture;
    GraphScene m_open = m_picture.scene(true), m_closed = m_picture.scene(false);
    Theme m_theme = Theme::light();

    [[nodiscard]] std::string dot(const GraphScene& scene, const QRectF& part = {-1e6, -1e6, 2e6, 2e6}) const {
        return graphAsDot(part, m_picture.view(scene), m_theme);
    }
};

TEST_F(GraphDot, OpenGroupsAreClustersAroundTheirOps) {
    const std::string text = dot(m_open);
    EXPECT_EQ(countOf(text, "subgraph cluster_"), 2U);
    EXPECT_EQ(countOf(text, " -> "), 3U);
    EXPECT_EQ(countOf(text, "{"), countOf(text, "}"));
    EXPECT_NE(text.find("label=\"enc\""), std::string::npos);
    EXPECT_NE(text.find(fmt::format("fillcolor=\"{}\"", m_theme.device(DeviceId(2)).name().toStdString())),
              std::string::npos)
        << "in its device's colour";
}

TEST_F(GraphDot, AClosedGroupIsOneNodeStripedByItsDevices) {
    const std::string text = dot(m_closed);
    EXPECT_EQ(countOf(text, "subgraph"), 0U);
    EXPECT_EQ(countOf(text, " -> "), 1U);
    EXPECT_NE(text.find("striped"), std::string::npos) << "dec lies on two devices";
    EXPECT_NE(text.find(";0.428:"), std::string::npos) << "three sevenths of it on the first";
}

TEST_F(GraphDot, EdgesBetweenDevicesAreStrongerThanOthers) {
    const std::string text = dot(m_open);
    EXPECT_EQ(countOf(text, "between devices"), 2U);
    EXPECT_EQ(countOf(text, "1.00 MiB between devices"), 2U) << text;
}

TEST_F(GraphDot, OnlyWhatIsSeenIsWritten) {
    const LayoutRect& frame = m_open.nodes.front().rect;
    const std::string text = dot(m_open, {frame.x, frame.y, frame.width, frame.height});
    EXPECT_EQ(countOf(text, "subgraph cluster_"), 1U);
    EXPECT_EQ(countOf(text, " -> "), 1U) << "the edge that leaves it is not";
}

/// Quotes, backslashes, line ends, entities, any script and bytes that are no text at all.
Graph namedStrangely() {
    const std::vector<std::string> names{"a \"quoted\" name",
                                         "back\\slash\\n and \\G",
                                         "two\nlines",
                                         "&lt;tag&gt; <b>",
                                         "\xd0\xb3\xd1\x80\xd0\xb0\xd1\x84 \xe5\x9b\xbe \xd8\xa8",
                                         "broken \xff\xc3 bytes",
                                         "} ]; digraph {",
                                         "trailing\\"};
    GraphBuilder builder("the \"graph\"\\");
    TensorId before;
    for (const std::string& name : names) {
        Op op;
        op.name = name;
        op.type = "Type\"\\";
        const OpId id = builder.addOp(std::move(op));
        if (before.valid())
            builder.addInput(id, before);
        Tensor tensor;
        tensor.name = name + ":0";
        before = builder.addOutput(id, std::move(tensor));
    }
    Diagnostics diagnostics;
    return *std::move(builder).build(diagnostics);
}

TEST(GraphDotNames, AreWhatDotDrawsWhateverTheyAre) {
    if (std::system("dot -V > /dev/null 2>&1") != 0)
        GTEST_SKIP() << "skipped: there is no dot (Debian: graphviz)";
    const Graph graph = namedStrangely();
    const ScopeTree scopes(graph);
    const GraphScene scene = GraphLayout().layout(graph, scopes, {});
    GraphView view;
    view.graph = &graph;
    view.scopes = &scopes;
    view.scene = &scene;
    const TemporaryFolder folder;
    ASSERT_TRUE(writeGraphPicture(folder / "a.dot", wholeGraph(view, "a.dot"), view, Theme::light(), {}).has_value());
    const std::string command = fmt::format("dot -Tsvg {} -o {} 2> {}", (folder / "a.dot").string(),
                                            (folder / "a.svg").string(), (folder / "said").string());
    ASSERT_EQ(std::system(command.c_str()), 0) << *readFile(folder / "a.dot");
    EXPECT_EQ(*readFile(folder / "said"), "") << "nor does it complain";
    const auto bytes = readFile(folder / "a.svg");
    QXmlStreamReader reader(QByteArray(bytes->data(), static_cast<qsizetype>(bytes->size())));
    QStringList words;
    while (!reader.atEnd()) {
        if (reader.readNext() == QXmlStreamReader::StartElement && reader.name() == QLatin1String("text"))
            words << reader.readElementText();
    }
    ASSERT_FALSE(reader.hasError()) << reader.errorString().toStdString();
    for (const char* said : {"a \"quoted\" name", "back\\slash\\n and \\G", "two", "lines", "&lt;tag&gt; <b>",
                             "\xd0\xb3\xd1\x80\xd0\xb0\xd1\x84 \xe5\x9b\xbe \xd8\xa8", "} ]; digraph {", "trailing\\"})
        EXPECT_TRUE(words.contains(QString::fromUtf8(said))) << said << " in " << words.join('|').toStdString();
}

TEST(GraphDotFile, IsKnownByItsName) {
    EXPECT_TRUE(isDotFile("a.dot"));
    EXPECT_TRUE(isDotFile("a.GV"));
    EXPECT_FALSE(isDotFile("dot"));
    EXPECT_FALSE(isDotFile("a.svg"));
}

} // namespace
} // namespace opscape
