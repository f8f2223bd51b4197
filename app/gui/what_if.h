// SPDX-License-Identifier: MIT
// The plan as it is edited by hand: takes edits, judges the newest plan on a worker, takes edits back and does them
// again. It begins with a run that is shown; when another run of the same graph on the same cluster comes to be shown,
// going there is a step like an edit, and what was edited can be gone back to.
#pragma once

#include "edit/edit_history.h"
#include "edit/plan_edit.h"
#include "gui/job_runner.h"
#include "gui/shown_run.h"

#include <opscape/base/diagnostics.h>

#include <map>
#include <optional>

namespace opscape {

class WhatIf : public QObject {
    Q_OBJECT
public:
    explicit WhatIf(JobRunner& jobs, QObject* parent = nullptr);

    /// A run is shown that did not come from here.
    void follow(const ShownRunPtr& run);
    void reset();

    /// `shown` is what the person sees.
    void edit(const ShownRun& shown, const PlanEdit& edit);
    void undo();
    void redo();

    /// Null before the first run.
    [[nodiscard]] const EditHistory* history() const { return m_history ? &*m_history : nullptr; }
    /// What the plan is compared with: the run that the edits began with; null before the first run.
    [[nodiscard]] ShownRunPtr start() const;
    /// The plan is no longer the start's.
    [[nodiscard]] bool edited() const;
    [[nodiscard]] std::size_t pinnedCount() const { return m_history ? m_history->now().pinnedCount() : 0; }

signals:
    void judged(const opscape::ShownRunPtr& run);
    void changed(); ///< there is something else to undo or redo
    void said(opscape::Severity severity, const QString& sentence);

private:
    struct Engine;

    void judge();
    void prepare();
    [[nodiscard]] std::size_t startPosition() const;

    JobRunner& m_jobs;
    std::optional<EditHistory> m_history;
    std::map<std::size_t, ShownRunPtr> m_starts; ///< by the position in the history at which they were come to
    std::shared_ptr<Engine> m_engine;            ///< judges plans that began with the start
    bool m_again = false;                        ///< the plan has changed since the one being judged
};

} // namespace opscape
