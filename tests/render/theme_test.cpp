// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <render/theme.h>

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

} // namespace
} // namespace opscape
