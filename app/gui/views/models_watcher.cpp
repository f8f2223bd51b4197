// SPDX-License-Identifier: MIT
#include "gui/views/models_watcher.h"

#include "service/run_process.h"

#include <opscape/base/paths.h>
#include <opscape/rl/model/identity.h>

#include <algorithm>

namespace opscape {
namespace {

namespace fs = std::filesystem;

constexpr int kLookEveryMs = 400;
const QString kLane = QStringLiteral("models");

/// Name, size and time of every file in a folder and in those of trainings.
void addFolder(std::vector<std::string>& lines, const fs::path& folder, bool deep) {
    std::error_code ec;
    for (const auto& entry : fs::directory_iterator(folder, ec)) {
        if (deep && entry.is_directory(ec)) {
            addFolder(lines, entry.path(), false);
            continue;
        }
        const auto size = entry.file_size(ec);
        const auto time = entry.last_write_time(ec).time_since_epoch().count();
        lines.push_back(fmt::format("{} {} {}", entry.path().string(), size, time));
    }
}

} // namespace

ModelsWatcher::ModelsWatcher(Session& session, QWidget* seen, QObject* parent)
    : QObject(parent),
      m_session(session),
      m_seen(seen) {
    m_timer.setInterval(kLookEveryMs);
    connect(&m_timer, &QTimer::timeout, this, &ModelsWatcher::look);
    connect(&session, &Session::ready, this, &ModelsWatcher::refresh);
    m_timer.start();
    m_seen->installEventFilter(this);
}

bool ModelsWatcher::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_seen && event->type() == QEvent::Show)
        look();
    return QObject::eventFilter(watched, event);
}

void ModelsWatcher::refresh() {
    m_stamp.clear();
    look();
}

std::string ModelsWatcher::stamp() {
    std::vector<std::string> lines;
    addFolder(lines, rl::userModelFolder(), true);
    addFolder(lines, dataFolder() / "models", false);
    for (const ModelTraining& training : listTrainings()) // that one is gone leaves no trace in its folder
        lines.push_back(fmt::format("{} {}", training.name, toString(training.state)));
    std::ranges::sort(lines);
    return fmt::format("listed\n{}", fmt::join(lines, "\n")); // never empty
}

void ModelsWatcher::look() {
    for (auto it = m_processes.begin(); it != m_processes.end();) {
        if (!endedTraining(it->second, it->first)) {
            ++it;
            continue;
        }
        const QString name = QString::fromStdString(it->first);
        it = m_processes.erase(it);
        emit ended(name);
    }
    if (m_session.workbench() == nullptr || m_session.jobs().busy(kLane) || !m_seen->isVisible())
        return;
    std::string now = stamp();
    if (now == m_stamp)
        return;
    m_stamp = std::move(now);
    m_session.jobs().start(
        kLane, tr("Models"),
        [this,
         tasks = rl::revisionsOf(m_session.workbench()->registry().tasks())](const RunContext&) -> JobRunner::Deliver {
            auto rows = std::make_shared<const std::vector<ModelRow>>(readModelRows(tasks));
            return [this, rows] { emit listed(rows); };
        },
        false, this);
}

void ModelsWatcher::train(const std::string& name, const TrainingWords& words) {
    const auto process = startTraining(defaultRunner(), name, words);
    if (process)
        m_processes[name] = *process;
    else
        emit m_session.said(Severity::Error, QString::fromStdString(process.error().message));
    refresh();
}

} // namespace opscape
