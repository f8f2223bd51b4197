// SPDX-License-Identifier: MIT
// The ops that two compared plans place differently, in a table to be sorted and filtered; a row that is chosen is
// selected everywhere. What each difference costs is simulated on a worker thread, what takes longest first, and
// arrives row by row.
#pragma once

#include "gui/models/compare_ops_model.h"
#include "gui/session.h"
#include "gui/widgets/empty_hint.h"

#include <QLabel>
#include <QLineEdit>
#include <QTableView>
#include <QTimer>

namespace opscape {

class CompareOps : public QWidget {
    Q_OBJECT
public:
    CompareOps(Session& session, QWidget* parent = nullptr);

    /// The numbers name the plans, from 0; null: nothing.
    void setPair(ShownRunPtr a, ShownRunPtr b, std::size_t numberA, std::size_t numberB,
                 std::shared_ptr<const PlanDifferences> found);
    /// Simulates further moves.
    void simulateMore();
    [[nodiscard]] QTableView& table() { return *m_table; }
    [[nodiscard]] QLineEdit& filter() { return *m_words; }

protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    struct Board;

    void startCosts();
    void takeCosts();
    void showCount();
    void chosen();

    Session& m_session;
    CompareOpsModel* m_model;
    CompareOpsFilter* m_filter;
    QTableView* m_table;
    EmptyHint* m_hint;
    QLineEdit* m_words;
    QLabel* m_count;
    ShownRunPtr m_a, m_b;
    std::shared_ptr<Board> m_board; ///< where the worker leaves its costs
    QTimer m_look, m_settled;       ///< at the board; since the plans changed
};

} // namespace opscape
