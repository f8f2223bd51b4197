// SPDX-License-Identifier: MIT
#include <opscape/base/units.h>
#include <opscape/io/make_room.h>
#include <opscape/io/read/chakra_graph.h>
#include <opscape/io/read/components.h>
#include <opscape/io/text.h>

#include <array>
#include <charconv>
#include <limits>

namespace opscape {
namespace {

constexpr std::int64_t kNsPerUs = 1000;
/// The type of nearly all nodes, which is not kept with each.
constexpr std::string_view kOrdinary = "COMP_NODE";
constexpr std::int64_t kLongestUs = std::int64_t{1} << 50; // 35 years

} // namespace

std::string chakraNodeType(std::uint64_t number) {
    static constexpr std::array<std::string_view, 8> kNames{"INVALID_NODE",   "METADATA_NODE", "MEM_LOAD_NODE",
                                                            "MEM_STORE_NODE", "COMP_NODE",     "COMM_SEND_NODE",
                                                            "COMM_RECV_NODE", "COMM_COLL_NODE"};
    return number < kNames.size() ? std::string(kNames[number]) : fmt::format("NODE_{}", number);
}

std::int64_t chakraTensorBytes(std::string_view list) {
    constexpr std::size_t kElements = 3, kElementBytes = 4;
    constexpr std::int64_t kMost = std::int64_t{1} << 50;
    std::array<std::int64_t, 5> numbers{};
    std::size_t found = 0; // numbers in a row since the last bracket
    std::int64_t sum = -1;
    const char* const end = list.data() + list.size();
    for (const char* at = list.data(); at != end;) {
        std::int64_t value = 0;
        if (const auto read = std::from_chars(at, end, value); read.ec == std::errc()) {
            if (found < numbers.size())
                numbers[found] = value;
            ++found;
            at = read.ptr;
            continue;
        }
        const char c = *at++;
        if (c == '[' || c == ']') {
            found = 0;
        } else if (c == '\'' || c == '"') { // five numbers and the device
            const std::int64_t elements = numbers[kElements], each = numbers[kElementBytes];
            if (found == numbers.size() && elements >= 0 && each >= 0 && (each == 0 || elements <= kMost / each))
                sum = std::min(std::max<std::int64_t>(sum, 0) + elements * each, kMost);
            found = 0;
            while (at != end && *at != c)
                ++at;
            at += at == end ? 0 : 1;
        } else if (c != ',' && c != ' ') {
            found = numbers.size() + 1; // a word or a real number: no record of a tensor
        }
    }
    return sum;
}

std::string chakraOpType(std::string_view name) {
    if (name.starts_with("void "))
        name.remove_prefix(5);
    std::string type(name);
    constexpr std::string_view kAnonymous = "(anonymous namespace)::";
    for (std::size_t at = 0; (at = type.find(kAnonymous)) != std::string::npos;)
        type.erase(at, kAnonymous.size());
    type.resize(std::min(type.find_first_of("(<"), type.size()));
    while (type.ends_with(' '))
        type.pop_back();
    return elide(type.empty() ? name : std::string_view(type), 80);
}

ChakraGraph::ChakraGraph(const std::string& origin) : m_origin(origin), m_draft(stemOf(origin)) {}

bool ChakraGraph::add(ChakraNode node) {
    const std::size_t before = m_draft.nodeCount();
    const auto number = m_draft.node(fmt::format("{}", node.id));
    if (m_draft.nodeCount() == before)
        return false;
    Op& op = m_draft.op(number);
    op.type = chakraOpType(node.name);
    op.name = std::move(node.name);
    op.requestedDevice = std::move(node.device);
    if (node.durationUs >= 0)
        op.timeNs[deviceTypeOf(op.requestedDevice)] = std::min(node.durationUs, kLongestUs) * kNsPerUs;
    if (node.outputBytes >= 0)
        m_draft.setOutputBytes(number, node.outputBytes);
    const bool keepsType = !node.type.empty() && node.type != kOrdinary;
    op.attributes.reserve(node.attributes.size() + (keepsType ? 2 : 1));
    m_draft.keepAttribute(number, "id", static_cast<std::int64_t>(node.id));
    if (keepsType)
        m_draft.keepAttribute(number, "node_type", std::move(node.type));
    for (Attribute& attribute : node.attributes)
        m_draft.keepAttribute(number, attribute.name, std::move(attribute.value));
    for (const std::uint64_t on : node.control)
        m_dependencies.push_back({on, number, true});
    for (const std::uint64_t on : node.data)
        m_dependencies.push_back({on, number, false});
    return true;
}

std::optional<GraphDraft::Node> ChakraGraph::nodeOf(std::uint64_t id) const {
    return m_draft.find(fmt::format("{}", id));
}

void ChakraGraph::edge(std::uint64_t from, std::uint64_t to, std::int64_t bytes) {
    m_draft.edge(nodeOf(from).value(), nodeOf(to).value(), GraphDraft::kUnnamed, bytes);
}

Result<GraphFile> ChakraGraph::finish(std::string format) && {
    std::size_t edges = m_draft.edgeCount();
    std::vector<std::pair<GraphDraft::Node, GraphDraft::Node>> control;
    for (const Dependency& dependency : m_dependencies) {
        const auto on = nodeOf(dependency.on);
        if (!on) {
            const std::string example =
                fmt::format("{} waits for node {}", m_draft.op(dependency.node).name, dependency.on);
            if (dependency.isControl)
                m_draft.diagnostics().add(Severity::Warning, "dangling-control",
                                          "Control dependencies on nodes that are not in the trace, left out", example);
            else
                m_draft.diagnostics().add(Severity::Warning, "dangling-data",
                                          "Data dependencies on nodes that are not in the trace, left out", example);
            continue;
        }
        ++edges;
        if (dependency.isControl)
            control.emplace_back(*on, dependency.node);
        else
            m_draft.edge(*on, dependency.node);
    }
    addControl(control);
    makeRoom(m_dependencies);
    return std::move(m_draft).finish(std::move(format), m_origin, edges);
}

/// A control dependency names the caller, which may wait for data of what it calls: those that lie on a cycle are left
/// out.
void ChakraGraph::addControl(const std::vector<std::pair<GraphDraft::Node, GraphDraft::Node>>& control) {
    std::vector<std::pair<GraphDraft::Node, GraphDraft::Node>> all = m_draft.edgeEnds();
    all.insert(all.end(), control.begin(), control.end());
    const std::vector<std::uint32_t> component = stronglyConnected(m_draft.nodeCount(), all);
    for (const auto& [before, after] : control) {
        if (component[before] != component[after])
            m_draft.control(before, after);
        else
            m_draft.diagnostics().add(Severity::Warning, "cyclic-control",
                                      "Control dependencies that form a cycle with other dependencies, left out",
                                      fmt::format("{} waits for {}", m_draft.op(after).name, m_draft.op(before).name));
    }
}

} // namespace opscape
