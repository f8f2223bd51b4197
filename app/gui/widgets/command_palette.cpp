// SPDX-License-Identifier: MIT
#include "gui/widgets/command_palette.h"

#include "gui/models/command_match.h"
#include "gui/widgets/empty_hint.h"

#include <QCoreApplication>
#include <QKeyEvent>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>

namespace opscape {
namespace {

const QString kUsedKey = QStringLiteral("palette/used");
constexpr qsizetype kMostUsed = 8;
constexpr int kWidth = 620, kShownRows = 12;

enum Role { PathRole = Qt::UserRole + 1, KeysRole, CommandRole };

QString plain(QString text) {
    // "&&" is a written ampersand, a single one marks the letter that Alt goes to.
    text.replace(QStringLiteral("&&"), QStringLiteral("\x01")).remove(u'&').replace(u'\x01', u'&');
    return text;
}

/// The name, the menus it is in, dimmer, and its keys at the right.
class CommandDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        QStyleOptionViewItem row = option;
        initStyleOption(&row, index);
        row.text.clear();
        const QWidget* view = option.widget;
        view->style()->drawControl(QStyle::CE_ItemViewItem, &row, painter, view);
        const bool selected = (option.state & QStyle::State_Selected) != 0;
        const bool enabled = (index.flags() & Qt::ItemIsEnabled) != 0;
        const QColor text = selected
                                ? Qt::white
                                : option.palette.color(enabled ? QPalette::Active : QPalette::Disabled, QPalette::Text);
        QColor dim = text;
        dim.setAlphaF(0.6F);
        const QRect inside = option.rect.adjusted(12, 0, -12, 0);
        const QString keys = index.data(KeysRole).toString(), title = index.data(Qt::DisplayRole).toString();
        const QFontMetrics metrics(option.font);
        const int forKeys = keys.isEmpty() ? 0 : metrics.horizontalAdvance(keys) + 16;
        const int forTitle = std::min(metrics.horizontalAdvance(title) + 4, inside.width() - forKeys);
        painter->save();
        painter->setPen(text);
        painter->drawText(inside, Qt::AlignVCenter, metrics.elidedText(title, Qt::ElideRight, forTitle));
        painter->setPen(dim);
        painter->drawText(inside, Qt::AlignVCenter | Qt::AlignRight, keys);
        const QRect rest = inside.adjusted(forTitle + 14, 0, -forKeys, 0);
        if (rest.width() > 40) {
            painter->drawText(rest, Qt::AlignVCenter,
                              metrics.elidedText(index.data(PathRole).toString(), Qt::ElideRight, rest.width()));
        }
        painter->restore();
    }
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const override {
        return {kWidth, QFontMetrics(option.font).height() + 10};
    }
};

constexpr const char* kTitle = "titleInPalette";

} // namespace

void titleInPalette(QMenu& menu, const QString& title) { menu.setProperty(kTitle, title); }

CommandPalette::CommandPalette(const QMenuBar& menus, QSettings& settings, QWidget* parent)
    : QDialog(parent, Qt::Dialog | Qt::FramelessWindowHint),
      m_settings(settings),
      m_field(new QLineEdit),
      m_list(new QListView),
      m_rows(new QStandardItemModel(this)) {
    setObjectName(QStringLiteral("commandPalette"));
    setWindowTitle(tr("Commands"));
    setModal(true);
    const QStringList used = m_settings.value(kUsedKey).toStringList();
    for (const QAction* top : menus.actions()) {
        if (top->menu() != nullptr)
            collect(*top->menu(), plain(top->text()), used);
    }
    m_field->setObjectName(QStringLiteral("commandField"));
    m_field->setPlaceholderText(tr("What to do: a part of its name"));
    m_field->setAccessibleName(tr("Command"));
    m_field->installEventFilter(this);
    m_list->setObjectName(QStringLiteral("commandList"));
    m_list->setAccessibleName(tr("Commands"));
    m_list->setModel(m_rows);
    m_list->setItemDelegate(new CommandDelegate(m_list));
    m_list->setFocusPolicy(Qt::NoFocus);
    m_list->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_list->setUniformItemSizes(true);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    new EmptyHint(m_list, tr("No command has such a name."));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 8, 8, 8);
    layout->addWidget(m_field);
    layout->addWidget(m_list);
    connect(m_field, &QLineEdit::textChanged, this, &CommandPalette::list);
    connect(m_list, &QListView::clicked, this, &CommandPalette::run);
    list();
    setFixedSize(kWidth, m_field->sizeHint().height() + kShownRows * (fontMetrics().height() + 10) + 24);
    if (parent != nullptr)
        move(parent->mapToGlobal(QPoint((parent->width() - width()) / 2, 60)));
}

void CommandPalette::collect(const QMenu& menu, const QString& path, const QStringList& used) {
    emit const_cast<QMenu&>(menu).aboutToShow(); // some bring their entries up to date then
    const QString format = menu.property(kTitle).toString();
    for (QAction* action : menu.actions()) {
        const QString title = plain(action->text());
        if (action->isSeparator() || !action->isVisible() || title.isEmpty())
            continue;
        if (action->menu() != nullptr) {
            collect(*action->menu(), path + QStringLiteral(" › ") + title, used);
            continue;
        }
        Command command;
        command.title = format.isEmpty() ? title : format.arg(title);
        command.path = path;
        command.action = action;
        if (action->isChecked())
            command.title += tr(" (on)");
        QStringList keys;
        for (const QKeySequence& sequence : action->shortcuts())
            keys << sequence.toString(QKeySequence::NativeText);
        command.keys = keys.join(QStringLiteral(", "));
        const qsizetype place = used.indexOf(path + u'\n' + title);
        command.lastUsed = static_cast<int>(place >= 0 ? place : used.size());
        m_commands.push_back(std::move(command));
    }
}

void CommandPalette::list() {
    struct Hit {
        int disabled, cost, lastUsed, number;
        auto operator<=>(const Hit&) const = default;
    };
    std::vector<Hit> hits;
    for (std::size_t i = 0; i < m_commands.size(); ++i) {
        const Command& command = m_commands[i];
        if (command.action == nullptr)
            continue;
        if (const std::optional<int> cost = commandMatch(m_field->text(), command.title, command.path))
            hits.push_back({command.action->isEnabled() ? 0 : 1, *cost, command.lastUsed, static_cast<int>(i)});
    }
    std::ranges::sort(hits);
    m_rows->clear();
    for (const Hit& hit : hits) {
        const Command& command = m_commands[static_cast<std::size_t>(hit.number)];
        auto* item = new QStandardItem(command.title);
        item->setData(command.path, PathRole);
        item->setData(command.keys, KeysRole);
        item->setData(hit.number, CommandRole);
        item->setEnabled(hit.disabled == 0);
        item->setToolTip(hit.disabled == 0 ? command.path : tr("Not possible right now"));
        item->setAccessibleText(command.title + QStringLiteral(", ") + command.path);
        m_rows->appendRow(item);
    }
    if (m_rows->rowCount() > 0)
        m_list->setCurrentIndex(m_rows->index(0, 0));
}

void CommandPalette::run() {
    const QModelIndex chosen = m_list->currentIndex();
    if (!chosen.isValid() || (chosen.flags() & Qt::ItemIsEnabled) == 0)
        return;
    const Command& command = m_commands[static_cast<std::size_t>(chosen.data(CommandRole).toInt())];
    QStringList used = m_settings.value(kUsedKey).toStringList();
    const QString name = command.path + u'\n' + plain(command.action->text());
    used.removeAll(name);
    used.prepend(name);
    m_settings.setValue(kUsedKey, QStringList(used.mid(0, kMostUsed)));
    accept();
    // Only when this dialog is gone: what the command does may ask for the focus, or open a dialog of its own.
    QTimer::singleShot(0, command.action.data(), &QAction::trigger);
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event) {
    if (watched != m_field || event->type() != QEvent::KeyPress)
        return QDialog::eventFilter(watched, event);
    auto* key = static_cast<QKeyEvent*>(event);
    switch (key->key()) {
    case Qt::Key_Return:
    case Qt::Key_Enter:
        run();
        return true;
    case Qt::Key_Up:
    case Qt::Key_Down:
    case Qt::Key_PageUp:
    case Qt::Key_PageDown:
        QCoreApplication::sendEvent(m_list, event);
        return true;
    default:
        return QDialog::eventFilter(watched, event);
    }
}

} // namespace opscape
