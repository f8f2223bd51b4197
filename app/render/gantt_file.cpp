// SPDX-License-Identifier: MIT
#include "gantt_file.h"

#include "painter_surface.h"
#include "picture_file.h"
#include "raster_surface.h"
#include "svg_surface.h"

#include <opscape/base/paths.h>

#include <algorithm>
#include <cmath>

namespace opscape {

GanttPage wholeGantt(const GanttData& data, const LaneStack& stack, int width) {
    GanttPage page;
    page.size = QSize(width, static_cast<int>(std::ceil(stack.height())));
    page.camera = GanttCamera::fit(std::max<std::int64_t>(1, data.schedule().makespanNs), width, ganttLabelWidth(data));
    return page;
}

Result<> writeGanttPicture(const std::filesystem::path& file, const GanttPage& page, const GanttData& data,
                           const GanttView& what, const Theme& theme, const RunContext& context) {
    if (const auto possible = checkPicture(file, page.size); !possible)
        return possible;
    Progress progress;
    progress.stage = "drawing";
    progress.fraction = 0;
    context.report(progress);
    const auto stopped = [&] { return fail("{}: stopped, nothing was written.", file.string()); };
    if (context.stopRequested())
        return stopped();
    if (pictureFormat(file) == PictureFormat::Svg) {
        SvgSurface surface(page.size);
        paintGantt(surface, page.size, page.camera, data, what, theme);
        if (context.stopRequested())
            return stopped();
        return writeFile(file, surface.finish());
    }
    bool drawn = true;
    const auto written = writePicture(file, page.size, theme.background, [&](QPainter& painter) {
        if (pictureFormat(file) == PictureFormat::Png) { // as on the screen
            QImage image(page.size, QImage::Format_RGB32);
            RasterSurface surface(image);
            paintGantt(surface, page.size, page.camera, data, what, theme);
            painter.drawImage(0, 0, image);
        } else {
            paintGantt(painter, page.size, page.camera, data, what, theme);
        }
        drawn = !context.stopRequested();
        return drawn;
    });
    if (!drawn)
        return stopped();
    return written;
}

} // namespace opscape
