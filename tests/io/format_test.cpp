// SPDX-License-Identifier: MIT
#include "random_graph.h"
#include "support/temporary_folder.h"

#include <opscape/io/format.h>

#include <gmock/gmock.h>

#include <set>

namespace opscape {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

std::string errorOf(const Result<GraphFile>& file) { return file ? "no error" : file.error().message; }

TEST(Format, EveryFormatHasItsOwnIdATitleAnExtensionAndAReaderOrAWriter) {
    std::set<std::string_view> ids;
    for (const GraphFormat& format : graphFormats()) {
        EXPECT_TRUE(ids.insert(format.id).second) << format.id;
        EXPECT_FALSE(format.title.empty());
        EXPECT_FALSE(format.extensions.empty());
        EXPECT_TRUE(format.read != nullptr || format.write != nullptr) << format.id;
        ASSERT_EQ(format.read != nullptr, format.sniff != nullptr) << format.id;
        if (format.sniff == nullptr)
            continue;
        EXPECT_FALSE(format.sniff("")) << format.id;
        EXPECT_FALSE(format.sniff("plain text")) << format.id;
    }
}

TEST(Format, AGraphIsWrittenByExtensionAndReadByContent) {
    const test::TemporaryFolder folder;
    const Graph graph = RandomGraph(1).make(10);
    ASSERT_TRUE(writeGraph(graph, folder / "g.json"));
    std::filesystem::rename(folder / "g.json", folder / "g.onnx");
    const auto file = readGraph(folder / "g.onnx");
    ASSERT_TRUE(file) << file.error().message;
    EXPECT_EQ(file->graph, graph);
    EXPECT_EQ(file->format, "opscape-json");
}

TEST(Format, AnUnknownExtensionIsNotWritten) {
    const test::TemporaryFolder folder;
    const auto path = folder / "g.png";
    const auto written = writeGraph(RandomGraph(1).make(1), path);
    ASSERT_FALSE(written);
    EXPECT_THAT(written.error().message,
                StartsWith(path.string() +
                           ": no format that can be written has this extension; use one of: "
                           "opscape-json (.json), onnx (.onnx), tensorflow-text (.pbtxt), dot (.dot .gv), "));
    EXPECT_FALSE(std::filesystem::exists(path));
    const auto named = formatToWrite("g.json", "no-such");
    ASSERT_FALSE(named);
    EXPECT_THAT(named.error().message,
                StartsWith("g.json: there is no format \"no-such\" to write; use one of: opscape-json (.json), "));
}

TEST(Format, TheExtensionChoosesTheFirstFormatThatIsWrittenAndAnIdAnyOther) {
    for (const GraphFormat& format : graphFormats()) {
        const auto named = formatToWrite("anything", format.id);
        ASSERT_EQ(named.has_value(), format.write != nullptr) << format.id;
        if (named) {
            EXPECT_EQ((*named)->id, format.id);
        }
    }
    EXPECT_EQ((*formatToWrite("a/b.JSON"))->id, "opscape-json");
    EXPECT_EQ((*formatToWrite("b.gv"))->id, "dot");
    EXPECT_EQ((*formatToWrite("b.csv"))->id, "csv-ops");
}

TEST(Format, AMissingFileAFolderAnEmptyFileAndAnUnknownFormatAreRefused) {
    const test::TemporaryFolder folder;
    EXPECT_EQ(errorOf(readGraph(folder / "none.json")),
              (folder / "none.json").string() + ": cannot be opened: No such file or directory.");
    EXPECT_THAT(errorOf(readGraph(folder / "")), HasSubstr("this is a folder"));
    const auto empty = folder.file("empty.onnx", "");
    EXPECT_EQ(errorOf(readGraph(empty)), empty.string() + ": the file is empty.");
    const auto notes = folder.file("notes.xyz", "Dear diary");
    EXPECT_THAT(errorOf(readGraph(notes)),
                StartsWith(notes.string() +
                           ": not a graph in a format that is known here: Opscape graph (.json), ONNX model (.onnx)"));
}

TEST(Format, AFileThatOnlyHasTheExtensionGetsTheAnswerOfItsReader) {
    EXPECT_EQ(errorOf(readGraph(std::string_view("{\"nodes\": []}"), "a/b.JSON")),
              R"(a/b.JSON: the file is not an Opscape graph: it lacks the key "opscape_graph".)");
}

TEST(Format, AnErrorIsOneSentenceOfTextWhateverItQuotes) {
    EXPECT_EQ(errorOf(readGraph("<graphml><graph edgedefault=\"directed\"><node id=\"c\"/>\n"
                                "<edge source=\"a&#10;b\" target=\"c\"/></graph></graphml>",
                                "x.graphml")),
              "x.graphml: line 2: the edge names the node \"a\\nb\", which is not in the file.");
}

TEST(Format, AFileBeyondTwoGigabytesIsRefusedBeforeItIsRead) {
    const test::TemporaryFolder folder;
    const auto path = folder.file("big.onnx", "");
    std::filesystem::resize_file(path, std::uintmax_t{3} << 30); // sparse: takes no room
    EXPECT_EQ(errorOf(readGraph(path)),
              path.string() +
                  ": the file has 3.00 GiB, more than the 2.00 GiB that can be read; keep the weights in a file "
                  "of their own.");
}

} // namespace
} // namespace opscape
