// SPDX-License-Identifier: MIT
// The delta Gantt of two compared plans, to be moved in: what is under the pointer is said in numbers, a click on a bar
// selects its op everywhere.
#pragma once

#include "gui/session.h"
#include "gui/views/compare_time_canvas.h"
#include "render/delta_picture.h"

namespace opscape {

class CompareDelta : public CompareTimeCanvas {
    Q_OBJECT
public:
    CompareDelta(Session& session, const Look& look, QWidget* parent = nullptr);

    /// The numbers name the plans; null: nothing.
    void setPair(ShownRunPtr a, ShownRunPtr b, std::size_t numberA, std::size_t numberB,
                 std::shared_ptr<const DeltaGantt> data);
    [[nodiscard]] const std::shared_ptr<const DeltaGantt>& data() const { return m_data; }
    /// What is said of a place.
    [[nodiscard]] QString tipAt(QPointF position) const override;

protected:
    void paintContent(QPainter& painter, const QSizeF& view) override;
    void clicked(QPointF position) override;

private:
    [[nodiscard]] QString spanTip(const DeltaGantt::Lane& lane, double ns) const;
    [[nodiscard]] QString opTipOf(OpId op) const;

    Session& m_session;
    ShownRunPtr m_a, m_b;
    std::size_t m_numberA = 0, m_numberB = 1; ///< from 0
    std::shared_ptr<const DeltaGantt> m_data;
};

} // namespace opscape
