// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <render/theme.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

namespace opscape {
namespace {

double luminance(const QColor& c) {
    const auto linear = [](double v) { return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4); };
    return 0.2126 * linear(c.redF()) + 0.7152 * linear(c.greenF()) + 0.0722 * linear(c.blueF());
}

double contrast(const QColor& a, const QColor& b) {
    const double x = luminance(a), y = luminance(b);
    return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}

TEST(Theme, EachOf24DevicesHasAColourOfItsOwn) {
    for (const Theme& theme : {Theme::light(), Theme::darkTheme()}) {
        std::set<QRgb> seen;
        for (std::size_t d = 0; d < 24; ++d)
            EXPECT_TRUE(seen.insert(theme.device(DeviceId(d)).rgb()).second) << d;
    }
}

TEST(Theme, DevicesStandOutFromTheBackground) {
    for (const Theme& theme : {Theme::light(), Theme::darkTheme()}) {
        for (std::size_t d = 0; d < 8; ++d)
            EXPECT_GT(contrast(theme.device(DeviceId(d)), theme.background), 1.25) << d;
    }
}

TEST(Theme, TextCanBeReadOnEveryFillAndOnTheBackground) {
    for (const Theme& theme : {Theme::light(), Theme::darkTheme()}) {
        for (std::size_t d = 0; d < 40; ++d) {
            const QColor fill = theme.device(DeviceId(d));
            EXPECT_GT(contrast(Theme::textOn(fill), fill), 3.0) << d;
        }
        EXPECT_GT(contrast(theme.text, theme.background), 7.0);
        EXPECT_GT(contrast(theme.text, theme.frameFill), 7.0);
        EXPECT_GT(contrast(theme.dimText, theme.background), 4.0);
        EXPECT_GT(contrast(theme.text, theme.unplaced), 7.0);
    }
}

TEST(Theme, DeviceLettersRunOnAfterZ) {
    EXPECT_EQ(Theme::deviceLetter(DeviceId(0)), "A");
    EXPECT_EQ(Theme::deviceLetter(DeviceId(25)), "Z");
    EXPECT_EQ(Theme::deviceLetter(DeviceId(26)), "AA");
    EXPECT_EQ(Theme::deviceLetter(DeviceId(27)), "AB");
    EXPECT_EQ(Theme::deviceLetter(DeviceId(52)), "BA");
    EXPECT_EQ(Theme::deviceLetter(DeviceId(701)), "ZZ");
    EXPECT_EQ(Theme::deviceLetter(DeviceId(702)), "AAA");
}

TEST(Theme, MixGoesFromOneColourToTheOther) {
    EXPECT_EQ(Theme::mix(Qt::black, Qt::white, 1), QColor(Qt::black));
    EXPECT_EQ(Theme::mix(Qt::black, Qt::white, 0), QColor(Qt::white));
    EXPECT_EQ(Theme::mix(QColor(200, 100, 0), QColor(0, 100, 100), 0.5), QColor(100, 100, 50));
}

/// How an eye without one kind of cone sees a colour, linear RGB (Machado, Oliveira, Fernandes 2009, severity 1).
using Eye = std::array<std::array<double, 3>, 3>;
constexpr Eye kEyes[] = {
    {{{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}},
    {{{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}},
    {{{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}}};

std::array<double, 3> lab(const QColor& c, const Eye& eye) {
    const auto linear = [](double v) { return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4); };
    const std::array rgb{linear(c.redF()), linear(c.greenF()), linear(c.blueF())};
    std::array<double, 3> seen{};
    for (std::size_t i = 0; i < 3; ++i)
        seen[i] = std::clamp(eye[i][0] * rgb[0] + eye[i][1] * rgb[1] + eye[i][2] * rgb[2], 0.0, 1.0);
    const auto f = [](double t) { return t > 0.008856 ? std::cbrt(t) : 7.787 * t + 16.0 / 116; };
    const double x = f((0.4124 * seen[0] + 0.3576 * seen[1] + 0.1805 * seen[2]) / 0.9505),
                 y = f(0.2126 * seen[0] + 0.7152 * seen[1] + 0.0722 * seen[2]),
                 z = f((0.0193 * seen[0] + 0.1192 * seen[1] + 0.9505 * seen[2]) / 1.089);
    return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

TEST(Theme, TheFirstEightDevicesCanBeToldApartByColourBlindEyes) {
    for (const Theme& theme : {Theme::light(), Theme::darkTheme()}) {
        for (const Eye& eye : kEyes) {
            for (std::size_t a = 0; a < 8; ++a) {
                for (std::size_t b = 0; b < a; ++b) {
                    const auto p = lab(theme.device(DeviceId(a)), eye), q = lab(theme.device(DeviceId(b)), eye);
                    EXPECT_GT(std::hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]), 12)
                        << theme.dark << " " << a << " " << b;
                }
            }
        }
    }
}

TEST(Theme, AScaleGoesAwayFromTheBackgroundStepByStep) {
    for (const Theme& theme : {Theme::light(), Theme::darkTheme()}) {
        for (int step = 1; step < 8; ++step)
            EXPECT_GT(contrast(theme.scale(step / 7.0), theme.background),
                      contrast(theme.scale((step - 1) / 7.0), theme.background) * 1.08)
                << theme.dark << " " << step;
        for (int step = 0; step < 8; ++step)
            EXPECT_GT(contrast(Theme::textOn(theme.scale(step / 7.0)), theme.scale(step / 7.0)), 3.0) << step;
    }
}

} // namespace
} // namespace opscape
