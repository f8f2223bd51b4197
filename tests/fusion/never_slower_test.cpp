// SPDX-License-Identifier: MIT
// The promise of the by-time-saved fuser, kept on every graph of the list, one test each: under the same placement and
// scheduler the step is never slower than unfused or with elementwise chains, and what fitted in memory still fits.
#include "sim/test_problem.h"

#include <opscape/io/format.h>
#include <opscape/search/finish.h>
#include <opscape/search/setup.h>
#include <opscape/sim/ranks.h>
#include <opscape/zoo/zoo.h>

namespace opscape::test {
namespace {

struct Subject {
    std::string name; ///< of letters and digits
    std::function<Result<Graph>()> make;
    bool hasTypes = true; ///< false: the ops say nothing of what they do, and nothing is fused
};

void PrintTo(const Subject& subject, std::ostream* out) { *out << subject.name; }

/// Bundled graphs and the whole zoo.
std::vector<Subject> subjects() {
    std::vector<Subject> list;
    for (const auto& entry : std::filesystem::directory_iterator(OPSCAPE_SOURCE_DIR "/data/graphs")) {
        const std::filesystem::path file = entry.path();
        if (file.extension() != ".json")
            continue;
        const auto make = [file]() -> Result<Graph> {
            auto read = readGraph(file);
            if (!read)
                return fail(read.error());
            return std::move(read->graph);
        };
        list.push_back({file.stem().string(), make, !file.stem().string().starts_with("textbook")});
    }
    for (const ZooModel& model : zooModels())
        list.push_back({"zoo_" + model.id, [&model] { return buildZooModel(model.id, "small"); }});
    for (Subject& subject : list)
        std::ranges::replace(subject.name, '-', '_');
    std::ranges::sort(list, {}, &Subject::name);
    return list;
}

class TimeSavedFusion : public testing::TestWithParam<Subject> {};

TEST_P(TimeSavedFusion, IsNeverSlowerThanTheOtherFusersUnderAnyScheduler) {
    auto made = GetParam().make();
    ASSERT_TRUE(made.has_value()) << made.error().message;
    const auto graph = std::make_shared<const Graph>(std::move(*made));
    Diagnostics diagnostics;
    const Problem problem =
        makeProblem(graph, std::make_shared<const Cluster>(Cluster::load("p100x4").value()), diagnostics);
    const auto setup = SearchSetup::make(problem);
    ASSERT_TRUE(setup.has_value());
    int faster = 0, tried = 0;
    for (const NamedPlacement& placement : quickPlacements(problem, setup->groups(), upwardRanks(problem))) {
        for (const SchedulerInfo& scheduler : schedulers()) {
            SCOPED_TRACE(fmt::format("{}, {}", placement.name, scheduler.id));
            const Plan plan = setup->planFor(placement.device);
            const auto with = [&](Fuser fuser) {
                const auto done = finished(problem, plan, {fuser, scheduler.scheduler}, {});
                EXPECT_TRUE(done.has_value());
                return done ? simulated(problem, *done) : Schedule();
            };
            const Schedule none = with(Fuser::None), chains = with(Fuser::Elementwise), best = with(Fuser::TimeSaved);
            EXPECT_TRUE(best.feasible || (!none.feasible && !chains.feasible));
            for (const Schedule* other : {&none, &chains}) {
                if (other->feasible || !best.feasible) {
                    EXPECT_LE(best.makespanNs, other->makespanNs);
                }
            }
            ++tried;
            faster += best.makespanNs < none.makespanNs ? 1 : 0;
        }
    }
    EXPECT_EQ(faster > tried / 2, GetParam().hasTypes) << "faster in " << faster << " of " << tried;
}

INSTANTIATE_TEST_SUITE_P(Graphs, TimeSavedFusion, testing::ValuesIn(subjects()),
                         [](const auto& subject) { return subject.param.name; });

} // namespace
} // namespace opscape::test
