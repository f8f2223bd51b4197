// SPDX-License-Identifier: MIT
#include "curve_keeper.h"

namespace opscape {
namespace {

constexpr auto kWriteEvery = std::chrono::milliseconds(300);

} // namespace

CurveKeeper::~CurveKeeper() {
    Diagnostics ignored;
    finish(ignored);
}

void CurveKeeper::begin() {
    if (!m_thread.joinable() && m_id != 0)
        m_thread = std::thread([this] { work(); });
}

void CurveKeeper::setBaselines(const std::vector<NamedTime>& baselines) {
    begin();
    const std::lock_guard lock(m_mutex);
    m_baselines = baselines;
}

void CurveKeeper::add(const CurvePoint& point) {
    begin();
    const std::lock_guard lock(m_mutex);
    if (std::exchange(m_goesOn, false))
        m_cut = point.simulations - 1;
    m_points.push_back(point);
}

void CurveKeeper::work() {
    std::unique_lock lock(m_mutex);
    for (bool isLast = false; !isLast;) {
        // Points may come while it writes, the last ones too: what is there at the end is written once more.
        isLast = m_wake.wait_for(lock, kWriteEvery, [this] { return m_ending; });
        write(lock);
    }
}

void CurveKeeper::write(std::unique_lock<std::mutex>& lock) {
    if (!m_cut && !m_baselines && m_points.empty())
        return;
    const auto cut = std::exchange(m_cut, std::nullopt);
    const auto baselines = std::exchange(m_baselines, std::nullopt);
    auto points = std::exchange(m_points, {});
    lock.unlock();
    Result<> done;
    if (!m_store) {
        auto store = RunStore::open(m_database);
        if (store)
            m_store = std::move(*store);
        else
            done = fail(store.error());
    }
    if (done && cut)
        done = m_store->cutCurve(m_id, *cut);
    if (done && baselines)
        done = m_store->setBaselines(m_id, *baselines);
    if (done && !points.empty())
        done = m_store->appendCurve(m_id, points);
    lock.lock();
    m_error.reset();
    if (done)
        return;
    m_error = done.error(); // all of it is tried again the next time
    if (!m_cut)
        m_cut = cut;
    if (!m_baselines)
        m_baselines = baselines;
    points.insert(points.end(), m_points.begin(), m_points.end());
    m_points = std::move(points);
}

bool CurveKeeper::finish(Diagnostics& diagnostics) {
    if (!m_thread.joinable())
        return false;
    {
        const std::lock_guard lock(m_mutex);
        m_ending = true;
    }
    m_wake.notify_all();
    m_thread.join();
    m_store.reset();
    if (!m_error)
        return true;
    diagnostics.add(Severity::Warning, "curve-not-kept", "How it learned is not, or not to the end, kept with the run",
                    m_error->message);
    return false;
}

} // namespace opscape
