// SPDX-License-Identifier: MIT
#include "gui/run_watcher.h"

namespace opscape {
namespace {

constexpr int kLookEveryMs = 700;

} // namespace

bool RunPoller::open() {
    if (m_store)
        return true;
    auto store = RunStore::open(m_database);
    if (store) {
        m_store.emplace(std::move(*store));
        m_said.clear();
        return true;
    }
    const QString sentence = QString::fromStdString(store.error().message);
    if (sentence != m_said)
        emit failed(m_said = sentence);
    return false;
}

void RunPoller::poll() {
    if (!open())
        return;
    if (const auto version = m_store->dataVersion(); !version || *version != m_version)
        refresh();
}

void RunPoller::refresh() {
    if (!open())
        return;
    m_version = m_store->dataVersion().value_or(-1);
    auto runs = m_store->list();
    if (runs) {
        emit listed(std::make_shared<const std::vector<RunRecord>>(std::move(*runs)));
        return;
    }
    m_store.reset(); // opened anew with the next look
    emit failed(QString::fromStdString(runs.error().message));
}

RunWatcher::RunWatcher(const std::filesystem::path& database, QObject* parent)
    : QObject(parent),
      m_poller(new RunPoller(database)) {
    m_poller->moveToThread(&m_thread);
    connect(&m_thread, &QThread::finished, m_poller, &QObject::deleteLater);
    connect(m_poller, &RunPoller::listed, this, &RunWatcher::listed);
    connect(m_poller, &RunPoller::failed, this, &RunWatcher::failed);
    connect(&m_timer, &QTimer::timeout, m_poller, &RunPoller::poll);
    m_thread.start();
    m_timer.start(kLookEveryMs);
    refresh();
}

RunWatcher::~RunWatcher() {
    m_thread.quit();
    m_thread.wait();
}

void RunWatcher::refresh() { QMetaObject::invokeMethod(m_poller, &RunPoller::refresh, Qt::QueuedConnection); }

} // namespace opscape
