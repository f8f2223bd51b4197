// SPDX-License-Identifier: MIT
// Two published graphs on three unrelated processors, with the schedules that are known for them: A from Topcuoglu,
// Hariri and Wu (2002), B from Arabnejad and Barbosa's PEFT paper (2014). One unit of the papers is 1000 ns.
#pragma once

#include "sim/test_problem.h"

namespace opscape::test {

struct Textbook {
    std::vector<std::array<int, 3>> times; ///< [task][processor], units
    std::vector<std::array<int, 3>> edges; ///< from, to (1-based), units
};

inline Textbook graphA() {
    return {{{14, 16, 9},
             {13, 19, 18},
             {11, 13, 19},
             {13, 8, 17},
             {12, 13, 10},
             {13, 16, 9},
             {7, 15, 11},
             {5, 11, 14},
             {18, 12, 20},
             {21, 7, 16}},
            {{1, 2, 18},
             {1, 3, 12},
             {1, 4, 9},
             {1, 5, 11},
             {1, 6, 14},
             {2, 8, 19},
             {2, 9, 16},
             {3, 7, 23},
             {4, 8, 27},
             {4, 9, 23},
             {5, 9, 13},
             {6, 8, 15},
             {7, 10, 17},
             {8, 10, 11},
             {9, 10, 13}}};
}

inline Textbook graphB() {
    return {{{22, 21, 36},
             {22, 18, 18},
             {32, 27, 43},
             {7, 10, 4},
             {29, 27, 35},
             {26, 17, 24},
             {14, 25, 30},
             {29, 23, 36},
             {15, 21, 8},
             {13, 16, 33}},
            {{1, 2, 17},
             {1, 3, 31},
             {1, 4, 29},
             {1, 5, 13},
             {1, 6, 7},
             {2, 8, 3},
             {2, 9, 30},
             {3, 7, 16},
             {4, 8, 11},
             {4, 9, 7},
             {5, 9, 57},
             {6, 8, 5},
             {7, 10, 9},
             {8, 10, 42},
             {9, 10, 7}}};
}

inline constexpr std::int64_t kUnitNs = 1000;

/// Every edge is a tensor of its own; kinds P1..P3, one device of each, full duplex, no latency.
inline Problem textbookProblem(const Textbook& book, LinkModel model,
                               ClusterShape::Wiring wiring = ClusterShape::Wiring::PerPair) {
    GraphBuilder builder("textbook");
    for (std::size_t t = 0; t < book.times.size(); ++t) {
        Op op;
        op.name = fmt::format("T{}", t + 1);
        op.type = "Task";
        for (std::size_t p = 0; p < 3; ++p)
            op.timeNs[fmt::format("P{}", p + 1)] = book.times[t][p] * kUnitNs;
        builder.addOp(op);
    }
    for (const auto& [from, to, cost] : book.edges) {
        Tensor tensor;
        tensor.name = fmt::format("T{}-T{}", from, to);
        tensor.bytes = cost * kUnitNs;
        builder.addInput(OpId(static_cast<std::size_t>(to - 1)),
                         builder.addOutput(OpId(static_cast<std::size_t>(from - 1)), tensor));
    }
    Diagnostics diagnostics;
    auto graph = std::move(builder).build(diagnostics);
    EXPECT_TRUE(graph.has_value());
    ClusterShape shape;
    shape.devices = 3;
    shape.kinds = {"P1", "P2", "P3"};
    shape.model = model;
    shape.wiring = wiring;
    return makeTestProblem(std::make_shared<const Graph>(std::move(*graph)), shape);
}

/// A schedule as the papers print it: the tasks of each processor in order, as an Order plan.
inline Plan inThisOrder(const std::vector<std::vector<int>>& tasks) {
    std::size_t count = 0;
    for (const auto& lane : tasks)
        count += lane.size();
    Plan plan;
    plan.device.resize(count);
    plan.priority.resize(count);
    plan.policy = QueuePolicy::Order;
    for (std::size_t p = 0; p < tasks.size(); ++p) {
        for (std::size_t i = 0; i < tasks[p].size(); ++i) {
            const auto task = static_cast<std::size_t>(tasks[p][i] - 1);
            plan.device[task] = DeviceId(p);
            plan.priority[task] = -static_cast<std::int64_t>(i);
        }
    }
    return plan;
}

inline Plan heftOnA() { return inThisOrder({{2, 8}, {4, 6, 9, 10}, {1, 3, 5, 7}}); }
inline Plan cpopOnA() { return inThisOrder({{3, 7}, {1, 2, 5, 9, 10}, {4, 6, 8}}); }
inline Plan optimumOnA() { return inThisOrder({{4, 6, 8}, {3, 7, 9, 10}, {1, 2, 5}}); }

/// PEFT: the optimistic cost table says what at least comes after task t on processor p; tasks are taken by the mean of
/// their row, and go where end time + table entry is least, into the first gap that fits.
inline std::vector<std::array<int, 3>> optimisticCosts(const Textbook& book) {
    std::vector<std::array<int, 3>> oct(book.times.size(), {0, 0, 0});
    for (std::size_t t = oct.size(); t-- > 0;) {
        for (std::size_t p = 0; p < 3; ++p) {
            for (const auto& [from, to, cost] : book.edges) {
                if (static_cast<std::size_t>(from) != t + 1)
                    continue;
                const auto next = static_cast<std::size_t>(to - 1);
                int least = INT32_MAX;
                for (std::size_t q = 0; q < 3; ++q)
                    least = std::min(least, oct[next][q] + book.times[next][q] + (q == p ? 0 : cost));
                oct[t][p] = std::max(oct[t][p], least);
            }
        }
    }
    return oct;
}

inline Plan peft(const Textbook& book) {
    struct Run {
        int start, end, task;
    };
    const auto oct = optimisticCosts(book);
    const std::size_t count = book.times.size();
    const auto rank = [&oct](std::size_t t) { return oct[t][0] + oct[t][1] + oct[t][2]; };
    std::vector<int> end(count, -1);
    std::vector<std::size_t> on(count, 0);
    std::array<std::vector<Run>, 3> lanes;
    for (std::size_t done = 0; done < count; ++done) {
        std::size_t best = count;
        for (std::size_t t = 0; t < count; ++t) {
            const bool isReady =
                end[t] < 0 && std::ranges::all_of(book.edges, [&](const auto& e) {
                    return static_cast<std::size_t>(e[1]) != t + 1 || end[static_cast<std::size_t>(e[0] - 1)] >= 0;
                });
            if (isReady && (best == count || rank(t) > rank(best)))
                best = t;
        }
        int bestValue = INT32_MAX, bestStart = 0;
        for (std::size_t p = 0; p < 3; ++p) {
            int start = 0;
            for (const auto& [from, to, cost] : book.edges) {
                const auto before = static_cast<std::size_t>(from - 1);
                if (static_cast<std::size_t>(to) == best + 1)
                    start = std::max(start, end[before] + (on[before] == p ? 0 : cost));
            }
            for (const Run& run : lanes[p]) {
                if (start + book.times[best][p] > run.start)
                    start = std::max(start, run.end);
            }
            const int value = start + book.times[best][p] + oct[best][p];
            if (value < bestValue) {
                bestValue = value;
                bestStart = start;
                on[best] = p;
            }
        }
        end[best] = bestStart + book.times[best][on[best]];
        lanes[on[best]].push_back({bestStart, end[best], static_cast<int>(best + 1)});
        std::ranges::sort(lanes[on[best]], {}, &Run::start);
    }
    std::vector<std::vector<int>> tasks(3);
    for (std::size_t p = 0; p < 3; ++p) {
        for (const Run& run : lanes[p])
            tasks[p].push_back(run.task);
    }
    return inThisOrder(tasks);
}

} // namespace opscape::test
