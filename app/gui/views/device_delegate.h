// SPDX-License-Identifier: MIT
// Draws a device in a cell as in the pictures: its colour and its letter; with a plus sign where there are others too,
// and a pin where what is there is kept there.
#pragma once

#include "gui/look.h"

#include <QStyledItemDelegate>

namespace opscape {

class DeviceDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    explicit DeviceDelegate(const Look& look, QObject* parent = nullptr) : QStyledItemDelegate(parent), m_look(look) {}
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    const Look& m_look;
};

} // namespace opscape
