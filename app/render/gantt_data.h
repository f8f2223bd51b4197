// SPDX-License-Identifier: MIT
// A schedule prepared for drawing and asking: a lane per device, per channel and per memory curve, with the bars of
// each in order of time. Made once, then shared. Where a lane is seen, or whether, is another matter (gantt_lanes.h).
#pragma once

#include <opscape/plan/problem.h>
#include <opscape/sim/schedule.h>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace opscape {

class GanttData {
public:
    enum class LaneKind { Device, Memory, Channel };
    /// What a device runs in one go, an op or a fused group, or a transfer on one of its channels.
    struct Bar {
        std::int64_t startNs = 0, endNs = 0;
        std::uint32_t index = 0;  ///< op id, of a fused group its lowest; or index into Schedule::transfers
        std::uint32_t device = 0; ///< gives the colour where nothing else does
        std::uint32_t row = 0;    ///< of those that overlap each has a row of its own, as long as there are rows
    };
    /// Time in which a lane is busy with one op, none overlapping another within a row: what is measured and coloured.
    /// Of a fused group every op has its part, as long as its share of the work.
    struct Span {
        std::int64_t startNs = 0, endNs = 0;
        std::uint32_t op = 0; ///< of a transfer the producer
        std::uint32_t device = 0;
    };
    struct Row {
        std::vector<Span> spans;
        /// Time busy before each span, and in the end in all: any share is the difference of two of them.
        std::vector<std::int64_t> busyBefore;
        [[nodiscard]] std::int64_t busyNs(std::int64_t fromNs, std::int64_t toNs) const;
        void sum(); ///< once all spans are there
    };
    struct Lane {
        LaneKind kind = LaneKind::Device;
        std::uint32_t index = 0; ///< device or channel id
        std::string label;
        std::string key;            ///< names the lane in settings: "device gpu:0", "memory gpu:0", "channel bus"
        std::vector<Bar> bars;      ///< by start, then row
        std::vector<Row> rows;      ///< one unless bars overlap
        Row together;               ///< of several rows what is covered by any; empty where there is one
        std::int64_t longestNs = 0; ///< of its bars
        std::size_t mostRows = 1;   ///< how many would be needed for every bar to be seen
        /// Time in which at least one bar covers it.
        [[nodiscard]] std::int64_t busyNs(std::int64_t fromNs, std::int64_t toNs) const {
            return (rows.size() > 1 ? together : rows.front()).busyNs(fromNs, toNs);
        }
    };
    /// A bar by its place.
    struct Place {
        std::uint32_t lane = kNowhere, bar = 0;
        [[nodiscard]] bool valid() const { return lane != kNowhere; }
        static constexpr std::uint32_t kNowhere = 0xffffffffu;
    };
    static constexpr std::size_t kMostRows = 6; ///< of a lane; what overlaps beyond that shares the last

    /// Borrows all three.
    GanttData(const Problem& problem, const Plan& plan, const Schedule& schedule);

    [[nodiscard]] const std::vector<Lane>& lanes() const { return m_lanes; }
    [[nodiscard]] const Schedule& schedule() const { return *m_schedule; }
    [[nodiscard]] const Problem& problem() const { return *m_problem; }
    [[nodiscard]] const Plan& plan() const { return *m_plan; }
    /// The lane of a device or channel; -1 when it has none.
    [[nodiscard]] int laneOf(LaneKind kind, std::uint32_t index) const;
    /// Name of the op, or of the tensor that is sent.
    [[nodiscard]] std::string_view nameOf(const Lane& lane, const Bar& bar) const;
    [[nodiscard]] const Bar& bar(Place place) const { return m_lanes[place.lane].bars[place.bar]; }

    /// The ops of a device's bar, ascending: one, or those of a fused group.
    [[nodiscard]] std::span<const OpId> opsOf(const Bar& bar) const;
    [[nodiscard]] bool isFused(const Bar& bar) const { return opsOf(bar).size() > 1; }
    [[nodiscard]] Place barOf(OpId op) const;
    /// On the first channel of its route.
    [[nodiscard]] Place barOfTransfer(std::uint32_t transfer) const;
    /// What an op sends, and what its device receives for it, as indices into Schedule::transfers, ascending.
    [[nodiscard]] std::span<const std::uint32_t> sentBy(OpId op) const;
    [[nodiscard]] std::vector<std::uint32_t> receivedFor(OpId op) const;

private:
    void groupOps();
    void addDevices();
    void addChannels();
    void indexTransfers();
    void placeBars();
    void makeRows(Lane& lane) const;
    void addSpans(const Lane& lane, const Bar& bar, Row& row) const;

    const Problem* m_problem;
    const Plan* m_plan;
    const Schedule* m_schedule;
    std::vector<Lane> m_lanes;
    std::vector<OpId> m_members;              ///< ops by bar
    std::vector<std::uint32_t> m_memberFirst; ///< per op: where those of its bar begin
    std::vector<std::uint32_t> m_memberCount; ///< per op
    std::vector<Place> m_barOfOp, m_barOfTransfer;
    std::vector<std::uint32_t> m_sent, m_sentFirst; ///< transfers by producer
};

} // namespace opscape
