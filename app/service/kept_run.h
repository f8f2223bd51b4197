// SPDX-License-Identifier: MIT
// One run's row in the store, from its begin to its end. A store that cannot be used never costs the result: it is
// noted among the problems, and the run goes on without a row.
#pragma once

#include <opscape/base/diagnostics.h>
#include <opscape/device/cluster.h>
#include <opscape/graph/graph.h>
#include <opscape/store/run_store.h>

namespace opscape {

class KeptRun {
public:
    KeptRun() = default;
    KeptRun(const KeptRun&) = delete;
    KeptRun& operator=(const KeptRun&) = delete;
    /// A row that was not ended becomes a failed one.
    ~KeptRun();

    /// Begins the row; `run` says what is known beforehand. Without this call the run is not kept.
    void begin(const std::filesystem::path& database, const RunRecord& run, const Graph& graph, const Cluster& cluster,
               Diagnostics& diagnostics);
    /// Takes up a row that was begun before, here or elsewhere.
    [[nodiscard]] Result<> resume(const std::filesystem::path& database, std::int64_t id);
    /// Leaves the row as it is: another process goes on with it.
    void handOver() { m_store.reset(); }
    /// 0 when it is not kept.
    [[nodiscard]] std::int64_t id() const { return m_store ? m_id : 0; }
    /// Ends the row and gives its id, 0 when there is none.
    [[nodiscard]] std::int64_t finish(RunStatus status, std::int64_t wallMs, const std::optional<RunResult>& result,
                                      std::string_view planJson, std::string_view error, Diagnostics& diagnostics);

private:
    std::optional<RunStore> m_store; ///< none once the row is ended
    std::int64_t m_id = 0;
};

} // namespace opscape
