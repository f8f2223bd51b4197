// SPDX-License-Identifier: MIT
// The promise of the by-time-saved fuser, kept on every graph of the list: under the same placement and scheduler the
// step is never slower than unfused or with elementwise chains, and what fitted in memory still fits.
#include "io/recurrent_model.h"
#include "sim/test_problem.h"

#include <opscape/base/paths.h>
#include <opscape/io/format.h>
#include <opscape/search/finish.h>
#include <opscape/search/setup.h>
#include <opscape/sim/ranks.h>

namespace opscape::test {
namespace {

struct Subject {
    std::string name;
    std::shared_ptr<const Graph> graph;
};

/// Add graphs here.
std::vector<Subject> subjects() {
    std::vector<Subject> list;
    std::vector<std::filesystem::path> files;
    for (const auto& entry :
         std::filesystem::directory_iterator(std::filesystem::path(OPSCAPE_SOURCE_DIR) / "data" / "graphs")) {
        if (entry.path().extension() == ".json")
            files.push_back(entry.path());
    }
    std::ranges::sort(files);
    for (const std::filesystem::path& file : files) {
        auto read = readGraph(file);
        EXPECT_TRUE(read.has_value()) << file;
        if (read)
            list.push_back({file.stem().string(), std::make_shared<const Graph>(std::move(read->graph))});
    }
    for (const RecurrentModel::Size size :
         {RecurrentModel::Size{2, 4, 32, 256, 1000}, RecurrentModel::Size{3, 12, 64, 1024, 10000}})
        list.push_back({fmt::format("recurrent {}x{}", size.layers, size.steps),
                        std::make_shared<const Graph>(RecurrentModel(size).trainingStep("recurrent"))});
    return list;
}

TEST(TimeSavedFusion, IsNeverSlowerThanNoFusionOnAnyGraphUnderAnyScheduler) {
    for (const Subject& subject : subjects()) {
        int faster = 0, tried = 0;
        for (const char* clusterName : {"p100x4", "2hosts_4gpu"}) {
            Diagnostics diagnostics;
            const Problem problem = makeProblem(
                subject.graph, std::make_shared<const Cluster>(Cluster::load(clusterName).value()), diagnostics);
            const auto setup = SearchSetup::make(problem);
            ASSERT_TRUE(setup.has_value());
            for (const NamedPlacement& placement : quickPlacements(problem, setup->groups(), upwardRanks(problem))) {
                for (const SchedulerInfo& scheduler : schedulers()) {
                    SCOPED_TRACE(
                        fmt::format("{} on {}, {}, {}", subject.name, clusterName, placement.name, scheduler.id));
                    const Plan plan = setup->planFor(placement.device);
                    const auto unfused = finished(problem, plan, {Fuser::None, scheduler.scheduler}, {});
                    const auto fused = finished(problem, plan, {Fuser::TimeSaved, scheduler.scheduler}, {});
                    const auto chains = finished(problem, plan, {Fuser::Elementwise, scheduler.scheduler}, {});
                    ASSERT_TRUE(unfused && fused && chains);
                    const Schedule before = simulated(problem, *unfused), after = simulated(problem, *fused);
                    EXPECT_LE(after.makespanNs, before.makespanNs);
                    EXPECT_LE(after.makespanNs, simulated(problem, *chains).makespanNs);
                    EXPECT_TRUE(after.feasible || !before.feasible);
                    ++tried;
                    faster += after.makespanNs < before.makespanNs ? 1 : 0;
                }
            }
        }
        const bool canFuse = subject.name.find("textbook") == std::string::npos; // ops of no type
        EXPECT_EQ(faster > tried / 2, canFuse) << subject.name << ": faster in " << faster << " of " << tried;
    }
}

} // namespace
} // namespace opscape::test
