// SPDX-License-Identifier: MIT
#include "gui/widgets/run_dialog.h"

#include "gui/shown_text.h"

#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QGridLayout>
#include <QPushButton>
#include <QRegularExpressionValidator>
#include <QStandardItemModel>
#include <QVBoxLayout>

namespace opscape {
namespace {

/// Beside the bundled names, a cluster that is known only as a value, e.g. that of a run made elsewhere.
constexpr int kReadyRole = Qt::UserRole + 1;

QString optionsKey(const QString& optimizer) { return QStringLiteral("options/%1").arg(optimizer); }

QString objectiveKey(const QString& optimizer) { return QStringLiteral("objective/%1").arg(optimizer); }

QLabel* remark() {
    auto* label = new QLabel;
    label->setWordWrap(true);
    label->setEnabled(false);
    return label;
}

} // namespace

RunDialog::RunDialog(Session& session, Look& look, QSettings& settings, QWidget* parent)
    : QDialog(parent),
      m_session(session),
      m_look(look),
      m_settings(settings),
      m_optimizer(new QComboBox),
      m_objective(new QComboBox),
      m_cluster(new QComboBox),
      m_links(new QComboBox),
      m_scheduler(new QComboBox),
      m_fuser(new QComboBox),
      m_seed(new QLineEdit),
      m_keepPins(new QCheckBox),
      m_summary(remark()),
      m_clusterInfo(remark()),
      m_refusal(new QLabel),
      m_scroll(new QScrollArea) {
    setObjectName(QStringLiteral("runDialog"));
    setWindowTitle(tr("Optimize the placement"));
    setMinimumWidth(520);
    m_optimizer->setObjectName(QStringLiteral("optimizer"));
    m_objective->setObjectName(QStringLiteral("objective"));
    m_cluster->setObjectName(QStringLiteral("cluster"));
    m_links->setObjectName(QStringLiteral("links"));
    m_seed->setObjectName(QStringLiteral("seed"));
    m_keepPins->setObjectName(QStringLiteral("keepPins"));
    const auto pinned = static_cast<std::int64_t>(session.whatIf().pinnedCount());
    m_keepPins->setText(tr("&Keep pinned ops where they are (%1)").arg(countedText(pinned, "op")));
    m_keepPins->setVisible(pinned > 0);

    for (const OptimizerInfo* info : session.workbench()->registry().optimizers())
        m_optimizer->addItem(qs(info->title), qs(info->id));
    fillClusters();
    m_links->addItem(tr("as the cluster says"));
    m_links->addItem(tr("none: no contention"), static_cast<int>(LinkModel::None));
    m_links->addItem(tr("fifo: one transfer at a time per channel"), static_cast<int>(LinkModel::Fifo));
    if (const auto& link = session.clusterChoice().linkModel)
        m_links->setCurrentIndex(std::max(0, m_links->findData(static_cast<int>(*link))));
    fillFinish(m_scheduler, QStringLiteral("scheduler"), schedulers());
    fillFinish(m_fuser, QStringLiteral("fuser"), fusers());
    m_seed->setValidator(new QRegularExpressionValidator(QRegularExpression(QStringLiteral("[0-9]{1,19}")), m_seed));
    m_seed->setText(settings.value(QStringLiteral("run/seed"), QStringLiteral("1")).toString());
    m_seed->setToolTip(tr("The same seed gives the same plan."));

    auto* browse = new QPushButton(tr("&File…"));
    browse->setToolTip(tr("Take a cluster from a file of your own"));
    browse->setAutoDefault(false);
    auto* clusterRow = new QHBoxLayout;
    clusterRow->setSpacing(8);
    clusterRow->addWidget(m_cluster, 1);
    clusterRow->addWidget(browse);

    auto* form = new QGridLayout;
    form->setHorizontalSpacing(12);
    form->setColumnMinimumWidth(0, OptionsForm::kTitleWidth);
    form->setVerticalSpacing(4);
    form->setColumnStretch(1, 1);
    const auto addRow = [form](const QString& text, QWidget* field, QLayout* row, QLabel* below) {
        const int at = form->rowCount();
        auto* label = new QLabel(text);
        label->setBuddy(field);
        field->setAccessibleName(QString(text).remove(u'&'));
        form->addWidget(label, at, 0);
        if (row != nullptr)
            form->addLayout(row, at, 1);
        else
            form->addWidget(field, at, 1);
        if (below != nullptr) {
            below->setContentsMargins(2, 0, 0, 6);
            form->addWidget(below, at + 1, 1);
        }
    };
    addRow(tr("&Optimizer"), m_optimizer, nullptr, m_summary);
    addRow(tr("O&bjective"), m_objective, nullptr, nullptr);
    form->addWidget(m_keepPins, form->rowCount(), 1);
    addRow(tr("&Cluster"), m_cluster, clusterRow, m_clusterInfo);
    addRow(tr("&Links"), m_links, nullptr, nullptr);
    addRow(tr("&Queues"), m_scheduler, nullptr, nullptr);
    addRow(tr("F&usion"), m_fuser, nullptr, nullptr);
    addRow(tr("&Seed"), m_seed, nullptr, nullptr);

    auto* title = new QLabel(tr("Options"));
    QFont bold = title->font();
    bold.setBold(true);
    title->setFont(bold);
    m_scroll->setWidgetResizable(true);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setMinimumHeight(150);
    m_refusal->setWordWrap(true);
    m_refusal->hide();

    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
    auto* run = buttons->addButton(tr("&Run"), QDialogButtonBox::AcceptRole);
    run->setObjectName(QStringLiteral("runButton"));
    run->setDefault(true);
    auto* reset = buttons->addButton(tr("Reset o&ptions"), QDialogButtonBox::ResetRole);
    reset->setAutoDefault(false);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(reset, &QPushButton::clicked, this, [this] { m_form->reset(); });
    connect(browse, &QPushButton::clicked, this, &RunDialog::chooseClusterFile);
    connect(m_optimizer, &QComboBox::currentIndexChanged, this, &RunDialog::optimizerChanged);
    connect(m_keepPins, &QCheckBox::toggled, this, &RunDialog::keepPinsChanged);
    connect(m_cluster, &QComboBox::currentIndexChanged, this, &RunDialog::clusterChanged);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(18, 16, 18, 14);
    layout->setSpacing(10);
    layout->addLayout(form);
    layout->addSpacing(6);
    layout->addWidget(title);
    layout->addWidget(m_scroll, 1);
    layout->addWidget(m_refusal);
    layout->addWidget(buttons);

    m_optimizer->setCurrentIndex(
        std::max(0, m_optimizer->findData(settings.value(QStringLiteral("run/optimizer"), QStringLiteral("heft")))));
    optimizerChanged();
    clusterChanged();
    resize(560, 620);
}

void RunDialog::fillClusters() {
    for (const std::string& name : Cluster::bundled())
        m_cluster->addItem(qs(name), qs(name));
    const ClusterChoice& last = m_session.clusterChoice();
    std::shared_ptr<const Cluster> shown = m_session.shown() ? m_session.shown()->problem().cluster : nullptr;
    const QString name = shown ? qs(shown->id()) : qs(last.pathOrName);
    int index = m_cluster->findData(name);
    const bool isFile =
        last.pathOrName.ends_with(".json") && (!shown || last.pathOrName.find(shown->id()) != std::string::npos);
    if (isFile) {
        m_cluster->addItem(QFileInfo(qs(last.pathOrName)).fileName(), qs(last.pathOrName));
        index = m_cluster->count() - 1;
    } else if (index < 0 && shown) {
        m_cluster->addItem(tr("%1 (of the run shown)").arg(name), name);
        index = m_cluster->count() - 1;
        m_cluster->setItemData(index, QVariant::fromValue(shown), kReadyRole);
    }
    m_cluster->setCurrentIndex(std::max(0, index));
}

void RunDialog::fillFinish(QComboBox* box, const QString& name, const auto& list) {
    box->setObjectName(name);
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon); // summaries are long
    box->addItem(tr("as the optimizer has it"));
    for (const auto& info : list)
        box->addItem(QStringLiteral("%1: %2").arg(qs(info.id), qs(info.summary)), qs(info.id));
    box->setCurrentIndex(std::max(0, box->findData(m_settings.value(QStringLiteral("run/%1").arg(name)))));
}

void RunDialog::optimizerChanged() {
    const QString id = m_optimizer->currentData().toString();
    const auto info = m_session.workbench()->registry().optimizer(id.toStdString());
    m_summary->setText(info ? tr("%1 %2").arg(qs((*info)->summary), (*info)->honoursPins
                                                                        ? tr("Keeps pinned ops where they are.")
                                                                        : tr("Cannot keep pinned ops where they are."))
                            : tr("No optimizer plugin could be loaded; see Problems."));
    fillObjectives(info ? *info : nullptr);
    m_form =
        new OptionsForm(info ? std::span<const OptionSpec>((*info)->options) : std::span<const OptionSpec>(), m_look);
    std::map<std::string, std::string> last;
    const QVariantMap kept = m_settings.value(optionsKey(id)).toMap();
    for (auto it = kept.begin(); it != kept.end(); ++it)
        last[it.key().toStdString()] = it.value().toString().toStdString();
    m_form->set(last);
    m_scroll->setWidget(m_form); // deletes the one before
}

void RunDialog::fillObjectives(const OptimizerInfo* info) {
    m_objective->clear();
    const std::span<const Objective> taken =
        info != nullptr ? std::span<const Objective>(info->objectives) : std::span<const Objective>();
    for (const Objective objective : taken)
        m_objective->addItem(objective == Objective::Pipeline ? tr("pipeline: short from result to result")
                                                              : tr("step: one step alone is short"),
                             qs(toString(objective)));
    m_objective->setEnabled(m_objective->count() > 1);
    const QString last = m_settings.value(objectiveKey(m_optimizer->currentData().toString())).toString();
    m_objective->setCurrentIndex(std::max(taken.empty() ? -1 : 0, m_objective->findData(last)));
}

void RunDialog::setKeepPins(bool keep) { m_keepPins->setChecked(keep && m_session.whatIf().pinnedCount() > 0); }

void RunDialog::fillFrom(const RunAgain& again) {
    setWindowTitle(tr("Make run %1 again, changed").arg(again.run.id));
    const OptimizeRequest& request = again.request;
    m_optimizer->setCurrentIndex(m_optimizer->findData(qs(request.optimizer)));
    if (request.objective)
        m_objective->setCurrentIndex(std::max(0, m_objective->findData(qs(toString(*request.objective)))));
    m_form->reset(); // what was chosen last for this optimizer is not what the run had
    m_form->set(request.options);
    m_seed->setText(QString::number(request.seed));
    m_cluster->addItem(tr("%1 (of run %2)").arg(qs(again.cluster->id())).arg(again.run.id), qs(again.cluster->id()));
    m_cluster->setItemData(m_cluster->count() - 1, QVariant::fromValue(again.cluster), kReadyRole);
    m_cluster->setCurrentIndex(m_cluster->count() - 1);
    m_links->setCurrentIndex(0); // as that cluster has it
    if (const auto pinned = std::ranges::count_if(request.pins, &DeviceId::valid); pinned > 0) {
        m_pins = Pins{request.pins, {}, again.cluster};
        m_keepPins->setText(tr("&Keep pinned ops where they are (%1)").arg(countedText(pinned, "op")));
        m_keepPins->setVisible(true);
        m_keepPins->setChecked(true);
    }
    const auto& finish = request.finish;
    const auto choose = [](QComboBox* box, const auto& chosen) {
        box->setCurrentIndex(chosen ? std::max(0, box->findData(qs(toString(*chosen)))) : 0);
    };
    choose(m_scheduler, finish.scheduler);
    choose(m_fuser, finish.fuser);
}

RunDialog::Pins RunDialog::pins() const {
    const WhatIf& whatIf = m_session.whatIf();
    if (m_pins || whatIf.pinnedCount() == 0)
        return m_pins.value_or(Pins());
    const ShownRunPtr start = whatIf.start();
    return {whatIf.history()->now().pins, whatIf.history()->now().given(), start->outcome->problem.cluster};
}

bool RunDialog::keepsPins() const {
    return m_keepPins->isChecked() && (m_pins || m_session.whatIf().pinnedCount() > 0);
}

void RunDialog::keepPinsChanged() {
    m_refusal->hide();
    auto* items = qobject_cast<QStandardItemModel*>(m_optimizer->model());
    const auto& registry = m_session.workbench()->registry();
    for (int i = 0; i < m_optimizer->count(); ++i) {
        const auto info = registry.optimizer(m_optimizer->itemData(i).toString().toStdString());
        items->item(i)->setEnabled(!keepsPins() || (info && (*info)->honoursPins));
    }
}

void RunDialog::clusterChanged() {
    m_refusal->hide();
    const auto cluster = ClusterChoice{choice().pathOrName, choice().ready, {}}.load(*m_session.opened());
    m_clusterInfo->setText(cluster
                               ? tr("%1; links: %2").arg(qs((*cluster)->title()), qs(toString((*cluster)->linkModel())))
                               : qs(cluster.error().message));
}

void RunDialog::chooseClusterFile() {
    const QString path = QFileDialog::getOpenFileName(this, tr("Choose a cluster"), {}, tr("Cluster files (*.json)"));
    if (path.isEmpty())
        return;
    if (const auto cluster = Cluster::load(path.toStdString()); !cluster)
        return refuse(qs(cluster.error().message));
    int index = m_cluster->findData(path);
    if (index < 0) {
        m_cluster->addItem(QFileInfo(path).fileName(), path);
        index = m_cluster->count() - 1;
    }
    m_cluster->setCurrentIndex(index);
}

void RunDialog::refuse(const QString& why) {
    m_refusal->setStyleSheet(QStringLiteral("color: %1").arg(m_look.error().name()));
    m_refusal->setText(why);
    m_refusal->show();
}

OptimizeRequest RunDialog::request() const {
    OptimizeRequest request;
    request.optimizer = m_optimizer->currentData().toString().toStdString();
    request.options = m_form->changed();
    request.objective = parseObjective(m_objective->currentData().toString().toStdString());
    request.seed = m_seed->text().toULongLong();
    if (const auto scheduler = parseScheduler(m_scheduler->currentData().toString().toStdString()))
        request.finish.scheduler = *scheduler;
    if (const auto fuser = parseFuser(m_fuser->currentData().toString().toStdString()))
        request.finish.fuser = *fuser;
    if (keepsPins()) {
        Pins kept = pins();
        request.pins = std::move(kept.pins);
        request.start = std::move(kept.start);
    }
    return request;
}

ClusterChoice RunDialog::choice() const {
    ClusterChoice choice;
    choice.pathOrName = m_cluster->currentData().toString().toStdString();
    choice.ready = m_cluster->currentData(kReadyRole).value<std::shared_ptr<const Cluster>>();
    if (const QVariant link = m_links->currentData(); link.isValid())
        choice.linkModel = static_cast<LinkModel>(link.toInt());
    return choice;
}

void RunDialog::accept() {
    if (m_optimizer->count() == 0)
        return refuse(tr("There is no optimizer to run: no plugin could be loaded, see Problems."));
    if (m_seed->text().isEmpty())
        return refuse(tr("Give a seed: a whole number, the same for the same plan."));
    const auto cluster = choice().load(*m_session.opened());
    if (!cluster)
        return refuse(qs(cluster.error().message));
    if (keepsPins()) {
        const std::shared_ptr<const Cluster> pinnedTo = pins().cluster;
        if ((*cluster)->hash() != pinnedTo->hash())
            return refuse(tr("The ops are pinned to devices of %1; choose that cluster, or do not keep the pins.")
                              .arg(qs(pinnedTo->id())));
        const auto info = m_session.workbench()->registry().optimizer(request().optimizer);
        if (info && !(*info)->honoursPins)
            return refuse(tr("%1 cannot keep pinned ops where they are; choose another optimizer, or do not keep the "
                             "pins.")
                              .arg(qs((*info)->title)));
    }
    QVariantMap kept;
    for (const auto& [name, value] : m_form->lasting())
        kept[qs(name)] = qs(value);
    m_settings.setValue(QStringLiteral("run/optimizer"), m_optimizer->currentData());
    m_settings.setValue(QStringLiteral("run/seed"), m_seed->text());
    m_settings.setValue(QStringLiteral("run/scheduler"), m_scheduler->currentData());
    m_settings.setValue(QStringLiteral("run/fuser"), m_fuser->currentData());
    m_settings.setValue(optionsKey(m_optimizer->currentData().toString()), kept);
    m_settings.setValue(objectiveKey(m_optimizer->currentData().toString()), m_objective->currentData());
    QDialog::accept();
}

} // namespace opscape
