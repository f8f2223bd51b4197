// SPDX-License-Identifier: MIT
// What the style of the window makes of controls, in both themes.
#include "gui/look.h"
#include "gui/widgets/pane_header.h"

#include <QCheckBox>
#include <QToolButton>
#include <QTreeWidget>

#include <gtest/gtest.h>

#include <cmath>

namespace opscape::test {
namespace {

/// How WCAG 2 measures it: 1 for the same colour, 21 for black on white; 3 is the least for parts of a control.
double contrast(const QColor& a, const QColor& b) {
    const auto luminance = [](const QColor& c) {
        const auto part = [](double v) { return v <= 0.03928 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4); };
        return 0.2126 * part(c.redF()) + 0.7152 * part(c.greenF()) + 0.0722 * part(c.blueF());
    };
    const double la = luminance(a), lb = luminance(b);
    return (std::max(la, lb) + 0.05) / (std::min(la, lb) + 0.05);
}

/// The strongest there is in a picture, to the colour of its corner.
double mostContrast(const QImage& image) {
    double most = 1;
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x)
            most = std::max(most, contrast(image.pixelColor(x, y), image.pixelColor(0, 0)));
    }
    return most;
}

TEST(LookTest, ABoxThatIsNotTickedIsSeenInBothThemes) {
    Look look;
    for (const ThemeMode mode : {ThemeMode::Light, ThemeMode::Dark}) {
        look.setMode(mode);
        QCheckBox box;
        box.resize(box.sizeHint());
        EXPECT_GE(mostContrast(box.grab().toImage()), 3) << "dark: " << look.theme().dark;
        const QImage empty = box.grab().toImage();
        box.setChecked(true);
        EXPECT_NE(box.grab().toImage(), empty);
        QTreeWidget tree;
        tree.setHeaderHidden(true);
        auto* item = new QTreeWidgetItem(&tree, QStringList{QString()});
        item->setCheckState(0, Qt::Unchecked);
        tree.resize(120, 40);
        EXPECT_GE(mostContrast(tree.viewport()->grab().toImage().copy(0, 0, 110, 30)), 3)
            << "dark: " << look.theme().dark;
    }
}

TEST(LookTest, AToolOverAPaneSaysWhatItDoesNow) {
    PaneHeader header(QStringLiteral("Training"));
    QAction action(&header);
    action.setShortcut(Qt::Key_P);
    header.addTool(&action);
    action.setText(QStringLiteral("&Pause the training"));
    const auto* button = header.findChild<QToolButton*>();
    ASSERT_NE(button, nullptr);
    EXPECT_EQ(button->toolTip(), "Pause the training  (P)");
    EXPECT_EQ(button->accessibleName(), "Pause the training");
    action.setText(QStringLiteral("&Resume the training"));
    EXPECT_EQ(button->toolTip(), "Resume the training  (P)");
    EXPECT_EQ(button->accessibleName(), "Resume the training");
}

} // namespace
} // namespace opscape::test
