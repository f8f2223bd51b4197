// SPDX-License-Identifier: MIT
#include "gui/widgets/query_edit.h"

#include "gui/shown_text.h"

#include <QAbstractItemView>
#include <QKeyEvent>

namespace opscape {
namespace {

enum Role { TextRole = Qt::UserRole + 1, FromRole, ToRole };

} // namespace

QueryEdit::QueryEdit(Source source, QWidget* parent)
    : QueryEdit(Offers([source = std::move(source)](std::string_view query, std::size_t cursor) {
                    const SearchSubject* subject = source();
                    return subject == nullptr ? std::vector<Completion>()
                                              : completions(query, cursor, subject->facts());
                }),
                parent) {}

QueryEdit::QueryEdit(Offers offers, QWidget* parent) : QLineEdit(parent), m_next(std::move(offers)) {
    setClearButtonEnabled(true);
    m_completer.setModel(&m_offers);
    m_completer.setWidget(this);
    m_completer.setCompletionMode(QCompleter::UnfilteredPopupCompletion);
    m_completer.popup()->setAccessibleName(tr("What may come next"));
    connect(&m_completer, qOverload<const QModelIndex&>(&QCompleter::activated), this, &QueryEdit::take);
    connect(this, &QLineEdit::textEdited, this, [this] { offer(false); });
}

QStringList QueryEdit::offered() const {
    QStringList texts;
    for (int row = 0; row < m_offers.rowCount(); ++row)
        texts << m_offers.item(row)->data(TextRole).toString();
    return texts;
}

void QueryEdit::hideOffers() { m_completer.popup()->hide(); }

bool QueryEdit::offering() const { return m_completer.popup()->isVisible(); }

void QueryEdit::offer(bool asked) {
    m_offers.clear();
    const std::string typed = text().left(cursorPosition()).toStdString();
    if (asked || (!typed.empty() && typed.back() != ' ')) {
        for (const Completion& completion : m_next(text().toStdString(), typed.size())) {
            auto* item = new QStandardItem(QStringLiteral("%1   %2").arg(seen(completion.text), seen(completion.note)));
            item->setData(qs(completion.text), TextRole);
            item->setData(static_cast<qulonglong>(completion.from), FromRole);
            item->setData(static_cast<qulonglong>(completion.to), ToRole);
            m_offers.appendRow(item);
        }
    }
    if (m_offers.rowCount() == 0 || !hasFocus())
        return hideOffers();
    m_completer.complete();
    m_completer.popup()->setCurrentIndex({}); // none is chosen yet: Enter means what was typed
}

void QueryEdit::take(const QModelIndex& index) {
    // The completer hands out rows of its own model, which holds the same data.
    std::string query = text().toStdString();
    const auto from = static_cast<std::size_t>(index.data(FromRole).toULongLong());
    const auto to = static_cast<std::size_t>(index.data(ToRole).toULongLong());
    if (from > to || to > query.size())
        return;
    const std::string chosen = index.data(TextRole).toString().toStdString();
    const bool goesOn =
        chosen.ends_with(':') || chosen.ends_with('>') || chosen.ends_with('<'); // a value is still to come
    query.replace(from, to - from, chosen);
    setText(qs(query));
    setCursorPosition(static_cast<int>(qs(std::string_view(query).substr(0, from + chosen.size())).size()));
    hideOffers();
    if (goesOn)
        offer(true);
}

bool QueryEdit::event(QEvent* event) {
    if (event->type() == QEvent::KeyPress && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Tab && offering()) {
        const QModelIndex chosen = m_completer.popup()->currentIndex();
        take(chosen.isValid() ? chosen : m_completer.popup()->model()->index(0, 0));
        event->accept();
        return true;
    }
    return QLineEdit::event(event);
}

void QueryEdit::keyPressEvent(QKeyEvent* event) {
    const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (event->key() == Qt::Key_Space && event->modifiers() == Qt::ControlModifier)
        return offer(true);
    if (enter && offering() && m_completer.popup()->currentIndex().isValid())
        return event->ignore(); // the completer takes it
    if (enter)
        hideOffers();
    QLineEdit::keyPressEvent(event);
}

} // namespace opscape
