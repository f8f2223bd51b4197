// SPDX-License-Identifier: MIT
#include <opscape/base/text.h>
#include <opscape/base/units.h>
#include <opscape/io/make_room.h>
#include <opscape/io/read/graph_draft.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numeric>

namespace opscape {
namespace {

/// More of one node are of no use to anyone and would make each further one slow.
constexpr std::size_t kMostAttributes = 256;
/// Of a text that is kept as attribute, and of a scope that is put before the names of all that is inside.
constexpr std::size_t kLongestText = 1000, kLongestScope = 500;
/// Where a time stands until the device of the op is known.
constexpr const char* kSomeDevice = "";

template <class Number>
std::optional<Number> parseWhole(std::string_view text) {
    Number value{};
    const auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (ec != std::errc() || end != text.data() + text.size())
        return std::nullopt;
    return value;
}

/// As a number where the text is one that is written back the same.
AttributeValue valueOf(std::string_view text) {
    if (const auto whole = parseWhole<std::int64_t>(text); whole && fmt::format("{}", *whole) == text)
        return *whole;
    if (text.find_first_of("0123456789") != std::string_view::npos &&
        text.find_first_of(".e") != std::string_view::npos) {
        if (const auto real = parseWhole<double>(text); real && std::isfinite(*real))
            return *real;
    }
    return std::string(text);
}

} // namespace

std::string deviceTypeOf(std::string_view device) {
    return lowerCase(device).find("cpu") != std::string::npos ? "cpu" : "gpu";
}

std::string nameInScope(std::string_view scope, std::string_view name) {
    if (scope.empty() || (name.size() > scope.size() && name.starts_with(scope) && name[scope.size()] == '/'))
        return std::string(name);
    return fmt::format("{}/{}", scope, name);
}

std::optional<std::int64_t> parseFigure(std::string_view text) {
    constexpr double kMost = 9e18;
    if (const auto whole = parseWhole<std::int64_t>(text))
        return *whole >= 0 ? whole : std::nullopt;
    const auto real = parseWhole<double>(text);
    if (!real || !(*real >= 0 && *real <= kMost))
        return std::nullopt;
    return std::llround(*real);
}

GraphDraft::Node GraphDraft::node(std::string_view id) {
    const Node node = m_ids.add(id);
    if (node == m_scopeOf.size()) {
        m_scopeOf.push_back(kRoot);
        m_builder.addOp({});
    }
    return node;
}

GraphDraft::Scope GraphDraft::addScope(Scope around, std::string name) {
    m_scopes.push_back({around, std::move(name)});
    return static_cast<Scope>(m_scopes.size() - 1);
}

bool GraphDraft::isInside(Scope inner, Scope outer) const {
    while (inner > outer)
        inner = m_scopes[inner].around;
    return inner == outer;
}

void GraphDraft::setAttribute(Node node, std::string_view name, std::string_view value) {
    Op& op = this->op(node);
    const auto figure = [&](const auto& take) {
        if (const auto number = parseFigure(value)) {
            take(*number);
            return;
        }
        m_file.diagnostics.add(Severity::Warning, "unreadable-figure",
                               "Figures that are not numbers from 0, kept as text",
                               fmt::format("{} of {}: {}", name, id(node), value));
        keepAttribute(node, name, std::string(value));
    };
    if (name == "type" || name == "op_type") {
        op.type = value;
    } else if (name == "device") {
        op.requestedDevice = value;
    } else if (name == "colocation") {
        op.colocation = value;
    } else if (name == "phase" && parsePhase(value)) {
        op.phase = *parsePhase(value);
    } else if (name == "time_ns" || name == "cost" || name == "time") {
        figure([&](std::int64_t ns) { op.timeNs[kSomeDevice] = ns; });
    } else if (name == "flops") {
        figure([&](std::int64_t flops) { op.flops = flops; });
    } else if (name == "bytes_moved") {
        figure([&](std::int64_t bytes) { op.bytesMoved = bytes; });
    } else if (name == "workspace_bytes") {
        figure([&](std::int64_t bytes) { op.workspaceBytes = bytes; });
    } else if (name == "bytes") {
        figure([&](std::int64_t bytes) { setOutputBytes(node, bytes); });
    } else {
        keepAttribute(node, name, valueOf(value));
    }
}

bool GraphDraft::isKnownAttribute(std::string_view name) {
    static constexpr std::array kKnown{"type", "op_type", "device", "colocation", "phase",       "time_ns",
                                       "cost", "time",    "flops",  "bytes",      "bytes_moved", "workspace_bytes"};
    return std::ranges::find(kKnown, name) != kKnown.end();
}

void GraphDraft::setOutputBytes(Node node, std::int64_t bytes) {
    if (m_outputBytes.size() <= node)
        m_outputBytes.resize(m_scopeOf.size(), -1);
    m_outputBytes[node] = bytes;
}

void GraphDraft::keepAttribute(Node node, std::string_view name, AttributeValue value) {
    if (auto* text = std::get_if<std::string>(&value); text != nullptr && text->size() > kLongestText) {
        *text = elide(toUtf8(*text), kLongestText);
        m_file.diagnostics.add(Severity::Info, "long-attribute", "Long texts in attributes, shortened",
                               fmt::format("{} of {}", name, id(node)));
    }
    std::vector<Attribute>& attributes = op(node).attributes;
    const auto it = std::ranges::find(attributes, name, &Attribute::name);
    if (it != attributes.end()) {
        it->value = std::move(value);
    } else if (attributes.size() < kMostAttributes) {
        attributes.push_back({std::string(name), std::move(value)});
    } else {
        m_file.diagnostics.add(Severity::Warning, "too-many-attributes",
                               fmt::format("Attributes of nodes that have more than {}, left out", kMostAttributes),
                               fmt::format("{} of {}", name, id(node)));
    }
}

void GraphDraft::describe(Node node, Output output, Tensor tensor) {
    m_described.push_back({node, output, m_builder.addOutput(OpId(node), std::move(tensor))});
}

void GraphDraft::edge(Node from, Node to, Output output, std::int64_t bytes) {
    m_edges.push_back({from, to, output, bytes});
}

std::vector<std::pair<GraphDraft::Node, GraphDraft::Node>> GraphDraft::edgeEnds() const {
    std::vector<std::pair<Node, Node>> ends;
    ends.reserve(m_edges.size());
    for (const Edge& edge : m_edges)
        ends.emplace_back(edge.from, edge.to);
    return ends;
}

std::vector<std::string> GraphDraft::scopePaths() {
    std::vector<std::string> paths;
    for (const NamedScope& scope : m_scopes) {
        const std::string around = paths.empty() ? std::string() : paths[scope.around];
        std::string path = scope.name == around ? around : nameInScope(around, scope.name);
        if (path.size() > kLongestScope) {
            m_file.diagnostics.add(Severity::Info, "long-scope", "Scopes with long names, shortened", elide(path, 100));
            path = elide(toUtf8(path), kLongestScope);
        }
        paths.push_back(std::move(path));
    }
    return paths;
}

void GraphDraft::nameOps() {
    const std::vector<std::string> paths = scopePaths();
    for (Node node = 0; node < nodeCount(); ++node) {
        Op& op = this->op(node);
        if (op.name.empty())
            op.name = id(node);
        if (m_scopeOf[node] != kRoot)
            op.name = nameInScope(paths[m_scopeOf[node]], op.name);
        if (const auto time = op.timeNs.find(kSomeDevice); time != op.timeNs.end()) {
            const std::int64_t ns = time->second;
            op.timeNs.erase(time);
            op.timeNs[deviceTypeOf(op.requestedDevice)] = ns;
        }
    }
}

TensorId GraphDraft::describedTensor(Node node, Output output) const {
    const auto key = [](const Described& d) { return std::pair(d.node, d.output); };
    const auto it = std::ranges::lower_bound(m_described, std::pair(node, output), {}, key);
    return it != m_described.end() && key(*it) == std::pair(node, output) ? it->tensor : TensorId();
}

void GraphDraft::makeTensors() {
    std::ranges::stable_sort(m_described, {}, [](const Described& d) { return std::pair(d.node, d.output); });
    m_outputBytes.resize(nodeCount(), -1);
    for (Edge& edge : m_edges) {
        if (edge.bytes < 0)
            edge.bytes = m_outputBytes[edge.from];
    }
    std::vector<std::uint32_t> order(m_edges.size()); // edges of one tensor side by side
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::sort(order, {}, [&](std::uint32_t e) {
        return std::tuple(m_edges[e].from, m_edges[e].output, m_edges[e].output == kUnnamed ? m_edges[e].bytes : 0, e);
    });
    std::vector<TensorId> tensorOf(m_edges.size());
    for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
        const Edge& first = m_edges[order[begin]];
        std::int64_t bytes = -1;
        for (; end < order.size(); ++end) {
            const Edge& edge = m_edges[order[end]];
            if (edge.from != first.from || edge.output != first.output ||
                (edge.output == kUnnamed && edge.bytes != first.bytes))
                break;
            bytes = std::max(bytes, edge.bytes);
        }
        TensorId tensor = describedTensor(first.from, first.output);
        if (!tensor.valid()) {
            Tensor made;
            made.name = m_builder.op(OpId(first.from)).name;
            if (first.output != kUnnamed)
                fmt::format_to(std::back_inserter(made.name), ":{}", m_outputs.text(first.output));
            made.bytes = bytes;
            tensor = m_builder.addOutput(OpId(first.from), std::move(made));
        }
        for (std::size_t i = begin; i < end; ++i)
            tensorOf[order[i]] = tensor;
    }
    for (std::size_t e = 0; e < m_edges.size(); ++e)
        m_builder.addInput(OpId(m_edges[e].to), tensorOf[e]);
}

Result<GraphFile> GraphDraft::finish(std::string format, const std::string& origin,
                                     std::optional<std::size_t> fileEdges) && {
    if (nodeCount() == 0)
        return fail("{}: the file holds no node.", origin);
    m_file.format = std::move(format);
    m_file.fileNodes = nodeCount();
    m_file.fileEdges = fileEdges.value_or(m_edges.size());
    nameOps();
    makeRoom(m_ids, m_scopeOf);
    makeTensors();
    makeRoom(m_edges, m_described, m_outputBytes);
    auto graph = std::move(m_builder).build(m_file.diagnostics);
    if (!graph)
        return fail("{}: {}", origin, graph.error().message);
    m_file.graph = std::move(*graph);
    return std::move(m_file);
}

} // namespace opscape
