// SPDX-License-Identifier: MIT
#include "gui/run_changes.h"

#include <algorithm>
#include <numeric>

namespace opscape {
namespace {

/// A window that closes does not wait for long; what stays in the bin goes by itself after a week.
constexpr std::chrono::milliseconds kPatienceAtTheEnd{300};

} // namespace

RunChanges::RunChanges(std::filesystem::path database, QObject* parent)
    : QObject(parent),
      m_database(std::move(database)) {
    m_pool.setMaxThreadCount(1); // in order
}

RunChanges::~RunChanges() {
    m_pool.waitForDone();
    std::vector<std::int64_t> runs;
    for (const Deletion& deletion : m_deleted)
        runs.insert(runs.end(), deletion.runs.begin(), deletion.runs.end());
    if (runs.empty())
        return;
    if (auto store = RunStore::open(m_database, kPatienceAtTheEnd))
        std::ignore = store->purge(runs);
}

void RunChanges::apply(Change change, std::function<void(bool)> then) {
    ++m_going;
    m_pool.start([this, change = std::move(change), then = std::move(then)] {
        auto store = RunStore::open(m_database);
        const auto done = store ? change(*store) : fail(store.error());
        QMetaObject::invokeMethod(
            this,
            [this, done, then] {
                --m_going;
                if (then)
                    then(done.has_value());
                if (!done)
                    emit refused(QString::fromStdString(done.error().message));
                emit changed(); // also where it was refused: what is shown may not be so
            },
            Qt::QueuedConnection);
    });
}

void RunChanges::discard(const std::vector<qint64>& runs) {
    const std::vector<std::int64_t> ids(runs.begin(), runs.end());
    // At once, so that an undo that follows is of this; taken away again where it is refused.
    m_deleted.push_back({++m_deletions, ids});
    apply([ids](RunStore& store) { return store.discard(ids); },
          [this, number = m_deletions](bool done) {
              if (!done)
                  std::erase_if(m_deleted, [number](const Deletion& deletion) { return deletion.number == number; });
          });
    emit changed();
}

bool RunChanges::undo() {
    if (m_deleted.empty())
        return false;
    const Deletion deletion = std::move(m_deleted.back());
    m_deleted.pop_back();
    apply([ids = deletion.runs](RunStore& store) { return store.bringBack(ids); },
          [this, deletion](bool done) {
              if (!done) // it can be tried again, in its place in the order
                  m_deleted.insert(std::ranges::lower_bound(m_deleted, deletion.number, {}, &Deletion::number),
                                   deletion);
          });
    return true;
}

std::size_t RunChanges::deleted() const {
    return std::accumulate(m_deleted.begin(), m_deleted.end(), std::size_t{0},
                           [](std::size_t sum, const Deletion& deletion) { return sum + deletion.runs.size(); });
}

} // namespace opscape
