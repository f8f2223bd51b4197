// SPDX-License-Identifier: MIT
#include "graph_file.h"

#include "graph_dot.h"
#include "painter_surface.h"
#include "picture_file.h"
#include "png_stream.h"
#include "raster_surface.h"
#include "svg_surface.h"

#include <opscape/base/paths.h>

#include <algorithm>
#include <chrono>
#include <cmath>

namespace opscape {
namespace {

constexpr double kMargin = 24, kLegendMargin = 12;
constexpr double kBandPixels = 4e6;
constexpr auto kReportEvery = std::chrono::milliseconds(50);

/// What the legend takes from a page; 0 when there is none.
double legendSpace(const GraphView& what, double height) {
    const QSizeF size = legendSize(what, height - 2 * kLegendMargin);
    return size.isEmpty() ? 0 : size.width() + kMargin;
}

/// Tells how far it is, not too often, and whether to go on.
class Meter {
public:
    Meter(const RunContext& context, std::string stage) : m_context(context), m_stage(std::move(stage)) {}

    bool at(double fraction) {
        if (m_context.stopRequested())
            return false;
        if (const auto now = std::chrono::steady_clock::now(); now - m_last >= kReportEvery) {
            m_last = now;
            Progress progress;
            progress.fraction = std::clamp(fraction, 0.0, 1.0);
            progress.stage = m_stage;
            m_context.report(progress);
        }
        return true;
    }

private:
    const RunContext& m_context;
    std::string m_stage;
    std::chrono::steady_clock::time_point m_last;
};

struct Drawing {
    const GraphPage& page;
    const GraphView& what;
    const Theme& theme;

    bool onto(Surface& surface, const DrawWatch& watch) const {
        if (!paintGraph(surface, page.size, page.camera, what, theme, watch))
            return false;
        if (page.legend)
            paintLegend(surface, {page.size.width() - kLegendMargin, kLegendMargin}, what, theme,
                        page.size.height() - 2 * kLegendMargin);
        return true;
    }
};

constexpr const char* kNoMemory = "{}: there is not enough memory to draw {} x {} pixels; choose a smaller size.";

/// Empty when stopped.
Result<std::string> pngOf(const std::filesystem::path& file, const Drawing& drawing, Meter& meter) {
    const QSize size = drawing.page.size;
    PngStream png(size.width(), size.height());
    if (!png.ready())
        return fail(kNoMemory, file.string(), size.width(), size.height());
    const int height = std::clamp(static_cast<int>(kBandPixels / size.width()), 1, size.height());
    for (int top = 0; top < size.height(); top += height) {
        QImage band(size.width(), std::min(height, size.height() - top), QImage::Format_RGB32);
        if (band.isNull())
            return fail(kNoMemory, file.string(), size.width(), size.height());
        RasterSurface surface(band, RasterSurface::Band{top});
        const auto watch = [&](double part) { return meter.at((top + part * band.height()) / size.height()); };
        if (!watch(0) || !drawing.onto(surface, watch))
            return std::string();
        png.add(band);
    }
    return png.finish();
}

} // namespace

GraphPage wholeGraph(const GraphView& what, const std::filesystem::path& file) {
    const double width = std::max(what.scene->width + 2 * kMargin, 320.0),
                 height = std::max(what.scene->height + 2 * kMargin, 200.0);
    GraphPage page;
    if (pictureFormat(file) == PictureFormat::Png) // shapes may be any number of pixels large
        page.camera.scale = ownScale({width, height});
    page.camera.origin = QPointF((what.scene->width - width) / 2, (what.scene->height - height) / 2);
    const double tall = std::ceil(std::max(height * page.camera.scale, 200.0));
    page.size =
        QSize(static_cast<int>(std::ceil(width * page.camera.scale + legendSpace(what, tall))), static_cast<int>(tall));
    return page;
}

GraphPage fittedGraph(const GraphView& what, QSize size) {
    // The legend has the right edge to itself.
    const QSizeF room(std::max(size.width() - legendSpace(what, size.height()), size.width() / 2.0), size.height());
    return {size, GraphCamera::fit(QRectF(0, 0, what.scene->width, what.scene->height), room, kMargin), true};
}

Result<> writeGraphPicture(const std::filesystem::path& file, const GraphPage& page, const GraphView& what,
                           const Theme& theme, const RunContext& context) {
    Meter meter(context, "drawing");
    const DrawWatch watch = [&](double part) { return meter.at(part); };
    const auto write = [&](const Result<std::string>& bytes) -> Result<> {
        if (!bytes)
            return fail(bytes.error());
        if (bytes->empty())
            return fail("{}: stopped, nothing was written.", file.string());
        return writeFile(file, *bytes);
    };
    if (isDotFile(file))
        return write(graphAsDot(QRectF(page.camera.origin, QSizeF(page.size) / page.camera.scale), what, theme, watch));
    const auto format = pictureFormat(file);
    if (!format)
        return fail("{}: graphs are written as PNG, SVG, PDF or DOT; end the name in .png, .svg, .pdf or .dot.",
                    file.string());
    if (const auto possible = checkPicture(file, page.size); !possible)
        return possible;
    const Drawing drawing{page, what, theme};
    if (format == PictureFormat::Pdf) {
        return writePicture(file, page.size, theme.background, [&](QPainter& painter) {
            painter.setRenderHint(QPainter::Antialiasing);
            PainterSurface surface(painter);
            return drawing.onto(surface, watch);
        });
    }
    if (format == PictureFormat::Png)
        return write(pngOf(file, drawing, meter));
    SvgSurface surface(page.size);
    return write(drawing.onto(surface, watch) ? surface.finish() : std::string());
}

} // namespace opscape
