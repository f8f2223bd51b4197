// SPDX-License-Identifier: MIT
// The memory curves of the compared plans over one another, to be moved in.
#pragma once

#include "gui/shown_run.h"
#include "gui/views/compare_time_canvas.h"
#include "render/memory_overlay.h"

#include <optional>

namespace opscape {

class CompareMemory : public CompareTimeCanvas {
    Q_OBJECT
public:
    explicit CompareMemory(const Look& look, QWidget* parent = nullptr);

    void setRuns(const std::vector<ShownRunPtr>& runs);
    [[nodiscard]] const std::optional<MemoryOverlay>& overlay() const { return m_overlay; }
    /// How much each plan has in use at a place.
    [[nodiscard]] QString tipAt(QPointF position) const override;

protected:
    void paintContent(QPainter& painter, const QSizeF& view) override;
    void clicked(QPointF) override {}

private:
    std::vector<ShownRunPtr> m_runs;
    std::vector<QString> m_names;
    std::optional<MemoryOverlay> m_overlay;
};

} // namespace opscape
