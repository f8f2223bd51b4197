// SPDX-License-Identifier: MIT
// Fusion groups of a placed plan under construction: which two neighbouring groups may be merged, what that saves, and
// the merge itself. Everything is kept up to date from merge to merge: the graph of groups stays acyclic and in order,
// and the time of a group is always what the simulator will charge for it (sim/fused_cost.h). Ops are never cloned into
// several groups.
#pragma once

#include <opscape/fusion/fusion_kind.h>
#include <opscape/fusion/order_list.h>
#include <opscape/plan/problem.h>
#include <opscape/sim/fused_cost.h>

namespace opscape {

struct FusionLimits {
    std::uint32_t ops = 64;                               ///< in one group
    std::int64_t workspaceBytes = std::int64_t{64} << 20; ///< of all ops of a group together
    /// Groups looked at in search of a path that leaves two groups and comes back. Where that is not enough to be
    /// certain that there is none the two stay apart; in graphs of real models such a path is found within a few.
    std::uint32_t steps = 4096;
};

/// Why two groups cannot be merged.
enum class FusionObstacle : std::uint8_t {
    None,
    NotNeighbours, ///< the second reads nothing that the first makes
    Device,        ///< they run on different devices
    Colocation,    ///< each belongs to another colocation group
    Kind,          ///< their ops do not make one kernel
    Ops,           ///< too many ops
    Workspace,     ///< too much workspace
    Memory,        ///< inputs, outputs and workspace would not fit the device beside what is resident there
    Cycle          ///< a path leaves the first and comes back to the second
};

class FusionGroups {
public:
    /// A group goes by the id of its first op.
    using Group = std::uint32_t;

    /// Every op alone. `device`: per op, valid. The problem must outlive it.
    FusionGroups(const Problem& problem, std::span<const DeviceId> device, FusionLimits limits = {});

    [[nodiscard]] Group groupOf(OpId op) const { return m_groupOf[op.index()]; }
    [[nodiscard]] std::uint32_t size(Group group) const { return m_states[group].size; }
    [[nodiscard]] std::int64_t timeNs(Group group) const { return m_states[group].timeNs; }
    /// Its ops, in no order.
    [[nodiscard]] std::vector<OpId> ops(Group group) const;
    /// Groups whose tensors it reads, each once, ascending.
    void producers(Group group, std::vector<Group>& found) const;

    struct Reader {
        Group group;
        std::int64_t savedNs; ///< by merging the two
    };
    /// Groups that read what it makes and with which nothing but a cycle keeps it from being merged, ascending.
    void readers(Group group, std::vector<Reader>& found);

    [[nodiscard]] FusionObstacle obstacle(Group producer, Group consumer);
    /// The same but for cycles, which are what takes long to find.
    [[nodiscard]] FusionObstacle quickObstacle(Group producer, Group consumer) const;
    /// What merging them would save of their times; negative when it would cost.
    [[nodiscard]] std::int64_t savedNs(Group producer, Group consumer);
    /// Merges them when nothing is in the way.
    FusionObstacle merge(Group producer, Group consumer);

    /// As in Plan: the group's id, kNotFused where an op is alone. Empty when all are.
    [[nodiscard]] std::vector<std::uint32_t> fusionGroup() const;

private:
    struct State {
        std::uint32_t size = 1;
        std::uint16_t device = 0;
        FusionKind kind = FusionKind::Opaque;
        OpId anchor; ///< its contraction or reduction; invalid when it has none
        int colocation = -1;
        std::int64_t workspaceBytes = 0;
        std::int64_t tensorBytes = 0; ///< of all that its ops read and write
        FusedShare share;
        std::int64_t timeNs = 0;
    };

    template <class Visit>
    void forEachOp(Group group, Visit visit) const {
        std::uint32_t op = group;
        do {
            visit(OpId(op));
            op = m_nextOp[op];
        } while (op != group);
    }
    /// Calls visit(group, op, bytes) for every group that reads what the producer makes: merging with that group would
    /// keep so many bytes of the op's traffic inside.
    template <class Visit>
    void forEachCrossing(Group producer, Visit visit) const {
        forEachOp(producer, [&](OpId op) {
            for (const TensorId tensor : m_graph.outputs(op)) {
                const std::int64_t bytes = m_graph.tensorBytes(tensor);
                Group only = producer;
                bool several = false;
                for (const OpId reader : m_graph.consumers(tensor)) {
                    const Group group = groupOf(reader);
                    if (group == producer)
                        continue;
                    visit(group, reader, bytes);
                    several = several || (only != producer && only != group);
                    only = group;
                }
                if (only != producer && !several)
                    visit(only, op, bytes);
            }
        });
    }

    struct Crossing {
        Group group;
        OpId op;
        std::int64_t bytes;
    };

    [[nodiscard]] bool feeds(Group producer, Group consumer) const;
    [[nodiscard]] FusionObstacle neighbourObstacle(Group producer, Group consumer) const;
    [[nodiscard]] std::optional<FusionKind> joinedKind(Group producer, Group consumer) const;
    [[nodiscard]] bool fitsMemory(Group producer, Group consumer) const;
    void findCrossings(Group producer, Group consumer);
    [[nodiscard]] FusedShare joinedShare(Group producer, Group consumer, std::span<const Crossing> crossings) const;
    [[nodiscard]] std::int64_t savedNs(Group producer, Group consumer, std::span<const Crossing> crossings) const;
    bool findWay(Group producer, Group consumer);
    bool step(std::vector<Group>& queue, std::size_t& at, Group from, Group to, bool forward);
    void reorder(Group producer, Group consumer, Group merged);

    const Problem& m_problem;
    const Graph& m_graph;
    FusionLimits m_limits;
    std::vector<std::int64_t> m_roomBytes;   ///< per device: left beside what is resident
    std::vector<State> m_states;             ///< per group
    std::vector<Group> m_groupOf;            ///< per op
    std::vector<std::uint32_t> m_nextOp;     ///< per op: another of its group, in a ring
    std::vector<std::int64_t> m_insideBytes; ///< per op: of its traffic, as in fusedShare()
    std::vector<std::int64_t> m_memoryPs;    ///< per op: its share of its group's
    OrderList m_order;                       ///< groups, producers first

    std::vector<Crossing> m_crossings; ///< by group, then by op
    std::vector<std::uint32_t> m_mark; ///< per group: the search that saw it, and from which end
    std::uint32_t m_search = 0;
    std::vector<Group> m_forward, m_backward; ///< seen by the last search, from the producer and from the consumer
    bool m_forwardIsWhole = false;            ///< else m_backward is
};

} // namespace opscape
