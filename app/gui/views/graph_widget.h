// SPDX-License-Identifier: MIT
// The picture of the graph, to be moved in: pan, zoom, select, walk to neighbours. It shows a scene that was laid out
// elsewhere and asks for another one when a group is to be opened or closed.
#pragma once

#include "gui/look.h"
#include "gui/session.h"
#include "gui/views/graph_frame.h"

#include <QTimer>
#include <QWidget>

namespace opscape {

class GraphWidget : public QWidget {
    Q_OBJECT
public:
    GraphWidget(Session& session, const Look& look, QWidget* parent = nullptr);

    using Placed = GraphPlaced; ///< worked out elsewhere
    /// `anchor`, when valid, is the group that was opened or closed: it stays where it is on the screen.
    void setScene(Placed placed, ScopeId anchor = {});
    /// Other colours or another run for the scene that is shown; those of any other are dropped.
    void setPlaced(Placed placed);
    [[nodiscard]] const Session& session() const { return m_session; }
    [[nodiscard]] const std::shared_ptr<const GraphScene>& scene() const { return m_placed.scene; }
    [[nodiscard]] const Placed& placed() const { return m_placed; }
    /// Only the ops of a class of the legend keep their colour; -1: all.
    void isolate(int of);
    [[nodiscard]] int isolated() const { return m_isolated; }
    /// Ops that a search found are marked, until others or none are.
    void setFound(std::vector<OpId> ops);
    [[nodiscard]] const std::vector<OpId>& found() const { return m_found; }
    /// What is on the canvas, which shows a scene.
    [[nodiscard]] GraphShown shown() const;
    /// What was painted last lacks nothing.
    [[nodiscard]] bool isWhole() const { return m_frame.isWhole(); }
    [[nodiscard]] const GraphFrame& frame() const { return m_frame; }
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
    void setLegendShown(bool on) { m_legendShown = on; }

signals:
    void toggleRequested(opscape::ScopeId scope, bool deep);
    void coloursChanged(); ///< other ones, another isolated class, or another run that they are of
    void sceneChanged();

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
    static constexpr double kMostScale = 12;
    enum class Drag { None, Pan, ZoomBox, SelectBox, Minimap };

    void drawWanted();
    [[nodiscard]] int nodeAtScreen(QPointF position) const;
    [[nodiscard]] int nodeOfScope(ScopeId scope) const;
    void zoomAt(QPointF screen, double factor);
    void selectNode(int node, bool add = false);
    void selectInside(const QRectF& world);
    void clicked(QPointF position, bool add);
    void selectForMenu(QPointF position);
    void walk(int key);
    void keepInView(int node);
    void moved();
    void centreOn(QPointF world);
    void selectClass(int of);
    void selectionMoved();

    Session& m_session;
    const Look& m_look;
    Placed m_placed;
    GraphFrame m_frame;
    GraphCamera m_camera;
    bool m_fitted = true; ///< nobody moved it since it was fitted: keep it fitted
    bool m_criticalShown = false;
    bool m_wheelZooms = false;
    bool m_legendShown = true;
    int m_hovered = -1;
    Drag m_drag = Drag::None;
    bool m_moved = false; ///< the press became a drag
    QPointF m_pressed, m_last;
    int m_isolated = -1;
    std::vector<OpId> m_found;
    const QString m_drawLane;              ///< its own: there may be several
    std::optional<GraphPicture> m_drawing; ///< what a worker draws, or drew last
    QTimer m_still;                        ///< runs while the picture moves
};

} // namespace opscape
