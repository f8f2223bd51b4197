// SPDX-License-Identifier: MIT
#include "theme.h"

#include <opscape/device/device_letters.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace opscape {
namespace {

/// Okabe and Ito's eight; their black is a grey here, as light as no other of them, so that it is not taken for the
/// pink where red and green look alike.
constexpr std::array<QRgb, 8> kOnLight{0xff0072b2, 0xffe69f00, 0xff009e73, 0xffcc79a7,
                                       0xff56b4e9, 0xffd55e00, 0xfff0e442, 0xff646971};
/// The same hues, the dark ones lifted so that all stand out from a dark background alike.
constexpr std::array<QRgb, 8> kOnDark{0xff2b8fd0, 0xffe8a517, 0xff14ad84, 0xffd283ae,
                                      0xff6fc3f2, 0xffe0702a, 0xffeee04a, 0xffc8cdd5};

/// From near the background to far from it, over hues that differ too: green and blue to purple, blue and green to
/// yellow.
constexpr std::array<QRgb, 6> kScaleOnLight{0xffe3eecb, 0xffa9d6b4, 0xff5fb3b6, 0xff3c85b4, 0xff4e4f9e, 0xff5a1a63};
constexpr std::array<QRgb, 6> kScaleOnDark{0xff2f3560, 0xff33528c, 0xff2e7a97, 0xff35a487, 0xff8fca55, 0xfff7e646};

double luminance(const QColor& c) {
    const auto linear = [](double v) { return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4); };
    return 0.2126 * linear(c.redF()) + 0.7152 * linear(c.greenF()) + 0.0722 * linear(c.blueF());
}

} // namespace

Theme Theme::light() {
    Theme t;
    t.background = QColor(0xfb, 0xfc, 0xfe);
    t.frame = QColor(0xbf, 0xc8, 0xd6);
    t.frameFill = QColor(0xee, 0xf2, 0xf8);
    t.text = QColor(0x17, 0x1f, 0x2b);
    t.dimText = QColor(0x5b, 0x67, 0x78);
    t.edge = QColor(0x8b, 0x97, 0xa8);
    t.selection = QColor(0x0b, 0x12, 0x1e);
    t.inputHighlight = QColor(0x7c, 0x3a, 0xed);
    t.outputHighlight = QColor(0x0d, 0x94, 0x88);
    t.critical = QColor(0xdc, 0x14, 0x4c);
    t.grid = QColor(0xdf, 0xe5, 0xee);
    t.memory = QColor(0x52, 0x66, 0x8a);
    t.capacity = QColor(0xb9, 0x1c, 0x1c);
    t.unplaced = QColor(0xff, 0xff, 0xff);
    return t;
}

Theme Theme::darkTheme() {
    Theme t;
    t.dark = true;
    t.background = QColor(0x12, 0x16, 0x1d);
    t.frame = QColor(0x3f, 0x4a, 0x5a);
    t.frameFill = QColor(0x1d, 0x24, 0x2e);
    t.text = QColor(0xec, 0xf0, 0xf6);
    t.dimText = QColor(0x9b, 0xa7, 0xb8);
    t.edge = QColor(0x76, 0x84, 0x97);
    t.selection = QColor(0xff, 0xff, 0xff);
    t.inputHighlight = QColor(0xb4, 0x91, 0xff);
    t.outputHighlight = QColor(0x2d, 0xd4, 0xbf);
    t.critical = QColor(0xff, 0x4d, 0x78);
    t.grid = QColor(0x28, 0x31, 0x3d);
    t.memory = QColor(0x9f, 0xb3, 0xd6);
    t.capacity = QColor(0xf8, 0x71, 0x71);
    t.unplaced = QColor(0x2a, 0x33, 0x40);
    return t;
}

QColor Theme::device(DeviceId id) const {
    if (!id.valid())
        return unplaced;
    const auto& palette = dark ? kOnDark : kOnLight;
    const std::size_t round = id.index() / palette.size();
    QColor colour(palette[id.index() % palette.size()]);
    if (round > 0) { // darker, lighter, darker still, ...
        float h = 0, s = 0, l = 0;
        colour.getHslF(&h, &s, &l);
        const float step = 0.14F * static_cast<float>((round + 1) / 2) * (round % 2 == 1 ? -1.0F : 1.0F);
        colour.setHslF(h, s, std::clamp(l + step, 0.15F, 0.9F));
    }
    return colour;
}

QColor Theme::scale(double part) const {
    const auto& stops = dark ? kScaleOnDark : kScaleOnLight;
    const double at = std::clamp(part, 0.0, 1.0) * static_cast<double>(stops.size() - 1);
    const std::size_t below = std::min(static_cast<std::size_t>(at), stops.size() - 2);
    return mix(QColor(stops[below + 1]), QColor(stops[below]), at - static_cast<double>(below));
}

QColor Theme::textOn(const QColor& fill) {
    const double l = luminance(fill);
    // Contrast by WCAG, with a push towards white: on saturated fills it reads better than the formula says.
    return 1.05 / (l + 0.05) * 1.35 >= (l + 0.05) / 0.05 ? QColor(Qt::white) : QColor(0x0c, 0x11, 0x19);
}

QString Theme::deviceLetter(DeviceId id) { return QString::fromStdString(deviceLetters(id)); }

QFont Theme::font(double size, bool bold) {
    QFont font;
    font.setFamilies({QStringLiteral("DejaVu Sans"), QStringLiteral("Noto Sans"), QStringLiteral("Liberation Sans"),
                      QStringLiteral("sans-serif")});
    font.setPixelSize(std::max(1, static_cast<int>(std::lround(size))));
    font.setBold(bold);
    return font;
}

QColor Theme::mix(const QColor& a, const QColor& b, double share) {
    const auto part = [&](int x, int y) { return static_cast<int>(std::lround(x * share + y * (1 - share))); };
    return {part(a.red(), b.red()), part(a.green(), b.green()), part(a.blue(), b.blue())};
}

} // namespace opscape
