// SPDX-License-Identifier: MIT
#include "gui/views/compare_pane.h"

#include "gui/words.h"

#include <opscape/base/units.h>

#include <QHeaderView>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

#include <algorithm>

namespace opscape {
namespace {

constexpr int kTitleWidth = 165, kColumnWidth = 125; ///< of the table; the schedules get the rest

/// The better value in a colour of its own, beside its mark.
class BestDelegate : public QStyledItemDelegate {
public:
    BestDelegate(const Look& look, QObject* parent) : QStyledItemDelegate(parent), m_look(look) {}

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
        QStyledItemDelegate::initStyleOption(option, index);
        if (index.data(CompareModel::BestRole).toBool())
            option->palette.setColor(QPalette::Text, m_look.good());
    }

private:
    const Look& m_look;
};

} // namespace

ComparePane::ComparePane(Session& session, Look& look, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_look(look),
      m_header(new PaneHeader(tr("Compare"))),
      m_split(new QSplitter(Qt::Horizontal)),
      m_table(new QTableView),
      m_model(new CompareModel(this)),
      m_stack(new QSplitter(Qt::Vertical)),
      m_hint(new QLabel(tr(
          "Nothing to compare yet. Select two to four runs under Runs and press C, or press Ctrl+B to compare METIS, "
          "expert and HEFT on the graph that is open."))),
      m_fit(new QAction(tr("Fit"), this)),
      m_close(new QAction(tr("End the comparison"), this)) {
    m_table->setObjectName(QStringLiteral("comparison"));
    m_table->setAccessibleName(tr("Comparison"));
    m_table->setModel(m_model);
    m_table->setItemDelegate(new BestDelegate(look, this));
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setShowGrid(false);
    m_table->setAlternatingRowColors(true);
    m_table->setTabKeyNavigation(false);
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->verticalHeader()->setHighlightSections(false);
    m_table->verticalHeader()->setDefaultSectionSize(m_table->fontMetrics().height() + 8);
    m_table->setMinimumWidth(300);
    m_table->verticalHeader()->setFixedWidth(kTitleWidth);
    m_hint->setAlignment(Qt::AlignCenter);
    m_hint->setWordWrap(true);
    m_hint->setEnabled(false);
    m_hint->setMargin(24);
    m_hint->setFocusPolicy(Qt::StrongFocus);
    m_hint->setAccessibleName(tr("Comparison"));
    m_split->addWidget(m_table);
    m_split->addWidget(m_stack);
    m_split->setStretchFactor(0, 1);
    m_split->setStretchFactor(1, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_hint, 1);
    layout->addWidget(m_split, 1);
    look.dress(m_fit, QStringLiteral("fit"));
    look.dress(m_close, QStringLiteral("close"));
    m_header->addTool(m_fit);
    m_header->addTool(m_close);
    connect(m_fit, &QAction::triggered, this, [this] {
        if (!m_charts.empty())
            m_charts.front()->fit();
    });
    connect(m_close, &QAction::triggered, &session, &Session::clearComparison);
    connect(&session, &Session::comparisonChanged, this, &ComparePane::refresh);
    refresh();
}

void ComparePane::refresh() {
    const auto& runs = m_session.comparison();
    m_model->setRuns(runs);
    setFocusProxy(runs.empty() ? static_cast<QWidget*>(m_hint) : m_table);
    m_hint->setVisible(runs.empty());
    m_table->setMaximumWidth(kTitleWidth + kColumnWidth * static_cast<int>(runs.size()));
    m_split->setVisible(!runs.empty());
    m_fit->setEnabled(!runs.empty());
    m_close->setEnabled(!runs.empty());
    while (m_stack->count() > 0)
        delete m_stack->widget(0);
    m_charts.clear();
    std::vector<std::int64_t> ends;
    for (const ShownRunPtr& run : runs)
        ends.push_back(run->outcome->schedule.makespanNs);
    for (const ShownRunPtr& run : runs)
        addChart(run, std::ranges::min(ends), std::ranges::max(ends));
    m_header->setRemark(runs.empty() ? QString()
                                     : tr("%1 runs of %2; ✓ marks the better value")
                                           .arg(runs.size())
                                           .arg(qs(runs.front()->problem().graph->name())));
}

void ComparePane::addChart(const ShownRunPtr& run, std::int64_t shortest, std::int64_t longest) {
    auto* box = new QWidget;
    auto* title = new QLabel(
        tr("%1  ·  %2 a step  ·  %3")
            .arg(methodText(*run), qs(formatTime(run->outcome->schedule.makespanNs)), clusterText(run->cluster())));
    title->setContentsMargins(10, 3, 10, 3);
    title->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    auto* chart = new GanttWidget(m_session, m_look);
    chart->setAccessibleName(tr("Schedule of %1").arg(methodText(*run)));
    auto* layout = new QVBoxLayout(box);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(title);
    layout->addWidget(chart, 1);
    m_stack->addWidget(box);
    m_charts.push_back(chart);
    chart->setRun(run);
    chart->setSpan(longest);
    // The fastest run shows where the slowest ends, the others where the fastest does.
    const std::int64_t own = run->outcome->schedule.makespanNs;
    if (shortest != longest)
        chart->setMark(own == shortest ? longest : shortest);
    connect(chart, &GanttWidget::moved, this,
            [this, chart](double start, double scale, bool fitted) { couple(chart, start, scale, fitted); });
}

void ComparePane::couple(const GanttWidget* leader, double startNs, double nsPerPixel, bool fitted) {
    if (std::exchange(m_coupling, true))
        return;
    for (GanttWidget* chart : m_charts) {
        if (chart != leader)
            chart->follow(startNs, nsPerPixel, fitted);
    }
    m_coupling = false;
}

} // namespace opscape
