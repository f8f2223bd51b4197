// SPDX-License-Identifier: MIT
#include "comparison.h"

#include <opscape/search/schedulers.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

namespace opscape {
namespace {

/// Distinct values in the order of the rows.
template <class Rows, class Projection>
auto distinct(const Rows& rows, Projection projection) {
    std::vector<std::decay_t<std::invoke_result_t<Projection, decltype(rows[0])>>> values;
    for (const auto& row : rows) {
        const auto& value = std::invoke(projection, row);
        if (std::ranges::find(values, value) == values.end())
            values.push_back(value);
    }
    return values;
}

/// Step times of one method on one workload under one scheduler.
struct Times {
    std::map<std::uint64_t, std::int64_t> bySeed; ///< that fit in memory
    bool isSeeded = false;                        ///< the method searches
    bool outOfMemory = false;                     ///< some do not fit

    [[nodiscard]] const std::int64_t* at(std::uint64_t seed) const {
        const auto found = isSeeded ? bySeed.find(seed) : bySeed.begin();
        return found == bySeed.end() ? nullptr : &found->second;
    }
};

struct Side {
    std::string preset, method;
    double budgetS = 0;
};

Times timesOf(std::span<const ResultRow> rows, const Side& side, const std::string& workload,
              std::string_view scheduler) {
    Times times;
    for (const ResultRow& row : rows) {
        if (row.preset != side.preset || row.optimizer != side.method || row.workload != workload ||
            (row.budgetS > 0 && row.budgetS != side.budgetS) ||
            (scheduler != kBestScheduler && row.scheduler != scheduler))
            continue;
        times.isSeeded = times.isSeeded || row.budgetS > 0;
        times.outOfMemory = times.outOfMemory || !row.feasible;
        if (!row.feasible)
            continue;
        const auto [it, isNew] = times.bySeed.try_emplace(row.seed, row.stepTimeNs);
        if (!isNew)
            it->second = std::min(it->second, row.stepTimeNs);
    }
    return times;
}

Standing standing(std::span<const ResultRow> rows, const std::vector<std::string>& workloads, const Side& reference,
                  const std::string& other, std::string_view scheduler) {
    Standing result{reference.preset, reference.method, other, std::string(scheduler), reference.budgetS};
    std::vector<double> ratios;
    std::map<std::uint64_t, std::vector<double>> bySeed;
    for (const std::string& workload : workloads) {
        const Times mine = timesOf(rows, reference, workload, scheduler);
        const Times theirs = timesOf(rows, {reference.preset, other, reference.budgetS}, workload, scheduler);
        std::vector<double> overSeeds;
        for (const auto& [seed, ns] : mine.bySeed) {
            const std::int64_t* otherNs = theirs.at(seed);
            if (otherNs == nullptr)
                continue;
            overSeeds.push_back(static_cast<double>(*otherNs) / static_cast<double>(ns));
            bySeed[seed].push_back(overSeeds.back());
        }
        if (overSeeds.empty()) {
            const bool doesNotFit =
                (mine.bySeed.empty() && mine.outOfMemory) || (theirs.bySeed.empty() && theirs.outOfMemory);
            (doesNotFit ? result.outOfMemory : result.missing).push_back(workload);
            continue;
        }
        const double ratio = geometricMean(overSeeds);
        ++(ratio > 1 + kTie ? result.won : ratio < 1 - kTie ? result.lost : result.tied);
        if (ratios.empty() || ratio < result.worstRatio) {
            result.worst = workload;
            result.worstRatio = ratio;
        }
        ratios.push_back(ratio);
    }
    result.ratio = geometricMean(ratios);
    for (const auto& [seed, ofSeed] : bySeed) {
        if (ofSeed.size() != ratios.size())
            continue;
        const double mean = geometricMean(ofSeed);
        result.least = result.seeds == 0 ? mean : std::min(result.least, mean);
        result.most = result.seeds == 0 ? mean : std::max(result.most, mean);
        ++result.seeds;
    }
    return result;
}

/// Improvements of one search.
using Searches = std::map<std::uint64_t, std::vector<CurveRow>>; ///< by seed

Searches searchesOf(std::span<const CurveRow> curves, const Side& side, const std::string& workload) {
    Searches searches;
    for (const CurveRow& row : curves) {
        if (row.preset == side.preset && row.optimizer == side.method && row.workload == workload &&
            row.budgetS == side.budgetS)
            searches[row.seed].push_back(row);
    }
    return searches;
}

const CurveRow* firstAtMost(const std::vector<CurveRow>& search, double ns) {
    const auto found =
        std::ranges::find_if(search, [ns](const CurveRow& row) { return static_cast<double>(row.bestNs) <= ns; });
    return found == search.end() ? nullptr : &*found;
}

template <class T>
T median(std::vector<T> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::ranges::nth_element(values, middle);
    return *middle;
}

bool isHeuristic(const std::string& method) { return std::ranges::count(heuristicMethods(), method) > 0; }

bool takesPart(const Contest& contest, const std::string& method) {
    return method != contest.reference && (contest.others.empty() || std::ranges::count(contest.others, method) > 0);
}

} // namespace

StudyRows rowsOf(const std::vector<StudyRun>& runs, const ResultTable& table) {
    StudyRows study;
    for (const StudyRun& run : runs) {
        for (const ResultRow& cell : run.cells) {
            const ResultRow* row = table.find(cell);
            (row != nullptr ? study.rows : study.missing).push_back(row != nullptr ? *row : cell);
        }
    }
    return study;
}

std::vector<ResultRow> bestHeuristics(std::span<const ResultRow> rows) {
    std::vector<ResultRow> best;
    const auto methods = distinct(rows, &ResultRow::optimizer);
    if (std::ranges::count_if(methods, isHeuristic) < 2)
        return best;
    for (ResultRow row : rows) {
        if (!row.feasible || !isHeuristic(row.optimizer))
            continue;
        row.optimizer = kBestHeuristic;
        const auto same = std::ranges::find_if(best, [&row](const ResultRow& other) {
            return other.workload == row.workload && other.preset == row.preset && other.scheduler == row.scheduler;
        });
        if (same == best.end())
            best.push_back(std::move(row));
        else if (row.stepTimeNs < same->stepTimeNs)
            *same = std::move(row);
    }
    return best;
}

double geometricMean(std::span<const double> values) {
    double sum = 0;
    for (const double value : values)
        sum += std::log(value);
    return values.empty() ? 0 : std::exp(sum / static_cast<double>(values.size()));
}

std::vector<Standing> standings(const StudyRows& study, const Contest& contest) {
    std::vector<ResultRow> cells = study.rows; // methods and workloads as they are asked for, there or not
    cells.insert(cells.end(), study.missing.begin(), study.missing.end());
    std::vector<ResultRow> rows = study.rows;
    const std::vector<ResultRow> heuristics = bestHeuristics(study.rows);
    rows.insert(rows.end(), heuristics.begin(), heuristics.end());
    std::vector<std::string> others;
    for (const std::string& method : distinct(cells, &ResultRow::optimizer)) {
        if (takesPart(contest, method))
            others.push_back(method);
    }
    if (takesPart(contest, std::string(kBestHeuristic)) && !heuristics.empty())
        others.emplace_back(kBestHeuristic);
    std::vector<std::string_view> orders{kOwn};
    for (const SchedulerInfo& scheduler : schedulers())
        orders.push_back(scheduler.id);
    std::vector<Standing> all;
    for (const std::string& preset : distinct(cells, &ResultRow::preset)) {
        std::vector<ResultRow> ofPreset, ofReference;
        std::ranges::copy_if(cells, std::back_inserter(ofPreset),
                             [&](const ResultRow& r) { return r.preset == preset; });
        std::ranges::copy_if(ofPreset, std::back_inserter(ofReference),
                             [&](const ResultRow& r) { return r.optimizer == contest.reference; });
        const auto workloads = distinct(ofPreset, &ResultRow::workload);
        for (const double budgetS : distinct(ofReference, &ResultRow::budgetS)) {
            const Side reference{preset, contest.reference, budgetS};
            for (const std::string& other : others) {
                all.push_back(standing(rows, workloads, reference, other, kBestScheduler));
                for (const std::string_view order : orders) {
                    Standing under = standing(rows, workloads, reference, other, order);
                    if (under.workloads() > 0)
                        all.push_back(std::move(under));
                }
            }
        }
    }
    return all;
}

std::vector<Reach> reaches(const StudyRows& study, std::span<const CurveRow> curves) {
    std::map<std::pair<std::string, std::string>, std::int64_t> target; // by preset and workload
    for (const ResultRow& row : bestHeuristics(study.rows)) {
        const auto [it, isNew] = target.try_emplace({row.preset, row.workload}, row.stepTimeNs);
        if (!isNew)
            it->second = std::min(it->second, row.stepTimeNs);
    }
    std::vector<Reach> all;
    for (const ResultRow& row : study.rows) {
        const auto goal = target.find({row.preset, row.workload});
        const bool isThere = std::ranges::any_of(all, [&row](const Reach& r) {
            return r.preset == row.preset && r.workload == row.workload && r.method == row.optimizer &&
                   r.budgetS == row.budgetS;
        });
        if (row.budgetS <= 0 || goal == target.end() || isThere)
            continue;
        Reach reach{row.preset, row.workload, row.optimizer, row.budgetS};
        std::vector<double> seconds;
        std::vector<std::int64_t> simulations;
        for (const auto& [seed, search] : searchesOf(curves, {row.preset, row.optimizer, row.budgetS}, row.workload)) {
            const CurveRow* at = firstAtMost(search, static_cast<double>(goal->second));
            ++reach.runs;
            reach.reached += at != nullptr ? 1 : 0;
            seconds.push_back(at != nullptr ? at->timeS : HUGE_VAL);
            simulations.push_back(at != nullptr ? at->simulations : std::numeric_limits<std::int64_t>::max());
        }
        if (reach.runs == 0)
            continue;
        reach.medianS = median(seconds);
        reach.medianSimulations = median(simulations);
        all.push_back(std::move(reach));
    }
    return all;
}

std::vector<SearchRatio> searchRatios(std::span<const CurveRow> curves, const Contest& contest) {
    constexpr double kShortest = .05, kConverged = 1.01;
    std::vector<SearchRatio> all;
    std::set<std::tuple<std::string, std::string, double>> seen;
    for (const CurveRow& row : curves) {
        if (!takesPart(contest, row.optimizer) || !seen.insert({row.preset, row.optimizer, row.budgetS}).second)
            continue;
        SearchRatio result{row.preset, contest.reference, row.optimizer, row.budgetS};
        std::vector<double> times, simulations;
        for (const std::string& workload : distinct(curves, &CurveRow::workload)) {
            const Searches mine = searchesOf(curves, {row.preset, contest.reference, row.budgetS}, workload);
            std::vector<double> timeOverSeeds, simulationsOverSeeds;
            bool areBoth = false;
            for (const auto& [seed, theirs] : searchesOf(curves, {row.preset, row.optimizer, row.budgetS}, workload)) {
                const auto same = mine.find(seed);
                if (same == mine.end())
                    continue;
                areBoth = true;
                const double goal = kConverged * static_cast<double>(theirs.back().bestNs);
                const CurveRow* then = firstAtMost(theirs, goal);
                const CurveRow* at = firstAtMost(same->second, goal);
                if (at == nullptr)
                    continue;
                timeOverSeeds.push_back(std::max(kShortest, then->timeS) / std::max(kShortest, at->timeS));
                simulationsOverSeeds.push_back(static_cast<double>(std::max<std::int64_t>(1, then->simulations)) /
                                               static_cast<double>(std::max<std::int64_t>(1, at->simulations)));
            }
            if (timeOverSeeds.empty()) {
                if (areBoth)
                    result.notReached.push_back(workload);
                continue;
            }
            times.push_back(geometricMean(timeOverSeeds));
            simulations.push_back(geometricMean(simulationsOverSeeds));
        }
        result.workloads = times.size();
        result.time = geometricMean(times);
        result.simulations = geometricMean(simulations);
        if (result.workloads + result.notReached.size() > 0)
            all.push_back(std::move(result));
    }
    return all;
}

} // namespace opscape
