// SPDX-License-Identifier: MIT
#include "result_table.h"

#include "study/commit.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>
#include <thread>
#include <tuple>

namespace opscape {
namespace {

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

template <class Row, auto Member>
constexpr CsvColumn<Row> column(std::string_view name) {
    return {name, [](const Row& row) { return text(row.*Member); },
            [](std::string_view cell, Row& row) { return parse(cell, row.*Member); }};
}

/// Row is a ResultRow, or is derived from it.
template <class Row>
constexpr auto resultColumns() {
    return std::array{
        column<Row, &Row::workload>("workload"),
        column<Row, &Row::preset>("preset"),
        column<Row, &Row::devices>("devices"),
        column<Row, &Row::optimizer>("optimizer"),
        column<Row, &Row::scheduler>("scheduler"),
        column<Row, &Row::fuser>("fuser"),
        column<Row, &Row::seed>("seed"),
        column<Row, &Row::budgetS>("budget_s"),
        column<Row, &Row::stepTimeNs>("step_time_ns"),
        column<Row, &Row::lowerBoundNs>("lower_bound_ns"),
        column<Row, &Row::feasible>("feasible"),
        column<Row, &Row::wallS>("wall_s"),
        column<Row, &Row::simulations>("simulations"),
    };
}

template <class Row>
std::string header() {
    std::string line;
    for (const CsvColumn<Row>& column : Row::columns())
        line += (line.empty() ? "" : ",") + std::string(column.name);
    return line;
}

template <class Row>
std::string lineOf(const Row& row) {
    std::string line;
    for (const CsvColumn<Row>& column : Row::columns())
        line += (line.empty() ? "" : ",") + column.write(row);
    return line;
}

template <class Row>
bool readRow(std::string_view line, Row& row) {
    for (const CsvColumn<Row>& column : Row::columns()) {
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

std::span<const CsvColumn<ResultRow>> ResultRow::columns() {
    static constexpr auto kColumns = resultColumns<ResultRow>();
    return kColumns;
}

std::span<const CsvColumn<TransferRow>> TransferRow::columns() {
    static constexpr auto kColumns = [] {
        constexpr auto kOfResult = resultColumns<TransferRow>();
        std::array<CsvColumn<TransferRow>, kOfResult.size() + 2> all{};
        std::ranges::copy(kOfResult, all.begin());
        all[kOfResult.size()] = column<TransferRow, &TransferRow::heldOut>("held_out");
        all[kOfResult.size() + 1] = column<TransferRow, &TransferRow::model>("model");
        return all;
    }();
    return kColumns;
}

std::span<const CsvColumn<CurveRow>> CurveRow::columns() {
    using Row = CurveRow;
    static constexpr CsvColumn<Row> kColumns[] = {
        column<Row, &Row::workload>("workload"),       column<Row, &Row::preset>("preset"),
        column<Row, &Row::optimizer>("optimizer"),     column<Row, &Row::seed>("seed"),
        column<Row, &Row::budgetS>("budget_s"),        column<Row, &Row::timeS>("time_s"),
        column<Row, &Row::simulations>("simulations"), column<Row, &Row::bestNs>("best_ns"),
    };
    return kColumns;
}

bool ResultRow::sameCell(const ResultRow& other) const {
    const auto cell = [](const ResultRow& row) {
        return std::tie(row.workload, row.preset, row.devices, row.optimizer, row.scheduler, row.fuser, row.seed,
                        row.budgetS);
    };
    return cell(*this) == cell(other);
}

bool TransferRow::sameCell(const TransferRow& other) const {
    return ResultRow::sameCell(other) && heldOut == other.heldOut;
}

bool CurveRow::sameCell(const CurveRow& other) const {
    const auto search = [](const CurveRow& row) {
        return std::tie(row.workload, row.preset, row.optimizer, row.seed, row.budgetS);
    };
    return search(*this) == search(other);
}

Provenance provenanceOf(std::string command) {
    return {std::move(command), fmt::format("{} cores, {}", std::thread::hardware_concurrency(), processorName()),
            OPSCAPE_COMMIT};
}

template <class Row>
Result<CsvTable<Row>> CsvTable<Row>::open(const std::filesystem::path& path) {
    CsvTable table;
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
            if (line != header<Row>())
                return fail("{}, line {}: the columns are not those of a table of results ({}); name another file.",
                            path.string(), number, header<Row>());
            hasHeader = true;
            continue;
        }
        if (!readRow(line, table.m_rows.emplace_back()))
            return fail("{}, line {}: this is not a row of results; correct or delete the line.", path.string(),
                        number);
    }
    return table;
}

template <class Row>
const Row* CsvTable<Row>::find(const Row& cell) const {
    const auto found = std::ranges::find_if(m_rows, [&cell](const Row& row) { return row.sameCell(cell); });
    return found == m_rows.end() ? nullptr : &*found;
}

template <class Row>
Result<> CsvTable<Row>::add(std::span<const Row> rows, const Provenance& provenance) {
    if (rows.empty())
        return {};
    if (m_file.empty()) {
        m_rows.insert(m_rows.end(), rows.begin(), rows.end());
        return {};
    }
    std::string lines;
    if (std::error_code ec; !std::filesystem::exists(m_file, ec))
        lines += header<Row>() + '\n';
    if (!m_hasProvenance)
        lines += fmt::format("# {}; {}; commit {}\n", provenance.command, provenance.machine, provenance.commit);
    for (const Row& row : rows)
        lines += lineOf(row) + '\n';
    std::ofstream file(m_file, std::ios::app);
    file << lines;
    file.flush();
    if (!file)
        return fail("{} cannot be written; the row of {} {} is lost.", m_file.string(), rows[0].workload,
                    rows[0].optimizer);
    m_hasProvenance = true;
    m_rows.insert(m_rows.end(), rows.begin(), rows.end());
    return {};
}

template class CsvTable<ResultRow>;
template class CsvTable<CurveRow>;
template class CsvTable<TransferRow>;

} // namespace opscape
