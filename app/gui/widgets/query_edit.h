// SPDX-License-Identifier: MIT
// A field for queries (core/query): offers what may come next while one is typed. Tab or Enter takes what is chosen,
// Ctrl+Space asks for it.
#pragma once

#include "gui/search_subject.h"

#include <opscape/query/completion.h>

#include <QCompleter>
#include <QLineEdit>
#include <QStandardItemModel>

#include <functional>
#include <optional>

namespace opscape {

class QueryEdit : public QLineEdit {
    Q_OBJECT
public:
    /// What is completed from; none while no graph is open.
    using Source = std::function<const SearchSubject*()>;
    explicit QueryEdit(Source source, QWidget* parent = nullptr);
    /// What may come next for the word that ends at a byte of the query.
    using Offers = std::function<std::vector<Completion>(std::string_view query, std::size_t cursor)>;
    explicit QueryEdit(Offers offers, QWidget* parent = nullptr);

    /// What is offered just now; for tests.
    [[nodiscard]] QStringList offered() const;
    void hideOffers();

protected:
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void offer(bool asked);
    void take(const QModelIndex& index);
    [[nodiscard]] bool offering() const;

    Offers m_next;
    QStandardItemModel m_offers;
    QCompleter m_completer;
};

} // namespace opscape
