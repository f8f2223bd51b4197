// SPDX-License-Identifier: MIT
#include "result_table.h"

#include "study/commit.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <sstream>
#include <thread>
#include <tuple>

namespace opscape {
namespace {

/// Columns in the order of the file: how each is written, and read back (false: it is not of that form).
struct Column {
    std::string_view name;
    std::string (*write)(const ResultRow&);
    bool (*read)(std::string_view, ResultRow&);
};

bool parse(std::string_view text, std::string& value) {
    value = text;
    return !text.empty();
}

bool parse(std::string_view text, bool& value) {
    value = text == "yes";
    return value || text == "no";
}

template <class T>
bool parse(std::string_view text, T& value) {
    const auto end = std::from_chars(text.data(), text.data() + text.size(), value);
    return end.ec == std::errc() && end.ptr == text.data() + text.size();
}

std::string text(const std::string& value) { return value; }
std::string text(bool value) { return value ? "yes" : "no"; }
template <class T>
std::string text(T value) {
    return fmt::format("{}", value);
}

template <auto Member>
constexpr Column column(std::string_view name) {
    return {name, [](const ResultRow& row) { return text(row.*Member); },
            [](std::string_view cell, ResultRow& row) { return parse(cell, row.*Member); }};
}

constexpr Column kColumns[] = {
    column<&ResultRow::workload>("workload"),
    column<&ResultRow::preset>("preset"),
    column<&ResultRow::devices>("devices"),
    column<&ResultRow::optimizer>("optimizer"),
    column<&ResultRow::scheduler>("scheduler"),
    column<&ResultRow::fuser>("fuser"),
    column<&ResultRow::seed>("seed"),
    column<&ResultRow::budgetS>("budget_s"),
    column<&ResultRow::stepTimeNs>("step_time_ns"),
    column<&ResultRow::lowerBoundNs>("lower_bound_ns"),
    column<&ResultRow::feasible>("feasible"),
    column<&ResultRow::wallS>("wall_s"),
    column<&ResultRow::simulations>("simulations"),
};

std::string header() {
    std::string line;
    for (const Column& column : kColumns)
        line += (line.empty() ? "" : ",") + std::string(column.name);
    return line;
}

bool readRow(std::string_view line, ResultRow& row) {
    for (const Column& column : kColumns) {
        const std::size_t comma = line.find(',');
        if (!column.read(line.substr(0, comma), row))
            return false;
        line = comma == std::string_view::npos ? std::string_view() : line.substr(comma + 1);
    }
    return line.empty();
}

std::string processorName() {
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);) {
        if (line.starts_with("model name"))
            return line.substr(line.find(':') + 2);
    }
    return "unknown processor";
}

} // namespace

bool ResultRow::sameCell(const ResultRow& other) const {
    const auto cell = [](const ResultRow& row) {
        return std::tie(row.workload, row.preset, row.devices, row.optimizer, row.scheduler, row.fuser, row.seed,
                        row.budgetS);
    };
    return cell(*this) == cell(other);
}

Provenance provenanceOf(std::string command) {
    return {std::move(command), fmt::format("{} cores, {}", std::thread::hardware_concurrency(), processorName()),
            OPSCAPE_COMMIT};
}

Result<ResultTable> ResultTable::open(const std::filesystem::path& path) {
    ResultTable table;
    table.m_file = path;
    std::ifstream file(path);
    if (!file)
        return table;
    std::size_t number = 0;
    bool hasHeader = false;
    for (std::string line; std::getline(file, line);) {
        ++number;
        if (line.empty() || line.starts_with('#'))
            continue;
        if (!hasHeader) {
            if (line != header())
                return fail("{}, line {}: the columns are not those of a table of results ({}); name another file.",
                            path.string(), number, header());
            hasHeader = true;
            continue;
        }
        if (!readRow(line, table.m_rows.emplace_back()))
            return fail("{}, line {}: this is not a row of results; correct or delete the line.", path.string(),
                        number);
    }
    return table;
}

const ResultRow* ResultTable::find(const ResultRow& cell) const {
    const auto found = std::ranges::find_if(m_rows, [&cell](const ResultRow& row) { return row.sameCell(cell); });
    return found == m_rows.end() ? nullptr : &*found;
}

Result<> ResultTable::add(const ResultRow& row, const Provenance& provenance) {
    std::error_code ec;
    if (m_file.has_parent_path())
        std::filesystem::create_directories(m_file.parent_path(), ec); // opening it tells
    const bool isNew = !std::filesystem::exists(m_file, ec);
    std::ofstream file(m_file, std::ios::app);
    if (isNew)
        file << header() << '\n';
    if (!m_hasProvenance)
        file << "# " << provenance.command << "; " << provenance.machine << "; commit " << provenance.commit << '\n';
    std::string line;
    for (const Column& column : kColumns)
        line += (line.empty() ? "" : ",") + column.write(row);
    file << line << '\n';
    file.flush();
    if (!file)
        return fail("{} cannot be written; the row of {} {} is lost.", m_file.string(), row.workload, row.optimizer);
    m_hasProvenance = true;
    m_rows.push_back(row);
    return {};
}

} // namespace opscape
