// SPDX-License-Identifier: MIT
// What strangers' files can hold: cut off anywhere, changed anywhere, deep, long, crowded. Each ends in a graph or in
// one sentence, soon.
#include "graph_facts.h"
#include "support/sentence.h"

#include <opscape/base/random.h>
#include <opscape/io/format.h>

#include <gmock/gmock.h>

#include <functional>

namespace opscape {
namespace {

using test::sound;

/// How each of the formats is written: a chain of nodes with edges from each to the next.
struct Writer {
    const char* format;
    std::string begin, end;
    std::function<std::string(const std::string& id, const std::string& before)> node; ///< no edge where before is ""
};

std::string protobuf(int field, const std::string& bytes) {
    std::string out(1, static_cast<char>(field << 3 | 2));
    for (std::size_t size = bytes.size();; size >>= 7) {
        if (size < 0x80)
            return out + static_cast<char>(size) + bytes;
        out += static_cast<char>(size | 0x80);
    }
}

std::vector<Writer> writers() {
    return {
        {"dot", "digraph g {\n", "}\n",
         [](const auto& id, const auto& before) {
             return fmt::format("\"{}\" [type=Add cost=12 x=\"y\"]\n", id) +
                    (before.empty() ? "" : fmt::format("\"{}\" -> \"{}\" [bytes=8];\n", before, id));
         }},
        {"graphml", "<graphml><key id='t' attr.name='type'/>\n<graph>\n", "</graph></graphml>\n",
         [](const auto& id, const auto& before) {
             return fmt::format("<node id='{}'><data key='t'>Add</data></node>\n", id) +
                    (before.empty() ? "" : fmt::format("<edge source='{}' target='{}'/>\n", before, id));
         }},
        {"model-explorer", "{\"graphs\": [{\"id\": \"g\", \"nodes\": [\n", "{\"id\": \"\", \"namespace\": \"\"}]}]}\n",
         [](const auto& id, const auto& before) {
             return fmt::format(
                 "{{\"id\": \"{}\", \"label\": \"Add\", \"namespace\": \"s\", \"incomingEdges\": [{}]}},\n", id,
                 before.empty() ? "" : fmt::format("{{\"sourceNodeId\": \"{}\"}}", before));
         }},
    };
}

std::string chain(const Writer& writer, std::size_t length) {
    std::string text = writer.begin, before;
    for (std::size_t i = 0; i < length; ++i) {
        const std::string id = fmt::format("n{}", i);
        text += writer.node(id, before);
        before = id;
    }
    return text + writer.end;
}

/// Four nodes, each after the one before.
std::string chakraTrace() {
    const auto message = [](const std::string& bytes) { return protobuf(0, bytes).substr(1); };
    std::string bytes = message(protobuf(1, protobuf(1, "schema")));
    for (char id = 1; id < 5; ++id)
        bytes += message(std::string("\x08") + id + protobuf(2, "aten::mul") +
                         protobuf(5, id > 1 ? std::string(1, char(id - 1)) : "") +
                         protobuf(9, protobuf(1, "[[1, 2, 0, 3, 4, 'cpu']]")) + protobuf(10, protobuf(1, "a")));
    return bytes;
}

std::vector<std::string> samples() {
    std::vector<std::string> files{chakraTrace(), R"({"workload_graph": [{"id": 1, "name": "a", "data_deps": [],
"outputs": {"values": [[1, 2, 0, 3, 4, "cpu"]]}}, {"id": 2, "name": "b", "data_deps": [1], "runtime": 3}]})"};
    for (const Writer& writer : writers())
        files.push_back(chain(writer, 4));
    return files;
}

void expectGraphOrSentence(const std::string& bytes) {
    const auto file = readGraph(std::string_view(bytes), "net");
    if (!file) {
        EXPECT_THAT(file.error().message, test::IsOneSentence());
    }
}

TEST(HostileFiles, CutOffAnywhereGiveAGraphOrASentence) {
    for (const std::string& file : samples()) {
        for (std::size_t size = 1; size < file.size(); ++size)
            expectGraphOrSentence(file.substr(0, size));
    }
}

TEST(HostileFiles, ChangedAnywhereGiveAGraphOrASentence) {
    Random random(7);
    for (const std::string& file : samples()) {
        for (int i = 0; i < 2000; ++i) {
            std::string changed = file;
            for (std::uint64_t k = 0; k <= random.below(3); ++k) {
                const auto at = static_cast<std::size_t>(random.below(changed.size()));
                switch (random.below(3)) {
                case 0:
                    changed[at] = static_cast<char>(random.below(256));
                    break;
                case 1:
                    changed.erase(at, random.below(20));
                    break;
                default:
                    changed.insert(at, changed.substr(random.below(changed.size()), random.below(20)));
                }
            }
            expectGraphOrSentence(changed);
        }
    }
}

TEST(HostileFiles, AChainOfAHundredThousandAndNamesOfTenThousandAreRead) {
    for (const Writer& writer : writers()) {
        SCOPED_TRACE(writer.format);
        constexpr std::size_t kLength = 100'000;
        const GraphFile file = sound(readGraph(std::string_view(chain(writer, kLength)), "net"));
        EXPECT_EQ(file.format, writer.format);
        EXPECT_EQ(file.fileEdges, kLength - 1);
        const std::string longName(10'000, 'x'), other = longName + "ä日本語🙂";
        const GraphFile named = sound(readGraph(
            std::string_view(writer.begin + writer.node(longName, "") + writer.node(other, longName) + writer.end),
            "net"));
        EXPECT_THAT(test::opNames(named.graph), testing::Contains(testing::EndsWith(other)));
    }
}

TEST(HostileFiles, AFanOutOfFiftyThousandIsRead) {
    for (const Writer& writer : writers()) {
        SCOPED_TRACE(writer.format);
        std::string text = writer.begin + writer.node("hub", "");
        for (int i = 0; i < 50'000; ++i)
            text += writer.node(fmt::format("n{}", i), "hub");
        const GraphFile file = sound(readGraph(std::string_view(text + writer.end), "net"));
        EXPECT_EQ(file.graph.edgeCount(), 50'000u);
    }
}

TEST(HostileFiles, DeepNestingIsRefusedBeforeItCostsAnything) {
    const auto repeated = [](std::string_view text, int times) {
        std::string all;
        for (int i = 0; i < times; ++i)
            all += text;
        return all;
    };
    constexpr int kDeep = 100'000;
    const std::pair<std::string, std::string> cases[] = {
        {"digraph " + repeated("{ ", kDeep), "net: line 1, column 139: subgraphs are nested more than 64 deep."},
        {"digraph { a [label=" + repeated("<", kDeep) + " ] }",
         "net: line 1, column 20: the HTML text is never closed."},
        {"<graphml>" + repeated("<graph><node id='n'>", kDeep),
         "net: line 1, column 1997: elements are nested more than 200 deep."},
        {"{\"graphs\": [{\"nodes\": [{\"namespace\": " + repeated("[", kDeep),
         "net: graphs[0].nodes[0].namespa...[0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0]: lists and objects are "
         "nested more than 32 deep."},
    };
    for (const auto& [bytes, sentence] : cases) {
        const auto file = readGraph(std::string_view(bytes), "net");
        ASSERT_FALSE(file.has_value());
        EXPECT_EQ(file.error().message, sentence);
        EXPECT_THAT(file.error().message, test::IsOneSentence());
    }
}

TEST(HostileFiles, ALongScopeOrDefaultIsNotCopiedToEveryName) {
    const std::string megabyte(1'000'000, 'x');
    std::string text = "digraph { node [whatever=\"" + megabyte + "\"]; subgraph \"cluster_" + megabyte + "\" {";
    for (int i = 0; i < 10'000; ++i)
        text += fmt::format(" n{}", i);
    const GraphFile file = sound(readGraph(std::string_view(text + " } }"), "net"));
    EXPECT_EQ(file.graph.opCount(), 10'000u);
    EXPECT_LT(file.graph.op(OpId(0)).name.size(), 1000u);
    EXPECT_EQ(file.diagnostics.count("long-scope"), 1u);
    EXPECT_EQ(file.diagnostics.count("default-attribute"), 1u);
    const auto refused = readGraph("digraph { node [type=\"" + megabyte + "\"]; a }", "net");
    ASSERT_FALSE(refused.has_value());
    EXPECT_THAT(refused.error().message, testing::HasSubstr("the default of type has more than 200 bytes"));
}

} // namespace
} // namespace opscape
