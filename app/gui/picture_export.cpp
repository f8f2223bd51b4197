// SPDX-License-Identifier: MIT
#include "gui/picture_export.h"

#include "render/gantt_file.h"
#include "render/graph_file.h"

#include <opscape/base/paths.h>
#include <opscape/io/schedule_export.h>

#include <algorithm>
#include <cmath>

namespace opscape {
namespace {

constexpr int kWholeScheduleWidth = 1920;

/// The lanes that are shown, and the time that is in view.
ScheduleSlice seenSlice(const GanttData& data, const LaneStack& stack, const GanttPage& page) {
    ScheduleSlice slice;
    slice.fromNs = std::llround(std::max(0.0, page.camera.startNs));
    slice.toNs = std::llround(std::max(0.0, page.camera.toNs(page.size.width())));
    const Cluster& cluster = *data.problem().cluster;
    slice.devices.resize(cluster.deviceCount());
    slice.memory.resize(cluster.deviceCount());
    slice.channels.resize(cluster.channelCount());
    for (const LaneStack::Slot& slot : stack.inOrder()) {
        const GanttData::Lane& lane = data.lanes()[static_cast<std::size_t>(slot.lane)];
        auto& flags = lane.kind == GanttData::LaneKind::Device   ? slice.devices
                      : lane.kind == GanttData::LaneKind::Memory ? slice.memory
                                                                 : slice.channels;
        flags[lane.index] = slot.isShown ? 1 : 0;
    }
    return slice;
}

} // namespace

PictureExport graphPicture(const GraphWidget& canvas, const Theme& theme, bool whole) {
    GraphShown shown = canvas.shown();
    shown.hovered = -1;
    shown.found.clear();
    return [whole, theme, seen = GraphPage{canvas.size(), canvas.camera()},
            shown = std::move(shown)](const std::filesystem::path& file, const RunContext& context) {
        const GraphView what = shown.view();
        return writeGraphPicture(file, whole ? wholeGraph(what, file) : seen, what, theme, context);
    };
}

PictureExport schedulePicture(const Session& session, const GanttWidget& canvas, const Theme& theme, bool whole) {
    // What is borrowed by the view is kept along with it.
    struct Kept {
        ShownRunPtr run;
        LaneStack stack;
        std::shared_ptr<const OpColours> colours;
        std::vector<OpId> selected;
        std::vector<std::uint8_t> found;
        std::vector<TimeMark> marks;
        GanttView what;
        GanttPage page;
    };
    const GanttView seen = canvas.view();
    auto kept = std::make_shared<Kept>(Kept{canvas.run(),
                                            whole ? LaneStack(canvas.run()->gantt) : canvas.stack(),
                                            canvas.colours(),
                                            session.selection().ops,
                                            {},
                                            canvas.marks(),
                                            seen,
                                            {}});
    if (seen.found != nullptr)
        kept->found = *seen.found;
    kept->what.stack = &kept->stack;
    kept->what.selected = &kept->selected;
    kept->what.found = seen.found != nullptr ? &kept->found : nullptr;
    kept->what.marks = kept->marks;
    kept->page = whole ? wholeGantt(kept->run->gantt, kept->stack, kWholeScheduleWidth)
                       : GanttPage{canvas.size(), canvas.camera()};
    return [kept, whole, theme](const std::filesystem::path& file, const RunContext& context) -> Result<> {
        const GanttData& data = kept->run->gantt;
        const std::string kind = file.extension().string();
        if (kind != ".json" && kind != ".csv")
            return writeGanttPicture(file, kept->page, data, kept->what, theme, context);
        const ScheduleSlice slice = whole ? ScheduleSlice() : seenSlice(data, kept->stack, kept->page);
        const auto text = kind == ".csv"
                              ? writeScheduleCsv(data.problem(), data.plan(), data.schedule(), slice, context)
                              : writeChromeTrace(data.problem(), data.plan(), data.schedule(), slice, context);
        if (!text)
            return fail(text.error());
        return writeFile(file, *text);
    };
}

} // namespace opscape
