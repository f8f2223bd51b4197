// SPDX-License-Identifier: MIT
// How a model learned, or learns: reward over the lessons, and what it does on graphs that are kept out.
#pragma once

#include "gui/look.h"
#include "gui/views/models_engine.h"

#include <qcustomplot.h>

#include <array>
#include <span>

namespace opscape {

class ModelsCurve : public QCustomPlot {
    Q_OBJECT
public:
    explicit ModelsCurve(Look& look, QWidget* parent = nullptr);

    void setCurve(std::span<const rl::PretrainPoint> curve);
    [[nodiscard]] int points() const { return m_reward->dataCount(); }
    [[nodiscard]] int looks() const { return m_greedy->dataCount(); }

private:
    struct Chart {
        QCPTextElement* head = nullptr;
        QCPAxisRect* rect = nullptr;
    };
    Chart addChart(int place, const QString& title);
    QCPItemText* addLabel(const QString& text);
    void dress();

    Look& m_look;
    std::array<Chart, 2> m_charts;
    QCPGraph *m_raw, *m_reward, *m_greedy, *m_best, *m_simple;
    QCPItemText *m_greedyLabel, *m_bestLabel, *m_simpleLabel;
};

} // namespace opscape
