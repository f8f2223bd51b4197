// SPDX-License-Identifier: MIT
// The event loop of the simulator. It advances from moment to moment; at each one
//   1. everything that ends then is applied: memory is freed, readers are told, transfers become ready and are admitted
//      to their channels (sorted by tensor, then by destination); what takes no time ends in the same moment;
//   2. the copies that start to arrive are charged to their destination;
//   3. every idle device starts the unit that its queue puts first.
// A unit that takes no time brings the same time round again as a new moment.
#pragma once

#include <opscape/sim/channel_queues.h>
#include <opscape/sim/event_heap.h>
#include <opscape/sim/fair_links.h>
#include <opscape/sim/ready_queues.h>
#include <opscape/sim/unit_graph.h>

#include <limits>

namespace opscape {

/// A slot's presence on one device: first the original where it was made, then one for each device it is sent to.
/// A transfer is known by the copy that it makes.
struct SimCopy {
    std::int64_t bytes;
    std::uint32_t users; ///< units there that have yet to read it; for the original also the sends under way or to come
    std::uint16_t device;
};

struct SimDevice {
    std::int64_t memoryBytes = 0, peakBytes = 0, peakNs = 0, residentBytes = 0, busyNs = 0;
    std::int64_t leftNs = 0;   ///< work not started yet; counted only when the run has a limit
    std::uint32_t sending = 0; ///< data transfers out of it not ended yet; counted only when they block it
    std::uint32_t kind = 0;
    bool busy = false;
    bool touched = false; ///< may have something to start
};

/// What a full run leaves behind beside the result.
struct SimTrace {
    /// Memory taken (positive) or given back, in the order in which it happens.
    struct Step {
        std::int64_t timeNs, bytes;
        std::uint32_t moment;
        std::uint32_t copy; ///< kNobody for workspace
        std::uint16_t device;
    };
    std::vector<std::int64_t> unitReadyNs, unitStartNs, unitEndNs; ///< per unit
    std::vector<std::uint32_t> unitBehind;                         ///< per unit: what its device ran before it
    std::vector<std::int64_t> transferStartNs, transferEndNs;      ///< per copy; meaningless for originals
    std::vector<std::uint32_t> transferBehind; ///< per copy: the transfer it waited for, kNobody when it did not
    std::vector<Step> steps;
};

/// Hidden, because calls to what another library might replace are neither direct nor inlined.
class __attribute__((visibility("hidden"))) Engine {
public:
    static constexpr std::uint32_t kNobody = 0xffffffffu;

    explicit Engine(const Problem& problem);

    static constexpr std::int64_t kNoLimit = std::numeric_limits<std::int64_t>::max();

    /// Fails when a fixed order deadlocks. `trace` may be null. Gives up, and says so in exceeded(), as soon as it is
    /// certain that the makespan is above the limit: after what starts or arrives now there is at least its tail (the
    /// longest way to the end under the plan, without waits) to come, and for a device all of its work.
    [[nodiscard]] Result<> run(const UnitGraph& graph, const Plan& plan, SimTrace* trace,
                               std::int64_t limitNs = kNoLimit);

    [[nodiscard]] bool exceeded() const { return m_exceeded; }
    [[nodiscard]] std::int64_t makespanNs() const { return m_makespanNs; }
    [[nodiscard]] const std::vector<SimDevice>& devices() const { return m_devices; }
    /// copies()[copyFirst()[s] .. copyFirst()[s + 1]) are those of slot s, the original first.
    [[nodiscard]] std::span<const SimCopy> copies() const { return m_copies; }
    [[nodiscard]] std::span<const std::uint32_t> copyFirst() const { return m_copyFirst; }
    [[nodiscard]] std::uint32_t slotOf(std::uint32_t copy) const { return m_copySlot[copy]; }
    [[nodiscard]] std::uint16_t deviceOf(std::uint32_t unit) const { return m_units[unit].device; }

private:
    /// What the loop needs of a unit, in half a cache line: where graphs do not fit the cache, memory is what costs.
    struct UnitState {
        std::int64_t lengthNs;   ///< on its device
        std::int64_t takesBytes; ///< outputs and workspace
        std::uint32_t awaits;
        std::uint32_t inFirst, outFirst; ///< as in UnitGraph; they end where those of the next unit begin
        std::uint16_t device;
        bool hasWorkspace;
        bool ended;
    };

    void prepare(const Plan& plan);
    void countWorkLeft();
    void findTails();
    void makeCopies();
    void chargeResidents();
    template <bool kTraced>
    void dispatch(QueuePolicy policy);
    template <QueuePolicy P, bool kTraced>
    void loop();
    template <QueuePolicy P, bool kTraced>
    void endUnit(std::uint32_t unit);
    template <QueuePolicy P, bool kTraced>
    void endTransfer(std::uint32_t copy);
    template <QueuePolicy P, bool kTraced>
    void tellReaders(std::uint32_t slot, std::uint16_t device);
    template <QueuePolicy P, bool kTraced>
    void startNext(std::uint16_t device);
    template <bool kTraced>
    void admitTransfers();
    void checkArrival(std::uint32_t copy, std::int64_t endNs);
    template <bool kTraced>
    void startTransfer(std::uint32_t copy, std::int64_t endNs);
    template <bool kTraced>
    void charge(std::uint16_t device, std::int64_t bytes);
    template <bool kTraced>
    void releaseUnused(std::uint32_t copy);
    void note(std::uint16_t device, std::int64_t bytes, std::uint32_t copy);
    void touch(std::uint16_t device);
    /// When something ends next; later than anything when nothing will.
    [[nodiscard]] std::int64_t nextNs() const {
        return m_isFair ? std::min(m_heap.nextNs(), m_fair.nextNs()) : m_heap.nextNs();
    }
    /// Asks for the memory that the end of a unit will need, while other events pass; no result depends on it.
    void prefetch(const UnitState& unit) const;
    [[nodiscard]] std::string deadlock() const;

    std::shared_ptr<const Graph> m_opGraph;
    std::shared_ptr<const Cluster> m_cluster;
    bool m_blockingSend;
    ChannelQueues m_channels;
    bool m_isFair;
    FairLinks m_fair; ///< used in place of the channel queues under the link model of that name
    ReadyQueues m_queues;
    EventHeap m_heap;

    const UnitGraph* m_graph = nullptr; ///< of the run under way
    SimTrace* m_trace = nullptr;
    std::int64_t m_nowNs = 0, m_makespanNs = 0, m_limitNs = kNoLimit;
    bool m_exceeded = false;
    std::uint32_t m_moment = 0, m_ended = 0;
    std::vector<UnitState> m_units;
    std::vector<SimDevice> m_devices;
    std::vector<std::uint16_t> m_touched; ///< the first m_touchedCount
    std::size_t m_touchedCount = 0;
    std::vector<std::uint32_t> m_unitsOnDevice;
    std::vector<SimCopy> m_copies;
    std::vector<std::uint32_t> m_copyFirst, m_copySlot;
    std::vector<std::uint32_t> m_inputCopy; ///< per input of a unit: the copy it reads
    std::vector<std::int64_t> m_transferNs; ///< per copy: how long it is under way; when it ends once it waits
    std::vector<std::uint32_t> m_firstWaiter, m_nextWaiter;   ///< per copy: transfers that start when it ends
    std::vector<std::uint32_t> m_ready, m_started, m_arrived; ///< transfers, of this moment
    std::vector<std::int64_t> m_tailNs;                       ///< per unit; only when the run has a limit
    std::vector<std::uint32_t> m_stamp, m_copyOn;             ///< per device
    std::vector<std::uint32_t> m_ranLast;                     ///< per device; kept only for a trace
};

} // namespace opscape
