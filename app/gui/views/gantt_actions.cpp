// SPDX-License-Identifier: MIT
// What a person does in the picture of a schedule: select, step, measure, mark, arrange the lanes.
#include "gui/views/gantt_widget.h"

#include <algorithm>
#include <cmath>

namespace opscape {
namespace {

constexpr double kSnap = 8; ///< pixels within which the ruler takes the end of a bar

} // namespace

GanttTarget GanttWidget::selectedTarget() const {
    const Selection& selection = m_session.selection();
    if (!m_run)
        return {};
    if (!selection.ops.empty() && selection.ops.back().index() < m_run->problem().graph->opCount())
        return {selection.ops.front(), -1};
    if (selection.transfer >= 0 && m_run == m_session.shown())
        return {OpId(), selection.transfer};
    return {};
}

GanttData::Place GanttWidget::selectedPlace() const {
    return m_run ? placeOf(data(), selectedTarget()) : GanttData::Place();
}

std::optional<TimeRange> GanttWidget::selectedTime() const {
    const GanttData::Place place = selectedPlace();
    if (!place.valid())
        return {};
    TimeRange time{data().bar(place).startNs, data().bar(place).endNs};
    for (const OpId op : m_session.selection().ops) {
        time.fromNs = std::min(time.fromNs, data().schedule().ops[op.index()].startNs);
        time.toNs = std::max(time.toNs, data().schedule().ops[op.index()].endNs);
    }
    return time;
}

void GanttWidget::select(const GanttTarget& target) {
    if (!target.valid())
        return;
    m_selecting = true;
    if (target.op.valid()) { // a fused group is one thing to select
        const auto ops = data().opsOf(data().bar(data().barOf(target.op)));
        m_session.selectOps({ops.begin(), ops.end()});
    } else if (m_run == m_session.shown()) {
        m_session.selectTransfer(target.transfer);
    } else { // a transfer of a compared run: what both know of it is the op that made the tensor
        m_session.selectOps({data().schedule().transfers[static_cast<std::size_t>(target.transfer)].producer});
    }
    m_selecting = false;
}

void GanttWidget::stepBar(int by) {
    if (!m_run)
        return;
    const GanttData::Place from = selectedPlace();
    const GanttData::Place to = from.valid() ? barBeside(data(), from, by) : firstBar(data(), *m_stack);
    select(targetOf(data(), to));
    bringIntoView(to);
}

void GanttWidget::stepLane(int by) {
    const GanttData::Place from = selectedPlace();
    if (!from.valid())
        return stepBar(0);
    const GanttData::Place to = barAcross(data(), *m_stack, from, by);
    select(targetOf(data(), to));
    bringIntoView(to);
}

void GanttWidget::stepToCause() {
    if (!m_run)
        return;
    const GanttTarget to = causeOf(data(), selectedTarget());
    select(to);
    bringIntoView(placeOf(data(), to));
}

void GanttWidget::stepToEffect() {
    if (!m_run)
        return;
    const GanttTarget to = effectOf(data(), m_run->onCritical, selectedTarget());
    select(to);
    bringIntoView(placeOf(data(), to));
}

std::int64_t GanttWidget::timeAt(double x) const {
    const std::int64_t ns = std::llround(m_camera.toNs(x));
    return std::clamp<std::int64_t>(ns, 0, std::max<std::int64_t>(0, m_spanNs));
}

std::int64_t GanttWidget::snapped(QPointF position) const {
    const int lane = m_stack->laneAt(position.y(), m_camera.scrollY);
    const std::int64_t at = timeAt(position.x());
    if (lane < 0)
        return at;
    const auto& bars = data().lanes()[static_cast<std::size_t>(lane)].bars;
    const std::int64_t longest = data().lanes()[static_cast<std::size_t>(lane)].longestNs;
    const auto reach = static_cast<std::int64_t>(kSnap * m_camera.nsPerPixel);
    std::int64_t best = at, off = reach + 1;
    for (auto bar = std::ranges::lower_bound(bars, at - reach - longest, {}, &GanttData::Bar::startNs);
         bar != bars.end() && bar->startNs <= at + reach; ++bar) {
        for (const std::int64_t end : {bar->startNs, bar->endNs}) {
            if (std::abs(end - at) < off) {
                off = std::abs(end - at);
                best = end;
            }
        }
    }
    return best;
}

void GanttWidget::addMark() {
    if (!m_run)
        return;
    const GanttData::Place place = selectedPlace();
    const std::int64_t ns = pointerInPlot() ? snapped(*m_pointer)
                            : place.valid() ? data().bar(place).startNs
                                            : timeAt(m_camera.labelWidth + laneWidth() / 2);
    std::vector<TimeMark> marks = m_marks;
    int number = 1;
    const auto name = [](int n) { return fmt::format("Mark {}", n); };
    while (std::ranges::find(marks, name(number), &TimeMark::name) != marks.end())
        ++number;
    marks.push_back({ns, name(number)});
    std::ranges::stable_sort(marks, {}, &TimeMark::ns);
    setMarks(std::move(marks));
}

void GanttWidget::measure() {
    const auto time = selectedTime();
    if (!time) {
        m_measureNext = m_run != nullptr;
        if (m_measureNext)
            setCursor(Qt::CrossCursor);
        return;
    }
    m_ruler = *time;
    if (m_measured && *m_measured != *time)
        m_ruler = TimeRange{std::min(m_measured->fromNs, time->fromNs), std::max(m_measured->toNs, time->toNs)};
    m_measured = *time;
    update();
}

void GanttWidget::rangeOfSelection() {
    if (m_run)
        setRange(selectedTime().value_or(TimeRange{0, data().schedule().makespanNs}));
}

void GanttWidget::putLane(int lane, int before) {
    std::vector<int> order = orderedLanes(data(), m_choice);
    std::erase(order, lane);
    order.insert(before < 0 ? order.end() : std::ranges::find(order, before), lane);
    LaneChoice choice = m_choice;
    choice.order.clear();
    for (const int l : order)
        choice.order.push_back(data().lanes()[static_cast<std::size_t>(l)].key);
    setLanes(std::move(choice));
}

void GanttWidget::moveLane(int by) {
    const GanttData::Place place = selectedPlace();
    if (!place.valid())
        return;
    std::vector<int> shown;
    for (const LaneStack::Slot& slot : m_stack->inOrder()) {
        if (slot.isShown)
            shown.push_back(slot.lane);
    }
    const auto lane = static_cast<int>(place.lane);
    const auto here = std::ranges::find(shown, lane) - shown.begin();
    const auto to = here + (by < 0 ? -1 : 2);
    if (here == std::ssize(shown) || to < 0 || to > std::ssize(shown))
        return;
    putLane(lane, to == std::ssize(shown) ? -1 : shown[static_cast<std::size_t>(to)]);
    bringLaneIntoView(lane);
}

void GanttWidget::pinLane() {
    const GanttData::Place place = selectedPlace();
    if (!place.valid())
        return;
    LaneChoice choice = m_choice;
    const std::string& key = data().lanes()[place.lane].key;
    if (choice.pinned.erase(key) == 0)
        choice.pinned.insert(key);
    setLanes(std::move(choice));
}

void GanttWidget::hideLane() {
    const GanttData::Place place = selectedPlace();
    if (!place.valid())
        return;
    LaneChoice choice = m_choice;
    choice.hidden.insert(data().lanes()[place.lane].key);
    setLanes(std::move(choice));
}

bool GanttWidget::clearLooks() {
    const bool any = m_range || m_ruler || m_momentNs >= 0 || m_segment >= 0 || m_measureNext;
    m_ruler.reset();
    m_measured.reset();
    m_measureNext = false;
    unsetCursor();
    setMoment({}, -1);
    setSegment(-1);
    setRange({});
    return any;
}

} // namespace opscape
