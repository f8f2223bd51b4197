// SPDX-License-Identifier: MIT
#include "gui/views/models_pane.h"

#include "gui/views/models_train_dialog.h"
#include "gui/widgets/pane_command.h"
#include "gui/words.h"

#include <opscape/base/paths.h>

#include <QFileDialog>
#include <QFileInfo>
#include <QHeaderView>
#include <QMessageBox>
#include <QPushButton>
#include <QScrollBar>
#include <QSplitter>
#include <QVBoxLayout>

namespace opscape {
namespace {

QString fileFilter() { return ModelsPane::tr("Models (*%1);;All files (*)").arg(qs(rl::kModelExtension)); }

} // namespace

ModelsPane::ModelsPane(Session& session, Look& look, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_look(look),
      m_header(new PaneHeader(tr("Models"))),
      m_list(new ModelsList(look, this)),
      m_watcher(new ModelsWatcher(session, this, this)),
      m_table(new QTableView),
      m_card(new QTextBrowser),
      m_curve(new ModelsCurve(look)),
      m_heldOut(new ModelsHeldOut(dataFolder() / "results" / "transfer.csv")) {
    makeTable();
    m_hint = new EmptyHint(m_table, tr("No model yet. N trains one on graphs of the zoo, I imports one."));
    m_card->setObjectName(QStringLiteral("modelCard"));
    m_card->setAccessibleName(tr("Card of the model"));
    m_card->setFrameShape(QFrame::NoFrame);
    m_card->setOpenLinks(false);
    auto* columns = new QSplitter(Qt::Horizontal);
    columns->setChildrenCollapsible(false);
    for (QWidget* column : {static_cast<QWidget*>(m_table), static_cast<QWidget*>(m_card),
                            static_cast<QWidget*>(m_curve), static_cast<QWidget*>(m_heldOut)})
        columns->addWidget(column);
    columns->setSizes({450, 300, 420, 420});
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(columns);
    setFocusProxy(m_table);
    makeCommands();
    connect(m_watcher, &ModelsWatcher::listed, this, &ModelsPane::setRows);
    connect(m_watcher, &ModelsWatcher::ended, this, [this](const QString& name) {
        const auto training = findTraining(name.toStdString());
        if (!training)
            say(Severity::Info, tr("The model %1 is trained.").arg(name));
        else if (!training->why.empty())
            say(Severity::Error,
                tr("The training of %1 %2. %3").arg(name, qs(toString(training->state)), qs(training->why)));
        m_watcher->refresh();
    });
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &ModelsPane::showSelected);
    connect(&m_look, &Look::changed, this, [this] { fillCard(selected()); });
    showSelected();
}

void ModelsPane::makeTable() {
    m_table->setObjectName(QStringLiteral("modelTable"));
    m_table->setAccessibleName(tr("Models"));
    m_table->setModel(m_list);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setShowGrid(false);
    m_table->setWordWrap(false);
    m_table->setTabKeyNavigation(false);
    m_table->setContextMenuPolicy(Qt::ActionsContextMenu);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(m_table->fontMetrics().height() + 9);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->horizontalHeader()->setStretchLastSection(true);
    constexpr std::array<int, ModelsList::ColumnCount> kWidths{140, 64, 62, 84, 200, 74, 66, 70};
    m_table->horizontalHeader()->ensurePolished();
    for (int column = 0; column < ModelsList::ColumnCount; ++column)
        m_table->setColumnWidth(column, std::max(m_table->horizontalHeader()->sectionSizeHint(column),
                                                 kWidths[static_cast<std::size_t>(column)]));
}

QAction* ModelsPane::command(const QString& text, const QString& icon, const QList<QKeySequence>& keys,
                             const std::function<void()>& act) {
    QAction* action = addPaneCommand(this, m_table, m_look, text, icon, keys, act);
    m_commands << action;
    return action;
}

void ModelsPane::makeCommands() {
    QAction* train = command(tr("&Train a model…"), QStringLiteral("run"), {Qt::Key_N}, [this] { askWhatToTrain(); });
    m_pause = command(tr("&Pause the training of the model"), QStringLiteral("pause"), {Qt::Key_P},
                      [this] { pauseOrGoOn(); });
    m_stop = command(tr("&Stop the training of the model"), QStringLiteral("stop"), {Qt::Key_T}, [this] { stop(); });
    m_commands << nullptr;
    m_default = command(tr("Make it the &default, or not"), {}, {Qt::Key_D}, [this] { makeDefault(); });
    QAction* in = command(tr("&Import a model…"), QStringLiteral("open"), {Qt::Key_I}, [this] { askWhatToImport(); });
    m_export = command(tr("&Export the model…"), QStringLiteral("export"), {Qt::Key_E}, [this] { askWhereToExport(); });
    m_delete = command(tr("De&lete the model…"), {}, {Qt::Key_Delete}, [this] { deleteSelected(); });
    m_commands << nullptr;
    const auto toggle = [this](const QString& text, Qt::Key key, QWidget* shown) {
        QAction* action = command(text, {}, {key}, [] {});
        action->setCheckable(true);
        action->setChecked(true);
        connect(action, &QAction::toggled, shown, &QWidget::setVisible);
    };
    toggle(tr("Show the &card"), Qt::Key_C, m_card);
    toggle(tr("Show how it learned (cur&ve)"), Qt::Key_V, m_curve);
    toggle(tr("Show &kept-out graphs"), Qt::Key_H, m_heldOut);
    for (QAction* action : {train, m_pause, m_stop, in, m_export})
        m_header->addTool(action);
}

const ModelRow* ModelsPane::selected() const { return m_list->row(m_table->currentIndex().row()); }

void ModelsPane::setRows(const ModelRows& rows) {
    const ModelRow* before = selected();
    const std::string name = !m_wanted.isEmpty() ? m_wanted.toStdString() : before != nullptr ? before->name : "";
    m_list->setRows(rows);
    int row = m_list->rowOf(name);
    if (row >= 0 && qs(name) == m_wanted)
        m_wanted.clear();
    if (row < 0 && m_list->rowCount() > 0)
        row = 0;
    if (row >= 0 && row != m_table->currentIndex().row())
        m_table->selectRow(row);
    const auto trainings =
        std::ranges::count_if(*rows, [](const ModelRow& r) { return r.training && r.training->goesOn(); });
    m_header->setRemark(trainings > 0 ? tr("%1, %2 in training").arg(rows->size()).arg(trainings)
                                      : QString::number(rows->size()));
    showSelected();
}

void ModelsPane::showSelected() {
    const ModelRow* row = selected();
    fillCard(row);
    m_curve->setCurve(row != nullptr ? std::span(row->curve) : std::span<const rl::PretrainPoint>());
    m_heldOut->setRow(row);
    enableCommands();
}

void ModelsPane::fillCard(const ModelRow* row) {
    std::vector<CardLine> lines;
    if (row != nullptr && row->training) {
        const ModelTraining& training = *row->training;
        lines.push_back({"Training", fmt::format("{}, {:.0f}%{}", toString(training.state), row->share() * 100,
                                                 training.goesOn() ? fmt::format(", process {}", training.process)
                                                                   : "; P goes on with it")});
        if (!training.why.empty())
            lines.push_back({"Why", training.why});
        if (!row->entry)
            lines.insert(lines.begin(), {"Name", row->name});
        lines.push_back({"Told", fmt::format("{}", fmt::join(asArguments(training.words), " "))});
    }
    if (row != nullptr && row->entry)
        std::ranges::copy(cardOf(*row->entry), std::back_inserter(lines));
    QString html;
    for (const CardLine& line : lines) {
        const bool warns = line.title == "Cannot be used" || line.title == "Why";
        const QString colour = warns ? m_look.warning().name() : m_look.theme().text.name();
        html +=
            QStringLiteral("<tr><td style='padding:1px 10px 1px 0; white-space:pre'><span style='color:%1'>%2</span>"
                           "</td><td style='padding:1px 0'><span style='color:%3'>%4</span></td></tr>")
                .arg(m_look.theme().dimText.name(), qs(line.title).toHtmlEscaped(), colour,
                     qs(line.text).toHtmlEscaped());
    }
    html = QStringLiteral("<table>%1</table>").arg(html);
    if (html == m_card->property("shown").toString())
        return; // what is selected in it stays
    const int at = m_card->verticalScrollBar()->value();
    m_card->setProperty("shown", html);
    m_card->setHtml(html);
    m_card->verticalScrollBar()->setValue(at);
}

void ModelsPane::enableCommands() {
    const ModelRow* row = selected();
    const ModelTraining* training = row != nullptr && row->training ? &*row->training : nullptr;
    const bool isPaused = training != nullptr && training->state == TrainingState::Paused;
    const bool isEnded = training != nullptr && !training->goesOn();
    m_pause->setText(isEnded    ? tr("&Resume the training of the model")
                     : isPaused ? tr("&Let the training of the model go on")
                                : tr("&Pause the training of the model"));
    m_pause->setIcon(m_look.icon(isEnded || isPaused ? QStringLiteral("run") : QStringLiteral("pause")));
    m_pause->setEnabled(training != nullptr);
    m_stop->setEnabled(training != nullptr && training->goesOn());
    const bool isModel = row != nullptr && row->entry && !row->entry->model.parameters.empty();
    m_default->setEnabled(isModel);
    m_export->setEnabled(isModel);
    m_delete->setEnabled(row != nullptr && !row->isBundled() && (training == nullptr || isEnded));
}

bool ModelsPane::done(const Result<>& result) {
    if (!result)
        say(Severity::Error, qs(result.error().message));
    m_watcher->refresh();
    return result.has_value();
}

void ModelsPane::askWhatToTrain() {
    auto* dialog = new ModelsTrainDialog(m_look, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, dialog] {
        m_wanted = qs(dialog->name());
        m_watcher->train(dialog->name(), dialog->words());
    });
    dialog->open();
}

void ModelsPane::pauseOrGoOn() {
    const ModelRow* row = selected();
    if (row == nullptr || !row->training)
        return;
    const ModelTraining training = *row->training;
    if (training.goesOn())
        done(askTraining(training.name, training.state == TrainingState::Paused ? RunWish::Resume : RunWish::Pause));
    else
        m_watcher->train(training.name, training.words);
}

void ModelsPane::stop() {
    if (const ModelRow* row = selected(); row != nullptr && row->training)
        done(askTraining(row->name, RunWish::Stop));
}

void ModelsPane::makeDefault() {
    const ModelRow* row = selected();
    if (row == nullptr || !row->entry)
        return;
    const std::string name = row->name;
    const bool was = row->entry->isDefault;
    if (done(rl::chooseDefaultModel(was ? std::string_view(rl::kNoModel) : std::string_view(name))))
        say(Severity::Info, was ? tr("No model is the default now; GO learns from nothing.")
                                : tr("%1 is the default now; GO begins with it.").arg(qs(name)));
}

void ModelsPane::deleteSelected() {
    const ModelRow* row = selected();
    if (row == nullptr || row->isBundled())
        return;
    const std::string name = row->name;
    const bool hasModel = row->entry.has_value(), hasTraining = row->training.has_value();
    auto* box = new QMessageBox(QMessageBox::Question, tr("Delete the model"), tr("Delete %1 for good?").arg(qs(name)),
                                QMessageBox::Cancel, this);
    box->setObjectName(QStringLiteral("deleteQuestion"));
    box->setAttribute(Qt::WA_DeleteOnClose);
    auto* yes = box->addButton(tr("&Delete"), QMessageBox::DestructiveRole);
    yes->setObjectName(QStringLiteral("deleteButton"));
    connect(yes, &QPushButton::clicked, this, [this, name, hasModel, hasTraining] {
        if (hasTraining && !done(discardTraining(name)))
            return;
        if (hasModel)
            done(deleteModel(name));
    });
    box->open();
}

void ModelsPane::askWhatToImport() {
    if (const QString path = QFileDialog::getOpenFileName(this, tr("Import a model"), {}, fileFilter());
        !path.isEmpty())
        importModel(path);
}

void ModelsPane::importModel(const QString& path) {
    const auto name = opscape::importModel(path.toStdString(), {});
    if (!name)
        return say(Severity::Error, qs(name.error().message));
    m_wanted = qs(*name);
    say(Severity::Info, tr("The model is kept as %1; D makes it the default.").arg(qs(*name)));
    m_watcher->refresh();
}

void ModelsPane::askWhereToExport() {
    const ModelRow* row = selected();
    if (row == nullptr || !row->entry)
        return;
    QString path = QFileDialog::getSaveFileName(this, tr("Export the model"),
                                                qs(row->entry->place.file.filename().string()), fileFilter());
    if (path.isEmpty())
        return;
    if (QFileInfo(path).suffix().isEmpty())
        path += qs(rl::kModelExtension);
    exportModel(path);
}

void ModelsPane::exportModel(const QString& path) {
    const ModelRow* row = selected();
    if (row != nullptr && done(opscape::exportModel(row->name, path.toStdString())))
        say(Severity::Info, tr("%1 is written to %2.").arg(qs(row->name), path));
}

} // namespace opscape
