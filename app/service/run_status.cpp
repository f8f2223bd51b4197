// SPDX-License-Identifier: MIT
#include "run_status.h"

namespace opscape {
namespace {

constexpr std::string_view kPaused = "paused"; // as the store has it where runs are looked for

} // namespace

std::set<std::int64_t> pausedRuns(const RunStore& store) {
    RunQuery query;
    query.condition.kind = RunCondition::Kind::Text;
    query.condition.field = RunField::Status;
    query.condition.compare = RunCondition::Compare::Equal;
    query.condition.text = kPaused;
    const auto found = store.find(query);
    return found ? std::set(found->begin(), found->end()) : std::set<std::int64_t>();
}

std::string_view statusText(const RunRecord& run, bool isPaused) {
    return isPaused && run.status == RunStatus::Running ? kPaused : toString(run.status);
}

} // namespace opscape
