// SPDX-License-Identifier: MIT
// What a person changes about kept runs, written one after the other on a thread of its own: the window never waits for
// another program's lock. What this window deleted is gone for good when it closes.
#pragma once

#include <opscape/store/run_store.h>

#include <QObject>
#include <QString>
#include <QThreadPool>

#include <functional>

namespace opscape {

class RunChanges : public QObject {
    Q_OBJECT
public:
    using Change = std::function<Result<>(RunStore&)>;

    explicit RunChanges(std::filesystem::path database, QObject* parent = nullptr);
    ~RunChanges() override;

    /// `then` is called on the GUI thread, with whether it is written.
    void apply(Change change, std::function<void(bool done)> then = {});
    void discard(const std::vector<qint64>& runs);
    /// Brings back what was deleted last; false when there is nothing.
    bool undo();
    /// How many runs undo() would bring back, over all its steps.
    [[nodiscard]] std::size_t deleted() const;
    /// How many deletions undo() can take back one after the other, and of how many runs the last one is.
    [[nodiscard]] std::size_t deletions() const { return m_deleted.size(); }
    [[nodiscard]] std::size_t lastDeleted() const { return m_deleted.empty() ? 0 : m_deleted.back().runs.size(); }
    [[nodiscard]] bool idle() const { return m_going == 0; }

signals:
    void changed(); ///< something is written, or something else can be undone
    void refused(const QString& sentence);

private:
    std::filesystem::path m_database;
    QThreadPool m_pool; ///< of one thread
    int m_going = 0;
    struct Deletion {
        std::uint64_t number;
        std::vector<std::int64_t> runs;
    };
    std::vector<Deletion> m_deleted; ///< each deletion of this window that can be undone
    std::uint64_t m_deletions = 0;   ///< all that there ever were
};

} // namespace opscape
