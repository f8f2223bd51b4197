// SPDX-License-Identifier: MIT
#include "gui/widgets/empty_hint.h"

#include <QEvent>

namespace opscape {

EmptyHint::EmptyHint(QAbstractItemView* view, const QString& text) : QLabel(text, view->viewport()), m_view(view) {
    setAlignment(Qt::AlignCenter);
    setWordWrap(true);
    setMargin(18);
    setEnabled(false);
    setAttribute(Qt::WA_TransparentForMouseEvents);
    view->viewport()->installEventFilter(this);
    const QAbstractItemModel* model = view->model();
    connect(model, &QAbstractItemModel::modelReset, this, &EmptyHint::refresh);
    connect(model, &QAbstractItemModel::rowsInserted, this, &EmptyHint::refresh);
    connect(model, &QAbstractItemModel::rowsRemoved, this, &EmptyHint::refresh);
    refresh();
}

bool EmptyHint::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize)
        refresh();
    return QLabel::eventFilter(watched, event);
}

void EmptyHint::refresh() {
    setGeometry(m_view->viewport()->rect());
    setVisible(m_view->model()->rowCount() == 0);
}

} // namespace opscape
