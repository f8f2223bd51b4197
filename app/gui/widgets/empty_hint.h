// SPDX-License-Identifier: MIT
// A sentence over an item view that has no rows, so that an empty pane says why it is empty.
#pragma once

#include <QAbstractItemView>
#include <QLabel>

namespace opscape {

class EmptyHint : public QLabel {
    Q_OBJECT
public:
    /// Lives in the view's viewport, owned by it. The view has its model already.
    EmptyHint(QAbstractItemView* view, const QString& text);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void refresh();

    QAbstractItemView* m_view;
};

} // namespace opscape
