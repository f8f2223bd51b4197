// SPDX-License-Identifier: MIT
#include "gui/views/problems_pane.h"

#include "gui/shown_text.h"
#include "gui/widgets/empty_hint.h"
#include "gui/widgets/pane_command.h"
#include "gui/words.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

namespace opscape {
namespace {

constexpr std::size_t kMostSaid = 200;

/// Puts a sign of the severity before each kind.
class SeverityDelegate : public QStyledItemDelegate {
public:
    SeverityDelegate(const Look& look, QObject* parent) : QStyledItemDelegate(parent), m_look(look) {}

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
        QStyledItemDelegate::initStyleOption(option, index);
        const QVariant severity = index.data(ProblemsModel::SeverityRole);
        if (!severity.isValid() || index.column() != ProblemsModel::What)
            return;
        static const std::array<QString, 3> kNames{QStringLiteral("info"), QStringLiteral("warning"),
                                                   QStringLiteral("error")};
        option->features |= QStyleOptionViewItem::HasDecoration;
        option->icon = m_look.icon(kNames[static_cast<std::size_t>(severity.toInt())]);
        option->decorationSize = {16, 16};
    }

private:
    const Look& m_look;
};

} // namespace

ProblemsPane::ProblemsPane(Session& session, Look& look, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_header(new PaneHeader(tr("Problems"))),
      m_tree(new QTreeView),
      m_model(new ProblemsModel(this)) {
    m_tree->setObjectName(QStringLiteral("problems"));
    m_tree->setAccessibleName(tr("Problems"));
    m_tree->setModel(m_model);
    m_tree->setItemDelegate(new SeverityDelegate(look, this));
    m_tree->setUniformRowHeights(true);
    m_tree->setAllColumnsShowFocus(true);
    m_tree->header()->setStretchLastSection(false);
    m_tree->header()->setSectionResizeMode(ProblemsModel::What, QHeaderView::Stretch);
    m_tree->header()->setSectionResizeMode(ProblemsModel::Count, QHeaderView::ResizeToContents);
    new EmptyHint(m_tree, tr("No problems: nothing was dropped, guessed or refused."));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_tree);
    setFocusProxy(m_tree);
    connect(&session, &Session::ready, this, &ProblemsPane::refresh);
    connect(&session, &Session::openedChanged, this, &ProblemsPane::refresh);
    connect(&session, &Session::shownChanged, this, &ProblemsPane::refresh);
    m_tree->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_tree->setContextMenuPolicy(Qt::ActionsContextMenu);
    addPaneCommand(this, m_tree, look, tr("&Copy"), {}, {QKeySequence::Copy}, [this] { copy(); });
    connect(m_tree, &QTreeView::activated, this, &ProblemsPane::selectOp);
    m_said.code = "said";
    m_said.summary = tr("Warned of or refused since this window opened, the latest first").toStdString();
    connect(&look, &Look::changed, m_tree->viewport(), qOverload<>(&QWidget::update));
}

void ProblemsPane::refresh() {
    const ShownRun* run = m_session.shown().get();
    std::vector<Diagnostic> entries =
        problemsOf(m_session.workbench(), m_session.opened().get(), run != nullptr ? run->outcome.get() : nullptr);
    if (m_said.count > 0)
        entries.push_back(m_said);
    m_model->setEntries(std::move(entries));
    const int serious = m_model->seriousCount();
    m_header->setRemark(m_model->rowCount() == 0
                            ? QString()
                            : tr("%1, %2 of them warnings or errors")
                                  .arg(countedText(static_cast<std::size_t>(m_model->rowCount()), "kind"))
                                  .arg(serious));
    emit countChanged(serious);
}

void ProblemsPane::note(Severity severity, const QString& sentence) {
    if (severity == Severity::Info)
        return;
    m_said.severity = Severity::Warning;
    ++m_said.count;
    m_said.examples.insert(m_said.examples.begin(), sentence.toStdString());
    if (m_said.examples.size() > kMostSaid)
        m_said.examples.pop_back();
    refresh();
}

void ProblemsPane::copy() const {
    QStringList lines;
    for (const QModelIndex& row : m_tree->selectionModel()->selectedRows())
        lines << row.data().toString();
    if (!lines.isEmpty())
        QGuiApplication::clipboard()->setText(lines.join(u'\n'));
}

void ProblemsPane::selectOp(const QModelIndex& row) {
    if (!row.parent().isValid() || m_session.opened() == nullptr)
        return;
    // An example is a name, or begins with one: "conv1: unknown type Foo".
    const Graph& graph = *m_session.opened()->graph;
    const QString text = row.siblingAtColumn(ProblemsModel::What).data().toString();
    for (const QString& name : {text, text.section(QStringLiteral(": "), 0, 0), text.section(u' ', 0, 0)}) {
        if (const OpId op = graph.findOp(name.toStdString()); op.valid())
            return m_session.selectOps({op});
    }
}

} // namespace opscape
