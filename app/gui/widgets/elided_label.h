// SPDX-License-Identifier: MIT
// A line of text that asks for no width: what does not fit is left out in the middle, and said by the tooltip.
#pragma once

#include <QLabel>

namespace opscape {

class ElidedLabel : public QLabel {
    Q_OBJECT
public:
    explicit ElidedLabel(QWidget* parent = nullptr);
    void setWhole(const QString& text);
    [[nodiscard]] const QString& whole() const { return m_whole; }

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void elide();

    QString m_whole;
};

} // namespace opscape
