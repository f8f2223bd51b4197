// SPDX-License-Identifier: MIT
// HTML holds its pictures as SVG in data URLs: an image can run nothing and load nothing, whatever the names in it. PDF
// is set by QTextDocument from the same words, with the pictures as pixels.
#include "picture_file.h"
#include "report_parts.h"
#include "theme.h"

#include <opscape/base/paths.h>

#include <QBuffer>
#include <QImage>
#include <QPageLayout>
#include <QPdfWriter>
#include <QSvgGenerator>
#include <QTextDocument>
#include <QUrl>

#include <algorithm>

namespace opscape {
namespace {

constexpr int kPdfPictureWidth = 930; ///< of a page that lies, in 96ths of an inch
constexpr double kPageHeight = 620, kMostPictureHeight = 530, kCaptionHeight = 34, kHeadingHeight = 44;
constexpr double kPointSize = 8; ///< of the text
constexpr double kPdfPixels = 2; ///< per unit of a picture

ReportWatch watchOf(const RunContext& context) {
    return [&context](double fraction, const char* stage) {
        Progress progress;
        progress.fraction = fraction;
        progress.stage = stage;
        context.report(progress);
        return !context.stopRequested();
    };
}

QByteArray svgOf(const ReportPicture& picture) {
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setSize(picture.size);
    generator.setViewBox(QRect({0, 0}, picture.size));
    generator.setResolution(96);
    QPainter painter(&generator);
    painter.fillRect(QRect({0, 0}, picture.size), Theme::light().background);
    picture.paint(painter);
    painter.end();
    // Qt writes characters that XML does not have as they come.
    std::ranges::replace_if(
        bytes, [](char c) { return static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t' && c != '\r'; }, '?');
    return bytes;
}

QString headingOf(const ReportPicture& picture, const char* style = "") {
    return picture.section.isEmpty() ? QString()
                                     : QStringLiteral("<h2%1>%2</h2>\n").arg(QLatin1String(style), picture.section);
}

/// `image` gives heading and tag of a picture.
QString figures(const std::vector<ReportPicture>& pictures, const ReportWatch& watch,
                const std::function<QString(const ReportPicture&)>& image) {
    QString html;
    for (std::size_t i = 0; i < pictures.size(); ++i) {
        const ReportPicture& picture = pictures[i];
        if (!watch(0.2 + 0.3 * static_cast<double>(i) / static_cast<double>(pictures.size()), "drawing"))
            return {};
        html += image(picture);
    }
    return html;
}

QString captionOf(const ReportPicture& picture) { return escaped(picture.caption.toStdString()); }

QByteArray pdfOf(const ReportRequest& request, const RunContext& context) {
    const ReportWatch watch = watchOf(context);
    const auto pictures = reportPictures(request, context, watch);
    QTextDocument document;
    int number = 0;
    double used = kPageHeight; // of the page that the next picture may go to; the first one begins a page
    const QString drawn = figures(pictures, watch, [&](const ReportPicture& picture) {
        QImage image((QSizeF(picture.size) * kPdfPixels).toSize(), QImage::Format_RGB32);
        image.fill(Theme::light().background);
        QPainter painter(&image);
        painter.scale(kPdfPixels, kPdfPixels);
        picture.paint(painter);
        painter.end();
        const QString name = QStringLiteral("picture:%1").arg(number++);
        document.addResource(QTextDocument::ImageResource, QUrl(name), image);
        // A picture that is higher than a page would be cut, and its heading and caption stay with it.
        const double scale = std::min(static_cast<double>(kPdfPictureWidth) / picture.size.width(),
                                      kMostPictureHeight / picture.size.height());
        const double height = picture.size.height() * scale;
        const double needed = height + kCaptionHeight + (picture.section.isEmpty() ? 0 : kHeadingHeight);
        const char* breakBefore = used + needed > kPageHeight ? " style='page-break-before:always'" : "";
        used = *breakBefore != 0 ? needed : used + needed;
        return headingOf(picture, breakBefore) +
               QStringLiteral("<p%1><b>%2</b><br /><img src='%3' width='%4' height='%5' /></p>\n")
                   .arg(QLatin1String(picture.section.isEmpty() ? breakBefore : ""), captionOf(picture), name,
                        QString::number(static_cast<int>(picture.size.width() * scale)),
                        QString::number(static_cast<int>(height)));
    });
    const QString text = drawn.isEmpty() ? QString() : reportText(request, drawn, true, watch);
    if (text.isEmpty() || !watch(0.9, "setting the pages"))
        return {};
    QFont font = Theme::font(11);
    font.setPointSizeF(kPointSize); // headings and page numbers are set by it, and pixels of a printer are small
    document.setDefaultFont(font);
    document.setHtml(text);
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    {
        QPdfWriter writer(&buffer);
        writer.setCreator(QStringLiteral("Opscape"));
        writer.setTitle(QString::fromStdString(request.plans[0].outcome->problem.graph->name()));
        writer.setPageSize(QPageSize(QPageSize::A4));
        writer.setPageOrientation(QPageLayout::Landscape);
        writer.setPageMargins(QMarginsF(0, 0, 0, 0)); // the document keeps its own
        writer.setResolution(300);
        document.print(&writer);
    }
    return bytes;
}

bool isPdf(const std::filesystem::path& file) { return pictureFormat(file) == PictureFormat::Pdf; }

} // namespace

Result<> checkReport(const std::filesystem::path& file) {
    std::string extension = file.extension().string();
    std::ranges::transform(extension, extension.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    if (extension == ".html" || extension == ".htm" || extension == ".pdf")
        return {};
    return fail("{}: a report is written as HTML or PDF; end the name in .html or .pdf.", file.string());
}

std::string reportHtml(const ReportRequest& request, const RunContext& context) {
    const ReportWatch watch = watchOf(context);
    const auto pictures = reportPictures(request, context, watch);
    const QString drawn = figures(pictures, watch, [](const ReportPicture& picture) {
        return headingOf(picture) +
               QStringLiteral("<figure><figcaption>%1</figcaption><img alt=\"%1\" width=\"%2\" height=\"%3\" "
                              "src=\"data:image/svg+xml;base64,%4\" /></figure>\n")
                   .arg(captionOf(picture), QString::number(picture.size.width()),
                        QString::number(picture.size.height()), QString::fromLatin1(svgOf(picture).toBase64()));
    });
    if (drawn.isEmpty())
        return {};
    return reportText(request, drawn, false, watch).toStdString();
}

Result<> writeReport(const std::filesystem::path& file, const ReportRequest& request, const RunContext& context) {
    if (const auto possible = checkReport(file); !possible)
        return possible;
    std::string bytes;
    if (isPdf(file)) {
        const QByteArray pdf = pdfOf(request, context);
        bytes.assign(pdf.constData(), static_cast<std::size_t>(pdf.size()));
    } else {
        bytes = reportHtml(request, context);
    }
    if (bytes.empty() || context.stopRequested())
        return fail("{}: stopped, nothing was written.", file.string());
    return writeFile(file, bytes);
}

} // namespace opscape
