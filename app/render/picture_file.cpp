// SPDX-License-Identifier: MIT
#include "picture_file.h"

#include <opscape/base/paths.h>

#include <QBuffer>
#include <QImage>
#include <QPageLayout>
#include <QPdfWriter>
#include <QSvgGenerator>

#include <algorithm>

namespace opscape {
namespace {

constexpr double kPixelsPerInch = 96;
constexpr qint64 kMostPixels = qint64{1} << 28; // four bytes each: a gibibyte

void fillAndPaint(QPainter& painter, QSize size, const QColor& background,
                  const std::function<void(QPainter&)>& paint) {
    painter.fillRect(QRect({0, 0}, size), background);
    paint(painter);
}

bool png(QBuffer& out, QSize size, const QColor& background, const std::function<void(QPainter&)>& paint) {
    QImage image(size, QImage::Format_RGB32);
    if (image.isNull())
        return false;
    QPainter painter(&image);
    fillAndPaint(painter, size, background, paint);
    painter.end();
    return image.save(&out, "PNG");
}

bool svg(QBuffer& out, QSize size, const QColor& background, const std::function<void(QPainter&)>& paint) {
    QSvgGenerator generator;
    generator.setOutputDevice(&out);
    generator.setSize(size);
    generator.setViewBox(QRect({0, 0}, size));
    generator.setResolution(static_cast<int>(kPixelsPerInch));
    generator.setTitle(QStringLiteral("Opscape"));
    QPainter painter;
    if (!painter.begin(&generator))
        return false;
    fillAndPaint(painter, size, background, paint);
    return painter.end();
}

bool pdf(QBuffer& out, QSize size, const QColor& background, const std::function<void(QPainter&)>& paint) {
    QPdfWriter writer(&out);
    writer.setCreator(QStringLiteral("Opscape"));
    writer.setPageSize(QPageSize(QSizeF(size) / kPixelsPerInch, QPageSize::Inch, QString(), QPageSize::ExactMatch));
    writer.setPageMargins(QMarginsF(0, 0, 0, 0));
    writer.setResolution(1200);
    QPainter painter;
    if (!painter.begin(&writer))
        return false;
    painter.scale(writer.resolution() / kPixelsPerInch, writer.resolution() / kPixelsPerInch);
    fillAndPaint(painter, size, background, paint);
    return painter.end();
}

} // namespace

Result<> writePicture(const std::filesystem::path& file, QSize size, const QColor& background,
                      const std::function<void(QPainter&)>& paint) {
    std::string extension = file.extension().string();
    std::ranges::transform(extension, extension.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    const auto write = extension == ".png" ? &png : extension == ".svg" ? &svg : extension == ".pdf" ? &pdf : nullptr;
    if (write == nullptr)
        return fail("{}: pictures are written as PNG, SVG or PDF; end the name in .png, .svg or .pdf.", file.string());
    if (size.width() < 1 || size.height() < 1)
        return fail("{}: a picture of {} x {} pixels cannot be written; both must be at least 1.", file.string(),
                    size.width(), size.height());
    if (write == &png && qint64{size.width()} * size.height() > kMostPixels)
        return fail("{}: a PNG of {} x {} pixels is too large, {} million is the most; choose a smaller size, or .svg "
                    "or .pdf.",
                    file.string(), size.width(), size.height(), kMostPixels / 1'000'000);
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    if (!write(buffer, size, background, paint))
        return fail("{}: there is not enough memory to draw {} x {} pixels; choose a smaller size.", file.string(),
                    size.width(), size.height());
    buffer.close();
    return writeFile(file, std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size())));
}

} // namespace opscape
