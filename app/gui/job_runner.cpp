// SPDX-License-Identifier: MIT
#include "gui/job_runner.h"

#include <QPointer>
#include <QThread>
#include <QTimer>

#include <algorithm>
#include <exception>
#include <mutex>

namespace opscape {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kProgressEvery = std::chrono::milliseconds(50);
constexpr auto kPatience = std::chrono::milliseconds(150); ///< between Cancel and letting go of the work

/// Lets through at most one report per interval, from any thread.
class Throttle {
public:
    bool pass() {
        const std::lock_guard lock(m_mutex);
        const auto now = Clock::now();
        if (now - m_last < kProgressEvery)
            return false;
        m_last = now;
        return true;
    }

private:
    std::mutex m_mutex;
    Clock::time_point m_last{};
};

} // namespace

std::int64_t JobRunner::Job::elapsedMs() const {
    return std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - started).count();
}

JobRunner::JobRunner(QObject* parent) : QObject(parent) {
    // An abandoned job keeps its thread until it notices; there must be others meanwhile.
    m_pool.setMaxThreadCount(std::max(4, QThread::idealThreadCount()));
}

JobRunner::~JobRunner() {
    for (Job& job : m_jobs)
        job.stop.request_stop();
    m_pool.waitForDone();
}

std::uint64_t JobRunner::start(const QString& lane, const QString& title, Work work, bool shown,
                               const QObject* receiver) {
    abandon(lane);
    Job job;
    job.id = ++m_lastId;
    job.lane = lane;
    job.title = title;
    job.shown = shown;
    job.started = Clock::now();
    m_current[lane] = job.id;

    RunContext context;
    context.stop = job.stop.get_token();
    context.progress = [this, id = job.id, throttle = std::make_shared<Throttle>()](const Progress& progress) {
        if (throttle->pass())
            QMetaObject::invokeMethod(
                this, [this, id, progress] { progressed(id, progress); }, Qt::QueuedConnection);
    };
    m_jobs.push_back(std::move(job));
    const bool guarded = receiver != nullptr;
    m_pool.start([this, id = m_lastId, guarded, receiver = QPointer<const QObject>(receiver), work = std::move(work),
                  context = std::move(context)] {
        Deliver deliver;
        try {
            deliver = work(context);
        } catch (const std::exception& error) {
            deliver = [this, what = QString::fromUtf8(error.what())] {
                emit failed(tr("It failed unexpectedly: %1.").arg(what));
            };
        }
        QMetaObject::invokeMethod(
            this,
            [this, id, guarded, receiver, deliver] {
                finished(id, guarded && receiver.isNull() ? Deliver() : deliver);
            },
            Qt::QueuedConnection);
    });
    emit changed();
    return m_lastId;
}

void JobRunner::cancel(std::uint64_t id) {
    Job* job = find(id);
    if (job == nullptr || job->cancelling)
        return;
    job->cancelling = true;
    job->stop.request_stop();
    QTimer::singleShot(kPatience, this, [this, id] {
        const Job* slow = find(id);
        if (slow == nullptr)
            return;
        if (slow->awaitedLate)
            m_late[slow->lane] = id;
        remove(id);
        if (idle())
            emit becameIdle();
    });
    emit changed();
}

void JobRunner::awaitLate(const QString& lane) {
    if (const auto current = m_current.find(lane); current != m_current.end())
        find(current->second)->awaitedLate = true;
}

void JobRunner::cancelAll() {
    std::vector<std::uint64_t> ids;
    for (const Job& job : m_jobs) {
        if (job.shown)
            ids.push_back(job.id);
    }
    std::ranges::for_each(ids, [this](std::uint64_t id) { cancel(id); });
}

void JobRunner::abandon(const QString& lane) {
    m_late.erase(lane);
    const auto current = m_current.find(lane);
    if (current == m_current.end())
        return;
    const std::uint64_t id = current->second;
    if (Job* job = find(id))
        job->stop.request_stop();
    remove(id);
}

JobRunner::Job* JobRunner::find(std::uint64_t id) {
    const auto it = std::ranges::find(m_jobs, id, &Job::id);
    return it == m_jobs.end() ? nullptr : &*it;
}

void JobRunner::progressed(std::uint64_t id, const Progress& progress) {
    if (Job* job = find(id)) {
        job->progress = progress;
        emit changed();
    }
}

void JobRunner::finished(std::uint64_t id, const Deliver& deliver) {
    if (find(id) != nullptr)
        remove(id);
    else if (std::erase_if(m_late, [id](const auto& late) { return late.second == id; }) == 0)
        return; // superseded, abandoned or let go: a stale result
    if (deliver)
        deliver();
    if (idle())
        emit becameIdle();
}

void JobRunner::remove(std::uint64_t id) {
    const Job* job = find(id);
    if (job == nullptr)
        return;
    if (const auto current = m_current.find(job->lane); current != m_current.end() && current->second == id)
        m_current.erase(current);
    std::erase_if(m_jobs, [id](const Job& j) { return j.id == id; });
    emit changed();
}

} // namespace opscape
