// SPDX-License-Identifier: MIT
// Keeps the list of runs and the curves of one of them up to date on a thread of its own, loads what is said of runs as
// it comes into view, and notices when any other process has written to the file, or has died.
#pragma once

#include "gui/models/runs_model.h"
#include "service/run_filter_completion.h"

#include <QThread>
#include <QTimer>

#include <cstdint>
#include <optional>
#include <utility>

namespace opscape {

/// What is new of a run's curve.
struct CurvePart {
    std::int64_t run = 0;
    std::size_t after = 0; ///< so many points are known already
    RunCurve curve;
    bool anew = false;      ///< what was known is no longer so
    bool paused = false;    ///< the run is held up
    bool resumable = false; ///< there is a checkpoint to go on from, should it have ended early
};

/// What is new of the curve of a run that is laid over others.
struct OverlaidCurve {
    std::int64_t run = 0;
    std::size_t after = 0; ///< so many points are known already; 0: what was known is no longer so
    std::vector<CurvePoint> points;
};
using RunWordsPtr = std::shared_ptr<const RunWords>;
using OverlaidCurves = std::shared_ptr<const std::vector<OverlaidCurve>>;

/// The part that lives on the thread.
class RunPoller : public QObject {
    Q_OBJECT
public:
    explicit RunPoller(std::filesystem::path database) : m_database(std::move(database)) {}
    void poll();
    void refresh();
    /// From now on this is what is listed.
    void ask(const RunQuestion& question);
    void load(const std::vector<qint64>& runs);
    /// Other rows came into view.
    void look(int first, int count);
    /// Reads its curve from the start, and then what is new; 0: of none.
    void follow(qint64 run);
    void readCurve();
    /// Lists runs as died whose process is gone.
    void noticeDied();
    /// Reads the curves of these too, and again when there is more of them.
    void overlay(const std::vector<qint64>& runs);

signals:
    void listed(const opscape::RunListingPtr& listing);
    void learning(const opscape::RunList& runs); ///< the newest of those with a curve
    void loaded(const opscape::RunList& runs);
    void curveRead(const opscape::CurvePart& part);
    void overlayRead(const opscape::OverlaidCurves& curves);
    void worded(const opscape::RunWordsPtr& words); ///< what a filter may ask for
    void failed(const QString& sentence);

private:
    bool open();
    void list();
    void readLearning();
    void lose(const Error& error);
    void readOverlay(bool isNew);

    std::filesystem::path m_database;
    std::optional<RunStore> m_store;
    std::optional<std::pair<std::uint64_t, std::uint64_t>> m_file; ///< device and number of what is open, or was last
    RunQuestion m_question;
    std::int64_t m_version = -1;     ///< of the file, as of the last look
    std::int64_t m_listVersion = -1; ///< of the list of runs
    std::int64_t m_followed = 0;
    std::size_t m_read = 0;  ///< points of its curve
    std::int64_t m_cuts = 0; ///< of its curve
    int m_looks = 0;         ///< until the next one at the processes
    struct Overlaid {
        std::int64_t run;
        std::size_t read = 0;
        std::int64_t cuts = 0;
    };
    std::vector<Overlaid> m_overlay;
    QString m_said; ///< the failure that was reported last
};

class RunWatcher : public QObject {
    Q_OBJECT
public:
    explicit RunWatcher(const std::filesystem::path& database, QObject* parent = nullptr);
    ~RunWatcher() override;

    /// Lists the runs and reads the curve again without waiting for the next look.
    void refresh();
    /// What is listed; again whenever it changes.
    void ask(const RunQuestion& question);
    void load(const std::vector<qint64>& runs);
    void look(int first, int count);
    /// The run whose curve is read, also while it grows; 0: of none.
    void follow(qint64 run);
    /// Those whose curves are read too.
    void overlay(const std::vector<qint64>& runs);

signals:
    void listed(const opscape::RunListingPtr& listing);
    void learning(const opscape::RunList& runs);
    void loaded(const opscape::RunList& runs);
    void curveRead(const opscape::CurvePart& part);
    void overlayRead(const opscape::OverlaidCurves& curves);
    void worded(const opscape::RunWordsPtr& words);
    void failed(const QString& sentence);

private:
    QThread m_thread;
    QTimer m_timer;
    RunPoller* m_poller;
};

} // namespace opscape
