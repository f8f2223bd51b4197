// SPDX-License-Identifier: MIT
#include "sim/test_problem.h"

#include <opscape/io/schedule_export.h>

#include <nlohmann/json.hpp>

#include <map>
#include <set>

namespace opscape::test {
namespace {

using Json = nlohmann::json;

/// Random schedules: fused groups, control signals, transfers that overlap under every link model.
struct RandomSchedule {
    Problem problem;
    Plan plan;
    Schedule schedule;

    explicit RandomSchedule(std::uint64_t seed) {
        Random random(seed);
        const auto graph = randomGraph(random, 80);
        problem = makeTestProblem(graph, randomShape(random));
        plan = randomPlan(problem, random);
        schedule = simulated(problem, plan);
    }
    [[nodiscard]] std::string trace(const ScheduleSlice& slice = {}) const {
        return *writeChromeTrace(problem, plan, schedule, slice, RunContext());
    }
    [[nodiscard]] std::string csv(const ScheduleSlice& slice = {}) const {
        return *writeScheduleCsv(problem, plan, schedule, slice, RunContext());
    }
};

std::int64_t nsOf(const Json& event, const char* key) { return std::llround(event[key].get<double>() * 1000); }

std::vector<std::string> linesOf(const std::string& text) {
    std::vector<std::string> lines;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = text.find('\n', at);
        lines.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    return lines;
}

TEST(ChromeTrace, SlicesOfAThreadNeverOverlap) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        const RandomSchedule s(seed);
        std::map<int, std::vector<std::pair<std::int64_t, std::int64_t>>> threads;
        const Json trace = Json::parse(s.trace());
        for (const Json& event : trace["traceEvents"]) {
            if (event["ph"] == "X")
                threads[event["tid"]].emplace_back(nsOf(event, "ts"), nsOf(event, "ts") + nsOf(event, "dur"));
        }
        EXPECT_FALSE(threads.empty());
        for (auto& [thread, slices] : threads) {
            std::ranges::sort(slices);
            for (std::size_t i = 1; i < slices.size(); ++i)
                EXPECT_GE(slices[i].first, slices[i - 1].second) << "seed " << seed << " thread " << thread;
        }
    }
}

TEST(ChromeTrace, HasEveryOpAndEveryTransferAtItsTime) {
    const RandomSchedule s(5);
    std::multiset<std::tuple<std::string, std::int64_t, std::int64_t>> ops;
    std::size_t transfers = 0, members = 0;
    const Json trace = Json::parse(s.trace());
    for (const Json& event : trace["traceEvents"]) {
        if (event["ph"] != "X")
            continue;
        if (event["cat"] == "transfer") {
            ++transfers;
            continue;
        }
        members += event["args"].contains("ops") ? event["args"]["ops"].size() : 1;
        ops.emplace(event["name"], nsOf(event, "ts"), nsOf(event, "ts") + nsOf(event, "dur"));
    }
    EXPECT_EQ(members, s.schedule.ops.size()) << "none is lost in a fused group";
    for (std::size_t i = 0; i < s.schedule.ops.size(); ++i) {
        const bool fused = i < s.plan.fusionGroup.size() && s.plan.fusionGroup[i] != Plan::kNotFused;
        if (!fused) {
            EXPECT_TRUE(
                ops.contains({s.problem.graph->op(OpId(i)).name, s.schedule.ops[i].startNs, s.schedule.ops[i].endNs}));
        }
    }
    std::size_t onChannels = 0;
    for (const Transfer& transfer : s.schedule.transfers)
        onChannels += s.problem.cluster->route(transfer.from, transfer.to).size();
    EXPECT_EQ(transfers, onChannels);
}

TEST(ChromeTrace, FlowsBeginAndEndInsideSlices) {
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        const RandomSchedule s(seed);
        const Json trace = Json::parse(s.trace());
        std::map<int, std::string> flows;
        const auto inside = [&](const Json& flow) {
            return std::ranges::any_of(trace["traceEvents"], [&](const Json& event) {
                return event["ph"] == "X" && event["tid"] == flow["tid"] && nsOf(event, "ts") <= nsOf(flow, "ts") &&
                       nsOf(flow, "ts") <= nsOf(event, "ts") + nsOf(event, "dur");
            });
        };
        for (const Json& event : trace["traceEvents"]) {
            const std::string phase = event["ph"];
            if (phase != "s" && phase != "t" && phase != "f")
                continue;
            EXPECT_TRUE(inside(event)) << event.dump();
            flows[event["id"]] += phase;
        }
        for (const auto& [id, phases] : flows)
            EXPECT_EQ(phases, "stf");
        EXPECT_TRUE(s.schedule.transfers.empty() || !flows.empty());
    }
}

TEST(ChromeTrace, MemoryIsACounterPerDevice) {
    const RandomSchedule s(3);
    std::map<std::string, std::int64_t> most;
    const Json trace = Json::parse(s.trace());
    for (const Json& event : trace["traceEvents"]) {
        if (event["ph"] == "C") {
            auto& peak = most[event["name"]];
            peak = std::max(peak, event["args"]["bytes"].get<std::int64_t>());
        }
    }
    for (std::size_t d = 0; d < s.schedule.devices.size(); ++d) {
        EXPECT_EQ(most["memory of " + s.problem.cluster->device(DeviceId(d)).name], s.schedule.devices[d].peakBytes);
    }
}

TEST(ScheduleCsv, HasALineForEachOpAndTransferInOrder) {
    const RandomSchedule s(7);
    const auto lines = linesOf(s.csv());
    ASSERT_EQ(lines.size(), 1 + s.schedule.ops.size() + s.schedule.transfers.size());
    std::int64_t before = 0;
    for (std::size_t i = 1; i < lines.size(); ++i) {
        EXPECT_EQ(std::ranges::count(lines[i], ','), 11) << lines[i];
        std::size_t at = 0;
        for (int field = 0; field < 4; ++field)
            at = lines[i].find(',', at) + 1;
        const std::int64_t start = std::stoll(lines[i].substr(at));
        EXPECT_GE(start, before);
        before = start;
    }
}

TEST(ScheduleCsv, QuotesNamesThatNeedIt) {
    TinyGraph g;
    g.op("a, \"b\"", 10);
    const Problem problem = makeTestProblem(g.build(), {.devices = 1});
    const Plan plan = placed({0});
    const auto text = writeScheduleCsv(problem, plan, simulated(problem, plan), {}, RunContext());
    EXPECT_NE(text->find("op,\"a, \"\"b\"\"\",Test,d0,0,10,0,"), std::string::npos) << *text;
}

TEST(ScheduleExport, ASliceHasOnlyItsLanesAndItsTime) {
    const RandomSchedule s(9);
    ScheduleSlice slice;
    slice.fromNs = s.schedule.makespanNs / 4;
    slice.toNs = s.schedule.makespanNs / 2;
    slice.devices.assign(s.problem.cluster->deviceCount(), 0);
    slice.devices[0] = 1;
    slice.channels.assign(s.problem.cluster->channelCount() + 1, 0);
    std::size_t expected = 0;
    for (std::size_t i = 0; i < s.schedule.ops.size(); ++i)
        expected += s.plan.device[i] == DeviceId(0) && s.schedule.ops[i].startNs < slice.toNs &&
                            s.schedule.ops[i].endNs > slice.fromNs
                        ? 1
                        : 0;
    EXPECT_EQ(linesOf(s.csv(slice)).size(), 1 + expected);
    const Json trace = Json::parse(s.trace(slice));
    for (const Json& event : trace["traceEvents"])
        EXPECT_NE(event.value("cat", ""), "transfer");
}

TEST(ScheduleExport, StopsWhenAskedToAndSaysHowFarItIs) {
    const RandomSchedule s(2);
    std::stop_source stop;
    RunContext context;
    context.stop = stop.get_token();
    double fraction = -1;
    context.progress = [&](const Progress& progress) { fraction = progress.fraction; };
    EXPECT_TRUE(writeChromeTrace(s.problem, s.plan, s.schedule, {}, context).has_value());
    EXPECT_GE(fraction, 0);
    stop.request_stop();
    EXPECT_FALSE(writeChromeTrace(s.problem, s.plan, s.schedule, {}, context).has_value());
    EXPECT_FALSE(writeScheduleCsv(s.problem, s.plan, s.schedule, {}, context).has_value());
}

} // namespace
} // namespace opscape::test
