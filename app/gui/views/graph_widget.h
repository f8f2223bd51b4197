// SPDX-License-Identifier: MIT
// The picture of the graph, to be moved in: pan, zoom, select, walk to neighbours. It shows a scene that was laid out
// elsewhere and asks for another one when a group is to be opened or closed.
#pragma once

#include "gui/look.h"
#include "gui/session.h"
#include "render/graph_picture.h"

#include <QWidget>

namespace opscape {

class GraphWidget : public QWidget {
    Q_OBJECT
public:
    GraphWidget(Session& session, const Look& look, QWidget* parent = nullptr);

    /// `anchor`, when valid, is the group that was opened or closed: it stays where it is on the screen.
    void setScene(std::shared_ptr<const GraphScene> scene, ScopeId anchor = {});
    [[nodiscard]] const std::shared_ptr<const GraphScene>& scene() const { return m_scene; }
    /// What the shown run means for the scene, once it was worked out; used as long as both are the ones shown.
    struct Placed {
        std::shared_ptr<const GraphScene> scene;
        ShownRunPtr run;
        std::shared_ptr<const ScenePlacement> placement;
    };
    void setPlaced(Placed placed);
    [[nodiscard]] const Session& session() const { return m_session; }
    [[nodiscard]] const GraphCamera& camera() const { return m_camera; }
    /// True while all of the graph is seen, whatever the size of the window.
    [[nodiscard]] bool fitted() const { return m_fitted; }
    void setCamera(const GraphCamera& camera);
    [[nodiscard]] bool criticalShown() const { return m_criticalShown; }
    /// Screen rectangle of a node, for tests and for keeping it in view.
    [[nodiscard]] QRectF nodeRect(int node) const;
    /// The node that stands for the selection; -1 when there is none.
    [[nodiscard]] int selectedNode() const;

    void fit();
    void zoomBy(double factor);
    /// All of the selection, as large as it can be read.
    void centreOnSelection();
    void showCritical(bool on);
    void setWheelZooms(bool on) { m_wheelZooms = on; }

signals:
    void toggleRequested(opscape::ScopeId scope, bool deep);
    void upRequested();

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    enum class Drag { None, Pan, ZoomBox, SelectBox };

    [[nodiscard]] GraphView view() const;
    [[nodiscard]] QRectF legendArea() const;
    [[nodiscard]] int nodeAtScreen(QPointF position) const;
    [[nodiscard]] int nodeOfScope(ScopeId scope) const;
    void zoomAt(QPointF screen, double factor);
    void selectNode(int node, bool add = false);
    void selectInside(const QRectF& world);
    void clicked(QPointF position, bool add);
    void selectForMenu(QPointF position);
    void walk(int key);
    void keepInView(int node);
    void selectionMoved();

    Session& m_session;
    const Look& m_look;
    std::shared_ptr<const GraphScene> m_scene;
    Placed m_placed;
    GraphCamera m_camera;
    bool m_fitted = true; ///< nobody moved it since it was fitted: keep it fitted
    bool m_criticalShown = false;
    bool m_wheelZooms = false;
    int m_hovered = -1;
    Drag m_drag = Drag::None;
    bool m_moved = false; ///< the press became a drag
    QPointF m_pressed, m_last;
    std::vector<QRectF> m_legend; ///< rows as painted last
};

} // namespace opscape
