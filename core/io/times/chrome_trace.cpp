// SPDX-License-Identifier: MIT
#include <opscape/base/text.h>
#include <opscape/base/units.h>
#include <opscape/io/json_document.h>
#include <opscape/io/times/times_readers.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace opscape {
namespace {

using Kind = JsonValue::Kind;

constexpr double kNsPerUs = 1000;
constexpr double kLongestUs = 1e15;

/// The number or text by which a process or thread is named.
std::string laneId(std::optional<JsonValue> json) {
    if (!json)
        return {};
    if (json->is(Kind::Text))
        return std::string(json->text());
    return json->is(Kind::Integer) ? fmt::format("{}", json->integer()) : std::string();
}

std::string textAt(JsonValue object, std::string_view key) {
    const auto value = object.find(key);
    return value && value->is(Kind::Text) ? std::string(value->text()) : std::string();
}

class TraceReader {
public:
    MeasuredTimes read(JsonValue root) {
        const JsonValue events = root.is(Kind::List) ? root : root.at("traceEvents");
        m_times.format = "chrome-trace";
        for (const JsonValue event : events.items()) {
            if (event.is(Kind::Object) && textAt(event, "ph") == "M")
                nameLane(event);
        }
        for (const JsonValue event : events.items()) {
            if (event.is(Kind::Object))
                addEvent(event);
        }
        for (auto& [lane, halves] : m_halves)
            joinHalves(halves);
        return std::move(m_times);
    }

private:
    using Lane = std::pair<std::string, std::string>; ///< process, thread; the process itself has no thread

    /// The begin or the end of an event of which both are told apart.
    struct Half {
        double us = 0;
        JsonValue event;
        bool isBegin = false;
    };

    void nameLane(JsonValue event) {
        const std::string what = textAt(event, "name");
        const auto args = event.find("args");
        if ((what != "process_name" && what != "thread_name") || !args || !args->is(Kind::Object))
            return;
        Lane lane{laneId(event.find("pid")), what == "thread_name" ? laneId(event.find("tid")) : std::string()};
        m_laneName[std::move(lane)] = textAt(*args, "name");
    }

    [[nodiscard]] std::string laneName(const Lane& lane) const {
        const auto name = m_laneName.find(lane);
        return name == m_laneName.end() ? std::string() : name->second;
    }

    void addEvent(JsonValue event) {
        const std::string phase = textAt(event, "ph");
        if (phase == "b")
            m_times.diagnostics.add(Severity::Warning, "asynchronous-event",
                                    "Events that belong to no thread, whose begin and end stand apart, left out",
                                    textAt(event, "name"));
        if (phase == "B" || phase == "E")
            m_halves[{laneId(event.find("pid")), laneId(event.find("tid"))}].push_back(
                {event.at("ts").real(), event, phase == "B"});
        if (phase == "X")
            addTime(event, event.at("dur"), event.at("dur").real());
    }

    /// Events of one thread lie within one another: an end belongs to the last begin that has none yet.
    void joinHalves(std::vector<Half>& halves) {
        std::ranges::stable_sort(halves, {}, &Half::us);
        std::vector<const Half*> open;
        for (const Half& half : halves) {
            if (half.isBegin) {
                open.push_back(&half);
            } else if (!open.empty()) {
                addTime(open.back()->event, half.event.at("ts"), half.us - open.back()->us);
                open.pop_back();
            } else {
                noteHalf(half);
            }
        }
        for (const Half* half : open)
            noteHalf(*half);
    }

    void noteHalf(const Half& half) {
        m_times.diagnostics.add(Severity::Warning, "half-an-event", "Begins and ends of events without the other half",
                                half.event.place());
    }

    /// `where`: what says how long it took.
    void addTime(JsonValue event, JsonValue where, double us) {
        const std::string category = lowerCase(textAt(event, "cat"));
        if (category == "transfer")
            return;
        if (!(us >= 0 && us <= kLongestUs))
            where.bad(fmt::format("must be between 0 and {} us", kLongestUs));
        MeasuredTime row;
        std::string device;
        if (const auto args = event.find("args"); args && args->is(Kind::Object)) {
            row.op = textAt(*args, "name");
            device = textAt(*args, "device");
        }
        if (row.op.empty())
            row.op = event.at("name").text();
        row.ns = std::llround(us * kNsPerUs);
        row.kind = kindOf(event, category, device);
        m_times.rows.push_back(std::move(row));
    }

    /// What the event says itself, else what its thread or process is called; a word that names no device is no kind.
    [[nodiscard]] std::string kindOf(JsonValue event, std::string_view category, const std::string& device) const {
        if (!device.empty())
            return kindOfDevice(device);
        if (category == "kernel" || category.starts_with("gpu"))
            return "gpu";
        if (category.starts_with("cpu") || category.starts_with("cuda_") || category == "user_annotation" ||
            category == "python_function")
            return "cpu";
        const std::string process = laneId(event.find("pid")), thread = laneId(event.find("tid"));
        for (const std::string& name : {laneName({process, thread}), laneName({process, {}})}) {
            if (const std::string kind = kindOfDevice(name); kind == "cpu" || (kind == "gpu" && !name.empty()))
                return kind;
        }
        return "gpu";
    }

    MeasuredTimes m_times;
    std::map<Lane, std::string> m_laneName;
    std::map<Lane, std::vector<Half>> m_halves;
};

} // namespace

bool isChromeTrace(std::string_view bytes) {
    const char start = jsonStart(bytes);
    return start == '{' || start == '[';
}

Result<MeasuredTimes> readChromeTrace(std::string_view bytes, const std::string& origin) {
    return readJson(bytes, origin, [](JsonValue root) -> Result<MeasuredTimes> { return TraceReader().read(root); });
}

} // namespace opscape
