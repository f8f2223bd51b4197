// SPDX-License-Identifier: MIT
#include "gui/run_watcher.h"

#include "service/run_files.h"
#include "service/run_process.h"
#include "service/run_status.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <utility>

namespace opscape {
namespace {

constexpr int kLookEveryMs = 350;
constexpr int kLooksPerProcess = 3; ///< whether processes are gone is looked at less often
constexpr std::size_t kMostLearning = 500;
constexpr std::chrono::seconds kPatience{2}; ///< what cannot be read now is read with a later look

/// Which file a path leads to; none where there is none.
std::optional<std::pair<std::uint64_t, std::uint64_t>> identityOf(const std::filesystem::path& file) {
    struct stat found {};
    if (::stat(file.c_str(), &found) != 0)
        return std::nullopt;
    return std::pair(std::uint64_t{found.st_dev}, std::uint64_t{found.st_ino});
}

} // namespace

bool RunPoller::open() {
    const auto say = [this](const std::string& sentence) {
        if (const QString text = QString::fromStdString(sentence); text != m_said)
            emit failed(m_said = text);
        return false;
    };
    if (m_file && identityOf(m_database) != m_file) {
        // Moved away or replaced: what is open is no longer the file that others keep runs in, and its runs are others.
        m_store.reset();
        m_version = m_listVersion = -1;
        m_read = 0;
        if (!identityOf(m_database))
            return say(fmt::format("{}: the file of the runs is gone; put it back, or the next run begins a new one.",
                                   m_database.string()));
    }
    if (m_store)
        return true;
    auto store = RunStore::open(m_database, kPatience);
    if (!store)
        return say(store.error().message);
    m_store.emplace(std::move(*store));
    m_file = identityOf(m_database);
    m_said.clear();
    return true;
}

void RunPoller::poll() {
    if (!open())
        return;
    if (++m_looks >= kLooksPerProcess)
        noticeDied();
    if (!m_store)
        return;
    const auto version = m_store->dataVersion();
    const auto list = m_store->listVersion(); // also what this connection itself has noted
    if (version && *version == m_version && list && *list == m_listVersion)
        return;
    m_version = version.value_or(-1);
    if (!list || *list != m_listVersion)
        refresh();
    readCurve();
    readOverlay(false);
}

void RunPoller::noticeDied() {
    m_looks = 0;
    const auto died = m_store->noticeDied();
    if (!died || died->empty())
        return;
    for (const std::int64_t run : *died)
        explainDeath(*m_store, run);
    refresh(); // own changes are not seen as those of others
    readCurve();
}

void RunPoller::refresh() {
    if (!open())
        return;
    m_listVersion = m_store->listVersion().value_or(-1);
    readLearning();
    list();
    if (!m_store)
        return;
    if (auto words = readRunWords(*m_store)) // else the list says what is wrong
        emit worded(std::make_shared<const RunWords>(std::move(*words)));
}

void RunPoller::lose(const Error& error) {
    m_store.reset(); // opened anew with the next look
    m_listVersion = -1;
    emit failed(QString::fromStdString(error.message));
}

void RunPoller::readLearning() {
    auto runs = m_store->listLearning(kMostLearning);
    if (runs)
        emit learning(std::make_shared<const std::vector<RunRecord>>(std::move(*runs)));
}

void RunPoller::list() {
    if (m_question.number == 0 || !open())
        return;
    RunListing listing;
    listing.number = m_question.number;
    auto ids = m_store->find(m_question.query);
    if (!ids)
        return lose(ids.error());
    const auto total = m_store->count();
    listing.ids = std::move(*ids);
    const auto first = std::min(listing.ids.size(), static_cast<std::size_t>(m_question.first));
    const auto count = std::min(listing.ids.size() - first, static_cast<std::size_t>(m_question.count));
    auto inView = m_store->get(std::span(listing.ids).subspan(first, count));
    if (!total || !inView)
        return lose(total ? inView.error() : total.error());
    listing.paused = pausedRuns(*m_store);
    listing.total = *total;
    listing.inView = std::move(*inView);
    emit listed(std::make_shared<const RunListing>(std::move(listing)));
}

void RunPoller::ask(const RunQuestion& question) {
    m_question = question;
    if (!open()) {
        emit failed(m_said);
        return;
    }
    list();
}

void RunPoller::load(const std::vector<qint64>& runs) {
    if (!open())
        return;
    const std::vector<std::int64_t> ids(runs.begin(), runs.end());
    auto read = m_store->get(ids);
    if (!read)
        return lose(read.error());
    emit loaded(std::make_shared<const std::vector<RunRecord>>(std::move(*read)));
}

void RunPoller::follow(qint64 run) {
    m_followed = run;
    m_read = 0;
    readCurve();
}

void RunPoller::readCurve() {
    if (m_followed == 0 || !open())
        return;
    const RunProgress progress = m_store->progress(m_followed).value_or(RunProgress());
    const bool anew = std::exchange(m_cuts, progress.cuts) != progress.cuts && m_read > 0;
    if (anew)
        m_read = 0;
    auto curve = m_store->curve(m_followed, m_read);
    if (!curve)
        return; // deleted: the list of runs says so
    const std::size_t after = std::exchange(m_read, m_read + curve->points.size());
    emit curveRead({m_followed, after, std::move(*curve), anew, progress.paused,
                    RunFiles(m_database, m_followed).hasCheckpoint()});
}

void RunPoller::overlay(const std::vector<qint64>& runs) {
    m_overlay.clear();
    for (const qint64 run : runs)
        m_overlay.push_back({run});
    readOverlay(true);
}

void RunPoller::readOverlay(bool isNew) {
    if ((m_overlay.empty() && !isNew) || !open())
        return;
    std::vector<OverlaidCurve> parts;
    for (Overlaid& overlaid : m_overlay) {
        const std::int64_t cuts = m_store->progress(overlaid.run).value_or(RunProgress()).cuts;
        if (std::exchange(overlaid.cuts, cuts) != cuts)
            overlaid.read = 0;
        OverlaidCurve& part = parts.emplace_back(overlaid.run, overlaid.read);
        if (auto curve = m_store->curve(overlaid.run, overlaid.read)) // else deleted: the list of runs says so
            part.points = std::move(curve->points);
        overlaid.read += part.points.size();
        isNew = isNew || !part.points.empty();
    }
    if (isNew)
        emit overlayRead(std::make_shared<const std::vector<OverlaidCurve>>(std::move(parts)));
}

void RunPoller::look(int first, int count) {
    m_question.first = first;
    m_question.count = count;
}

RunWatcher::RunWatcher(const std::filesystem::path& database, QObject* parent)
    : QObject(parent),
      m_poller(new RunPoller(database)) {
    m_poller->moveToThread(&m_thread);
    connect(&m_thread, &QThread::finished, m_poller, &QObject::deleteLater);
    connect(m_poller, &RunPoller::listed, this, &RunWatcher::listed);
    connect(m_poller, &RunPoller::learning, this, &RunWatcher::learning);
    connect(m_poller, &RunPoller::loaded, this, &RunWatcher::loaded);
    connect(m_poller, &RunPoller::curveRead, this, &RunWatcher::curveRead);
    connect(m_poller, &RunPoller::overlayRead, this, &RunWatcher::overlayRead);
    connect(m_poller, &RunPoller::worded, this, &RunWatcher::worded);
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

void RunWatcher::follow(qint64 run) {
    QMetaObject::invokeMethod(
        m_poller, [poller = m_poller, run] { poller->follow(run); }, Qt::QueuedConnection);
}

void RunWatcher::overlay(const std::vector<qint64>& runs) {
    QMetaObject::invokeMethod(
        m_poller, [poller = m_poller, runs] { poller->overlay(runs); }, Qt::QueuedConnection);
}

void RunWatcher::ask(const RunQuestion& question) {
    QMetaObject::invokeMethod(
        m_poller, [poller = m_poller, question] { poller->ask(question); }, Qt::QueuedConnection);
}

void RunWatcher::look(int first, int count) {
    QMetaObject::invokeMethod(
        m_poller, [poller = m_poller, first, count] { poller->look(first, count); }, Qt::QueuedConnection);
}

void RunWatcher::load(const std::vector<qint64>& runs) {
    QMetaObject::invokeMethod(
        m_poller, [poller = m_poller, runs] { poller->load(runs); }, Qt::QueuedConnection);
}

void RunWatcher::refresh() {
    QMetaObject::invokeMethod(
        m_poller,
        [poller = m_poller] {
            poller->refresh();
            poller->readCurve();
        },
        Qt::QueuedConnection);
}

} // namespace opscape
