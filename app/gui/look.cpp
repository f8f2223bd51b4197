// SPDX-License-Identifier: MIT
#include "gui/look.h"

#include "gui/system_theme.h"

#include <QApplication>
#include <QFile>
#include <QPainter>
#include <QPalette>
#include <QStyleFactory>
#include <QSvgRenderer>

// Resources of a static library are only there when asked for; the macro must stand outside of a namespace.
static void initResources() { Q_INIT_RESOURCE(opscape); }

namespace opscape {
namespace {

struct Colors {
    QColor window, base, alternate, text, dim, border, accent, onAccent, hover, scroll;
};

Colors colors(const Theme& theme) {
    if (theme.dark)
        return {"#1a2029", theme.background, "#171c24", theme.text, theme.dimText,
                "#2f3947", "#3f7df0",        "#ffffff", "#28323f",  "#465364"};
    return {"#eef1f5", "#ffffff", "#f5f7fa", theme.text, theme.dimText,
            "#d3dae4", "#1f6feb", "#ffffff", "#e1e7ef",  "#b6c0ce"};
}

QPalette paletteOf(const Colors& c) {
    QPalette p;
    p.setColor(QPalette::Window, c.window);
    p.setColor(QPalette::WindowText, c.text);
    p.setColor(QPalette::Base, c.base);
    p.setColor(QPalette::AlternateBase, c.alternate);
    p.setColor(QPalette::Text, c.text);
    p.setColor(QPalette::Button, c.window);
    p.setColor(QPalette::ButtonText, c.text);
    p.setColor(QPalette::BrightText, c.onAccent);
    p.setColor(QPalette::ToolTipBase, c.base);
    p.setColor(QPalette::ToolTipText, c.text);
    p.setColor(QPalette::PlaceholderText, c.dim);
    p.setColor(QPalette::Highlight, c.accent);
    p.setColor(QPalette::HighlightedText, c.onAccent);
    p.setColor(QPalette::Link, c.accent);
    p.setColor(QPalette::LinkVisited, c.accent);
    p.setColor(QPalette::Mid, c.border);
    p.setColor(QPalette::Light, c.base);
    p.setColor(QPalette::Midlight, c.hover);
    p.setColor(QPalette::Dark, c.border);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        p.setColor(QPalette::Disabled, role, c.dim);
    p.setColor(QPalette::Disabled, QPalette::Highlight, c.border);
    p.setColor(QPalette::Inactive, QPalette::Highlight, c.accent);
    return p;
}

QString sheet(const Colors& c) {
    QFile file(QStringLiteral(":/style.qss"));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    QString text = QString::fromUtf8(file.readAll());
    const std::pair<const char*, QColor> names[] = {{"@window", c.window}, {"@base", c.base},     {"@text", c.text},
                                                    {"@dim", c.dim},       {"@border", c.border}, {"@accent", c.accent},
                                                    {"@hover", c.hover},   {"@scroll", c.scroll}};
    for (const auto& [name, color] : names)
        text.replace(QLatin1String(name), color.name());
    return text;
}

QPixmap drawIcon(const QByteArray& svg, const QColor& color, int size) {
    QByteArray tinted = svg;
    tinted.replace("#000000", color.name().toLatin1());
    QSvgRenderer renderer(tinted);
    constexpr int kScale = 2; // sharp on dense screens too
    QPixmap pixmap(size * kScale, size * kScale);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    renderer.render(&painter);
    painter.end();
    pixmap.setDevicePixelRatio(kScale);
    return pixmap;
}

} // namespace

Look::Look(QObject* parent) : QObject(parent), m_theme(Theme::light()) {
    initResources();
    QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
    m_systemDark = QApplication::palette().color(QPalette::Window).lightness() < 128;
    auto* system = new SystemTheme(this);
    connect(system, &SystemTheme::darkChanged, this, &Look::setSystemDark);
    apply();
}

void Look::setMode(ThemeMode mode) {
    if (mode == m_mode)
        return;
    m_mode = mode;
    apply();
}

void Look::setSystemDark(bool dark) {
    if (dark == m_systemDark)
        return;
    m_systemDark = dark;
    if (m_mode == ThemeMode::System)
        apply();
}

void Look::apply() {
    const bool dark = m_mode == ThemeMode::Dark || (m_mode == ThemeMode::System && m_systemDark);
    m_theme = dark ? Theme::darkTheme() : Theme::light();
    const Colors c = colors(m_theme);
    QApplication::setPalette(paletteOf(c));
    qApp->setStyleSheet(sheet(c));
    emit changed();
}

QColor Look::accent() const { return colors(m_theme).accent; }
QColor Look::border() const { return colors(m_theme).border; }
QColor Look::good() const { return m_theme.dark ? QColor("#4cc38a") : QColor("#0b7a4b"); }
QColor Look::warning() const { return m_theme.dark ? QColor("#f0b34a") : QColor("#9a5b00"); }
QColor Look::error() const { return m_theme.dark ? QColor("#ff7b72") : QColor("#b42318"); }

QIcon Look::icon(const QString& name) const {
    QFile file(QStringLiteral(":/icons/%1.svg").arg(name));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    const QByteArray svg = file.readAll();
    const Colors c = colors(m_theme);
    QIcon icon;
    for (const int size : {16, 20, 32}) {
        icon.addPixmap(drawIcon(svg, c.text, size), QIcon::Normal);
        icon.addPixmap(drawIcon(svg, Theme::mix(c.dim, c.window, 0.5), size), QIcon::Disabled);
    }
    return icon;
}

} // namespace opscape
