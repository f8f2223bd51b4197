// SPDX-License-Identifier: MIT
// What the tests of the store share: a file in a temporary folder, and a run with every field filled.
#pragma once

#include "support/temporary_folder.h"

#include <opscape/store/run_store.h>

#include <gtest/gtest.h>

namespace opscape::test {

inline const std::string kGraphJson = R"({"opscape_graph": 1, "ops": ["a", "b"]})";
inline const std::string kClusterJson = R"({"opscape_cluster": 1, "id": "two"})";

inline const std::string kPlanJson = R"({"opscape_plan": 1})";

inline RunRecord sampleRun() {
    RunRecord run;
    run.kind = "optimize";
    run.graphHash = "0123456789abcdef";
    run.graphName = "résumé net";
    run.graphPath = "/somewhere/net.onnx";
    run.ops = 105;
    run.edges = 112;
    run.clusterHash = "fedcba9876543210";
    run.clusterId = "p100x4";
    run.linkModel = "fifo";
    run.optimizer = "heft";
    run.objective = "pipeline";
    run.revision = 3;
    run.options = {{"budget", "12.5"}, {"insertion", "true"}};
    run.seed = 0xfedcba9876543210ULL; // does not fit a signed integer
    run.version = "0.1.0";
    run.startedMs = 1'700'000'000'123;
    run.notes = "first try";
    return run;
}

inline std::string sampleGraph() { return kGraphJson; }

class StoreTest : public testing::Test {
protected:
    [[nodiscard]] std::filesystem::path file() const { return m_folder / "runs.sqlite"; }
    [[nodiscard]] const TemporaryFolder& folder() const { return m_folder; }
    [[nodiscard]] RunStore openStore() const {
        auto store = RunStore::open(file());
        if (!store)
            throw std::runtime_error(store.error().message);
        return std::move(*store);
    }
    static std::int64_t beginRun(RunStore& store, const RunRecord& run = sampleRun()) {
        const auto id = store.begin(run, sampleGraph, kClusterJson);
        if (!id)
            throw std::runtime_error(id.error().message);
        return *id;
    }

    /// One that has ended, with a plan.
    static std::int64_t keepRun(RunStore& store, const RunRecord& run = sampleRun(),
                                const RunResult& result = {10, 5, 100, 50, true}) {
        const std::int64_t id = beginRun(store, run);
        if (auto done = store.finish(id, RunStatus::Finished, 3, result, kPlanJson, {}); !done)
            throw std::runtime_error(done.error().message);
        return id;
    }

private:
    TemporaryFolder m_folder;
};

} // namespace opscape::test
