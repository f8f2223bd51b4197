// SPDX-License-Identifier: MIT
// The strip over a pane: its title, a remark beside it, and its tools on the right. Serves as the title bar of dock
// widgets, so that dragging it moves the pane.
#pragma once

#include <QAction>
#include <QHBoxLayout>
#include <QLabel>
#include <QWidget>

namespace opscape {

class PaneHeader : public QWidget {
    Q_OBJECT
public:
    explicit PaneHeader(const QString& title, QWidget* parent = nullptr);

    void setRemark(const QString& remark);
    /// A tool button for the action, with its shortcut in the tooltip.
    void addTool(QAction* action);
    void addTool(QWidget* widget);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void showRemark();

    QHBoxLayout* m_layout;
    QLabel* m_title;
    QLabel* m_remark;
    QString m_text;
};

} // namespace opscape
