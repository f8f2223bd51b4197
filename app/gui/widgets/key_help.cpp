// SPDX-License-Identifier: MIT
#include "gui/widgets/key_help.h"

#include <QDialogButtonBox>
#include <QMenu>
#include <QTextBrowser>
#include <QVBoxLayout>

#include <span>

namespace opscape {
namespace {

struct Key {
    const char* keys;
    const char* what;
};

// What is done with the mouse or by keys that are no menu commands.
constexpr Key kGraphKeys[] = {
    {"Drag, wheel", QT_TR_NOOP("pan")},
    {"Ctrl+wheel", QT_TR_NOOP("zoom at the pointer")},
    {"Ctrl+drag", QT_TR_NOOP("zoom to a box")},
    {"Shift+drag", QT_TR_NOOP("select what is in a box")},
    {"Ctrl+click, Shift+click", QT_TR_NOOP("add to the selection, or take away")},
    {"Click, Shift+click in the legend", QT_TR_NOOP("show one colour alone, or select its ops")},
    {"Click, drag in the small map", QT_TR_NOOP("go there")},
    {"Double-click, Enter", QT_TR_NOOP("open or close a group")},
    {"Alt+double-click, Alt+Enter", QT_TR_NOOP("open or close everything below")},
    {"Arrow keys", QT_TR_NOOP("walk to a producer, a consumer, or what is beside")},
};
constexpr Key kFindKeys[] = {
    {"Enter, Shift+Enter", QT_TR_NOOP("next or previous found op")},
    {"Ctrl+Enter", QT_TR_NOOP("select all found ops")},
    {"Ctrl+Space, Tab", QT_TR_NOOP("what may come next; take it")},
    {"Down", QT_TR_NOOP("into the list of found ops")},
    {"Esc", QT_TR_NOOP("close the search")},
};
constexpr Key kScheduleKeys[] = {
    {"Drag", QT_TR_NOOP("select a range of time: busy, idle, bytes and top ops")},
    {"Shift+drag, R and drag", QT_TR_NOOP("measure; the ends snap to those of bars")},
    {"R, R on another bar", QT_TR_NOOP("measure a bar, or from one to the other")},
    {"Alt+drag, middle drag", QT_TR_NOOP("pan")},
    {"Wheel", QT_TR_NOOP("scroll the lanes where they are too many, else pan")},
    {"Shift+wheel", QT_TR_NOOP("pan along time")},
    {"Ctrl+wheel", QT_TR_NOOP("zoom at the pointer")},
    {"Ctrl+drag", QT_TR_NOOP("zoom to a span of time")},
    {"Drag a name", QT_TR_NOOP("move the lane")},
    {"Click a memory curve, or its peak", QT_TR_NOOP("list the tensors that are there")},
    {"Esc", QT_TR_NOOP("clear range and ruler, then the selection")},
    {"Left, Right", QT_TR_NOOP("bar before, bar after")},
    {"Up, Down", QT_TR_NOOP("bar in the lane above, below")},
    {"Page up, Page down", QT_TR_NOOP("scroll the lanes")},
    {"Space, P in the list of lanes", QT_TR_NOOP("show or hide a lane, pin it")},
};
constexpr Key kCompareKeys[] = {
    {"Drag, wheel, Left, Right", QT_TR_NOOP("pan all that is compared over time")},
    {"Ctrl+wheel", QT_TR_NOOP("zoom at the pointer")},
    {"Pointer", QT_TR_NOOP("the numbers of what is under it")},
    {"Click", QT_TR_NOOP("select the op everywhere")},
};
constexpr Key kTrainingKeys[] = {
    {"Pointer", QT_TR_NOOP("read the point under it")},
    {"Drag, wheel", QT_TR_NOOP("pan, zoom")},
};
constexpr Key kWindowKeys[] = {
    {"Tab, Shift+Tab", QT_TR_NOOP("next or previous control")},
    {"Esc", QT_TR_NOOP("clear the search, the message or the selection")},
};

QString rowOf(const QString& keys, const QString& what) {
    return QStringLiteral("<tr><td width='210' style='padding:2px 12px 2px 0'><b>%1</b></td><td style='padding:2px "
                          "0'>%2</td></tr>")
        .arg(keys.toHtmlEscaped(), what.toHtmlEscaped());
}

QString section(const QString& title, const QString& rows) {
    return QStringLiteral("<h3>%1</h3><table>%2</table>").arg(title.toHtmlEscaped(), rows);
}

QString tableOf(std::span<const Key> keys) {
    QString rows;
    for (const Key& key : keys)
        rows += rowOf(QString::fromLatin1(key.keys), KeyHelp::tr(key.what));
    return rows;
}

constexpr const char* kAsOne = "helpAsOne";

/// "Alt+1 … Alt+9"
QString keysFromTo(const QMenu& menu) {
    const auto keyOf = [](const QAction* action) { return action->shortcut().toString(QKeySequence::NativeText); };
    return keyOf(menu.actions().front()) + QStringLiteral(" … ") + keyOf(menu.actions().back());
}

QString titleOf(const QMenu& menu) { return menu.title().remove(u'&'); }

/// `within`: the menus above it, as in "Export a picture: "; what a command does is not clear without them.
QString commands(const QMenu& menu, const QString& within = {}) {
    QString rows;
    if (menu.property(kAsOne).toBool())
        return rowOf(keysFromTo(menu), titleOf(menu));
    for (const QAction* action : menu.actions()) {
        if (action->menu() != nullptr)
            rows += commands(*action->menu(), within + titleOf(*action->menu()) + QStringLiteral(": "));
        QStringList keys;
        for (const QKeySequence& sequence : action->shortcuts())
            keys << sequence.toString(QKeySequence::NativeText);
        if (!keys.isEmpty())
            rows += rowOf(keys.join(QStringLiteral(", ")),
                          within + action->text().remove(u'&').remove(QStringLiteral("…")));
    }
    return rows;
}

} // namespace

void helpAsOne(QMenu& menu) { menu.setProperty(kAsOne, true); }

KeyHelp::KeyHelp(const QMenuBar& menus, QWidget* parent) : QDialog(parent) {
    setObjectName(QStringLiteral("keyHelp"));
    setWindowTitle(tr("Keys"));
    QString html;
    for (const QAction* action : menus.actions()) {
        if (action->menu() == nullptr)
            continue;
        const QString title = action->text().remove(u'&');
        QString rows = commands(*action->menu());
        if (title == tr("Graph"))
            rows += tableOf(kGraphKeys);
        else if (title == tr("Schedule"))
            rows += tableOf(kScheduleKeys);
        else if (title == tr("Compare"))
            rows += tableOf(kCompareKeys);
        else if (title == tr("Training"))
            rows += tableOf(kTrainingKeys);
        if (!rows.isEmpty())
            html += section(title, rows);
    }
    html += section(tr("Search"), tableOf(kFindKeys));
    html += section(tr("Everywhere"), tableOf(kWindowKeys));
    auto* text = new QTextBrowser;
    text->setHtml(html);
    text->setFrameShape(QFrame::NoFrame);
    text->setAccessibleName(tr("Keys"));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(text);
    layout->addWidget(buttons);
    resize(560, 640);
}

} // namespace opscape
