// SPDX-License-Identifier: MIT
// What the window shows while nothing is open: how to open something, what was open lately, the bundled graphs and
// the zoo.
#pragma once

#include "gui/look.h"

#include <QPushButton>
#include <QVBoxLayout>
#include <QWidget>

namespace opscape {

/// The graphs that come with the product, by path; sorted.
[[nodiscard]] QStringList bundledGraphs();

class StartPage : public QWidget {
    Q_OBJECT
public:
    explicit StartPage(Look& look, QWidget* parent = nullptr);

    void setRecent(const QStringList& files);
    void focusFirst();

signals:
    void openRequested(); ///< by dialog
    void zooRequested();  ///< by dialog
    void fileChosen(const QString& path);

private:
    [[nodiscard]] QPushButton* entry(const QString& text, const QString& path, int width);
    [[nodiscard]] QLayout* zoo();
    void fill(QVBoxLayout* column, const QStringList& files, const QString& none);

    Look& m_look;
    QPushButton* m_open;
    QVBoxLayout* m_recent;
};

} // namespace opscape
