// SPDX-License-Identifier: MIT
#include "kept_run.h"

#include <opscape/io/opscape_json.h>

namespace opscape {
namespace {

void noteNotKept(Diagnostics& diagnostics, const Error& error) {
    diagnostics.add(Severity::Warning, "run-not-kept", "The result is shown, but not kept as a run", error.message);
}

} // namespace

void KeptRun::begin(const std::filesystem::path& database, const RunRecord& run, const Graph& graph,
                    const Cluster& cluster, Diagnostics& diagnostics) {
    auto store = RunStore::open(database);
    if (!store) {
        noteNotKept(diagnostics, store.error());
        return;
    }
    const auto id = store->begin(
        run, [&graph] { return writeOpscapeJson(graph); }, cluster.source());
    if (!id) {
        noteNotKept(diagnostics, id.error());
        return;
    }
    m_store = std::move(*store);
    m_id = *id;
}

Result<> KeptRun::resume(const std::filesystem::path& database, std::int64_t id) {
    auto store = RunStore::open(database);
    if (!store)
        return fail(store.error());
    if (auto claimed = store->claim(id); !claimed)
        return claimed;
    m_store = std::move(*store);
    m_id = id;
    return {};
}

KeptRun::~KeptRun() {
    Diagnostics ignored;
    std::ignore = finish(RunStatus::Failed, 0, std::nullopt, {}, "The run ended without a result.", ignored);
}

std::int64_t KeptRun::finish(RunStatus status, std::int64_t wallMs, const std::optional<RunResult>& result,
                             std::string_view planJson, std::string_view error, Diagnostics& diagnostics) {
    if (!m_store)
        return 0;
    const auto done = m_store->finish(m_id, status, wallMs, result, planJson, error);
    m_store.reset();
    if (done)
        return m_id;
    noteNotKept(diagnostics, done.error());
    return 0;
}

} // namespace opscape
