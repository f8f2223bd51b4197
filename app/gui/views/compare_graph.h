// SPDX-License-Identifier: MIT
// The graph of one compared plan: as in the graph pane, in its own plan's colours, with the ops marked that others of
// the compared plans have on another device.
#pragma once

#include "gui/views/graph_widget.h"

namespace opscape {

class CompareGraph : public GraphWidget {
    Q_OBJECT
public:
    CompareGraph(Session& session, const Look& look, QWidget* parent = nullptr);

    /// Worked out for a scene on a worker thread.
    struct Shown {
        Placed placed;
        std::shared_ptr<const std::vector<std::uint32_t>> marks; ///< markedOps()
    };
    /// The scene of the graph pane; a plan of another one is only shown where there was nothing yet.
    void show(const Shown& shown);
    [[nodiscard]] const std::shared_ptr<const std::vector<std::uint32_t>>& marks() const { return m_marks; }

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    const Session& m_session;
    const Look& m_look;
    std::shared_ptr<const std::vector<std::uint32_t>> m_marks;
};

} // namespace opscape
