// SPDX-License-Identifier: MIT
// Of every format that is both written and read: what is read back is what was written, and what is not was counted.
#include "random_graph.h"
#include "sample_graphs.h"

#include <opscape/io/format.h>

#include <gmock/gmock.h>

#include <map>
#include <set>

namespace opscape {
namespace {

std::vector<const GraphFormat*> formatsOfBothWays() {
    std::vector<const GraphFormat*> formats;
    for (const GraphFormat& format : graphFormats()) {
        if (format.read != nullptr && format.write != nullptr)
            formats.push_back(&format);
    }
    return formats;
}

using Names = std::set<std::string>;
using NamePairs = std::set<std::pair<std::string, std::string>>;

NamePairs edgesOf(const Graph& graph) {
    NamePairs edges;
    for (std::size_t i = 0; i < graph.opCount(); ++i) {
        for (const OpId to : graph.successors(OpId(i)))
            edges.emplace(graph.op(OpId(i)).name, graph.op(to).name);
    }
    return edges;
}

/// What one graph says of a part, in an order of its own, so that two graphs can be compared.
template <class Part>
std::map<std::string, std::string> ofOps(const Graph& graph, const Part& part) {
    std::map<std::string, std::string> all;
    for (std::size_t i = 0; i < graph.opCount(); ++i)
        all.emplace(graph.op(OpId(i)).name, part(OpId(i)));
    return all;
}

std::string describe(const Graph& graph, TensorId id) {
    if (!id.valid())
        return "-";
    const Tensor& tensor = graph.tensor(id);
    const OpId producer = graph.producer(id);
    return fmt::format("{} {} {}", producer.valid() ? graph.op(producer).name : std::string(toString(tensor.kind)),
                       toString(tensor.dtype), tensor.shapeKnown ? toString(tensor.shape) : "?");
}

/// One without a name may be given one.
void expectSameOutputNames(const Graph& a, const Graph& b) {
    for (std::size_t i = 0; i < a.opCount(); ++i) {
        const auto before = a.outputs(OpId(i)), after = b.outputs(b.findOp(a.op(OpId(i)).name));
        ASSERT_EQ(before.size(), after.size()) << a.op(OpId(i)).name;
        for (std::size_t k = 0; k < before.size(); ++k) {
            if (!a.tensor(before[k]).name.empty()) {
                EXPECT_EQ(a.tensor(before[k]).name, b.tensor(after[k]).name);
            }
        }
    }
}

class Comparison {
public:
    Comparison(const Graph& a, const Graph& b, const Diagnostics& lost) : m_a(a), m_b(b), m_lost(lost) {}

    /// Equal, unless one of the codes was counted.
    template <class Part>
    void expect(std::string_view what, std::initializer_list<std::string_view> codes, const Part& part) const {
        for (const std::string_view code : codes) {
            if (m_lost.count(code) > 0)
                return;
        }
        EXPECT_EQ(ofOps(m_a, [&](OpId op) { return part(m_a, op); }),
                  ofOps(m_b, [&](OpId op) { return part(m_b, op); }))
            << what;
    }

private:
    const Graph &m_a, &m_b;
    const Diagnostics& m_lost;
};

void expectEqualOrCounted(const Graph& a, const Graph& b, const Diagnostics& lost) {
    ASSERT_EQ(a.opCount(), b.opCount());
    if (lost.count("name-changed") > 0 || lost.count("text-changed") > 0)
        return; // ops cannot be told by their names
    const Comparison same(a, b, lost);
    same.expect("types", {"type-not-written"}, [](const Graph& g, OpId op) { return g.op(op).type; });
    if (lost.count("control-dropped") == 0) {
        EXPECT_EQ(edgesOf(a), edgesOf(b));
    }
    const auto code = [](GraphPart part) { return lossCode(part); };
    same.expect("phase", {code(GraphPart::Phase)},
                [](const Graph& g, OpId op) { return std::string(toString(g.op(op).phase)); });
    same.expect("device", {code(GraphPart::Device)}, [](const Graph& g, OpId op) { return g.op(op).requestedDevice; });
    same.expect("colocation", {code(GraphPart::Colocation)}, [](const Graph& g, OpId op) {
        Names group; // whatever it is called
        if (const int index = g.colocationGroup(op); index >= 0) {
            for (const OpId other : g.colocationGroups()[static_cast<std::size_t>(index)])
                group.insert(g.op(other).name);
        }
        return fmt::format("{}", fmt::join(group, " | "));
    });
    same.expect("time", {code(GraphPart::Time)}, [](const Graph& g, OpId op) {
        std::string text;
        for (const auto& [kind, ns] : g.op(op).timeNs)
            text += fmt::format("{}: {}; ", kind, ns);
        return text;
    });
    same.expect("flops", {code(GraphPart::Flops)},
                [](const Graph& g, OpId op) { return std::to_string(g.op(op).flops); });
    same.expect("bytes moved", {code(GraphPart::BytesMoved)},
                [](const Graph& g, OpId op) { return std::to_string(g.op(op).bytesMoved); });
    same.expect("workspace", {code(GraphPart::Workspace)},
                [](const Graph& g, OpId op) { return std::to_string(g.op(op).workspaceBytes); });
    same.expect("control edges", {code(GraphPart::Control), "control-dropped"}, [](const Graph& g, OpId op) {
        Names names;
        for (const OpId to : g.controlSuccessors(op))
            names.insert(g.op(to).name);
        return fmt::format("{}", fmt::join(names, " | "));
    });
    if (lost.count(code(GraphPart::Attributes)) + lost.count("attribute-rounded") + lost.count("attribute-as-text") ==
        0) {
        for (std::size_t i = 0; i < a.opCount(); ++i) {
            const Op& op = a.op(OpId(i));
            const OpId again = b.findOp(op.name);
            ASSERT_TRUE(again.valid());
            for (const Attribute& attribute : op.attributes) // a format may add some of its own
                EXPECT_THAT(b.op(again).attributes, testing::Contains(attribute))
                    << attribute.name << " of " << op.name;
        }
    }
    same.expect("inputs",
                {code(GraphPart::Residents), code(GraphPart::Order), code(GraphPart::Omitted),
                 code(GraphPart::TensorType), code(GraphPart::TensorShape), "kind-not-written"},
                [](const Graph& g, OpId op) {
                    std::string text;
                    for (const TensorId tensor : g.inputs(op))
                        text += describe(g, tensor) + "; ";
                    return text;
                });
    same.expect("outputs", {code(GraphPart::Unread), code(GraphPart::TensorType), code(GraphPart::TensorShape)},
                [](const Graph& g, OpId op) {
                    std::string text;
                    for (const TensorId tensor : g.outputs(op))
                        text += describe(g, tensor) + "; ";
                    return text;
                });
    if (lost.count(code(GraphPart::TensorName)) + lost.count("tensor-name-changed") +
            lost.count(code(GraphPart::Unread)) ==
        0)
        expectSameOutputNames(a, b);
    same.expect("bytes read by others", {code(GraphPart::TensorBytes), code(GraphPart::Unread)},
                [](const Graph& g, OpId op) {
                    std::multiset<std::int64_t> sizes;
                    for (const TensorId tensor : g.dataInputs(op))
                        sizes.insert(g.tensorBytes(tensor));
                    return fmt::format("{}", fmt::join(sizes, " "));
                });
}

/// Read, write, read: the second graph equals the first but for what was counted, and the third the second.
void expectRoundTrip(const Graph& graph, const GraphFormat& format) {
    SCOPED_TRACE(fmt::format("{} as {}", graph.name(), format.id));
    const auto written = format.write({graph});
    ASSERT_TRUE(written) << written.error().message;
    EXPECT_TRUE(format.sniff(written->bytes));
    const auto file = readGraph(written->bytes, "again");
    ASSERT_TRUE(file) << file.error().message;
    EXPECT_EQ(file->format, format.id);
    expectEqualOrCounted(graph, file->graph, written->lost);
    const auto second = format.write({file->graph});
    ASSERT_TRUE(second) << second.error().message;
    const auto third = readGraph(second->bytes, "again");
    ASSERT_TRUE(third) << third.error().message;
    expectEqualOrCounted(file->graph, third->graph, second->lost);
}

TEST(RoundTrip, EveryFormatThatIsReadAndWrittenReturnsTheSampleGraphs) {
    for (const SampleGraph& sample : sampleGraphs()) {
        for (const GraphFormat* format : formatsOfBothWays())
            expectRoundTrip(sample.graph, *format);
    }
}

TEST(RoundTrip, EveryFormatThatIsReadAndWrittenReturnsGraphsWithEverythingInThem) {
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        const Graph graph = RandomGraph(seed).make(1 + seed % 17);
        for (const GraphFormat* format : formatsOfBothWays())
            expectRoundTrip(graph, *format);
    }
}

TEST(RoundTrip, EveryFormatIsWrittenTheSameEachTime) {
    const Graph graph = RandomGraph(3).make(30);
    for (const GraphFormat& format : graphFormats()) {
        if (format.write == nullptr || format.needs != WriteNeeds::Graph)
            continue;
        const auto first = format.write({graph}), second = format.write({graph});
        ASSERT_TRUE(first && second) << format.id;
        EXPECT_TRUE(first->bytes == second->bytes) << format.id;
        EXPECT_FALSE(first->bytes.empty()) << format.id;
    }
}

} // namespace
} // namespace opscape
