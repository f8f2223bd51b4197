// SPDX-License-Identifier: MIT
#include "gui/widgets/job_strip.h"

#include "gui/words.h"

#include <opscape/base/units.h>

#include <QHBoxLayout>

#include <algorithm>

namespace opscape {
namespace {

constexpr int kShownAfterMs = 150; ///< quicker work would only flicker
constexpr int kTickMs = 100;

QString describe(const JobRunner::Job& job) {
    QStringList parts{job.title};
    if (job.cancelling)
        parts << JobStrip::tr("cancelling…");
    else if (!job.progress.stage.empty())
        parts << qs(job.progress.stage);
    if (job.progress.bestNs >= 0)
        parts << JobStrip::tr("best %1").arg(qs(formatTime(job.progress.bestNs)));
    parts << QStringLiteral("%1 s").arg(static_cast<double>(job.elapsedMs()) / 1000.0, 0, 'f', 1);
    return parts.join(QStringLiteral("  ·  "));
}

} // namespace

JobStrip::JobStrip(JobRunner& jobs, QWidget* parent)
    : QWidget(parent),
      m_jobs(jobs),
      m_text(new QLabel),
      m_bar(new QProgressBar),
      m_cancel(new QPushButton(tr("Cancel"))) {
    setObjectName(QStringLiteral("jobStrip"));
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(8, 0, 4, 0);
    layout->setSpacing(10);
    m_text->setTextFormat(Qt::PlainText);
    m_bar->setFixedWidth(140);
    m_bar->setTextVisible(false);
    m_bar->setAccessibleName(tr("Progress"));
    m_cancel->setObjectName(QStringLiteral("cancelJob"));
    m_cancel->setToolTip(tr("Stop it  (Ctrl+.)"));
    m_cancel->setStyleSheet(QStringLiteral("QPushButton { padding: 2px 12px; }"));
    layout->addWidget(m_text);
    layout->addWidget(m_bar);
    layout->addWidget(m_cancel);
    connect(m_cancel, &QPushButton::clicked, &jobs, &JobRunner::cancelAll);
    connect(&jobs, &JobRunner::changed, this, &JobStrip::refresh);
    connect(&m_clock, &QTimer::timeout, this, &JobStrip::refresh);
    hide();
}

void JobStrip::refresh() {
    // The one that has worked the longest stands for all.
    const auto job = std::ranges::find_if(m_jobs.jobs(), [](const JobRunner::Job& j) { return j.shown; });
    const bool any = job != m_jobs.jobs().end();
    if (any && !m_clock.isActive())
        m_clock.start(kTickMs);
    else if (!any)
        m_clock.stop();
    setVisible(any && (isVisible() || job->elapsedMs() >= kShownAfterMs));
    if (!any)
        return;
    m_text->setText(describe(*job));
    if (job->progress.fraction < 0) {
        m_bar->setRange(0, 0);
    } else {
        m_bar->setRange(0, 1000);
        m_bar->setValue(static_cast<int>(job->progress.fraction * 1000));
    }
    m_cancel->setEnabled(!job->cancelling);
}

} // namespace opscape
