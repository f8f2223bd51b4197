// SPDX-License-Identifier: MIT
#include "svg_surface.h"

#include "text_face.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace opscape {
namespace {

/// Control characters have no place in XML, not even escaped.
std::string escaped(QString text) {
    std::ranges::replace_if(
        text, [](QChar c) { return c.unicode() < 0x20 || c.unicode() >= 0xfffe; }, QChar(u'?'));
    return text.toHtmlEscaped().toStdString();
}

} // namespace

SvgSurface::SvgSurface(QSize size) {
    m_file = fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                         "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} "
                         "{1}\" font-family=\"DejaVu Sans, Noto Sans, Liberation Sans, sans-serif\" "
                         "stroke-linejoin=\"round\">\n<title>Opscape</title>\n",
                         size.width(), size.height());
}

/// Two decimals, without zeros at the end.
void SvgSurface::number(double value) {
    const double rounded = std::round(value * 100) / 100;
    fmt::format_to(std::back_inserter(m_file), "{}", rounded == 0 ? 0.0 : rounded);
}

void SvgSurface::paint(const char* name, const QColor& colour) {
    if (colour.alpha() == 0) {
        m_file.append(" ").append(name).append("=\"none\"");
        return;
    }
    fmt::format_to(std::back_inserter(m_file), " {}=\"#{:06x}\"", name, colour.rgb() & 0xffffffU);
    if (colour.alpha() < 255)
        fmt::format_to(std::back_inserter(m_file), " {}-opacity=\"{:.2g}\"", name, colour.alphaF());
}

void SvgSurface::place(const QRectF& rect, double radius) {
    const std::pair<const char*, double> parts[] = {{"<rect x=\"", rect.x()},
                                                    {"\" y=\"", rect.y()},
                                                    {"\" width=\"", rect.width()},
                                                    {"\" height=\"", rect.height()}};
    for (const auto& [name, value] : parts) {
        m_file += name;
        number(value);
    }
    if (radius >= 0.05) {
        m_file += "\" rx=\"";
        number(radius);
    }
    m_file += '"';
}

void SvgSurface::rect(const QRectF& rect, const QColor& fill) { box(rect, 0, fill, Qt::transparent, 0); }

void SvgSurface::box(const QRectF& rect, double radius, const QColor& fill, const QColor& line, double lineWidth) {
    place(rect, radius);
    paint("fill", fill);
    if (line.alpha() > 0 && lineWidth > 0) {
        paint("stroke", line);
        m_file += " stroke-width=\"";
        number(lineWidth);
        m_file += '"';
    }
    m_file += "/>\n";
}

void SvgSurface::dashedBox(const QRectF& rect, double radius, const QColor& line, double lineWidth) {
    place(rect, radius);
    m_file += " fill=\"none\"";
    paint("stroke", line);
    fmt::format_to(std::back_inserter(m_file), " stroke-width=\"{0:.3g}\" stroke-dasharray=\"{1:.3g} {2:.3g}\"/>\n",
                   lineWidth, 4 * lineWidth, 2 * lineWidth);
}

void SvgSurface::line(std::span<const QPointF> points, bool curved, const QColor& colour, double width, bool dashed) {
    m_file += "<path d=\"M";
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (i > 0)
            m_file += curved && i % 3 == 1 ? 'C' : curved ? ' ' : 'L';
        number(points[i].x());
        m_file += ' ';
        number(points[i].y());
    }
    m_file += "\" fill=\"none\"";
    paint("stroke", colour);
    m_file += " stroke-width=\"";
    number(width);
    m_file += '"';
    if (dashed)
        fmt::format_to(std::back_inserter(m_file), " stroke-dasharray=\"{:.3g} {:.3g}\"", 4 * width, 2 * width);
    m_file += "/>\n";
}

void SvgSurface::triangle(const std::array<QPointF, 3>& corners, const QColor& fill) {
    m_file += "<path d=\"M";
    for (std::size_t i = 0; i < 3; ++i) {
        m_file += i > 0 ? "L" : "";
        number(corners[i].x());
        m_file += ' ';
        number(corners[i].y());
    }
    m_file += "Z\"";
    paint("fill", fill);
    m_file += "/>\n";
}

void SvgSurface::text(QPointF baseline, const QString& text, int size, bool bold, const QColor& colour) {
    m_file += "<text x=\"";
    number(baseline.x());
    m_file += "\" y=\"";
    number(baseline.y());
    // Where there is another font the text still keeps to its box.
    fmt::format_to(std::back_inserter(m_file),
                   "\" font-size=\"{}\"{} textLength=\"{:.1f}\" lengthAdjust=\"spacingAndGlyphs\"", size,
                   bold ? " font-weight=\"bold\"" : "", textFace(size, bold).width(text));
    paint("fill", colour);
    m_file.append(">").append(escaped(text)).append("</text>\n");
}

std::string SvgSurface::finish() {
    m_file += "</svg>\n";
    return std::move(m_file);
}

} // namespace opscape
