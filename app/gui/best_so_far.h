// SPDX-License-Identifier: MIT
// Shows the best plan of a run while the run goes on: takes plans from the thread that finds them without holding it
// up, judges the newest on a worker at most twice a second, and hands it on as a preview.
#pragma once

#include "gui/job_runner.h"
#include "gui/shown_run.h"

#include <QTimer>

#include <mutex>

namespace opscape {

class BestSoFar : public QObject {
    Q_OBJECT
public:
    /// A plan and what it is a plan of.
    struct Found {
        std::shared_ptr<const Workbench> workbench;
        std::shared_ptr<const OpenedGraph> opened;
        std::shared_ptr<const Cluster> cluster;
        OptimizeRequest request;
        Plan plan;
    };
    using Offer = std::function<void(Found)>; ///< from any thread, at any time, also once nobody listens any more

    explicit BestSoFar(JobRunner& jobs, QObject* parent = nullptr);
    ~BestSoFar() override;

    /// From now on what is offered through the result, and nothing else, is shown.
    [[nodiscard]] Offer follow();
    /// Nothing is shown any more.
    void stop();

signals:
    void found(const opscape::ShownRunPtr& run);

private:
    /// What the offering thread and the window share.
    struct Box {
        std::mutex mutex;
        BestSoFar* owner = nullptr; ///< null once nobody listens
        std::optional<Found> newest;
    };

    void look();

    JobRunner& m_jobs;
    std::shared_ptr<Box> m_box;
    QTimer m_pause; ///< until the next one may be shown
};

} // namespace opscape
