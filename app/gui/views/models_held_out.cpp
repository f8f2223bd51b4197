// SPDX-License-Identifier: MIT
#include "gui/views/models_held_out.h"

#include "gui/words.h"
#include "study/transfer_lines.h"

#include <opscape/base/units.h>

#include <QHeaderView>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace opscape {
namespace {

enum Source { Card, Study };
constexpr int kWidestName = 94; ///< pixels

QString timeText(double ns) { return ns > 0 ? qs(formatTime(std::llround(ns))) : QStringLiteral("–"); }

/// "0.912": of two step times.
QString ratioText(double ns, double otherNs) {
    return ns > 0 && otherNs > 0 ? qs(fmt::format("{:.3f}", ns / otherNs)) : QStringLiteral("–");
}

} // namespace

ModelsHeldOut::ModelsHeldOut(std::filesystem::path study, QWidget* parent)
    : QWidget(parent),
      m_study(std::move(study)),
      m_source(new QComboBox),
      m_table(new QTableView),
      m_model(new RowsModel(this)) {
    m_source->setObjectName(QStringLiteral("heldOutSource"));
    m_source->setAccessibleName(tr("Where the rows are from"));
    m_table->setObjectName(QStringLiteral("heldOut"));
    m_table->setAccessibleName(tr("On graphs that it was not trained on"));
    m_table->setModel(m_model);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setShowGrid(false);
    m_table->setWordWrap(false);
    m_table->setTabKeyNavigation(false);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(m_table->fontMetrics().height() + 6);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_hint = new EmptyHint(m_table, {});
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_source);
    layout->addWidget(m_table, 1);
    connect(m_source, &QComboBox::activated, this, &ModelsHeldOut::fill);
    setRow(nullptr);
}

void ModelsHeldOut::setRow(const ModelRow* row) {
    const rl::Model* model = row != nullptr && row->entry ? &row->entry->model : nullptr;
    const std::string hash = model != nullptr ? row->entry->hash : std::string();
    std::vector<rl::JudgedLesson> judged = model != nullptr ? model->judged : std::vector<rl::JudgedLesson>();
    if (m_source->count() > 0 && hash == m_hash && judged == m_judged)
        return; // where it was scrolled to stays
    m_hash = hash;
    m_judged = std::move(judged);
    const QSignalBlocker quiet(m_source);
    const int before = m_source->currentIndex();
    m_source->clear();
    m_source->addItem(tr("The model's card"), Card);
    std::error_code ec;
    if (std::filesystem::exists(m_study, ec))
        m_source->addItem(tr("Study of transfer"), Study);
    m_source->setVisible(m_source->count() > 1);
    m_source->setCurrentIndex(std::clamp(before, 0, m_source->count() - 1));
    fill();
}

void ModelsHeldOut::fill() {
    if (m_source->currentData().toInt() == Card) {
        m_hint->setText(m_hash.empty() ? tr("No model is selected.")
                                       : tr("The card of this model does not say what it does graph by graph."));
        m_model->setRows({{tr("Graph"), tr("Greedy / simple"), tr("Best / simple"), tr("Greedy"), tr("Best of 64"),
                           tr("Simple plan"), tr("Ops"), tr("Cluster")},
                          static_cast<int>(m_judged.size()),
                          [rows = m_judged](int index, int column) {
                              const rl::JudgedLesson& row = rows[static_cast<std::size_t>(index)];
                              const auto greedy = static_cast<double>(row.greedyNs),
                                         best = static_cast<double>(row.bestOf64Ns),
                                         simple = static_cast<double>(row.simpleNs);
                              const QString cells[] = {
                                  qs(row.graph),  ratioText(greedy, simple), ratioText(best, simple),  timeText(greedy),
                                  timeText(best), timeText(simple),          qs(formatCount(row.ops)), qs(row.cluster)};
                              return cells[column];
                          },
                          1});
    } else {
        const auto table = TransferTable::open(m_study);
        std::vector<TransferLine> lines;
        if (table)
            lines = transferLines(table->rows(), m_hash);
        if (table && lines.empty()) // of other policies, which were trained in the same way
            lines = transferLines(table->rows(), {});
        m_hint->setText(table ? tr("The table of results has no rows with a policy.") : qs(table.error().message));
        m_model->setRows({{tr("Graph"), tr("Greedy / expert"), tr("50 updates / expert"), tr("Greedy"),
                           tr("Best of 64"), tr("50 updates"), tr("Expert"), tr("Devices"), tr("Held out")},
                          static_cast<int>(lines.size()),
                          [lines](int index, int column) {
                              const TransferLine& line = lines[static_cast<std::size_t>(index)];
                              const QString cells[] = {qs(line.workload),
                                                       ratioText(line.greedyNs, line.expertNs),
                                                       ratioText(line.fineTunedNs, line.expertNs),
                                                       timeText(line.greedyNs),
                                                       timeText(line.bestOf64Ns),
                                                       timeText(line.fineTunedNs),
                                                       timeText(line.expertNs),
                                                       QString::number(line.devices),
                                                       qs(line.heldOut)};
                              return cells[column];
                          },
                          1});
    }
    m_table->resizeColumnsToContents();
    // A name; what it is to be compared by has to be seen beside it.
    m_table->setColumnWidth(0, std::min(kWidestName, m_table->columnWidth(0)));
}

} // namespace opscape
