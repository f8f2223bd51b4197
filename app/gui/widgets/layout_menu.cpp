// SPDX-License-Identifier: MIT
#include "gui/widgets/layout_menu.h"

#include <QInputDialog>
#include <QVariantMap>

namespace opscape {
namespace {

const QString kLayoutsKey = QStringLiteral("window/layouts");

QString shownName(QString name) { return name.replace(u'&', QStringLiteral("&&")); }

} // namespace

LayoutMenu::LayoutMenu(QSettings& settings, Panes panes, QWidget* parent)
    : QMenu(tr("&Layouts"), parent),
      m_settings(settings),
      m_panes(std::move(panes)) {
    refresh();
}

void LayoutMenu::refresh() {
    clear();
    qDeleteAll(findChildren<QMenu*>(Qt::FindDirectChildrenOnly)); // menus within it are not cleared with it
    connect(addAction(tr("&Keep this layout…")), &QAction::triggered, this, &LayoutMenu::askForName);
    const QStringList names = m_settings.value(kLayoutsKey).toMap().keys();
    if (names.isEmpty())
        return;
    addSeparator();
    for (const QString& name : names)
        connect(addAction(shownName(name)), &QAction::triggered, this, [this, name] { goTo(name); });
    addSeparator();
    QMenu* forgotten = addMenu(tr("&Forget"));
    for (const QString& name : names)
        connect(forgotten->addAction(shownName(name)), &QAction::triggered, this, [this, name] { forget(name); });
}

void LayoutMenu::askForName() {
    auto* dialog = new QInputDialog(parentWidget());
    dialog->setObjectName(QStringLiteral("layoutName"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Keep this layout"));
    dialog->setLabelText(tr("Name; a layout that has it already is replaced"));
    connect(dialog, &QInputDialog::textValueSelected, this, &LayoutMenu::keep);
    dialog->open();
}

void LayoutMenu::keep(const QString& name) {
    const QString kept = name.trimmed();
    if (kept.isEmpty()) {
        emit said(tr("A layout is kept under a name; none was given, so nothing was kept."));
        return;
    }
    QVariantMap layouts = m_settings.value(kLayoutsKey).toMap();
    layouts.insert(kept, m_panes.state());
    m_settings.setValue(kLayoutsKey, layouts);
    QMetaObject::invokeMethod(this, &LayoutMenu::refresh, Qt::QueuedConnection); // not under the action that asked
}

void LayoutMenu::goTo(const QString& name) {
    if (!m_panes.arrange(m_settings.value(kLayoutsKey).toMap().value(name).toByteArray()))
        emit said(tr("The layout %1 was kept by another version of the program and does not fit its panes.").arg(name));
}

void LayoutMenu::forget(const QString& name) {
    QVariantMap layouts = m_settings.value(kLayoutsKey).toMap();
    layouts.remove(name);
    m_settings.setValue(kLayoutsKey, layouts);
    QMetaObject::invokeMethod(this, &LayoutMenu::refresh, Qt::QueuedConnection);
}

} // namespace opscape
