// SPDX-License-Identifier: MIT
// Several pictures of one graph look at the same part of it: whichever a person moves, the others follow. What moved is
// seen when it is painted, so that every way of moving counts.
#pragma once

#include "gui/views/graph_widget.h"

#include <QPointer>

#include <vector>

namespace opscape {

class CompareCoupling : public QObject {
    Q_OBJECT
public:
    explicit CompareCoupling(QObject* parent = nullptr) : QObject(parent) {}

    void add(GraphWidget* graph);
    void remove(GraphWidget* graph);
    /// The others look where this one looks.
    void lead(GraphWidget* leader);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct Member {
        QPointer<GraphWidget> graph;
        GraphCamera known; ///< where it looked when all looked at the same
        bool fitted = true;
        QSize size;
        std::shared_ptr<const GraphScene> scene;
    };

    static void note(Member& member);

    std::vector<Member> m_members;
};

} // namespace opscape
