// SPDX-License-Identifier: MIT
#include "picture_file.h"

#include <opscape/base/paths.h>
#include <opscape/base/text.h>

#include <QBuffer>
#include <QImage>
#include <QPageLayout>
#include <QPdfWriter>
#include <QSvgGenerator>

#include <algorithm>
#include <cmath>

namespace opscape {
namespace {

constexpr double kPixelsPerInch = 96;
constexpr qint64 kMostPixels = qint64{1} << 28; // four bytes each: a gibibyte

constexpr double kMostPdfSide = 19'200; ///< pixels: the 200 inches that readers of PDF take

using Paint = std::function<bool(QPainter&)>;

enum class Drawn { Whole, GivenUp, NoMemory };

Drawn fillAndPaint(QPainter& painter, QSize size, const QColor& background, const Paint& paint) {
    painter.fillRect(QRect({0, 0}, size), background);
    const bool whole = paint(painter);
    return painter.end() ? whole ? Drawn::Whole : Drawn::GivenUp : Drawn::NoMemory;
}

Drawn png(QBuffer& out, QSize size, const QColor& background, const Paint& paint) {
    QImage image(size, QImage::Format_RGB32);
    if (image.isNull())
        return Drawn::NoMemory;
    QPainter painter(&image);
    const Drawn drawn = fillAndPaint(painter, size, background, paint);
    return drawn != Drawn::Whole || image.save(&out, "PNG") ? drawn : Drawn::NoMemory;
}

Drawn svg(QBuffer& out, QSize size, const QColor& background, const Paint& paint) {
    QSvgGenerator generator;
    generator.setOutputDevice(&out);
    generator.setSize(size);
    generator.setViewBox(QRect({0, 0}, size));
    generator.setResolution(static_cast<int>(kPixelsPerInch));
    generator.setTitle(QStringLiteral("Opscape"));
    QPainter painter;
    return painter.begin(&generator) ? fillAndPaint(painter, size, background, paint) : Drawn::NoMemory;
}

Drawn pdf(QBuffer& out, QSize size, const QColor& background, const Paint& paint) {
    const double shrink = std::min(1.0, kMostPdfSide / std::max(size.width(), size.height()));
    QPdfWriter writer(&out);
    writer.setCreator(QStringLiteral("Opscape"));
    writer.setPageSize(
        QPageSize(QSizeF(size) * shrink / kPixelsPerInch, QPageSize::Inch, QString(), QPageSize::ExactMatch));
    writer.setPageMargins(QMarginsF(0, 0, 0, 0));
    writer.setResolution(1200);
    QPainter painter;
    if (!painter.begin(&writer))
        return Drawn::NoMemory;
    const double scale = writer.resolution() / kPixelsPerInch * shrink;
    painter.scale(scale, scale);
    return fillAndPaint(painter, size, background, paint);
}

} // namespace

std::optional<PictureFormat> pictureFormat(const std::filesystem::path& file) {
    const std::string extension = lowerCase(file.extension().string());
    if (extension == ".png")
        return PictureFormat::Png;
    if (extension == ".svg")
        return PictureFormat::Svg;
    return extension == ".pdf" ? std::optional(PictureFormat::Pdf) : std::nullopt;
}

double ownScale(QSizeF wanted) {
    constexpr double kOwnPixels = 64e6, kOwnSide = 16'000;
    return std::min({1.0, std::sqrt(kOwnPixels / (wanted.width() * wanted.height())),
                     kOwnSide / std::max(wanted.width(), wanted.height())});
}

Result<> checkPicture(const std::filesystem::path& file, QSize size) {
    const auto format = pictureFormat(file);
    if (!format)
        return fail("{}: pictures are written as PNG, SVG or PDF; end the name in .png, .svg or .pdf.", file.string());
    if (size.width() < 1 || size.height() < 1)
        return fail("{}: a picture of {} x {} pixels cannot be written; both must be at least 1.", file.string(),
                    size.width(), size.height());
    if (format == PictureFormat::Png && qint64{size.width()} * size.height() > kMostPixels)
        return fail("{}: a PNG of {} x {} pixels is too large, {} million is the most; choose a smaller size, or .svg "
                    "or .pdf.",
                    file.string(), size.width(), size.height(), kMostPixels / 1'000'000);
    return {};
}

Result<> writePicture(const std::filesystem::path& file, QSize size, const QColor& background, const Paint& paint) {
    if (const auto possible = checkPicture(file, size); !possible)
        return possible;
    const auto format = pictureFormat(file);
    const auto write = format == PictureFormat::Png ? &png : format == PictureFormat::Svg ? &svg : &pdf;
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    switch (write(buffer, size, background, paint)) {
    case Drawn::NoMemory:
        return fail("{}: there is not enough memory to draw {} x {} pixels; choose a smaller size.", file.string(),
                    size.width(), size.height());
    case Drawn::GivenUp:
        return fail("{}: stopped, nothing was written.", file.string());
    case Drawn::Whole:
        break;
    }
    buffer.close();
    return writeFile(file, std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size())));
}

} // namespace opscape
