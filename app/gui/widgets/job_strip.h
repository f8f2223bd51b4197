// SPDX-License-Identifier: MIT
// The long work that goes on, in the status bar: what it is, how far, the best step time so far, how long it has taken,
// and a Cancel button.
#pragma once

#include "gui/job_runner.h"

#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QTimer>
#include <QWidget>

namespace opscape {

class JobStrip : public QWidget {
    Q_OBJECT
public:
    explicit JobStrip(JobRunner& jobs, QWidget* parent = nullptr);

private:
    void refresh();

    JobRunner& m_jobs;
    QLabel* m_text;
    QProgressBar* m_bar;
    QPushButton* m_cancel;
    QTimer m_clock;
};

} // namespace opscape
