// SPDX-License-Identifier: MIT
#include "gui/views/compare_ops.h"

#include "gui/shown_text.h"
#include "gui/words.h"

#include <opscape/base/units.h>

#include <QHBoxLayout>
#include <QHeaderView>
#include <QVBoxLayout>

#include <mutex>
#include <numeric>

namespace opscape {
namespace {

const QString kLane = QStringLiteral("compare, costs");
constexpr int kLookEveryMs = 100, kSettledMs = 300;
constexpr int kNameWidth = 220;      ///< of the op; wider where there is room
constexpr int kLeastHeight = 60;     ///< pixels: a window of 700 has room for all of the pane
constexpr std::size_t kAtOnce = 200; ///< moves that are simulated without being asked for more

} // namespace

/// The moves there are to simulate, in order, and what came of them. The worker and the window take turns.
struct CompareOps::Board {
    struct Move {
        bool isGroup = false;
        std::size_t index = 0;
    };
    std::vector<Move> moves;    ///< groups, then ops; those that take longest first
    std::atomic_size_t next{0}; ///< first one not simulated

    std::mutex mutex;
    std::vector<std::pair<Move, Result<MoveCost>>> fresh;

    Board(const ShownRun& a, const PlanDifferences& found) {
        std::vector<std::int64_t> groupNs(found.groups.size());
        for (const OpDifference& difference : found.ops)
            groupNs[difference.group] += a.opNs(difference.op);
        for (std::size_t g = 0; g < groupNs.size(); ++g)
            moves.push_back({true, g});
        std::ranges::stable_sort(moves, std::greater(), [&](const Move& m) { return groupNs[m.index]; });
        std::vector<Move> single;
        for (std::size_t i = 0; i < found.ops.size(); ++i) {
            if (found.groups[found.ops[i].group].size() > 1) // else it is its group
                single.push_back({false, i});
        }
        std::ranges::stable_sort(single, std::greater(), [&](const Move& m) { return a.opNs(found.ops[m.index].op); });
        moves.insert(moves.end(), single.begin(), single.end());
    }
};

CompareOps::CompareOps(Session& session, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_model(new CompareOpsModel(this)),
      m_filter(new CompareOpsFilter(this)),
      m_table(new QTableView),
      m_words(new QLineEdit),
      m_count(new QLabel) {
    m_filter->setSourceModel(m_model);
    m_table->setObjectName(QStringLiteral("comparedOps"));
    m_table->setAccessibleName(tr("Ops placed differently"));
    m_table->setModel(m_filter);
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(CompareOpsModel::Together, Qt::AscendingOrder);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_table->setShowGrid(false);
    m_table->setWordWrap(false);
    m_table->setTabKeyNavigation(false);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(m_table->fontMetrics().height() + 8);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->horizontalHeader()->setStretchLastSection(false);
    m_table->setTextElideMode(Qt::ElideLeft); // ops of one scope differ at their ends
    constexpr std::array<int, CompareOpsModel::ColumnCount> kWidths{kNameWidth, 86, 86, 92, 92, 110, 84, 84, 84, 84};
    m_table->horizontalHeader()->ensurePolished();
    for (int column = 0; column < CompareOpsModel::ColumnCount; ++column)
        m_table->setColumnWidth(column, std::max(kWidths[static_cast<std::size_t>(column)],
                                                 m_table->horizontalHeader()->sectionSizeHint(column)));
    m_hint = new EmptyHint(m_table, tr("Both plans have every op on the same device."));
    m_words->setObjectName(QStringLiteral("comparedOpsFilter"));
    m_words->setPlaceholderText(tr("Filter by name, type or device"));
    m_words->setAccessibleName(tr("Filter the ops placed differently"));
    m_words->setClearButtonEnabled(true);
    m_words->setFixedWidth(240);
    m_count->setEnabled(false);
    m_count->setWordWrap(true); // it must not make the pane wide
    setFocusProxy(m_table);
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(8, 2, 8, 2);
    bar->setSpacing(8);
    bar->addWidget(m_words);
    bar->addWidget(m_count, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(bar);
    m_table->setMinimumHeight(kLeastHeight);
    layout->addWidget(m_table, 1);

    m_look.setInterval(kLookEveryMs);
    m_settled.setInterval(kSettledMs);
    m_settled.setSingleShot(true);
    connect(&m_look, &QTimer::timeout, this, &CompareOps::takeCosts);
    connect(&m_settled, &QTimer::timeout, this, &CompareOps::startCosts);
    connect(m_words, &QLineEdit::textChanged, this, [this](const QString& words) {
        m_filter->setWords(words);
        showCount();
    });
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, &CompareOps::chosen);
    showCount();
}

void CompareOps::setPair(ShownRunPtr a, ShownRunPtr b, std::size_t numberA, std::size_t numberB,
                         std::shared_ptr<const PlanDifferences> found) {
    m_session.jobs().abandon(kLane);
    m_look.stop();
    m_a = std::move(a);
    m_b = std::move(b);
    m_board = found ? std::make_shared<Board>(*m_a, *found) : nullptr;
    m_model->setPair(m_a, m_b, std::move(found), static_cast<int>(numberA + 1), static_cast<int>(numberB + 1));
    showCount();
    if (isVisible())
        m_settled.start();
}

void CompareOps::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (m_board && m_board->next == 0)
        m_settled.start();
}

void CompareOps::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    int others = 0;
    for (int column = CompareOpsModel::Name + 1; column < CompareOpsModel::ColumnCount; ++column)
        others += m_table->columnWidth(column);
    m_table->setColumnWidth(CompareOpsModel::Name, std::max(kNameWidth, m_table->viewport()->width() - others));
}

void CompareOps::simulateMore() {
    if (m_board && !m_session.jobs().busy(kLane))
        startCosts();
}

void CompareOps::startCosts() {
    if (!m_board || m_board->next >= m_board->moves.size())
        return;
    m_look.start();
    m_session.jobs().start(
        kLane, tr("Simulating moved ops"),
        [this, board = m_board, a = m_a, b = m_b,
         found = m_model->found()](const RunContext& context) -> JobRunner::Deliver {
            MoveCosts costs(a->outcome, b->outcome);
            const std::size_t from = board->next, to = std::min(board->moves.size(), from + kAtOnce);
            for (std::size_t i = from; i < to && !context.stopRequested(); ++i) {
                const Board::Move move = board->moves[i];
                auto cost = move.isGroup ? costs.of(found->groups[move.index])
                                         : costs.of(std::array{found->ops[move.index].op});
                const std::lock_guard lock(board->mutex);
                board->fresh.emplace_back(move, std::move(cost));
                board->next = i + 1;
                Progress progress;
                progress.fraction = static_cast<double>(i + 1 - from) / static_cast<double>(to - from);
                progress.simulations = static_cast<std::int64_t>(i + 1 - from);
                context.report(progress);
            }
            return [this] {
                m_look.stop();
                takeCosts();
            };
        },
        true, this);
}

void CompareOps::takeCosts() {
    if (!m_board)
        return;
    std::vector<std::pair<Board::Move, Result<MoveCost>>> fresh;
    {
        const std::lock_guard lock(m_board->mutex);
        fresh.swap(m_board->fresh);
    }
    const auto& found = *m_model->found();
    for (const auto& [move, cost] : fresh) {
        if (!move.isGroup) {
            m_model->setCost(move.index, cost);
            continue;
        }
        m_model->setGroupCost(move.index, cost);
        const auto& ops = found.groups[move.index];
        if (ops.size() == 1)
            m_model->setCost(
                static_cast<std::size_t>(std::ranges::lower_bound(found.ops, ops.front(), {}, &OpDifference::op) -
                                         found.ops.begin()),
                cost);
    }
    if (!m_session.jobs().busy(kLane))
        m_look.stop();
    showCount();
}

void CompareOps::showCount() {
    const auto text = [](std::size_t n) { return qs(formatCount(static_cast<std::int64_t>(n))); };
    if (!m_board)
        return m_count->setText({});
    const auto all = static_cast<std::size_t>(m_model->rowCount()),
               seen = static_cast<std::size_t>(m_filter->rowCount());
    QString words =
        seen == all ? tr("%1 in %2").arg(countedText(all, "op"), countedText(m_model->found()->groups.size(), "group"))
                    : tr("%1 of %2 ops").arg(text(seen), text(all));
    if (const std::size_t done = m_board->next, moves = m_board->moves.size(); done < moves)
        words += tr("; %1 of %2 moves simulated, K simulates more").arg(text(done), text(moves));
    m_count->setText(words);
    m_hint->setText(all > 0 ? tr("None of the %1 ops fits the filter.").arg(text(all))
                            : tr("Both plans have every op on the same device."));
}

void CompareOps::chosen() {
    std::vector<OpId> ops;
    for (const QModelIndex& row : m_table->selectionModel()->selectedRows())
        ops.push_back(OpId(row.data(CompareOpsModel::OpRole).toUInt()));
    if (!ops.empty())
        m_session.selectOps(std::move(ops));
}

} // namespace opscape
