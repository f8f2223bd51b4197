// SPDX-License-Identifier: MIT
// Two schedules of one graph set against one another: what each device does in both at the same time, what in only one
// of them, and how much earlier or later each op runs. Made once, then drawn by delta_picture.h.
#pragma once

#include "gantt_picture.h"

#include <array>
#include <span>
#include <vector>

namespace opscape {

/// A schedule with what it is of; borrowed.
struct ScheduledPlan {
    const Problem* problem = nullptr;
    const Plan* plan = nullptr;
    const Schedule* schedule = nullptr;
};

class DeltaGantt {
public:
    enum class Ran : std::uint8_t { Same, Both, OnlyA, OnlyB }; ///< Same: in both, and there is an op that runs in both
    static constexpr std::size_t kRanKinds = 4;
    struct Span {
        std::int64_t startNs = 0, endNs = 0;
        Ran ran = Ran::Both;
    };
    /// Of an op in the second schedule against the first; Much: by more than kMuch of the longer step.
    enum class Shift : std::uint8_t { None, Earlier, MuchEarlier, Later, MuchLater, Elsewhere };
    static constexpr std::size_t kShifts = 6;
    static constexpr double kMuch = 0.05;
    struct Bar {
        std::int64_t startNs = 0, endNs = 0;
        std::uint32_t op = 0;
        Shift shift = Shift::None;
    };

    struct Lane {
        std::string label;
        DeviceId a, b;           ///< of the same name; invalid where a cluster has none
        std::vector<Span> spans; ///< by start, one after another; nothing where the device idles in both
        std::array<std::int64_t, kRanKinds> ns{}; ///< sums over the spans
        std::vector<Bar> barsA, barsB;            ///< the ops by start; those of a fused kernel overlap
        double top = 0, height = 0;               ///< pixels below axis and legend, before scrolling
    };

    DeltaGantt(const ScheduledPlan& a, const ScheduledPlan& b);

    [[nodiscard]] const std::vector<Lane>& lanes() const { return m_lanes; }
    [[nodiscard]] const ScheduledPlan& a() const { return m_a; }
    [[nodiscard]] const ScheduledPlan& b() const { return m_b; }
    [[nodiscard]] std::int64_t endNs() const;
    /// Start in the second schedule minus start in the first.
    [[nodiscard]] std::int64_t shiftNs(OpId op) const;
    [[nodiscard]] Shift shiftOf(OpId op) const { return m_shift[op.index()]; }

private:
    void addLanes();
    void addBars();
    void addSpans(Lane& lane) const;

    ScheduledPlan m_a, m_b;
    std::vector<Shift> m_shift; ///< per op
    std::vector<Lane> m_lanes;
};

/// Share of the time of pixel columns in which each kind runs; what is missing to 1 is idle in both.
using RanShares = std::array<float, DeltaGantt::kRanKinds>;
[[nodiscard]] std::vector<RanShares> spanColumns(std::span<const DeltaGantt::Span> spans, double startNs,
                                                 double nsPerColumn, std::size_t columns);

/// Bars of at most `widestNs`, likewise: how much of a column's time is busy, and the shift of most of it.
struct ShiftColumn {
    double busy = 0;
    DeltaGantt::Shift shift = DeltaGantt::Shift::None;
};
[[nodiscard]] std::vector<ShiftColumn> shiftColumns(std::span<const DeltaGantt::Bar> bars, double startNs,
                                                    double nsPerColumn, std::size_t columns, double widestNs);

} // namespace opscape
