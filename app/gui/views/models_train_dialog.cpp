// SPDX-License-Identifier: MIT
#include "gui/views/models_train_dialog.h"

#include "gui/words.h"

#include <opscape/rl/model/model_shelf.h>

#include <QDialogButtonBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QMenu>
#include <QScrollArea>
#include <QToolButton>
#include <QVBoxLayout>

namespace opscape {
namespace {

constexpr int kCheckEveryMs = 150;
constexpr const char* kHours = "1"; ///< at first

/// "hold-out" reads better as "Hold out".
QString titleOf(std::string_view name) {
    QString title = qs(name).replace(u'-', u' ');
    title[0] = title[0].toUpper();
    return title;
}

/// A name that no model has: "mine", "mine-2", ...
QString freeName() {
    for (int i = 1;; ++i) {
        const std::string name = i == 1 ? "mine" : fmt::format("mine-{}", i);
        std::error_code ec;
        const auto file = rl::userModelFile(name);
        if (file && !std::filesystem::exists(*file, ec) && !findTraining(name))
            return qs(name);
    }
}

} // namespace

ModelsTrainDialog::ModelsTrainDialog(Look& look, QWidget* parent)
    : QDialog(parent),
      m_look(look),
      m_name(new QLineEdit(freeName())),
      m_form(new OptionsForm(trainingOptions(), look)),
      m_refusal(new QLabel) {
    setObjectName(QStringLiteral("trainDialog"));
    setWindowTitle(tr("Train a model"));
    setMinimumWidth(560);
    m_name->setObjectName(QStringLiteral("modelName"));
    m_name->setMaxLength(64);
    m_form->set({{"hours", kHours}});

    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(12);
    grid->setVerticalSpacing(4);
    grid->setColumnMinimumWidth(0, OptionsForm::kTitleWidth);
    grid->setColumnStretch(1, 1);
    const auto addRow = [grid](const QString& title, QWidget* field, const QString& help) {
        const int at = grid->rowCount();
        auto* label = new QLabel(title);
        label->setBuddy(field);
        grid->addWidget(label, at, 0);
        grid->addWidget(field, at, 1);
        auto* below = new QLabel(help);
        below->setWordWrap(true);
        below->setEnabled(false);
        QFont small = below->font();
        small.setPointSizeF(small.pointSizeF() * 0.9);
        below->setFont(small);
        below->setContentsMargins(2, 0, 0, 6);
        grid->addWidget(below, at + 1, 1);
    };
    m_name->setAccessibleName(tr("Name"));
    addRow(tr("&Name"), m_name, tr("Under which it is kept among your models."));
    for (const TrainingList& list : trainingLists())
        addRow(titleOf(list.name), makeList(list), qs(list.summary));
    m_lists["set"]->setText(QStringLiteral("all"));

    auto* content = new QWidget;
    auto* rows = new QVBoxLayout(content);
    rows->setContentsMargins(0, 0, 8, 0);
    rows->addLayout(grid);
    rows->addWidget(m_form);
    auto* scroll = new QScrollArea;
    scroll->setWidget(content);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setMinimumHeight(380);
    m_refusal->setObjectName(QStringLiteral("trainRefusal"));
    m_refusal->setWordWrap(true);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
    m_start = buttons->addButton(tr("&Train"), QDialogButtonBox::AcceptRole);
    m_start->setObjectName(QStringLiteral("trainButton"));
    m_start->setDefault(true);
    connect(buttons, &QDialogButtonBox::accepted, this, [this] {
        check();
        if (m_start->isEnabled())
            accept();
    });
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(scroll, 1);
    layout->addWidget(m_refusal);
    layout->addWidget(buttons);
    m_checking.setInterval(kCheckEveryMs);
    connect(&m_checking, &QTimer::timeout, this, &ModelsTrainDialog::check);
    m_checking.start();
    resize(600, 640);
    m_name->selectAll();
    check();
}

/// A field to type in, with a menu of what there is; an entry is added or taken away.
QWidget* ModelsTrainDialog::makeList(const TrainingList& list) {
    auto* field = new QWidget;
    auto* line = new QLineEdit;
    line->setObjectName(qs(fmt::format("list-{}", list.name)));
    line->setAccessibleName(titleOf(list.name));
    line->setClearButtonEnabled(true);
    line->setPlaceholderText(list.required ? QString() : tr("none"));
    m_lists[std::string(list.name)] = line;
    auto* choose = new QToolButton;
    choose->setText(tr("Choose"));
    choose->setToolTip(tr("Families and super-families of graphs"));
    choose->setAccessibleName(tr("Choose: %1").arg(titleOf(list.name)));
    choose->setPopupMode(QToolButton::InstantPopup);
    auto* menu = new QMenu(choose);
    const auto add = [line, menu](std::string_view name, const QString& text) {
        QAction* action = menu->addAction(text);
        action->setCheckable(true);
        action->setData(qs(name));
        QObject::connect(action, &QAction::triggered, line, [line, name = std::string(name)](bool on) {
            auto parts = partsOf(line->text().toStdString());
            std::erase_if(parts, [&name](const std::string& part) { return part == name || part == "all"; });
            if (on)
                parts.push_back(name);
            line->setText(qs(fmt::format("{}", fmt::join(parts, ", "))));
        });
    };
    if (list.required)
        add("all", tr("all"));
    for (const SuperFamily& super : superFamilies()) {
        menu->addSeparator();
        add(super.name, tr("%1: all of these").arg(qs(super.name)));
        for (const std::string_view family : super.families)
            add(family, qs(family));
    }
    connect(menu, &QMenu::aboutToShow, line, [line, menu] {
        const auto parts = partsOf(line->text().toStdString());
        for (QAction* action : menu->actions())
            action->setChecked(std::ranges::count(parts, action->data().toString().toStdString()) > 0);
    });
    choose->setMenu(menu);
    auto* row = new QHBoxLayout(field);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(4);
    row->addWidget(line, 1);
    row->addWidget(choose);
    field->setFocusProxy(line);
    return field;
}

TrainingWords ModelsTrainDialog::words() const {
    TrainingWords words = m_form->changed();
    for (const auto& [name, line] : m_lists) {
        if (const auto parts = partsOf(line->text().toStdString()); !parts.empty())
            words[name] = fmt::format("{}", fmt::join(parts, ","));
    }
    return words;
}

void ModelsTrainDialog::check() {
    std::string refusal;
    std::error_code ec;
    if (const auto file = rl::userModelFile(name()); !file)
        refusal = file.error().message;
    else if (std::filesystem::exists(*file, ec) || findTraining(name()))
        refusal = fmt::format("there is a model {} already; take another name.", name());
    else if (const auto request = trainingRequest(words()); !request)
        refusal = request.error().message;
    else if (auto families = expandFamilies(request->recipe.families); !families)
        refusal = families.error().message;
    else if (auto heldOut = expandFamilies(request->recipe.holdOut); !heldOut)
        refusal = heldOut.error().message;
    else if (auto kept = expandFamilies(request->recipe.validation.value_or(std::vector<std::string>())); !kept)
        refusal = kept.error().message;
    QString text = qs(refusal);
    if (!text.isEmpty())
        text[0] = text[0].toUpper();
    m_refusal->setText(text);
    m_refusal->setVisible(!refusal.empty());
    QPalette palette = m_refusal->palette();
    palette.setColor(QPalette::WindowText, m_look.error());
    m_refusal->setPalette(palette);
    m_start->setEnabled(refusal.empty());
}

} // namespace opscape
