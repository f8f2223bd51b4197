// SPDX-License-Identifier: MIT
// The only mutable state of the window: which graph is open, which run of it is shown, which runs are compared, what is
// selected. Panes read it, ask it for changes and listen to its signals; the work itself runs on worker threads and
// arrives here as immutable values.
#pragma once

#include "gui/best_so_far.h"
#include "gui/job_runner.h"
#include "gui/shown_run.h"
#include "gui/what_if.h"
#include "service/run_again.h"

#include <QObject>

#include <atomic>
#include <future>
#include <optional>

namespace opscape {

enum class RunWish;

/// What is selected, the same in every pane.
struct Selection {
    std::vector<OpId> ops; ///< ascending, distinct
    ScopeId scope;         ///< valid when the ops are those of one scope
    int transfer = -1;     ///< index into Schedule::transfers, when a transfer is selected
    [[nodiscard]] bool empty() const { return ops.empty() && transfer < 0; }
    friend bool operator==(const Selection&, const Selection&) = default;
};

/// Which cluster to plan for, and how its links are shared.
struct ClusterChoice {
    std::string pathOrName;               ///< empty: the graph's own, else the default
    std::shared_ptr<const Cluster> ready; ///< taken instead of the name where it is known already
    std::optional<LinkModel> linkModel;   ///< none: as the cluster file says
    [[nodiscard]] Result<std::shared_ptr<const Cluster>> load(const OpenedGraph& opened) const;
};

class Session : public QObject {
    Q_OBJECT
public:
    struct Start {
        std::filesystem::path database; ///< empty: the default file
        ClusterChoice cluster;
        std::string optimizer = kFirstOptimizer; ///< places a graph as soon as it is open, where its file does not
        bool keep = false;            ///< that first placement is a run, not a preview, whatever the file says
        std::filesystem::path runner; ///< what carries out trainings; empty: opscape-cli beside this program
    };

    explicit Session(Start start, QObject* parent = nullptr);

    [[nodiscard]] JobRunner& jobs() { return m_jobs; }
    /// Null until the plugins are loaded, shortly after the start.
    [[nodiscard]] const Workbench* workbench() const { return m_workbench.get(); }
    [[nodiscard]] const std::filesystem::path& database() const { return m_start.database; }

    [[nodiscard]] const std::shared_ptr<const OpenedGraph>& opened() const { return m_opened; }
    [[nodiscard]] const ShownRunPtr& shown() const { return m_shown; }
    [[nodiscard]] const std::vector<ShownRunPtr>& comparison() const { return m_comparison; }
    [[nodiscard]] const Selection& selection() const { return m_selection; }
    /// For the next run: what was chosen last.
    [[nodiscard]] const ClusterChoice& clusterChoice() const { return m_start.cluster; }

    void openFile(const QString& path);
    /// Gives the ops of the graph that is open the times that a file says they were measured to take.
    void importTimes(const QString& path);
    void openRun(qint64 id);
    void optimize(const OptimizeRequest& request, const ClusterChoice& choice);
    /// Of runs that learn, of this window or of any other program: pauses it, lets it go on, stops it.
    void askTraining(qint64 id, RunWish wish);
    /// Goes on with one that was stopped or cut off.
    void resumeTraining(qint64 id);
    /// How many go on that this window has started.
    [[nodiscard]] int trainings() const;
    /// From now on they do not end with the window.
    void letTrainingsGoOn();
    /// Makes a kept run once more, with the same options and seed. Its graph is opened where another one is open.
    void makeAgain(qint64 id);
    /// The same, but asks first: againPrepared() says what it was made from.
    void prepareAgain(qint64 id);
    void compareRuns(const std::vector<qint64>& ids);
    /// Compares the plan that is shown, unless it is an optimizer's preview or one of theirs, with each of the standard
    /// methods.
    /// Runs of theirs that are kept for this graph, cluster and link model are taken; what is missing is run and kept.
    void compareStandard();
    /// The same with one method, beside what is compared already.
    void compareWith(const std::string& method);
    /// Beside what is compared already.
    void addShownToComparison();
    void clearComparison();

    /// The plan as it is edited by hand.
    [[nodiscard]] const WhatIf& whatIf() const { return m_whatIf; }
    /// Changes the plan that is shown, where the edit is about ops, for the selected ones.
    void edit(EditKind kind, DeviceId device = {}, DeviceId other = {});
    void undo();
    void redo();
    /// The plan that is shown beside the one that its edits began with.
    void compareWithStart();
    /// Keeps the plan that is shown.
    void saveShown();

    void select(Selection selection);
    void selectOps(std::vector<OpId> ops);
    void selectScope(ScopeId scope);
    void selectTransfer(int transfer);

signals:
    void ready(); ///< the plugins are loaded
    void openedChanged();
    void shownChanged();
    void comparisonChanged();
    void comparisonFollowed(); ///< one of the compared plans was edited by hand
    void selectionChanged();
    void fileOpened(const QString& path);
    void fileRefused(const QString& path);
    void runsTouched(); ///< runs were added by this window
    void againPrepared(const opscape::RunAgain& again);
    void learningBegan(); ///< a run of this window has told the first of how it learns
    void editsChanged();  ///< there is something else to undo, redo or keep
    void said(opscape::Severity severity, const QString& sentence);

private:
    using WorkbenchPtr = std::shared_ptr<const Workbench>;

    void placeOpened();
    void withRun(qint64 id, std::function<void(const RunAgain&)> then);
    void setOpened(std::shared_ptr<const OpenedGraph> opened);
    void setShown(ShownRunPtr shown);
    void showEdited(const ShownRunPtr& run);
    /// From now on the person decides what is shown.
    void takeOver();
    void gatherComparison(const std::vector<ShownRunPtr>& others, const std::vector<std::string>& methods,
                          const QString& title);
    void setComparison(std::vector<ShownRunPtr> runs);
    /// The plan that is edited is another one now, also where it is compared.
    void followInComparison(const ShownRunPtr& run);
    void say(Severity severity, const std::string& sentence) { emit said(severity, QString::fromStdString(sentence)); }
    void reportRun(const ShownRun& run, bool isShown);
    /// What arrives of a run at its end. Called on a worker thread.
    [[nodiscard]] JobRunner::Deliver deliver(Result<Outcome> outcome, const QString& lane, bool stopped);

    // session_training.cpp
    using Optimize =
        std::function<Result<Outcome>(const Workbench&, const RunSubject&, const OptimizeRequest&, const RunContext&)>;
    /// The lane of the next run: trainings have one each.
    [[nodiscard]] QString laneFor(const std::string& optimizer);
    /// Workbench::optimize(), but for trainings, which get a process of their own.
    [[nodiscard]] Optimize elsewhere() const;
    /// From now on the best plan so far of a run that begins is shown. Returns what makes the context of that run:
    /// the given one, with what a run that learns tells.
    [[nodiscard]] std::function<RunContext(const RunContext&, const BestSoFar::Found&)> followBest();

    Start m_start;
    JobRunner m_jobs;
    BestSoFar m_best{m_jobs};
    WhatIf m_whatIf{m_jobs};
    QString m_resultLane; ///< of the run whose result is shown: the person looks at no other one meanwhile
    QString m_bestLane;   ///< of the run whose best plan so far is shown
    int m_lastTraining = 0;
    std::shared_ptr<std::atomic<bool>> m_letGo = std::make_shared<std::atomic<bool>>(false);
    std::shared_future<WorkbenchPtr> m_loading; ///< worker threads wait on it
    WorkbenchPtr m_workbench;
    std::shared_ptr<const OpenedGraph> m_opened;
    ShownRunPtr m_shown;
    std::vector<ShownRunPtr> m_comparison;
    Selection m_selection;
    int m_editedAt = -1; ///< which of the compared plans is the one that edits change; -1: none
};

} // namespace opscape
