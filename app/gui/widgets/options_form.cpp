// SPDX-License-Identifier: MIT
#include "gui/widgets/options_form.h"

#include "gui/words.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSpinBox>

#include <cmath>
#include <limits>

namespace opscape {
namespace {

/// A spin box for reals that shows no more digits than the value has.
class RealBox : public QDoubleSpinBox {
public:
    [[nodiscard]] QString textFromValue(double value) const override { return qs(toString(OptionValue(value))); }
};

/// "learning-rate" reads better as "Learning rate".
QString titleOf(const std::string& name) {
    QString title = qs(name).replace(u'-', u' ');
    if (!title.isEmpty())
        title[0] = title[0].toUpper();
    return title;
}

QString suffixOf(const OptionSpec& spec) { return spec.unit.empty() ? QString() : u' ' + qs(spec.unit); }

bool fitsInt(const OptionSpec& spec) {
    return spec.least >= std::numeric_limits<int>::min() && spec.most <= std::numeric_limits<int>::max();
}

/// What the editor has to say of a value: "none" for no file.
QString shownText(const OptionSpec& spec, const OptionValue& value) {
    const QString text = qs(toString(value));
    return spec.isFile() && text.isEmpty() ? OptionsForm::tr("none") : text;
}

/// A path to type or to look for.
class FileEditor : public QWidget {
public:
    FileEditor(const OptionSpec& spec, Look& look) : m_line(new QLineEdit), m_browse(new QToolButton) {
        const QString title = titleOf(spec.name);
        m_line->setAccessibleName(title);
        m_line->setPlaceholderText(OptionsForm::tr("no file"));
        m_line->setClearButtonEnabled(true);
        m_line->setMaxLength(4095);
        m_browse->setObjectName(qs("browse-" + spec.name));
        m_browse->setToolTip(OptionsForm::tr("Choose a file"));
        m_browse->setAccessibleName(OptionsForm::tr("Choose a file: %1").arg(title));
        look.dress(m_browse, QStringLiteral("open"));
        auto* row = new QHBoxLayout(this);
        row->setContentsMargins(0, 0, 0, 0);
        row->setSpacing(4);
        row->addWidget(m_line, 1);
        row->addWidget(m_browse);
        setFocusProxy(m_line);
        const bool isRead = spec.type == OptionSpec::Type::FileToRead;
        QObject::connect(m_browse, &QToolButton::clicked, this, [this, isRead, title] {
            const QString path = isRead ? QFileDialog::getOpenFileName(this, title, m_line->text())
                                        : QFileDialog::getSaveFileName(this, title, m_line->text());
            if (!path.isEmpty())
                m_line->setText(path);
        });
    }

    [[nodiscard]] QLineEdit* line() const { return m_line; }

private:
    QLineEdit* m_line;
    QToolButton* m_browse;
};

QLabel* groupTitle(const std::string& group) {
    auto* title = new QLabel(qs(group));
    title->setObjectName(qs("group-" + group));
    QFont bold = title->font();
    bold.setBold(true);
    title->setFont(bold);
    title->setContentsMargins(0, 8, 0, 2);
    return title;
}

} // namespace

OptionsForm::OptionsForm(std::span<const OptionSpec> specs, Look& look, QWidget* parent) : QWidget(parent) {
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(12);
    grid->setVerticalSpacing(2);
    grid->setColumnStretch(1, 1);
    grid->setColumnMinimumWidth(0, kTitleWidth);
    m_rows.reserve(specs.size());
    std::string group;
    for (const OptionSpec& spec : specs) {
        const std::size_t i = m_rows.size();
        Row& row = m_rows.emplace_back();
        row.spec = spec;
        row.editor = makeEditor(row, look);
        row.editor->setObjectName(qs("option-" + spec.name));
        row.editor->setAccessibleName(titleOf(spec.name));
        row.editor->setToolTip(qs(spec.summary));
        auto* label = new QLabel(titleOf(spec.name));
        label->setBuddy(row.editor);
        row.reset = new QToolButton;
        row.reset->setAutoRaise(true);
        row.reset->setToolTip(tr("Back to the default, %1").arg(shownText(spec, spec.value)));
        row.reset->setAccessibleName(tr("Reset %1").arg(titleOf(spec.name)));
        look.dress(row.reset, QStringLiteral("reset"));
        connect(row.reset, &QToolButton::clicked, this, [this, i] { m_rows[i].put(m_rows[i].spec.value); });
        auto* help = new QLabel(
            spec.isFile()
                ? qs(spec.summary)
                : tr("%1 (%2; default %3)").arg(qs(spec.summary), qs(spec.domain()), qs(toString(spec.value))));
        help->setWordWrap(true);
        help->setEnabled(false);
        QFont small = help->font();
        small.setPointSizeF(small.pointSizeF() * 0.9);
        help->setFont(small);
        help->setContentsMargins(0, 0, 0, 8);
        if (spec.group != group && !spec.group.empty())
            grid->addWidget(groupTitle(spec.group), grid->rowCount(), 0, 1, 3);
        group = spec.group;
        const int at = grid->rowCount();
        grid->addWidget(label, at, 0);
        grid->addWidget(row.editor, at, 1);
        grid->addWidget(row.reset, at, 2);
        grid->addWidget(help, at + 1, 1, 1, 2);
        refresh(i);
    }
    if (specs.empty()) {
        auto* none = new QLabel(tr("It has no options."));
        none->setEnabled(false);
        grid->addWidget(none, 0, 0, 1, 2);
    }
    grid->setRowStretch(grid->rowCount(), 1);
}

QWidget* OptionsForm::makeEditor(Row& row, Look& look) {
    const OptionSpec& spec = row.spec;
    const std::size_t i = m_rows.size() - 1;
    const auto changed = [this, i] { refresh(i); };
    switch (spec.type) {
    case OptionSpec::Type::Bool: {
        auto* box = new QCheckBox;
        row.get = [box] { return toString(OptionValue(box->isChecked())); };
        row.put = [box](const OptionValue& v) { box->setChecked(std::get<bool>(v)); };
        row.put(spec.value);
        connect(box, &QCheckBox::toggled, this, changed);
        return box;
    }
    case OptionSpec::Type::Choice: {
        auto* box = new QComboBox;
        for (const std::string& choice : spec.choices)
            box->addItem(qs(choice));
        row.get = [box] { return box->currentText().toStdString(); };
        row.put = [box](const OptionValue& v) { box->setCurrentText(qs(std::get<std::string>(v))); };
        row.put(spec.value);
        connect(box, &QComboBox::currentIndexChanged, this, changed);
        return box;
    }
    case OptionSpec::Type::FileToRead:
    case OptionSpec::Type::FileToWrite: {
        auto* editor = new FileEditor(spec, look);
        QLineEdit* line = editor->line();
        row.get = [line] { return line->text().trimmed().toStdString(); };
        row.put = [line](const OptionValue& v) { line->setText(qs(std::get<std::string>(v))); };
        row.put(spec.value);
        connect(line, &QLineEdit::textChanged, this, changed);
        return editor;
    }
    case OptionSpec::Type::Int:
        if (fitsInt(spec)) {
            auto* box = new QSpinBox;
            box->setRange(static_cast<int>(spec.least), static_cast<int>(spec.most));
            box->setSuffix(suffixOf(spec));
            box->setGroupSeparatorShown(true);
            row.get = [box] { return toString(OptionValue(std::int64_t{box->value()})); };
            row.put = [box](const OptionValue& v) { box->setValue(static_cast<int>(std::get<std::int64_t>(v))); };
            row.put(spec.value);
            connect(box, &QSpinBox::valueChanged, this, changed);
            return box;
        }
        [[fallthrough]];
    case OptionSpec::Type::Real:
        break;
    }
    // Reals, and integers too large for the other box; doubles hold those exactly up to 2^53.
    const bool whole = spec.type == OptionSpec::Type::Int;
    auto* box = whole ? new QDoubleSpinBox : new RealBox;
    box->setDecimals(whole ? 0 : 9);
    box->setRange(spec.least, spec.most);
    box->setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
    box->setSuffix(suffixOf(spec));
    row.get = [box, whole] {
        return whole ? toString(OptionValue(static_cast<std::int64_t>(std::llround(box->value()))))
                     : toString(OptionValue(box->value()));
    };
    row.put = [box, whole](const OptionValue& v) {
        box->setValue(whole ? static_cast<double>(std::get<std::int64_t>(v)) : std::get<double>(v));
    };
    row.put(spec.value);
    connect(box, &QDoubleSpinBox::valueChanged, this, changed);
    return box;
}

void OptionsForm::refresh(std::size_t row) {
    if (m_rows[row].reset != nullptr)
        m_rows[row].reset->setEnabled(m_rows[row].get() != toString(m_rows[row].spec.value));
}

std::map<std::string, std::string> OptionsForm::lasting() const {
    std::map<std::string, std::string> values = changed();
    for (const Row& row : m_rows) {
        if (row.spec.isFile())
            values.erase(row.spec.name);
    }
    return values;
}

std::map<std::string, std::string> OptionsForm::changed() const {
    std::map<std::string, std::string> values;
    for (const Row& row : m_rows) {
        if (std::string value = row.get(); value != toString(row.spec.value))
            values[row.spec.name] = std::move(value);
    }
    return values;
}

void OptionsForm::set(const std::map<std::string, std::string>& values) {
    for (Row& row : m_rows) {
        const auto it = values.find(row.spec.name);
        if (it == values.end())
            continue;
        Options options(std::span(&row.spec, 1));
        if (options.set(it->first, it->second))
            row.put(options.value(row.spec.name));
    }
}

void OptionsForm::reset() {
    for (Row& row : m_rows)
        row.put(row.spec.value);
}

} // namespace opscape
