// SPDX-License-Identifier: MIT
#include "gui/what_if.h"

#include "edit/plan_judge.h"
#include "gui/shown_text.h"

#include <opscape/base/units.h>

#include <mutex>

namespace opscape {
namespace {

const QString kLane = QStringLiteral("what-if");
const QString kPrepareLane = QStringLiteral("what-if, to begin with");

bool sameProblem(const ShownRun& a, const ShownRun& b) {
    return a.problem().graph->hash() == b.problem().graph->hash() && a.cluster().hash() == b.cluster().hash() &&
           a.cluster().linkModel() == b.cluster().linkModel() && a.problem().objective == b.problem().objective;
}

} // namespace

/// Used by one worker at a time.
struct WhatIf::Engine {
    explicit Engine(ShownRunPtr run) : start(std::move(run)) {}
    PlanJudge& ready() {
        if (!judge)
            judge.emplace(start->outcome);
        return *judge;
    }
    ShownRunPtr start;
    std::mutex mutex;
    std::optional<PlanJudge> judge;
};

WhatIf::WhatIf(JobRunner& jobs, QObject* parent) : QObject(parent), m_jobs(jobs) {}

std::size_t WhatIf::startPosition() const { return std::prev(m_starts.upper_bound(m_history->position()))->first; }

ShownRunPtr WhatIf::start() const { return m_history ? m_starts.at(startPosition()) : nullptr; }

bool WhatIf::edited() const {
    return m_history &&
           (m_history->position() != startPosition() || m_history->now().givenPins() != start()->problem().pins);
}

void WhatIf::reset() {
    m_jobs.abandon(kLane);
    m_jobs.abandon(kPrepareLane);
    m_again = false;
    m_history.reset();
    m_starts.clear();
    m_engine.reset();
    emit changed();
}

void WhatIf::follow(const ShownRunPtr& run) {
    if (m_history && run == start() && !edited())
        return;
    m_jobs.abandon(kLane);
    m_again = false;
    if (!m_history || m_history->size() == 0 || !sameProblem(*start(), *run)) {
        m_starts = {{0, run}};
        m_history.emplace(EditedPlan::of(run->outcome->plan, run->problem().pins));
    } else {
        EditedPlan next = EditedPlan::of(run->outcome->plan, m_history->now().pins);
        const std::size_t before = next.pinnedCount();
        for (std::size_t i = 0; i < next.pins.size(); ++i) {
            if (next.pins[i] != next.plan.device[i])
                next.pins[i] = DeviceId();
        }
        if (const std::size_t gone = before - next.pinnedCount(); gone > 0)
            emit said(Severity::Info, tr("No longer pinned, since this run has them elsewhere: %1. Undo goes back.")
                                          .arg(countedText(gone, "op")));
        m_starts.erase(m_starts.upper_bound(m_history->position()), m_starts.end());
        m_history->push(tr("show %1").arg(methodText(*run)).toStdString(), std::move(next));
        m_starts[m_history->position()] = run;
    }
    prepare();
    emit changed();
    if (edited()) // pins went along to this run
        judge();
}

void WhatIf::edit(const ShownRun& shown, const PlanEdit& edit) {
    if (!m_history)
        return;
    auto result = applyEdit(start()->problem(), shown.outcome->schedule, m_history->now(), edit);
    if (!result) {
        emit said(Severity::Warning, qs(result.error().message));
        return;
    }
    m_starts.erase(m_starts.upper_bound(m_history->position()), m_starts.end());
    m_history->push(std::move(result->title), std::move(result->after));
    if (!result->remark.empty())
        emit said(Severity::Info, qs(result->remark));
    emit changed();
    judge();
}

void WhatIf::undo() {
    if (!m_history || !m_history->canUndo())
        return;
    m_history->undo();
    emit changed();
    judge();
}

void WhatIf::redo() {
    if (!m_history || !m_history->canRedo())
        return;
    m_history->redo();
    emit changed();
    judge();
}

void WhatIf::prepare() {
    const ShownRunPtr from = start();
    if (m_engine && m_engine->start == from)
        return;
    m_engine = std::make_shared<Engine>(from);
    m_jobs.start(
        kPrepareLane, {},
        [engine = m_engine](const RunContext& context) -> JobRunner::Deliver {
            const std::lock_guard lock(engine->mutex);
            if (!context.stopRequested())
                std::ignore = engine->ready();
            return {};
        },
        false, this);
}

void WhatIf::judge() {
    if (!edited()) { // it is known already
        m_jobs.abandon(kLane);
        m_again = false;
        emit judged(start());
        return;
    }
    if (m_jobs.busy(kLane)) {
        m_again = true;
        return;
    }
    prepare();
    m_jobs.start(
        kLane, {},
        [this, engine = m_engine, plan = m_history->now()](const RunContext& context) -> JobRunner::Deliver {
            const std::lock_guard lock(engine->mutex);
            if (context.stopRequested())
                return {};
            auto outcome = engine->ready().judge(plan);
            if (!outcome) {
                return [this, error = outcome.error()] {
                    if (std::exchange(m_again, false))
                        judge();
                    emit said(Severity::Error, qs(error.message));
                };
            }
            auto run = std::make_shared<ShownRun>(std::make_shared<const Outcome>(std::move(*outcome)));
            run->preview = true;
            run->start = engine->start;
            return [this, run] {
                if (std::exchange(m_again, false))
                    judge();
                emit judged(run);
            };
        },
        false, this);
}

} // namespace opscape
