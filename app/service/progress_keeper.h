// SPDX-License-Identifier: MIT
// Tells the store how far a run is, whether it is paused and what its best plan so far is, so that other processes can
// show it and nothing is lost should it end too early. On a thread of its own, so that the run never waits for the disk
// or for another program's lock; the newest of everything counts.
#pragma once

#include <opscape/plan/plan.h>
#include <opscape/store/run_store.h>

#include <condition_variable>
#include <mutex>
#include <thread>

namespace opscape {

class ProgressKeeper {
public:
    struct Judged {
        RunResult result;
        std::string planJson;
    };
    using Judge = std::function<std::optional<Judged>(const Plan&)>; ///< called on the thread

    /// For run `runId`; 0: nothing is told.
    ProgressKeeper(std::filesystem::path database, std::int64_t runId, std::shared_ptr<const RunPause> pause,
                   Judge judge)
        : m_database(std::move(database)),
          m_id(runId),
          m_pause(std::move(pause)),
          m_judge(std::move(judge)) {}
    ProgressKeeper(const ProgressKeeper&) = delete;
    ProgressKeeper& operator=(const ProgressKeeper&) = delete;
    ~ProgressKeeper() { finish(); }

    // From any thread; both return at once.
    void show(const Progress& progress);
    void improved(const Plan& plan);
    /// The run has ended: its result is told by others.
    void finish();

private:
    void begin();
    void work();
    void write(std::unique_lock<std::mutex>& lock);

    std::filesystem::path m_database;
    std::int64_t m_id;
    std::shared_ptr<const RunPause> m_pause; ///< may be null
    Judge m_judge;
    std::thread m_thread;                                   ///< from the first call on
    std::optional<RunStore> m_store;                        ///< of the thread alone
    std::chrono::steady_clock::time_point m_nextPlan{};     ///< of the thread alone
    std::chrono::steady_clock::time_point m_nextProgress{}; ///< of the thread alone

    std::mutex m_mutex; ///< of all that follows
    std::condition_variable m_wake;
    bool m_ending = false;
    bool m_isNew = false; ///< m_told has changed
    RunProgress m_told;
    std::optional<Plan> m_plan; ///< not yet kept
};

} // namespace opscape
