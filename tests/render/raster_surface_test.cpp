// SPDX-License-Identifier: MIT
#include "picture_scene.h"

#include <render/painter_surface.h>
#include <render/raster_surface.h>
#include <render/text_face.h>

#include <cmath>

namespace opscape {
namespace {

/// White on black, so that the sum of a channel is the area that was covered, pixels.
class RasterSurfaceTest : public testing::Test {
protected:
    RasterSurfaceTest() { m_image.fill(Qt::black); }

    [[nodiscard]] double area() const {
        double sum = 0;
        for (int y = 0; y < m_image.height(); ++y) {
            for (int x = 0; x < m_image.width(); ++x)
                sum += qGreen(m_image.pixel(x, y));
        }
        return sum / 255;
    }
    [[nodiscard]] int at(int x, int y) const { return qGreen(m_image.pixel(x, y)); }

    QImage m_image{100, 80, QImage::Format_RGB32};
    RasterSurface m_raster{m_image};
    Surface& m_surface = m_raster;
};

TEST_F(RasterSurfaceTest, ARectangleCoversItsAreaToTheFractionOfAPixel) {
    m_surface.rect({10.25, 20.5, 30.5, 7.25}, Qt::white);
    EXPECT_NEAR(area(), 30.5 * 7.25, 1);
    EXPECT_EQ(at(20, 24), 255);
    EXPECT_NEAR(at(10, 24), 0.75 * 255, 2);
    EXPECT_NEAR(at(20, 20), 0.5 * 255, 2);
}

TEST_F(RasterSurfaceTest, ARectangleThinnerThanAPixelIsFaint) {
    m_surface.rect({10.4, 10, 0.2, 10}, Qt::white);
    EXPECT_NEAR(area(), 2, 0.2);
}

TEST_F(RasterSurfaceTest, ABoxLosesItsCornersAndTheLineLiesAcrossItsEdge) {
    m_surface.box({10, 10, 40, 30}, 8, Qt::white, Qt::transparent, 0);
    EXPECT_NEAR(area(), 40 * 30 - (4 - M_PI) * 64, 3);
    EXPECT_EQ(at(10, 10), 0);
    m_image.fill(Qt::black);
    m_surface.box({10, 10, 40, 30}, 0, Qt::transparent, Qt::white, 4);
    EXPECT_NEAR(area(), 2 * 4 * (40 + 30), 8);
    EXPECT_EQ(at(30, 25), 0);
    EXPECT_EQ(at(30, 9), 255);
    EXPECT_EQ(at(30, 10), 255);
}

TEST_F(RasterSurfaceTest, ALineCoversItsLengthTimesItsWidth) {
    for (const double width : {0.5, 1.0, 2.5, 5.0}) {
        for (const QPointF end :
             {QPointF(80, 40), QPointF(50, 70), QPointF(20, 70), QPointF(80, 22), QPointF(20, 20.0)}) {
            m_image.fill(Qt::black);
            const std::array line{QPointF(20, 20), end};
            m_surface.line(line, false, Qt::white, width);
            const double length = std::hypot(end.x() - 20, end.y() - 20);
            EXPECT_NEAR(area(), length * width, 0.06 * length * width + 1) << width << " " << end.x() << " " << end.y();
        }
    }
}

TEST_F(RasterSurfaceTest, AStraightCurveIsAsEvenAsALine) {
    const std::array<QPointF, 7> path{QPointF(20.3, 5),  QPointF(20.3, 15), QPointF(20.3, 25), QPointF(20.3, 35),
                                      QPointF(20.3, 45), QPointF(20.3, 55), QPointF(20.3, 65)};
    m_surface.line(path, true, Qt::white, 3.4, false);
    EXPECT_NEAR(area(), 60 * 3.4, 1);
    for (int y = 6; y < 64; ++y) {
        for (int x = 17; x < 24; ++x)
            EXPECT_NEAR(at(x, y), at(x, 20), 1) << x << ", " << y << ": no beads where pieces meet";
    }
}

TEST_F(RasterSurfaceTest, DashesCoverTwoThirdsOfALine) {
    const std::array line{QPointF(5, 40), QPointF(95, 40)};
    m_surface.line(line, false, Qt::white, 2, true);
    EXPECT_NEAR(area(), 90 * 2 * 2 / 3.0, 10);
}

TEST_F(RasterSurfaceTest, ACurveGoesThroughItsMiddle) {
    const std::array curve{QPointF(10, 10), QPointF(10, 70), QPointF(90, 10), QPointF(90, 70)};
    m_surface.line(curve, true, Qt::white, 3);
    EXPECT_EQ(at(50, 40), 255);
    EXPECT_EQ(at(50, 20), 0);
}

TEST_F(RasterSurfaceTest, ATriangleCoversHalfItsRectangle) {
    m_surface.triangle({QPointF(10, 10), QPointF(50, 10), QPointF(30, 50)}, Qt::white);
    EXPECT_NEAR(area(), 800, 12);
}

TEST_F(RasterSurfaceTest, WhatLiesOutsideIsCutOff) {
    const double far = 1e12;
    m_surface.rect({-far, -far, 2 * far, 2 * far}, Qt::white);
    EXPECT_NEAR(area(), 8000, 1);
    m_image.fill(Qt::black);
    const std::array line{QPointF(-far, 40.5), QPointF(far, 40.5)};
    m_surface.line(line, false, Qt::white, 1);
    EXPECT_NEAR(area(), 100, 1);
    m_surface.box({-far, -far, far / 2, far / 2}, 5, Qt::white, Qt::white, 2);
    m_surface.dashedBox({-far, 50, 2 * far, far}, 5, Qt::white, 2);
    m_surface.triangle({QPointF(-far, 0), QPointF(-far, 9), QPointF(-far - 5, 9)}, Qt::white);
    m_surface.text({1e9, 20}, QStringLiteral("outside"), 12, false, Qt::white);
    m_surface.text({-1e9, 20}, QStringLiteral("outside"), 12, false, Qt::white);
    EXPECT_NEAR(area(), 100 + 100 * 2 * 2 / 3.0, 10) << "of the dashes the edge that is in view";
}

TEST_F(RasterSurfaceTest, AnInkThatIsHalfOpaqueCoversByHalf) {
    m_surface.rect({10, 10, 10, 10}, QColor(255, 255, 255, 128));
    EXPECT_NEAR(at(15, 15), 128, 1);
}

TEST_F(RasterSurfaceTest, AtTwicePixelsEverythingIsTwiceAsLarge) {
    RasterSurface twice(m_image, 2);
    twice.box({5, 5, 20, 15}, 4, Qt::white, Qt::transparent, 0);
    EXPECT_NEAR(area(), 4 * (20 * 15 - (4 - M_PI) * 16), 3);
}

TEST_F(RasterSurfaceTest, ABandIsAPartOfTheWhole) {
    QImage band(100, 20, QImage::Format_RGB32);
    band.fill(Qt::black);
    RasterSurface part(band, RasterSurface::Band{30});
    for (Surface* surface : {&m_surface, static_cast<Surface*>(&part)}) {
        surface->box({10.5, 20, 40, 25.5}, 6, Qt::white, QColor(Qt::red), 2);
        surface->text({20, 45}, QStringLiteral("MatMul"), 14, true, Qt::blue);
        const std::array line{QPointF(0, 0), QPointF(99, 79)};
        surface->line(line, false, Qt::green, 2.5);
    }
    EXPECT_EQ(m_image.copy(0, 30, 100, 20), band);
}

TEST_F(RasterSurfaceTest, TextIsWhereAPainterPutsIt) {
    QImage other(m_image.size(), QImage::Format_RGB32);
    other.fill(Qt::black);
    QPainter painter(&other);
    PainterSurface surface(painter);
    for (const QString& text : {QStringLiteral("Conv2D_Grad"), QStringLiteral("größe")}) {
        m_image.fill(Qt::black);
        other.fill(Qt::black);
        m_surface.text({8, 40}, text, 13, false, Qt::white);
        surface.text({8, 40}, text, 13, false, Qt::white);
        double both = 0, either = 0;
        for (int y = 0; y < 80; ++y) {
            for (int x = 0; x < 100; ++x) {
                both += std::min(at(x, y), qGreen(other.pixel(x, y)));
                either += std::max(at(x, y), qGreen(other.pixel(x, y)));
            }
        }
        EXPECT_GT(both, 0.7 * either) << text.toStdString();
    }
}

TEST(TextFace, WidthsAreThoseOfTheFont) {
    const QFontMetricsF metrics(Theme::font(12));
    for (const QString& text : {QStringLiteral("gradients/layer_7"), QStringLiteral("naïve"), QString()})
        EXPECT_NEAR(textFace(12, false).width(text), metrics.horizontalAdvance(text),
                    0.02 * metrics.horizontalAdvance(text) + 0.01);
}

} // namespace
} // namespace opscape
