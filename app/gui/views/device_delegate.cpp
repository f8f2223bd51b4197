// SPDX-License-Identifier: MIT
#include "gui/views/device_delegate.h"

#include "gui/models/outline_model.h"
#include "render/painter_surface.h"
#include "render/pin_mark.h"

#include <QPainter>

namespace opscape {

void DeviceDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    QStyledItemDelegate::paint(painter, option, index);
    const int number = index.data(OutlineModel::DeviceRole).toInt();
    if (number < 0)
        return;
    const DeviceId device{static_cast<std::size_t>(number)};
    const QColor color = m_look.theme().device(device);
    QRectF chip(0, 0, 20, option.rect.height() - 6.0);
    chip.moveCenter(QRectF(option.rect).center());
    const bool mixed = index.data(OutlineModel::MixedRole).toBool();
    if (mixed)
        chip.translate(-4, 0);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(Qt::NoPen);
    painter->setBrush(color);
    painter->drawRoundedRect(chip, 3, 3);
    painter->setPen(Theme::textOn(color));
    painter->drawText(chip, Qt::AlignCenter, Theme::deviceLetter(device));
    if (mixed) {
        painter->setPen(option.state.testFlag(QStyle::State_Selected) ? option.palette.color(QPalette::HighlightedText)
                                                                      : m_look.theme().dimText);
        painter->drawText(QRectF(chip.right(), chip.top(), 12, chip.height()), Qt::AlignCenter, QStringLiteral("+"));
    }
    if (const auto pinned = static_cast<OutlineModel::Pinned>(index.data(OutlineModel::PinnedRole).toInt());
        pinned != OutlineModel::Pinned::None) {
        PainterSurface surface(*painter);
        paintPin(surface, {chip.left() + 1, chip.top() + 8}, 11, m_look.theme(), pinned == OutlineModel::Pinned::All);
    }
    painter->restore();
}

} // namespace opscape
