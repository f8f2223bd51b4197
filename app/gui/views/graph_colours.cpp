// SPDX-License-Identifier: MIT
#include "gui/views/graph_colours.h"

#include "gui/shown_text.h"

#include <opscape/base/units.h>

#include <QFileDialog>

namespace opscape {

GraphColours::GraphColours(Session& session, QWidget* parent)
    : QObject(parent),
      m_session(session),
      m_menu(new QMenu(tr("Colour &by"), parent)),
      m_group(new QActionGroup(this)) {
    const std::pair<QString, ColourBy> ways[] = {{tr("&Device"), ColourBy::Device},
                                                 {tr("&Time"), ColourBy::Time},
                                                 {tr("&Memory"), ColourBy::Memory},
                                                 {tr("&Priority"), ColourBy::Priority},
                                                 {tr("&Fusion group"), ColourBy::FusionGroup},
                                                 {tr("Type of &op"), ColourBy::OpType}};
    for (const auto& [text, by] : ways) {
        QAction* action = m_group->addAction(m_menu->addAction(text));
        action->setCheckable(true);
        action->setData(static_cast<int>(by));
        connect(action, &QAction::triggered, this, [this, by = by] { choose(by); });
    }
    m_menu->addSeparator();
    m_attributes = m_menu->addMenu(tr("An &attribute of the ops"));
    connect(m_attributes, &QMenu::aboutToShow, this, &GraphColours::listAttributes);
    m_menu->addAction(tr("&Values from a CSV file…"), this, &GraphColours::askForFile);
    m_values = m_group->addAction(m_menu->addAction(QString()));
    m_values->setCheckable(true);
    m_values->setData(static_cast<int>(ColourBy::Value));
    set({});
}

void GraphColours::choose(ColourBy by) { set({by, m_choice.values}); }

void GraphColours::set(Choice choice) {
    m_choice = std::move(choice);
    m_values->setVisible(m_choice.values != nullptr);
    if (m_choice.values)
        m_values->setText(qs(m_choice.values->title).replace(u'&', QStringLiteral("&&")));
    for (QAction* action : m_group->actions())
        action->setChecked(action->data().toInt() == static_cast<int>(m_choice.by));
    emit changed();
}

void GraphColours::graphChanged() { set({m_choice.by == ColourBy::Value ? ColourBy::Device : m_choice.by, nullptr}); }

void GraphColours::listAttributes() {
    m_attributes->clear();
    const auto names = m_session.opened() ? numberAttributes(*m_session.opened()->graph) : std::vector<std::string>();
    for (const std::string& name : names) {
        connect(m_attributes->addAction(qs(name)), &QAction::triggered, this, [this, name] {
            set({ColourBy::Value, std::make_shared<const OpValues>(attributeValues(*m_session.opened()->graph, name))});
        });
    }
    if (names.empty())
        m_attributes->addAction(tr("No op has a number among its attributes"))->setEnabled(false);
}

void GraphColours::askForFile() {
    const QString file = QFileDialog::getOpenFileName(m_menu->parentWidget(), tr("Values of the ops: name,value"), {},
                                                      tr("CSV files (*.csv);;All files (*)"));
    if (!file.isEmpty())
        readValuesFrom(file);
}

void GraphColours::readValuesFrom(const QString& file) {
    if (!m_session.opened())
        return;
    m_session.jobs().start(
        QStringLiteral("values"), tr("Reading %1").arg(file),
        [this, file, opened = m_session.opened()](const RunContext&) -> JobRunner::Deliver {
            auto read = readValues(file.toStdString(), *opened->graph);
            return [this, opened, read = std::move(read)] {
                if (!read || opened != m_session.opened()) {
                    if (!read)
                        emit m_session.said(Severity::Error, qs(read.error().message));
                    return;
                }
                const QString known = tr("%1 with a value").arg(countedText(read->known, "op"));
                if (read->strangers > 0)
                    emit m_session.said(
                        Severity::Warning,
                        tr("%1; left out, since there is no such op: %2, such as \"%3\".")
                            .arg(known, countedText(read->strangers, "line"), seen(read->firstStranger)));
                else
                    emit m_session.said(Severity::Info, known + u'.');
                set({ColourBy::Value, std::make_shared<const OpValues>(*read)});
            };
        },
        true, this);
}

GraphWidget::Placed GraphColours::place(const Choice& choice, const OpenedGraph& opened,
                                        std::shared_ptr<const GraphScene> scene, ShownRunPtr run) {
    ColourSource source;
    source.graph = opened.graph.get();
    source.values = choice.values.get();
    if (run) {
        source.cluster = &run->cluster();
        source.plan = &run->outcome->plan;
        source.cost = run->problem().cost.get();
    }
    GraphWidget::Placed placed{std::move(scene), std::move(run), std::make_shared<const OpColours>(choice.by, source),
                               nullptr};
    placed.placement = std::make_shared<const ScenePlacement>(
        *opened.graph, *placed.scene, *placed.colours, source.plan,
        placed.run ? std::span(placed.run->problem().pins) : std::span<const DeviceId>());
    return placed;
}

} // namespace opscape
