// SPDX-License-Identifier: MIT
// What the graph is coloured by, as chosen in a menu: device, time, memory, priority, fusion group, type of op, or
// numbers from elsewhere (an attribute of the ops, a CSV file).
#pragma once

#include "gui/session.h"
#include "gui/views/graph_widget.h"

#include <QActionGroup>
#include <QMenu>

namespace opscape {

class GraphColours : public QObject {
    Q_OBJECT
public:
    GraphColours(Session& session, QWidget* parent);

    struct Choice {
        ColourBy by = ColourBy::Device;
        std::shared_ptr<const OpValues> values; ///< for ColourBy::Value
        friend bool operator==(const Choice&, const Choice&) = default;
    };
    [[nodiscard]] const Choice& choice() const { return m_choice; }
    [[nodiscard]] QMenu* menu() { return m_menu; }
    void choose(ColourBy by);
    /// Reads them on a worker thread; a file that is wrong is said and changes nothing.
    void readValuesFrom(const QString& file);
    /// Another graph is open: numbers of the one before mean nothing there.
    void graphChanged();

    /// What the choice means for a scene; called on a worker thread. `run` may be null.
    [[nodiscard]] static GraphWidget::Placed place(const Choice& choice, const OpenedGraph& opened,
                                                   std::shared_ptr<const GraphScene> scene, ShownRunPtr run);

signals:
    void changed();

private:
    void set(Choice choice);
    void listAttributes();
    void askForFile();

    Session& m_session;
    QMenu* m_menu;
    QMenu* m_attributes;
    QActionGroup* m_group;
    QAction* m_values; ///< stands for numbers from elsewhere
    Choice m_choice;
};

} // namespace opscape
