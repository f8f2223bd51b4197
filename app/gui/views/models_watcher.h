// SPDX-License-Identifier: MIT
// Keeps the list of models and trainings up to date, whoever changes them, and starts trainings in processes of their
// own, which go on when the window is closed.
#pragma once

#include "gui/session.h"
#include "gui/views/models_list.h"

#include <QEvent>
#include <QTimer>
#include <QWidget>

#include <map>

namespace opscape {

class ModelsWatcher : public QObject {
    Q_OBJECT
public:
    ModelsWatcher(Session& session, QWidget* seen, QObject* parent = nullptr);

    /// Lists them again, however little seems to have changed.
    void refresh();
    /// Begins a training or goes on with one; its process is waited for while the window is open.
    void train(const std::string& name, const TrainingWords& words);

signals:
    void listed(const opscape::ModelRows& rows);
    void ended(const QString& name); ///< a training that this window has started

private:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void look();
    [[nodiscard]] static std::string stamp();

    Session& m_session;
    QWidget* m_seen; ///< what shows it; hidden it needs no list
    QTimer m_timer;
    std::string m_stamp; ///< of what was listed
    std::map<std::string, std::int64_t> m_processes;
};

} // namespace opscape
