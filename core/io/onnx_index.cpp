// SPDX-License-Identifier: MIT
#include <opscape/io/onnx_index.h>
#include <opscape/io/text.h>

#include <algorithm>
#include <array>
#include <unordered_set>

namespace opscape {
namespace {

template <class Visit>
void forEachSubgraph(const onnx::NodeProto& node, Visit visit) {
    for (const auto& attribute : node.attribute()) {
        if (attribute.has_g())
            visit(attribute.g());
        for (const auto& graph : attribute.graphs())
            visit(graph);
    }
}

/// Whether constant inputs make the outputs constants.
bool isPure(const onnx::NodeProto& node) {
    constexpr std::array<std::string_view, 4> kRandom{"RandomNormalLike", "RandomUniformLike", "Bernoulli",
                                                      "Multinomial"};
    return node.domain().empty() && std::ranges::count(kRandom, node.op_type()) == 0 && !hasSubgraph(node) &&
           (node.input_size() > 0 || node.op_type() == "Constant");
}

} // namespace

Result<OnnxIndex> OnnxIndex::make(const onnx::GraphProto& graph, const std::string& origin) {
    OnnxIndex index;
    if (auto added = index.addResidents(graph, origin); !added)
        return fail(std::move(added.error()));
    if (auto added = index.addNodes(graph, origin); !added)
        return fail(std::move(added.error()));
    for (const auto& output : graph.output())
        index.at(index.indexOf(output.name())).isOutput = true;
    index.connect();
    index.markConstants();
    return index;
}

/// Of the value of that name, which is made when it is first met.
int OnnxIndex::indexOf(std::string_view name) {
    const auto [it, isNew] = m_byName.try_emplace(name, static_cast<int>(m_values.size()));
    if (isNew)
        m_values.emplace_back().name = name;
    return it->second;
}

/// Makes the last value, that of a name not met before.
Result<> OnnxIndex::declare(std::string_view name, std::string_view what, const std::string& origin) {
    if (m_byName.contains(name))
        return fail("{}: two {} have the name \"{}\"; every tensor needs a name of its own.", origin, what,
                    printable(name));
    indexOf(name);
    return {};
}

Result<> OnnxIndex::addResidents(const onnx::GraphProto& graph, const std::string& origin) {
    for (const auto& initializer : graph.initializer()) {
        if (auto declared = declare(initializer.name(), "initializers", origin); !declared)
            return declared;
        m_values.back().initializer = &initializer;
        m_values.back().isConstant = true;
    }
    for (const auto& sparse : graph.sparse_initializer()) {
        if (auto declared = declare(sparse.values().name(), "initializers", origin); !declared)
            return declared;
        m_values.back().sparse = &sparse;
        m_values.back().isConstant = true;
    }
    for (const auto& input : graph.input()) {
        const auto known = m_byName.find(input.name());
        if (known != m_byName.end() && at(known->second).isInitializer())
            continue; // files before version 4 list the weights among the inputs
        if (auto declared = declare(input.name(), "inputs", origin); !declared)
            return declared;
        m_values.back().isInput = true;
    }
    return {};
}

Result<> OnnxIndex::addNodes(const onnx::GraphProto& graph, const std::string& origin) {
    m_nodes.reserve(static_cast<std::size_t>(graph.node_size()));
    for (int n = 0; n < graph.node_size(); ++n) {
        OnnxNode& node = m_nodes.emplace_back();
        node.proto = &graph.node(n);
        for (const std::string& name : node.proto->output()) {
            if (name.empty())
                continue;
            node.outputs.push_back(indexOf(name));
            OnnxValue& value = at(node.outputs.back());
            if (value.producer != kNone)
                return fail(
                    "{}: the output \"{}\" of node {} is written by node {} already; every tensor needs a name of "
                    "its own.",
                    origin, printable(name), describe(*node.proto), describe(graph.node(value.producer)));
            if (value.isInput || value.isInitializer())
                return fail(
                    "{}: the output \"{}\" of node {} has the name of an input or initializer; every tensor needs "
                    "a name of its own.",
                    origin, printable(name), describe(*node.proto));
            value.producer = n;
        }
    }
    return {};
}

void OnnxIndex::connect() {
    for (std::size_t n = 0; n < m_nodes.size(); ++n) {
        OnnxNode& node = m_nodes[n];
        for (const std::string& name : node.proto->input())
            node.inputs.push_back(name.empty() ? kNone : indexOf(name));
        for (const std::string_view name : capturedNames(*node.proto))
            node.inputs.push_back(indexOf(name));
        for (const int input : node.inputs) {
            if (input != kNone)
                at(input).readers.push_back(static_cast<int>(n));
        }
    }
}

/// Kahn's algorithm over the nodes, with everything that is not constant never arriving.
void OnnxIndex::markConstants() {
    std::vector<std::size_t> waiting(m_nodes.size()); // input slots not known to be constant
    std::vector<std::size_t> ready;
    for (std::size_t n = 0; n < m_nodes.size(); ++n) {
        waiting[n] = static_cast<std::size_t>(std::ranges::count_if(
            m_nodes[n].inputs, [this](int input) { return input != kNone && !at(input).isConstant; }));
        if (waiting[n] == 0)
            ready.push_back(n);
    }
    while (!ready.empty()) {
        OnnxNode& node = m_nodes[ready.back()];
        ready.pop_back();
        if (!isPure(*node.proto))
            continue;
        node.isConstant = true;
        for (const int output : node.outputs) {
            at(output).isConstant = true;
            for (const int reader : at(output).readers) {
                if (--waiting[static_cast<std::size_t>(reader)] == 0)
                    ready.push_back(static_cast<std::size_t>(reader));
            }
        }
    }
}

int OnnxIndex::find(std::string_view name) const {
    const auto found = m_byName.find(name);
    return found == m_byName.end() ? kNone : found->second;
}

std::size_t OnnxIndex::constantNodes() const {
    return static_cast<std::size_t>(std::ranges::count(m_nodes, true, &OnnxNode::isConstant));
}

std::size_t OnnxIndex::edges() const {
    std::size_t edges = 0;
    for (const OnnxValue& value : m_values) {
        for (std::size_t i = 0; value.producer != kNone && i < value.readers.size(); ++i)
            edges += i == 0 || value.readers[i] != value.readers[i - 1];
    }
    return edges;
}

std::string nameOf(const onnx::NodeProto& node) {
    if (!node.name().empty())
        return toUtf8(node.name());
    const auto output = std::ranges::find_if(node.output(), [](const std::string& name) { return !name.empty(); });
    return output == node.output().end() ? std::string() : toUtf8(*output);
}

std::string describe(const onnx::NodeProto& node) {
    return printable(fmt::format("{} ({})", nameOf(node), node.op_type()));
}

std::vector<std::string_view> capturedNames(const onnx::NodeProto& node) {
    std::vector<std::string_view> names;
    std::unordered_set<std::string_view> seen;
    forEachSubgraph(node, [&](const onnx::GraphProto& graph) {
        std::unordered_set<std::string_view> local;
        for (const auto& input : graph.input())
            local.insert(input.name());
        for (const auto& initializer : graph.initializer())
            local.insert(initializer.name());
        for (const auto& inner : graph.node())
            local.insert(inner.output().begin(), inner.output().end());
        const auto read = [&](std::string_view name) {
            if (!name.empty() && !local.contains(name) && seen.insert(name).second)
                names.push_back(name);
        };
        for (const auto& inner : graph.node()) {
            std::ranges::for_each(inner.input(), read);
            std::ranges::for_each(capturedNames(inner), read);
        }
        for (const auto& output : graph.output()) // a branch may hand a value from outside straight on
            read(output.name());
    });
    return names;
}

const onnx::AttributeProto* attributeOf(const onnx::NodeProto& node, std::string_view name) {
    const auto found = std::ranges::find(node.attribute(), name, &onnx::AttributeProto::name);
    return found == node.attribute().end() ? nullptr : &*found;
}

bool hasSubgraph(const onnx::NodeProto& node) {
    bool found = false;
    forEachSubgraph(node, [&found](const onnx::GraphProto&) { found = true; });
    return found;
}

} // namespace opscape
