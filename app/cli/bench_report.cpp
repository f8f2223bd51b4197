// SPDX-License-Identifier: MIT
#include "bench_report.h"

#include "table.h"

#include <opscape/base/text.h>
#include <opscape/base/units.h>
#include <opscape/search/schedulers.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace opscape {
namespace {

std::string budgetText(double seconds) { return seconds > 0 ? fmt::format("{} s", seconds) : "-"; }

std::string timeText(double seconds) { return formatTime(std::llround(seconds * 1e9)); }

/// "gnmt8, txl8" or "5 workloads"
std::string namesText(const std::vector<std::string>& names) {
    return names.size() <= 3 ? fmt::format("{}", fmt::join(names, ", ")) : fmt::format("{} workloads", names.size());
}

/// What is said of one method, budget and fuser on one workload.
struct Line {
    std::string method, fuser;
    double budgetS = 0, wallS = 0;
    std::int64_t boundNs = 0;
    std::map<std::string, std::vector<double>> byScheduler{};
    std::map<std::uint64_t, double> bestBySeed{}; ///< that fit in memory
    bool outOfMemory = false;
};

std::vector<Line> linesOf(std::span<const ResultRow> rows) {
    std::vector<Line> lines;
    for (const ResultRow& row : rows) {
        auto line = std::ranges::find_if(lines, [&row](const Line& l) {
            return l.method == row.optimizer && l.fuser == row.fuser && l.budgetS == row.budgetS;
        });
        if (line == lines.end())
            line = lines.insert(lines.end(), Line{row.optimizer, row.fuser, row.budgetS});
        const auto ns = static_cast<double>(row.stepTimeNs);
        line->boundNs = row.lowerBoundNs;
        line->wallS = std::max(line->wallS, row.wallS);
        line->byScheduler[row.scheduler].push_back(ns);
        line->outOfMemory = line->outOfMemory || !row.feasible;
        if (row.feasible) {
            const auto [it, isNew] = line->bestBySeed.try_emplace(row.seed, ns);
            it->second = isNew ? ns : std::min(it->second, ns);
        }
    }
    return lines;
}

std::string contestText(const StudyRows& study, std::span<const CurveRow> curves, const Contest& contest) {
    std::vector<std::pair<std::string, double>> parts; // preset, budget
    const std::vector<Standing> all = standings(study, contest);
    for (const Standing& s : all) {
        if (std::ranges::count(parts, std::pair(s.preset, s.budgetS)) == 0)
            parts.emplace_back(s.preset, s.budgetS);
    }
    std::string text;
    for (const auto& [preset, budgetS] : parts) {
        const auto isOfPart = [&](const auto& s) { return s.preset == preset && s.budgetS == budgetS; };
        std::vector<Standing> some;
        std::ranges::copy_if(all, std::back_inserter(some), isOfPart);
        text += fmt::format("{}, {} each, {}: step time of the other / step time of {}, geometric mean over workloads; "
                            "above 1 {} is faster\n{}",
                            contest.reference, budgetText(budgetS), preset, contest.reference, contest.reference,
                            standingsText(some));
        Table table({{"against"}, {"time", true}, {"plans", true}, {"workloads", true}, {"never there"}});
        for (const SearchRatio& r : searchRatios(curves, contest)) {
            if (isOfPart(r))
                table.row({r.other, r.workloads > 0 ? fmt::format("{:.2f}", r.time) : "-",
                           r.workloads > 0 ? fmt::format("{:.2f}", r.simulations) : "-", fmt::format("{}", r.workloads),
                           namesText(r.notReached)});
        }
        if (!table.empty())
            text += fmt::format("  How many times as long it takes to within 1% of its own result as {} takes to get "
                                "there\n{}",
                                contest.reference, table.text(4));
        text += '\n';
    }
    return text;
}

std::string reachesText(const std::vector<Reach>& all) {
    Table table(
        {{"workload"}, {"preset"}, {"method"}, {"budget", true}, {"seeds", true}, {"time", true}, {"plans", true}});
    for (const Reach& r : all) {
        const bool isReached = 2 * r.reached > r.runs;
        table.row({r.workload, r.preset, r.method, budgetText(r.budgetS), fmt::format("{} of {}", r.reached, r.runs),
                   isReached ? timeText(r.medianS) : "-", isReached ? formatCount(r.medianSimulations) : "-"});
    }
    return table.empty() ? "" : "To a plan as fast as the best heuristic's, median over seeds\n" + table.text(2) + "\n";
}

} // namespace

std::string standingsText(const std::vector<Standing>& all) {
    Table table({{"against"},
                 {"scheduler"},
                 {"ratio", true},
                 {"over seeds", true},
                 {"won, tied, lost", true},
                 {"lowest", true},
                 {"on"},
                 {"who wins"},
                 {"left out"}});
    for (const Standing& s : all) {
        std::string leftOut;
        if (!s.missing.empty())
            leftOut = "missing: " + namesText(s.missing);
        if (!s.outOfMemory.empty())
            leftOut += fmt::format("{}out of memory: {}", leftOut.empty() ? "" : "; ", namesText(s.outOfMemory));
        if (s.workloads() == 0) {
            table.row({s.other, s.scheduler, "-", "-", "-", "-", "-", "-", leftOut});
            continue;
        }
        const std::string winner = s.ratio > 1 + kTie ? s.reference : s.ratio < 1 - kTie ? s.other : "tie";
        const std::string spread = s.seeds > 1 ? fmt::format("{:.3f} to {:.3f}", s.least, s.most) : "-";
        table.row({s.other, s.scheduler, fmt::format("{:.3f}", s.ratio), spread,
                   fmt::format("{}, {}, {}", s.won, s.tied, s.lost), fmt::format("{:.3f}", s.worstRatio), s.worst,
                   winner, leftOut});
    }
    return table.text(2);
}

std::string missingText(const StudyRows& study) {
    std::vector<std::string> methods;
    for (const ResultRow& cell : study.missing) {
        if (std::ranges::count(methods, cell.optimizer) == 0)
            methods.push_back(cell.optimizer);
    }
    std::string text;
    for (const std::string& method : methods) {
        std::vector<std::string> workloads;
        std::size_t count = 0;
        for (const ResultRow& cell : study.missing) {
            if (cell.optimizer != method)
                continue;
            ++count;
            if (std::ranges::count(workloads, cell.workload) == 0)
                workloads.push_back(cell.workload);
        }
        text += fmt::format("  {}: {}, on {}\n", method, counted(static_cast<std::int64_t>(count), "row"),
                            fmt::join(workloads, ", "));
    }
    return text.empty() ? ""
                        : fmt::format("Missing: {} of {} rows\n{}", study.missing.size(),
                                      study.missing.size() + study.rows.size(), text);
}

std::string workloadText(std::span<const ResultRow> rows) {
    if (rows.empty())
        return "";
    std::vector<std::string> orders{std::string(kOwn)};
    for (const SchedulerInfo& scheduler : schedulers())
        orders.emplace_back(scheduler.id);
    std::vector<Table::Column> columns{{"method"}, {"budget", true}, {"fusion"}};
    for (const std::string& order : orders)
        columns.push_back({order, true});
    for (const char* title : {"best, over seeds", "gap", "wall time"})
        columns.push_back({title, true});
    Table table(columns);
    for (const Line& line : linesOf(rows)) {
        std::vector<std::string> cells{line.method, budgetText(line.budgetS), line.fuser};
        for (const std::string& order : orders) {
            const auto found = line.byScheduler.find(order);
            cells.push_back(found == line.byScheduler.end() ? "-"
                                                            : formatTime(std::llround(geometricMean(found->second))));
        }
        std::vector<double> best;
        for (const auto& [seed, ns] : line.bestBySeed)
            best.push_back(ns);
        if (best.empty()) {
            cells.insert(cells.end(), {"OOM", "-"});
        } else {
            const auto [least, most] = std::ranges::minmax(best);
            std::string range = formatTime(std::llround(least));
            if (most > least)
                range += " to " + formatTime(std::llround(most));
            if (line.outOfMemory)
                range += ", some OOM";
            cells.push_back(range);
            cells.push_back(fmt::format("{:.1f}%", 100 * gap(std::llround(geometricMean(best)), line.boundNs)));
        }
        cells.push_back(timeText(line.wallS));
        table.row(std::move(cells));
    }
    return fmt::format("{} {} on {}\n{}\n", rows[0].workload, rows[0].preset, counted(rows[0].devices, "device"),
                       table.text(2));
}

std::string studyText(const StudyKind& kind, const StudyRows& study, std::span<const CurveRow> curves) {
    std::string text;
    for (const Contest& contest : kind.contests)
        text += contestText(study, curves, contest);
    if (!kind.contests.empty()) {
        text += reachesText(reaches(study, curves));
        text += "Step times are simulated; searches were given equal time on the wall, one at a time.\n";
    }
    return text + missingText(study);
}

Json standingJson(const Standing& s) {
    return {{"preset", s.preset},       {"reference", s.reference},
            {"budget_s", s.budgetS},    {"other", s.other},
            {"scheduler", s.scheduler}, {"ratio", s.ratio},
            {"least", s.least},         {"most", s.most},
            {"seeds", s.seeds},         {"won", s.won},
            {"tied", s.tied},           {"lost", s.lost},
            {"worst", s.worst},         {"worst_ratio", s.worstRatio},
            {"missing", s.missing},     {"out_of_memory", s.outOfMemory}};
}

Json studyJson(const StudyKind& kind, const StudyRows& study, std::span<const CurveRow> curves) {
    Json contests = Json::array(), searches = Json::array(), reached = Json::array(), missing = Json::array();
    for (const Contest& contest : kind.contests) {
        for (const Standing& s : standings(study, contest))
            contests.push_back(standingJson(s));
        for (const SearchRatio& r : searchRatios(curves, contest))
            searches.push_back({{"preset", r.preset},
                                {"reference", r.reference},
                                {"budget_s", r.budgetS},
                                {"other", r.other},
                                {"time_ratio", r.time},
                                {"simulations_ratio", r.simulations},
                                {"workloads", r.workloads},
                                {"not_reached", r.notReached}});
    }
    for (const Reach& r : reaches(study, curves)) {
        Json& entry = reached.emplace_back(Json{{"preset", r.preset},
                                                {"workload", r.workload},
                                                {"method", r.method},
                                                {"budget_s", r.budgetS},
                                                {"runs", r.runs},
                                                {"reached", r.reached}});
        if (2 * r.reached > r.runs)
            entry.update({{"median_s", r.medianS}, {"median_simulations", r.medianSimulations}});
    }
    for (const ResultRow& cell : study.missing)
        missing.push_back({{"workload", cell.workload},
                           {"preset", cell.preset},
                           {"method", cell.optimizer},
                           {"scheduler", cell.scheduler},
                           {"fuser", cell.fuser},
                           {"seed", cell.seed},
                           {"budget_s", cell.budgetS}});
    return {{"rows", study.rows.size()},
            {"standings", contests},
            {"search_ratios", searches},
            {"reach_best_heuristic", reached},
            {"missing", missing}};
}

} // namespace opscape
