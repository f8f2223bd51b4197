// SPDX-License-Identifier: MIT
#include "gui/views/models_curve.h"

#include "gui/models/curve_series.h"
#include "gui/views/chart_axes.h"
#include "gui/views/curve_ticker.h"
#include "gui/views/label_spread.h"
#include "gui/views/overlay.h"

#include <algorithm>
#include <functional>

namespace opscape {
namespace {

constexpr int kTextSize = 11, kHeadHeight = 18;
constexpr double kSmoothing = 0.97;
constexpr double kMargin = 0.06; ///< of an axis, beyond what is drawn
constexpr int kLabelPadding = 4; ///< pixels, between a line and what it is called

/// All that is drawn of the graphs, with some room at its sides.
void fit(QCPAxis* axis, const QCPRange& range, double before, double after) {
    const double size = range.size() > 0 ? range.size() : 1;
    axis->setRange(range.lower - before * size, range.upper + after * size);
}

/// At the ends of their lines, apart from one another.
void placeLabels(QCPAxis* axis, std::vector<std::pair<const QCPGraph*, QCPItemText*>> labels) {
    std::erase_if(labels, [](const auto& label) { return label.first->data()->isEmpty() || !label.second->visible(); });
    const auto end = [](const auto& label) { return *(label.first->data()->constEnd() - 1); };
    std::ranges::sort(labels, std::greater{}, [&](const auto& label) { return end(label).value; });
    std::vector<double> wanted;
    for (const auto& label : labels)
        wanted.push_back(axis->coordToPixel(end(label).value));
    const QRect rect = axis->axisRect()->rect();
    const auto places =
        spreadLabels(wanted, kTextSize + 2, rect.top() + kTextSize / 2., rect.bottom() - kTextSize / 2.);
    for (std::size_t i = 0; i < labels.size(); ++i)
        labels[i].second->position->setCoords(end(labels[i]).key, axis->pixelToCoord(places[i]));
}

} // namespace

ModelsCurve::ModelsCurve(Look& look, QWidget* parent) : QCustomPlot(parent), m_look(look) {
    setObjectName(QStringLiteral("modelCurve"));
    setAccessibleName(tr("Training curve of the model"));
    setMinimumSize(220, 120);
    plotLayout()->clear();
    plotLayout()->setRowSpacing(0);
    m_charts = {addChart(0, tr("Reward, over updates; best simple plan: -1")),
                addChart(1, tr("Kept-out graphs, to the best simple plan"))};
    auto* group = new QCPMarginGroup(this); // one axis of updates, the charts under one another
    for (const Chart& chart : m_charts)
        chart.rect->setMarginGroup(QCP::msLeft | QCP::msRight, group);
    const auto line = [this](const Chart& chart) {
        return addGraph(chart.rect->axis(QCPAxis::atBottom), chart.rect->axis(QCPAxis::atLeft));
    };
    m_raw = line(m_charts[0]);
    m_reward = line(m_charts[0]);
    m_simple = line(m_charts[1]);
    m_greedy = line(m_charts[1]);
    m_best = line(m_charts[1]);
    m_greedyLabel = addLabel(tr("greedy"));
    m_bestLabel = addLabel(tr("best of 64"));
    m_simpleLabel = addLabel(tr("simple plan"));
    connect(this, &QCustomPlot::afterLayout, this, [this] {
        placeLabels(m_charts[1].rect->axis(QCPAxis::atLeft),
                    {{m_greedy, m_greedyLabel}, {m_best, m_bestLabel}, {m_simple, m_simpleLabel}});
    });
    connect(&look, &Look::changed, this, &ModelsCurve::dress);
    dress();
}

ModelsCurve::Chart ModelsCurve::addChart(int place, const QString& title) {
    Chart chart;
    chart.head = new QCPTextElement(this, title);
    chart.head->setTextFlags(Qt::AlignLeft | Qt::AlignVCenter);
    chart.head->setMinimumSize(10, kHeadHeight);
    chart.head->setMaximumSize(QWIDGETSIZE_MAX, kHeadHeight);
    chart.rect = new QCPAxisRect(this);
    chart.rect->setMinimumSize(60, 40);
    plotLayout()->addElement(2 * place, 0, chart.head);
    plotLayout()->addElement(2 * place + 1, 0, chart.rect);
    for (const auto side : {QCPAxis::atBottom, QCPAxis::atLeft}) {
        QCPAxis* axis = chart.rect->axis(side);
        axis->setTicker(QSharedPointer<CurveTicker>::create());
        axis->ticker()->setTickCount(4);
        axis->setTickLength(0, 3);
        axis->setSubTicks(false);
        axis->setLayer(QStringLiteral("axes"));
        axis->grid()->setLayer(QStringLiteral("grid"));
    }
    return chart;
}

/// At the right end of a line.
QCPItemText* ModelsCurve::addLabel(const QString& text) {
    auto* label = new QCPItemText(this);
    label->setText(text);
    label->setPositionAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    label->setPadding({kLabelPadding, 0, 0, 0});
    label->setClipToAxisRect(false); // the margin at the right is theirs
    label->position->setAxisRect(m_charts[1].rect);
    label->position->setAxes(m_charts[1].rect->axis(QCPAxis::atBottom), m_charts[1].rect->axis(QCPAxis::atLeft));
    return label;
}

void ModelsCurve::setCurve(std::span<const rl::PretrainPoint> curve) {
    QVector<double> updates, rewards, looks, greedy, best;
    for (const rl::PretrainPoint& point : curve) {
        const auto update = static_cast<double>(point.update);
        updates << update;
        rewards << point.reward;
        if (point.heldOut && point.heldOut->lessons > 0) {
            looks << update;
            greedy << point.heldOut->greedy;
            best << point.heldOut->bestOf64;
        }
    }
    SmoothedSeries smoothed(kSmoothing);
    smoothed.follow({rewards.constData(), static_cast<std::size_t>(rewards.size())});
    const auto& smooth = smoothed.series().values();
    m_raw->setData(updates, rewards, true);
    m_reward->setData(updates, QVector<double>(smooth.begin(), smooth.end()), true);
    m_greedy->setData(looks, greedy, true);
    m_best->setData(looks, best, true);
    const double last = updates.isEmpty() ? 1 : updates.back(), first = updates.isEmpty() ? 0 : updates.front();
    m_simple->setData({first, last}, {1, 1}, true);
    for (QCPItemText* label : {m_greedyLabel, m_bestLabel, m_simpleLabel})
        label->setVisible(!looks.isEmpty());
    const auto rangeOf = [](std::initializer_list<const QVector<double>*> all) {
        double least = 1e300, most = -1e300;
        for (const QVector<double>* values : all) {
            for (const double value : *values) {
                least = std::min(least, value);
                most = std::max(most, value);
            }
        }
        return least > most ? QCPRange(0, 1) : QCPRange(least, most);
    };
    for (const Chart& chart : m_charts) { // axes of nothing would say something
        chart.head->setVisible(!curve.empty());
        chart.rect->setVisible(!curve.empty());
        for (QCPAxis* axis : {chart.rect->axis(QCPAxis::atBottom), chart.rect->axis(QCPAxis::atLeft)}) {
            axis->setVisible(!curve.empty());
            axis->grid()->setVisible(!curve.empty());
        }
    }
    const QVector<double> one{1};
    fit(m_charts[0].rect->axis(QCPAxis::atBottom), {first, last}, 0, 0);
    fit(m_charts[1].rect->axis(QCPAxis::atBottom), {first, last}, 0, 0);
    fit(m_charts[0].rect->axis(QCPAxis::atLeft), rangeOf({&rewards}), kMargin, kMargin);
    fit(m_charts[1].rect->axis(QCPAxis::atLeft), rangeOf({&greedy, &best, &one}), kMargin, kMargin);
    replot(rpQueuedReplot);
}

void ModelsCurve::dress() {
    const Theme& theme = m_look.theme();
    const QFont font = Theme::font(kTextSize);
    setBackground(theme.background);
    for (const Chart& chart : m_charts) {
        chart.head->setFont(Theme::font(kTextSize, true));
        chart.head->setTextColor(theme.text);
        dressAxes(*chart.rect, theme, font, theme.grid);
    }
    const QColor accent = m_look.accent();
    m_raw->setPen(penOf(Theme::mix(accent, theme.background, .3), 1));
    m_reward->setPen(penOf(accent, 2));
    m_greedy->setPen(penOf(accent, 1.5, Qt::DashLine));
    m_best->setPen(penOf(accent, 2));
    m_simple->setPen(penOf(theme.dimText, 1, Qt::DotLine));
    int widest = 0;
    for (QCPItemText* label : {m_greedyLabel, m_bestLabel, m_simpleLabel}) {
        label->setFont(font);
        label->setColor(label == m_simpleLabel ? theme.dimText : theme.text);
        widest = std::max(widest, QFontMetrics(font).horizontalAdvance(label->text()));
    }
    for (const Chart& chart : m_charts)
        chart.rect->setMinimumMargins({0, 0, widest + 2 * kLabelPadding, 0});
    replot(rpQueuedReplot);
}

} // namespace opscape
