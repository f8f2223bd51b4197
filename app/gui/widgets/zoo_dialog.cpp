// SPDX-License-Identifier: MIT
#include "gui/widgets/zoo_dialog.h"

#include "gui/widgets/options_form.h"
#include "gui/words.h"
#include "service/zoo_source.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QPushButton>
#include <QVBoxLayout>

namespace opscape {
namespace {

/// The parameters of a model as options, with the preset's values as their defaults.
std::vector<OptionSpec> specsOf(const ZooModel& model, bool paper) {
    std::vector<OptionSpec> specs;
    for (const ZooParameter& p : model.parameters) {
        const std::int64_t value = paper ? p.paper : p.small;
        specs.push_back(p.choices.empty() ? OptionSpec::integer(p.name, p.summary, value, p.least, p.most)
                                          : OptionSpec::choice(p.name, p.summary, p.text(value), p.choices));
    }
    return specs;
}

} // namespace

ZooDialog::ZooDialog(Look& look, QWidget* parent)
    : QDialog(parent),
      m_look(look),
      m_model(new QComboBox),
      m_preset(new QComboBox),
      m_summary(new QLabel),
      m_scroll(new QScrollArea) {
    setObjectName(QStringLiteral("zooDialog"));
    setWindowTitle(tr("Open a model of the zoo"));
    setMinimumWidth(520);
    m_model->setObjectName(QStringLiteral("model"));
    m_preset->setObjectName(QStringLiteral("preset"));
    for (const ZooModel& model : zooModels())
        m_model->addItem(qs(model.title), qs(model.id));
    for (const std::string_view preset : kZooPresets)
        m_preset->addItem(qs(preset), qs(preset));
    m_preset->setItemData(0, tr("The same structure with 500 to 3,000 ops"), Qt::ToolTipRole);
    m_preset->setItemData(1, tr("The published size"), Qt::ToolTipRole);
    m_summary->setWordWrap(true);
    m_summary->setEnabled(false);
    m_scroll->setWidgetResizable(true);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setMinimumHeight(220);

    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Open | QDialogButtonBox::Cancel);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* form = new QFormLayout;
    form->addRow(tr("&Model"), m_model);
    form->addRow(tr("&Size"), m_preset);
    form->addRow(QString(), m_summary);
    auto* layout = new QVBoxLayout(this);
    layout->addLayout(form);
    layout->addWidget(m_scroll, 1);
    layout->addWidget(buttons);

    connect(m_model, &QComboBox::currentIndexChanged, this, &ZooDialog::showModel);
    connect(m_preset, &QComboBox::currentIndexChanged, this, &ZooDialog::showModel);
    showModel();
}

void ZooDialog::showModel() {
    const ZooModel* model = findZooModel(m_model->currentData().toString().toStdString());
    m_summary->setText(model->devices > 1
                           ? tr("%1 Published on %2 devices.").arg(qs(model->summary)).arg(model->devices)
                           : qs(model->summary));
    m_form = new OptionsForm(specsOf(*model, m_preset->currentIndex() == 1), m_look);
    m_scroll->setWidget(m_form);
}

QString ZooDialog::source() const {
    ZooSource source;
    source.model = m_model->currentData().toString().toStdString();
    source.preset = m_preset->currentData().toString().toStdString();
    source.settings = m_form->changed();
    return qs(source.text());
}

} // namespace opscape
