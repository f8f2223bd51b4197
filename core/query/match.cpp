// SPDX-License-Identifier: MIT
// A query is answered part by part for all ops at once: each part gives a byte per op, and those are combined.
#include "query.h"

#include <opscape/base/text.h>
#include <opscape/cost/op_cost.h>
#include <opscape/device/device_letters.h>
#include <opscape/graph/op_bytes.h>

#include <algorithm>
#include <functional>

namespace opscape {
namespace {

using Node = Query::Node;
using Mask = std::vector<std::uint8_t>;

bool compares(Comparison comparison, std::int64_t value, const Quantity& with) {
    const bool isEqual = value >= with.least && value <= with.most;
    switch (comparison) {
    case Comparison::Has:
    case Comparison::Equal:
        return isEqual;
    case Comparison::NotEqual:
        return !isEqual;
    case Comparison::Less:
        return value < with.value;
    case Comparison::LessEqual:
        return value <= with.value;
    case Comparison::Greater:
        return value > with.value;
    case Comparison::GreaterEqual:
        return value >= with.value;
    }
    return false;
}

class Matcher {
public:
    Matcher(std::string_view text, const QueryFacts& facts, const std::stop_token& stop)
        : m_text(text),
          m_facts(facts),
          m_stop(stop) {}

    /// After a stop the masks are not whole.
    [[nodiscard]] bool stopped() const { return m_stop.stop_requested(); }

    Result<Mask> match(const Node& node) {
        if (node.kind == Node::Kind::Term)
            return term(node);
        auto mask = match(node.nodes.front());
        if (!mask)
            return mask;
        for (std::size_t n = 1; n < node.nodes.size() && !stopped(); ++n) {
            const auto other = match(node.nodes[n]);
            if (!other)
                return other;
            for (std::size_t i = 0; i < mask->size(); ++i)
                (*mask)[i] = node.kind == Node::Kind::All ? (*mask)[i] & (*other)[i] : (*mask)[i] | (*other)[i];
        }
        if (node.kind == Node::Kind::Not)
            std::ranges::transform(*mask, mask->begin(), [](std::uint8_t fits) { return fits ^ 1U; });
        return mask;
    }

private:
    [[nodiscard]] tl::unexpected<Error> refuse(std::size_t at, std::string_view sentence) const {
        return fail(queryError(m_text, at, sentence));
    }
    template <class Fits>
    Mask each(Fits fits) const {
        Mask mask(m_facts.graph->opCount());
        for (std::size_t i = 0; i < mask.size() && !stopsAt(i); ++i)
            mask[i] = fits(OpId(i)) ? 1 : 0;
        return mask;
    }
    [[nodiscard]] bool stopsAt(std::size_t i) const { return i % kPolledEvery == 0 && stopped(); }

    Result<Mask> term(const Node& node) {
        const QueryFieldInfo* field = node.term.field;
        if (field == nullptr || field->field == QueryField::Name)
            return ofNames(node);
        const bool planned = m_facts.plan != nullptr && m_facts.schedule != nullptr && m_facts.critical != nullptr;
        if ((field->ofPlan && !planned) || (field->field == QueryField::Time && m_facts.cost == nullptr))
            return refuse(node.term.at, fmt::format("{} asks for a plan, and there is none", field->name));
        switch (field->field) {
        case QueryField::Type:
            return ofTypes(node);
        case QueryField::Scope:
            return ofScopes(node);
        case QueryField::Device:
            return ofDevice(node);
        case QueryField::Priority:
            if (m_facts.plan->priority.empty())
                return refuse(node.term.at, "the plan has no priorities: ops run first come, first served");
            break;
        case QueryField::Critical:
            return each([&](OpId op) { return (*m_facts.critical)[op.index()] != 0; });
        case QueryField::Fused:
            return fused();
        case QueryField::Cut:
            return each([&](OpId op) { return isCut(op); });
        default:
            break;
        }
        return each([&](OpId op) { return compares(node.term.comparison, valueOf(field->field, op), node.number); });
    }

    /// How a text field is compared, for a text in lower case.
    static std::function<bool(std::string_view)> textTest(const Node& node) {
        const bool negated = node.term.comparison == Comparison::NotEqual;
        if (node.regex != nullptr) {
            const auto search = std::make_shared<RegexSearch>(*node.regex);
            return [search, negated](std::string_view text) { return search->found(text) != negated; };
        }
        if (node.term.comparison == Comparison::Has)
            return [&node](std::string_view text) { return text.find(node.lower) != std::string_view::npos; };
        return [&node, negated](std::string_view text) { return (text == node.lower) != negated; };
    }

    Mask ofNames(const Node& node) const {
        const auto fits = textTest(node);
        return each([&](OpId op) { return fits(m_facts.words->names[op.index()]); });
    }

    Mask ofTypes(const Node& node) const {
        const auto fits = textTest(node);
        Mask types;
        for (const GraphWords::Type& type : m_facts.words->types)
            types.push_back(fits(type.lower) ? 1 : 0);
        return each([&](OpId op) { return types[m_facts.words->typeOf[op.index()]] != 0; });
    }

    /// A scope that fits holds all that is in it, at any depth.
    Mask ofScopes(const Node& node) const {
        const bool negated = node.term.comparison == Comparison::NotEqual;
        Node plain = node;
        if (negated)
            plain.term.comparison = node.regex != nullptr ? Comparison::Has : Comparison::Equal;
        const auto fits = textTest(plain);
        Mask scopes(m_facts.scopes->scopeCount());
        for (std::size_t s = 1; s < scopes.size() && !stopsAt(s); ++s) { // parents come before their children
            const ScopeId parent = m_facts.scopes->scope(ScopeId(s)).parent;
            scopes[s] = scopes[parent.index()] != 0 || fits(m_facts.words->paths[s]) ? 1 : 0;
        }
        return each([&](OpId op) { return (scopes[m_facts.scopes->scopeOf(op).index()] != 0) != negated; });
    }

    Result<Mask> ofDevice(const Node& node) const {
        const Cluster& cluster = *m_facts.cluster;
        DeviceId wanted;
        std::string all;
        for (std::size_t i = 0; i < cluster.deviceCount() && !wanted.valid(); ++i) {
            const std::string letters = deviceLetters(DeviceId(i));
            const std::string& name = cluster.device(DeviceId(i)).name;
            if (node.lower == std::to_string(i) || node.lower == lowerCase(letters) || node.lower == lowerCase(name))
                wanted = DeviceId(i);
            if (i < kDevicesNamed)
                all += fmt::format("{}{} {}", i > 0 ? ", " : "", letters, name);
        }
        if (!wanted.valid())
            return refuse(node.term.textAt,
                          fmt::format("there is no device \"{}\"; there are {}{}", node.term.text, all,
                                      cluster.deviceCount() > kDevicesNamed ? " and so on" : ""));
        const bool negated = node.term.comparison == Comparison::NotEqual;
        return each([&](OpId op) { return (m_facts.plan->device[op.index()] == wanted) != negated; });
    }

    Mask fused() const {
        const std::vector<std::uint32_t>& groups = m_facts.plan->fusionGroup;
        return each([&](OpId op) { return !groups.empty() && groups[op.index()] != Plan::kNotFused; });
    }

    [[nodiscard]] bool isCut(OpId op) const {
        const auto elsewhere = [&](OpId other) {
            return m_facts.plan->device[other.index()] != m_facts.plan->device[op.index()];
        };
        return std::ranges::any_of(m_facts.graph->predecessors(op), elsewhere) ||
               std::ranges::any_of(m_facts.graph->successors(op), elsewhere);
    }

    [[nodiscard]] std::int64_t valueOf(QueryField field, OpId op) const {
        const Graph& graph = *m_facts.graph;
        const auto times = [&]() -> const OpRun& { return m_facts.schedule->ops[op.index()]; };
        switch (field) {
        case QueryField::Phase:
            return static_cast<std::int64_t>(graph.op(op).phase);
        case QueryField::Time: {
            const DeviceId device = m_facts.plan != nullptr ? m_facts.plan->device[op.index()] : DeviceId(0);
            return m_facts.cost->opNs(op, m_facts.cluster->device(device).kind);
        }
        case QueryField::Start:
            return times().startNs;
        case QueryField::End:
            return times().endNs;
        case QueryField::Wait:
            return times().startNs - times().readyNs;
        case QueryField::Memory:
            return ownBytes(graph, op);
        case QueryField::Flops:
            return static_cast<std::int64_t>(std::min(opCost(graph, op).flops, 9e18));
        case QueryField::Inputs:
            return static_cast<std::int64_t>(graph.predecessors(op).size());
        case QueryField::Outputs:
            return static_cast<std::int64_t>(graph.successors(op).size());
        default:
            return m_facts.plan->priority[op.index()];
        }
    }

    static constexpr std::size_t kDevicesNamed = 8;
    static constexpr std::size_t kPolledEvery = 64; ///< ops: a name may be long
    std::string_view m_text;
    const QueryFacts& m_facts;
    const std::stop_token& m_stop;
};

} // namespace

Result<std::vector<OpId>> Query::match(const QueryFacts& facts, const std::stop_token& stop) const {
    Mask mask(facts.graph->opCount(), 1);
    if (m_root != nullptr) {
        Matcher matcher(m_text, facts, stop);
        auto fits = matcher.match(*m_root);
        if (!fits)
            return fail(fits.error());
        if (matcher.stopped())
            return fail("The search was stopped.");
        mask = std::move(*fits);
    }
    std::vector<OpId> ops;
    for (std::size_t i = 0; i < mask.size(); ++i) {
        if (mask[i] != 0)
            ops.push_back(OpId(i));
    }
    return ops;
}

} // namespace opscape
