// SPDX-License-Identifier: MIT
#include "bench_report.h"
#include "command_train.h"
#include "interrupt.h"
#include "progress_line.h"
#include "study/graph_families.h"
#include "table.h"

#include <opscape/base/units.h>

#include <algorithm>
#include <array>
#include <optional>

namespace opscape {
namespace {

struct Part {
    TransferPart part;
    const char *id, *title;
};
constexpr std::array<Part, 3> kParts{{{TransferPart::Families, "families", "One family held out"},
                                      {TransferPart::SuperFamilies, "super_families", "One super-family held out"},
                                      {TransferPart::Files, "files", "Graphs from files"}}};

/// Who is asked whether it is faster than whom, family by family.
struct Question {
    const char *reference, *other;
};
constexpr std::array<Question, 7> kQuestions{{{"go-zero-shot", "expert"},
                                              {"go-zero-shot", "hdp"},
                                              {"go-best-of-64", "expert"},
                                              {"go-fine-tuned", "go-untrained"},
                                              {"go-fine-tuned", "go"},
                                              {"go-fine-tuned", "anneal"},
                                              {"go-fine-tuned", "refine"}}};

/// One of the methods under that name: with the longest budget.
std::string atBudget(const StudyRows& rows, std::string_view name, double budgetS) {
    const std::string timed = fmt::format("{} {} s", name, budgetS);
    const auto isTimed = [&timed](const ResultRow& row) { return row.optimizer == timed; };
    return std::ranges::any_of(rows.rows, isTimed) || std::ranges::any_of(rows.missing, isTimed) ? timed
                                                                                                 : std::string(name);
}

/// A line for what a run has put into the table, under the best scheduler.
std::string madeText(const std::vector<TransferRow>& rows, std::size_t number, std::size_t all) {
    const TransferRow* best = &rows.front();
    for (const TransferRow& row : rows) {
        if (row.feasible != best->feasible ? row.feasible : row.stepTimeNs < best->stepTimeNs)
            best = &row;
    }
    const std::string without = best->heldOut == TransferRow::kNothing ? "" : fmt::format(" without {}", best->heldOut);
    const std::string budget = best->budgetS > 0 ? fmt::format(", {} s", best->budgetS) : "";
    return fmt::format("[{}/{}] {}, {}{}{}, seed {}: {}\n", number, all, best->workload, best->optimizer, without,
                       budget, best->seed, best->feasible ? formatTime(best->stepTimeNs) : "OOM");
}

/// Under the best scheduler of each side.
std::vector<Standing> bestStandings(const StudyRows& rows, const Contest& contest) {
    std::vector<Standing> all = standings(rows, contest);
    std::erase_if(all, [](const Standing& standing) { return standing.scheduler != kBestScheduler; });
    return all;
}

/// By question; none where it is not known.
std::vector<std::optional<double>> ratios(const StudyRows& rows, double budgetS) {
    std::vector<std::optional<double>> answers;
    for (const Question& question : kQuestions) {
        const Contest contest{question.reference, {atBudget(rows, question.other, budgetS)}};
        std::optional<double>& answer = answers.emplace_back();
        for (const Standing& standing : bestStandings(rows, contest)) {
            if (standing.workloads() > 0)
                answer = standing.ratio;
        }
    }
    return answers;
}

/// The rows of the workloads of some families.
StudyRows ofFamilies(const StudyRows& all, const std::vector<std::string>& families) {
    StudyRows some;
    const auto isOf = [&families](const ResultRow& row) {
        return std::ranges::count(families, familyOf(row.workload)) > 0;
    };
    std::ranges::copy_if(all.rows, std::back_inserter(some.rows), isOf);
    std::ranges::copy_if(all.missing, std::back_inserter(some.missing), isOf);
    return some;
}

std::string byHeldOut(const StudyRows& rows, TransferPart part, double budgetS) {
    std::vector<std::string_view> names;
    std::vector<std::vector<std::optional<double>>> answers;
    const auto add = [&](std::string_view name, const std::vector<std::string>& families) {
        const StudyRows some = ofFamilies(rows, families);
        if (some.rows.empty())
            return;
        names.push_back(name);
        answers.push_back(ratios(some, budgetS));
    };
    for (const SuperFamily& super : superFamilies()) {
        if (part == TransferPart::SuperFamilies)
            add(super.name, {super.families.begin(), super.families.end()});
        for (const std::string_view family : super.families) {
            if (part == TransferPart::Families)
                add(family, {std::string(family)});
        }
    }
    std::vector<std::size_t> asked; // questions to which there is an answer
    std::vector<Table::Column> columns{{"held out"}};
    for (std::size_t q = 0; q < kQuestions.size(); ++q) {
        if (std::ranges::none_of(answers, [q](const auto& ofName) { return ofName[q].has_value(); }))
            continue;
        asked.push_back(q);
        columns.push_back({fmt::format("{} / {}", kQuestions[q].other, kQuestions[q].reference), true});
    }
    if (asked.empty())
        return "";
    Table table(columns);
    for (std::size_t i = 0; i < names.size(); ++i) {
        std::vector<std::string> cells{std::string(names[i])};
        for (const std::size_t q : asked)
            cells.push_back(answers[i][q] ? fmt::format("{:.3f}", *answers[i][q]) : "-");
        table.row(std::move(cells));
    }
    return "Step times, geometric means; above 1 the policy is faster\n" + table.text(2) + "\n";
}

std::string partText(const StudyRows& rows, const Part& part, double budgetS) {
    std::string text = fmt::format("{}\n{}", part.title, byHeldOut(rows, part.part, budgetS));
    for (const Contest& contest : transferContests()) {
        const std::vector<Standing> all = bestStandings(rows, contest);
        if (!all.empty())
            text +=
                fmt::format("{}: step time of the other / step time of {}, geometric mean over workloads; above 1 {} "
                            "is faster\n{}\n",
                            contest.reference, contest.reference, contest.reference, standingsText(all));
    }
    return text + missingText(rows);
}

Json partJson(const StudyRows& rows) {
    Json contests = Json::array();
    for (const Contest& contest : transferContests()) {
        for (const Standing& s : bestStandings(rows, contest))
            contests.push_back(standingJson(s));
    }
    return {{"rows", rows.rows.size()}, {"missing", rows.missing.size()}, {"standings", contests}};
}

} // namespace

Result<int> benchTransferCommand(const GlobalArgs& global, const TransferArgs& args) {
    const Interrupt interrupt;
    const Workbench workbench(global.database);
    TransferRequest request = args.request;
    request.seeds.clear();
    for (std::size_t i = 0; i < args.seeds; ++i)
        request.seeds.push_back(args.seed + i);
    const auto runs = transferRuns(workbench.registry(), request);
    if (!runs)
        return fail(runs.error());
    if (auto sound = checkOutput(args.output); !sound) // before the training rather than after it
        return fail(sound.error());
    auto table = TransferTable::open(args.output);
    if (!table)
        return fail(table.error());
    if (!args.onlyReport) {
        const auto engine = trainingEngine();
        if (!engine)
            return fail(engine.error());
        std::optional<ProgressLine> line;
        TransferWatcher watcher;
        watcher.begins = [&line](const std::string& what) { line.emplace(what); };
        watcher.progress = [&line](const Progress& progress) { line->show(progress); };
        const auto isThere = [&table](const TransferRun& run) {
            return std::ranges::all_of(run.run.cells,
                                       [&](const ResultRow& cell) { return table->find(run.row(cell)); });
        };
        auto number = static_cast<std::size_t>(std::ranges::count_if(*runs, isThere));
        watcher.made = [&](const std::vector<TransferRow>& rows) {
            ++number;
            line.reset();
            if (global.json)
                return;
            printText(madeText(rows, number, runs->size()));
            std::fflush(stdout);
        };
        watcher.said = [&line](const std::string& sentence) {
            line.reset();
            printError(sentence);
        };
        const Provenance provenance = provenanceOf(args.typed);
        auto done = runTransfer(workbench.registry(), request, *runs, *table, args.output, *engine, provenance, watcher,
                                interrupt.token());
        line.reset();
        if (!done)
            return interrupt.failed(done.error());
    }
    Json json;
    for (const Part& part : kParts) {
        const StudyRows rows = transferRows(*runs, *table, part.part);
        if (rows.rows.empty() && rows.missing.empty())
            continue;
        if (global.json)
            json[part.id] = partJson(rows);
        else
            fmt::print("{}\n", partText(rows, part, request.budgetS));
    }
    if (global.json)
        printJson(json);
    else
        fmt::print("{} rows in {}\n", table->rows().size(), args.output.string());
    if (!interrupt.stopped())
        return kFine;
    printError(fmt::format("stopped; the same command goes on from what is in {}.", args.output.string()));
    return kStopped;
}

} // namespace opscape
