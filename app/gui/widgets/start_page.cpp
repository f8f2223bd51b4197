// SPDX-License-Identifier: MIT
#include "gui/widgets/start_page.h"

#include "gui/words.h"
#include "service/zoo_source.h"

#include <opscape/base/paths.h>

#include <QDir>
#include <QFileInfo>
#include <QGridLayout>
#include <QLabel>
#include <QScrollArea>

namespace opscape {
namespace {

constexpr int kMostListed = 6;
constexpr int kColumnWidth = 250;

QLabel* heading(const QString& text) {
    auto* label = new QLabel(text);
    QFont font = label->font();
    font.setBold(true);
    label->setFont(font);
    return label;
}

QLabel* dim(const QString& text) {
    auto* label = new QLabel(text);
    label->setEnabled(false);
    label->setWordWrap(true);
    return label;
}

} // namespace

QStringList bundledGraphs() {
    const QDir folder(qs((dataFolder() / "graphs").string()));
    QStringList paths;
    for (const QFileInfo& file : folder.entryInfoList(QDir::Files, QDir::Name)) {
        if (file.suffix() != QStringLiteral("md") && file.suffix() != QStringLiteral("txt") &&
            !file.fileName().startsWith(QStringLiteral("LICENSE")))
            paths << file.absoluteFilePath();
    }
    return paths;
}

StartPage::StartPage(Look& look, QWidget* parent)
    : QWidget(parent),
      m_look(look),
      m_open(new QPushButton(tr("&Open a graph…"))),
      m_recent(new QVBoxLayout) {
    setObjectName(QStringLiteral("startPage"));
    auto* title = new QLabel(QStringLiteral("Opscape"));
    QFont large = title->font();
    large.setPointSizeF(large.pointSizeF() * 2.3);
    large.setBold(true);
    title->setFont(large);
    auto* logo = new QLabel;
    logo->setPixmap(QIcon(QStringLiteral(":/icons/opscape.svg")).pixmap(52, 52));
    auto* titleRow = new QHBoxLayout;
    titleRow->setSpacing(14);
    titleRow->addWidget(logo);
    titleRow->addWidget(title, 1);

    m_open->setDefault(true);
    m_open->setObjectName(QStringLiteral("openButton"));
    connect(m_open, &QPushButton::clicked, this, &StartPage::openRequested);
    auto* openRow = new QHBoxLayout;
    openRow->setSpacing(14);
    openRow->addWidget(m_open);
    openRow->addWidget(dim(tr("or drop a file anywhere in this window")), 1);

    auto* bundled = new QVBoxLayout;
    auto* recent = new QVBoxLayout;
    for (QVBoxLayout* column : {bundled, recent, m_recent})
        column->setSpacing(2);
    auto* examples = new QVBoxLayout;
    examples->setSpacing(2);
    bundled->addWidget(heading(tr("Bundled graphs")));
    bundled->addLayout(examples);
    bundled->addStretch(1);
    recent->addWidget(heading(tr("Recent")));
    recent->addLayout(m_recent);
    recent->addStretch(1);
    fill(examples, bundledGraphs(), tr("None were installed."));
    setRecent({});
    auto* lists = new QHBoxLayout;
    lists->setSpacing(36);
    lists->addLayout(recent);
    lists->addLayout(bundled);

    auto* card = new QWidget;
    card->setFixedWidth(2 * kColumnWidth + 36);
    auto* inside = new QVBoxLayout(card);
    inside->setContentsMargins(0, 0, 0, 0);
    inside->setSpacing(8);
    inside->addLayout(titleRow);
    inside->addWidget(dim(
        tr("See which op of a computation graph runs on which device, in what order, and what limits the step time.")));
    inside->addSpacing(12);
    inside->addLayout(openRow);
    inside->addSpacing(18);
    inside->addLayout(lists);
    inside->addSpacing(12);
    auto* sizes = new QPushButton(tr("Other si&zes…"));
    sizes->setObjectName(QStringLiteral("zooButton"));
    connect(sizes, &QPushButton::clicked, this, &StartPage::zooRequested);
    auto* zooRow = new QHBoxLayout;
    zooRow->addWidget(heading(tr("Model zoo: training steps of well-known networks")), 1);
    zooRow->addWidget(sizes);
    inside->addLayout(zooRow);
    inside->addLayout(zoo());

    // In a window too small for all of it, it scrolls.
    auto* page = new QWidget;
    auto* middle = new QVBoxLayout(page);
    middle->addStretch(2);
    middle->addWidget(card, 0, Qt::AlignHCenter);
    middle->addStretch(3);
    auto* scroll = new QScrollArea;
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setWidgetResizable(true);
    scroll->setWidget(page);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(scroll);
}

void StartPage::focusFirst() { m_open->setFocus(Qt::ShortcutFocusReason); }

void StartPage::setRecent(const QStringList& files) { fill(m_recent, files, tr("Nothing was opened yet.")); }

void StartPage::fill(QVBoxLayout* column, const QStringList& files, const QString& none) {
    while (QLayoutItem* item = column->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    if (files.isEmpty())
        column->addWidget(dim(none));
    for (const QString& path : files.mid(0, kMostListed))
        column->addWidget(entry(QFileInfo(path).fileName(), path, kColumnWidth));
}

QPushButton* StartPage::entry(const QString& text, const QString& path, int width) {
    auto* button = new QPushButton;
    button->setText(button->fontMetrics().elidedText(text, Qt::ElideMiddle, width - 44));
    button->setFlat(true);
    button->setStyleSheet(QStringLiteral("QPushButton { text-align: left; padding: 0 6px; border: 1px solid "
                                         "transparent; background: transparent; }"
                                         "QPushButton:hover { background: palette(midlight); }"
                                         "QPushButton:focus { border: 1px solid palette(highlight); }"));
    button->setToolTip(path);
    button->setAccessibleName(tr("Open %1").arg(text));
    button->setFixedSize(width, button->fontMetrics().height() + 12);
    m_look.dress(button, QStringLiteral("graph"));
    connect(button, &QPushButton::clicked, this, [this, path] { emit fileChosen(path); });
    return button;
}

QLayout* StartPage::zoo() {
    constexpr int kColumns = 4;
    auto* grid = new QGridLayout;
    grid->setSpacing(2);
    int number = 0;
    for (const ZooModel& model : zooModels()) {
        ZooSource source;
        source.model = model.id;
        QPushButton* button = entry(qs(model.id), qs(source.text()), (2 * kColumnWidth + 36) / kColumns - 2);
        button->setToolTip(qs(model.title));
        button->setAccessibleName(tr("Open %1").arg(qs(model.title)));
        grid->addWidget(button, number / kColumns, number % kColumns);
        ++number;
    }
    return grid;
}

} // namespace opscape
