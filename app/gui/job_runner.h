// SPDX-License-Identifier: MIT
// Runs the window's long work on worker threads. A job belongs to a lane; a new job in a lane supersedes the one
// before. Its generation is compared on the GUI thread when the result arrives, so that a stale result is dropped there
// and nowhere else. Progress reaches the window at most 20 times a second. A cancelled job frees its lane within 200
// ms, whether or not the work has stopped by then; what it delivers later still arrives where that was asked for and
// nothing else was wanted of the lane since.
#pragma once

#include <opscape/base/run_context.h>

#include <QObject>
#include <QString>
#include <QThreadPool>

#include <chrono>
#include <functional>
#include <map>
#include <vector>

namespace opscape {

class JobRunner : public QObject {
    Q_OBJECT
public:
    using Deliver = std::function<void()>;                  ///< runs on the GUI thread
    using Work = std::function<Deliver(const RunContext&)>; ///< runs on a worker thread

    struct Job {
        std::uint64_t id = 0; ///< doubles as the generation of its lane
        QString lane, title;
        bool shown = true; ///< listed with progress and a Cancel button
        bool cancelling = false;
        bool awaitedLate = false;
        Progress progress;
        std::chrono::steady_clock::time_point started;
        std::stop_source stop;
        [[nodiscard]] std::int64_t elapsedMs() const;
    };

    explicit JobRunner(QObject* parent = nullptr);
    ~JobRunner() override;

    /// Where a receiver is named, nothing is delivered once it is gone.
    std::uint64_t start(const QString& lane, const QString& title, Work work, bool shown = true,
                        const QObject* receiver = nullptr);
    /// Asks the work to stop; what it then delivers still arrives if it comes in time, or later where awaitLate() said
    /// so.
    void cancel(std::uint64_t id);
    /// What the lane's job delivers after a cancel counts however late it comes, until the lane is used or abandoned.
    void awaitLate(const QString& lane);
    /// Every shown job.
    void cancelAll();
    /// The result of the lane's job, if any, is no longer wanted.
    void abandon(const QString& lane);

    [[nodiscard]] const std::vector<Job>& jobs() const { return m_jobs; }
    [[nodiscard]] bool idle() const { return m_jobs.empty(); }
    [[nodiscard]] bool busy(const QString& lane) const { return m_current.contains(lane); }

signals:
    void changed(); ///< a job came, went or made progress
    void becameIdle();
    void failed(const QString& sentence); ///< the work threw

private:
    Job* find(std::uint64_t id);
    void progressed(std::uint64_t id, const Progress& progress);
    void finished(std::uint64_t id, const Deliver& deliver);
    void remove(std::uint64_t id);

    QThreadPool m_pool;
    std::vector<Job> m_jobs;
    std::map<QString, std::uint64_t> m_current; ///< generation of each lane that works
    std::map<QString, std::uint64_t> m_late;    ///< per lane: cancelled and let go, and still awaited
    std::uint64_t m_lastId = 0;
};

} // namespace opscape
