// SPDX-License-Identifier: MIT
#include "run_files.h"

#include <opscape/base/paths.h>
#include <opscape/io/plan_json.h>
#include <opscape/store/run_store.h>

#include <algorithm>
#include <charconv>

namespace opscape {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostWords = 300; ///< bytes
constexpr std::size_t kMostKept = 30;   ///< folders
constexpr const char* kStart = "start.json";
constexpr const char* kPins = "pins"; ///< per op the index of its device, or -1; a line each

} // namespace

RunFiles::RunFiles(const fs::path& database, std::int64_t run)
    : m_database(database),
      m_folder(RunStore::folderOf(database, run)) {}

Result<> RunFiles::makeFolder() const {
    std::error_code ec;
    fs::create_directories(m_folder, ec);
    if (ec)
        return fail("{}: the folder for what the run can be resumed from cannot be made ({}).", m_folder.string(),
                    ec.message());
    makeRoom();
    return {};
}

void RunFiles::makeRoom() const {
    std::vector<std::int64_t> runs;
    std::error_code ec;
    for (const auto& entry : fs::directory_iterator(m_folder.parent_path(), ec)) {
        const std::string name = entry.path().filename().string();
        std::int64_t run = 0;
        if (std::from_chars(name.data(), name.data() + name.size(), run).ec == std::errc())
            runs.push_back(run);
    }
    if (runs.size() <= kMostKept)
        return;
    std::ranges::sort(runs);
    runs.resize(runs.size() - kMostKept);
    const auto store = RunStore::open(m_database);
    for (const std::int64_t run : runs) {
        if (const auto process = store ? store->process(run) : Result<std::int64_t>(1); !process || *process == 0)
            fs::remove_all(RunStore::folderOf(m_database, run), ec);
    }
}

bool RunFiles::hasFolder() const {
    std::error_code ec;
    return fs::is_directory(m_folder, ec);
}

bool RunFiles::hasCheckpoint() const {
    std::error_code ec;
    return fs::is_regular_file(checkpoint(), ec);
}

std::string RunFiles::lastWords() const { return lastWordsIn(log()); }

std::string lastWordsIn(const fs::path& log) {
    std::error_code ec;
    if (!fs::exists(log, ec))
        return {};
    const std::string text = readFile(log).value_or("");
    std::string line;
    for (const char c : std::string_view(text).substr(text.size() - std::min(text.size(), kMostWords))) {
        if (c != '\n')
            line += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
        else if (!line.empty() && !line.ends_with("; "))
            line += "; ";
    }
    while (line.ends_with(' ') || line.ends_with(';'))
        line.pop_back();
    return line;
}

Result<> RunFiles::writeStart(const Problem& problem) const {
    if (problem.start) {
        const std::string text = writePlan(*problem.graph, *problem.cluster, *problem.start);
        if (auto written = writeFile(m_folder / kStart, text); !written)
            return written;
    }
    if (problem.pins.empty())
        return {};
    std::string text;
    for (const DeviceId pin : problem.pins)
        text += pin.valid() ? fmt::format("{}\n", pin.index()) : std::string("-1\n");
    return writeFile(m_folder / kPins, text);
}

Result<> RunFiles::readStart(const Graph& graph, const Cluster& cluster, std::optional<Plan>& start,
                             std::vector<DeviceId>& pins) const {
    std::error_code ec;
    if (const fs::path file = m_folder / kStart; fs::exists(file, ec)) {
        const auto text = readFile(file);
        auto plan = text ? readPlan(*text, file.string(), graph, cluster) : Result<Plan>(fail(text.error()));
        if (!plan)
            return fail(plan.error());
        start = std::move(*plan);
    }
    const fs::path file = m_folder / kPins;
    if (!fs::exists(file, ec))
        return {};
    const auto text = readFile(file);
    if (!text)
        return fail(text.error());
    const char *at = text->data(), *end = at + text->size();
    while (at != end) {
        long device = 0;
        const auto [next, error] = std::from_chars(at, end, device);
        if (error != std::errc() || next == end || *next != '\n' || device >= static_cast<long>(cluster.deviceCount()))
            break;
        pins.push_back(device < 0 ? DeviceId() : DeviceId(static_cast<std::size_t>(device)));
        at = next + 1;
    }
    if (at != end || pins.size() != graph.opCount())
        return fail("{}: the pins of the run are damaged; run it again.", file.string());
    return {};
}

void RunFiles::remove() const {
    std::error_code ec;
    fs::remove_all(m_folder, ec);
    fs::remove(m_folder.parent_path(), ec); // where it was the last
}

} // namespace opscape
