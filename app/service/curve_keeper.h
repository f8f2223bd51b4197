// SPDX-License-Identifier: MIT
// Keeps the curve of a learning run while it learns: points are collected and written a few times a second by a thread
// of its own, so that learning never waits for the disk or for another program's lock.
#pragma once

#include <opscape/base/diagnostics.h>
#include <opscape/store/run_store.h>

#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>

namespace opscape {

class CurveKeeper {
public:
    /// For run `runId`; 0: nothing is kept.
    CurveKeeper(std::filesystem::path database, std::int64_t runId) : m_database(std::move(database)), m_id(runId) {}
    CurveKeeper(const CurveKeeper&) = delete;
    CurveKeeper& operator=(const CurveKeeper&) = delete;
    /// What was not written by finish() is lost.
    ~CurveKeeper();

    // All return at once; called by one thread at a time.
    void setBaselines(const std::vector<NamedTime>& baselines);
    void add(const CurvePoint& point);
    /// The run was begun before: the first point that is added takes the place of what the store has from there on.
    void goOn() { m_goesOn = true; }

    /// Writes what is left; true when there is a curve. A curve that could not be written is noted.
    bool finish(Diagnostics& diagnostics);

private:
    void begin();
    void work();
    /// Writes what is pending; on failure it stays pending, and the reason is kept. The lock is held on entry and exit.
    void write(std::unique_lock<std::mutex>& lock);

    std::filesystem::path m_database;
    std::int64_t m_id;
    bool m_goesOn = false; ///< until the first point
    std::thread m_thread;  ///< from the first call on

    std::mutex m_mutex; ///< of all that follows
    std::condition_variable m_wake;
    bool m_ending = false;
    std::optional<std::int64_t> m_cut;                 ///< pending
    std::optional<std::vector<NamedTime>> m_baselines; ///< pending
    std::vector<CurvePoint> m_points;                  ///< pending
    std::optional<Error> m_error;                      ///< of the last write
    std::optional<RunStore> m_store;                   ///< of the thread alone
};

} // namespace opscape
