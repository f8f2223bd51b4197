// SPDX-License-Identifier: MIT
#include "gui/best_so_far.h"

#include <QElapsedTimer>

#include <algorithm>

namespace opscape {
namespace {

const QString kLane = QStringLiteral("best so far");
constexpr qint64 kEveryMs = 500;
constexpr qint64 kPauseShare = 4; ///< the pause is at least that many times the work: what learns gets the machine

} // namespace

BestSoFar::BestSoFar(JobRunner& jobs, QObject* parent) : QObject(parent), m_jobs(jobs) {
    m_pause.setSingleShot(true);
    connect(&m_pause, &QTimer::timeout, this, &BestSoFar::look);
}

BestSoFar::~BestSoFar() {
    if (!m_box)
        return;
    const std::lock_guard lock(m_box->mutex);
    m_box->owner = nullptr;
}

BestSoFar::Offer BestSoFar::follow() {
    stop();
    m_box = std::make_shared<Box>();
    m_box->owner = this;
    return [box = m_box](Found plan) {
        const std::lock_guard lock(box->mutex);
        if (box->owner == nullptr)
            return;
        const bool waiting = box->newest.has_value();
        box->newest = std::move(plan);
        if (!waiting)
            QMetaObject::invokeMethod(box->owner, &BestSoFar::look, Qt::QueuedConnection);
    };
}

void BestSoFar::stop() {
    if (!m_box)
        return;
    {
        const std::lock_guard lock(m_box->mutex);
        m_box->owner = nullptr;
    }
    m_box.reset();
    m_pause.stop();
    m_jobs.abandon(kLane);
}

void BestSoFar::look() {
    if (!m_box || m_pause.isActive() || m_jobs.busy(kLane))
        return;
    std::optional<Found> plan;
    {
        const std::lock_guard lock(m_box->mutex);
        plan = std::exchange(m_box->newest, std::nullopt);
    }
    if (!plan)
        return;
    m_jobs.start(
        kLane, tr("Simulating the best plan so far"),
        [this, plan = std::move(*plan)](const RunContext&) -> JobRunner::Deliver {
            QElapsedTimer took;
            took.start();
            auto outcome = plan.workbench->simulatePlan(plan.opened, plan.cluster, plan.plan, false);
            ShownRunPtr shown;
            if (outcome) {
                outcome->run.optimizer = plan.request.optimizer;
                outcome->run.status = RunStatus::Running;
                auto run = std::make_shared<ShownRun>(std::make_shared<const Outcome>(std::move(*outcome)));
                run->preview = true;
                run->goesOn = true;
                shown = std::move(run);
            }
            return [this, shown, pause = std::max(kEveryMs, kPauseShare * took.elapsed())] {
                m_pause.start(static_cast<int>(pause));
                if (shown)
                    emit found(shown);
            };
        },
        false, this);
}

} // namespace opscape
