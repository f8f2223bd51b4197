// SPDX-License-Identifier: MIT
// What the colours of a graph stand for. Every way to colour sorts the ops into classes: devices, types of op, or the
// steps of a scale from small to large; so boxes, the bars of groups and the legend are drawn by one piece of code. A
// scale knows each op's number too, for the figures of groups.
#pragma once

#include "op_values.h"
#include "theme.h"

#include <opscape/plan/problem.h>

#include <optional>
#include <span>

namespace opscape {

enum class ColourBy : std::uint8_t { Device, Time, Memory, Priority, FusionGroup, OpType, Value };

/// "device", "time", "memory", "priority", "fusion", "type", "value".
[[nodiscard]] std::string_view toString(ColourBy by);
[[nodiscard]] std::optional<ColourBy> parseColourBy(std::string_view name);

/// What is known; all but the graph may be null.
struct ColourSource {
    const Graph* graph = nullptr;
    const Cluster* cluster = nullptr;
    const Plan* plan = nullptr;
    const CostModel* cost = nullptr;
    const OpValues* values = nullptr;
};

class OpColours {
public:
    struct Class {
        std::string name;
        std::string letter; ///< in boxes and legend; may be empty
        std::size_t ops = 0;
        std::int64_t busyNs = 0; ///< of its ops together; 0 without a plan and a cost model
    };

    OpColours(ColourBy by, const ColourSource& source);

    [[nodiscard]] ColourBy by() const { return m_by; }
    [[nodiscard]] const std::vector<Class>& classes() const { return m_classes; }
    /// -1 for an op without: not placed, no value.
    [[nodiscard]] int classOf(OpId op) const { return m_class[op.index()]; }
    [[nodiscard]] QColor colour(const Theme& theme, int of) const;
    /// Heading of the legend; empty for devices.
    [[nodiscard]] std::string title() const;

    /// The classes are steps of a scale.
    [[nodiscard]] bool isScale() const { return !m_value.empty(); }
    /// Not a number for an op without.
    [[nodiscard]] double value(OpId op) const { return m_value[op.index()]; }
    [[nodiscard]] std::string valueText(double value) const;
    /// Time on its device; 0 when nothing tells.
    [[nodiscard]] std::int64_t timeNs(OpId op) const { return m_timeNs.empty() ? 0 : m_timeNs[op.index()]; }

private:
    static constexpr int kSteps = 8;

    void byDevice(const ColourSource& source);
    void byType(const Graph& graph);
    void byFusion(const ColourSource& source);
    void byScale(std::vector<double> values);
    /// By their places in the order from the highest priority to the lowest, so that every class has its share of ops
    /// whatever the numbers are.
    void byPriority(std::span<const std::int64_t> priority);

    ColourBy m_by;
    std::string m_valueTitle;
    std::vector<Class> m_classes;
    std::vector<int> m_class;           ///< per op
    std::vector<double> m_value;        ///< per op; empty unless it is a scale
    std::vector<std::int64_t> m_timeNs; ///< per op; may be empty
};

} // namespace opscape
