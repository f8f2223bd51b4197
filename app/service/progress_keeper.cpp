// SPDX-License-Identifier: MIT
#include "progress_keeper.h"

#include <algorithm>
#include <utility>

namespace opscape {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr auto kLookEvery = milliseconds(100); ///< at the pause
constexpr auto kTellEvery = milliseconds(500);
constexpr auto kPlanEvery = milliseconds(500);
constexpr int kPauseShare = 4; ///< between two plans at least that many times what one takes: what learns goes first

} // namespace

void ProgressKeeper::begin() {
    if (m_id != 0 && !m_thread.joinable())
        m_thread = std::thread([this] { work(); });
}

void ProgressKeeper::show(const Progress& progress) {
    const std::lock_guard lock(m_mutex);
    m_told.progress = progress;
    m_isNew = true;
    begin();
}

void ProgressKeeper::improved(const Plan& plan) {
    const std::lock_guard lock(m_mutex);
    m_plan = plan;
    begin();
}

void ProgressKeeper::finish() {
    {
        const std::lock_guard lock(m_mutex);
        m_ending = true;
    }
    m_wake.notify_all();
    if (m_thread.joinable())
        m_thread.join();
    m_store.reset();
}

void ProgressKeeper::work() {
    std::unique_lock lock(m_mutex);
    while (!m_wake.wait_for(lock, kLookEvery, [this] { return m_ending; }))
        write(lock);
}

void ProgressKeeper::write(std::unique_lock<std::mutex>& lock) {
    const auto now = Clock::now();
    const bool paused = m_pause && m_pause->isSet();
    const bool isChange = std::exchange(m_told.paused, paused) != paused;
    const bool plan = m_plan && now >= m_nextPlan;
    if (!isChange && !plan && !(m_isNew && now >= m_nextProgress))
        return;
    const RunProgress told = m_told;
    std::optional<Plan> best = plan ? std::exchange(m_plan, std::nullopt) : std::nullopt;
    m_isNew = false;
    lock.unlock();
    if (!m_store) {
        if (auto store = RunStore::open(m_database))
            m_store.emplace(std::move(*store));
    }
    bool done = m_store && m_store->tellProgress(m_id, told);
    m_nextProgress = now + kTellEvery;
    if (done && best) {
        const auto judged = m_judge(*best);
        done = !judged || m_store->keepBest(m_id, judged->result, judged->planJson);
        m_nextPlan = Clock::now() + std::max<Clock::duration>(kPlanEvery, kPauseShare * (Clock::now() - now));
    }
    lock.lock();
    if (done)
        return;
    m_isNew = true; // all of it is tried again the next time
    m_told.paused = isChange ? !paused : m_told.paused;
    if (best && !m_plan)
        m_plan = std::move(best);
}

} // namespace opscape
