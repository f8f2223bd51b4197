// SPDX-License-Identifier: MIT
// Keeps the list of runs up to date on a thread of its own, and notices when any other process has written to the file.
#pragma once

#include "gui/models/runs_model.h"

#include <QThread>
#include <QTimer>

#include <optional>

namespace opscape {

/// The part that lives on the thread.
class RunPoller : public QObject {
    Q_OBJECT
public:
    explicit RunPoller(std::filesystem::path database) : m_database(std::move(database)) {}
    void poll();
    void refresh();

signals:
    void listed(const opscape::RunList& runs);
    void failed(const QString& sentence);

private:
    bool open();

    std::filesystem::path m_database;
    std::optional<RunStore> m_store;
    std::int64_t m_version = -1;
    QString m_said; ///< the failure that was reported last
};

class RunWatcher : public QObject {
    Q_OBJECT
public:
    explicit RunWatcher(const std::filesystem::path& database, QObject* parent = nullptr);
    ~RunWatcher() override;

    /// Lists the runs again without waiting for the next look.
    void refresh();

signals:
    void listed(const opscape::RunList& runs);
    void failed(const QString& sentence);

private:
    QThread m_thread;
    QTimer m_timer;
    RunPoller* m_poller;
};

} // namespace opscape
