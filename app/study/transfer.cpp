// SPDX-License-Identifier: MIT
#include "transfer.h"

#include "graph_families.h"

#include <opscape/zoo/zoo.h>

#include <fmt/ranges.h>

#include <algorithm>
#include <set>

namespace opscape {
namespace {

constexpr const char* kPreset = "small";
const std::vector<std::string> kDecides{"placement", "scheduling"};

/// What is held out under a name: a family, or all of a super-family.
Result<std::vector<std::string>> familiesOf(const std::string& heldOut) {
    return expandFamilies(std::span(&heldOut, 1));
}

bool isSuperFamily(std::string_view name) { return std::ranges::count(superFamilies(), name, &SuperFamily::name) > 0; }

struct Subject {
    std::string name;  ///< of the workload, or of the file
    std::string graph; ///< of a file; empty for a workload
    int devices = 0;
};

Result<Subject> subjectOf(std::string name, const std::string& graph, const std::string& source) {
    const auto opened = Workbench::openGraph(source);
    if (!opened)
        return fail(opened.error());
    const auto cluster = chooseCluster(**opened, {});
    if (!cluster)
        return fail(cluster.error());
    return Subject{std::move(name), graph, static_cast<int>((*cluster)->deviceCount())};
}

/// All workloads of a family.
Result<std::vector<Subject>> subjectsOf(const std::vector<std::string>& families) {
    std::vector<Subject> subjects;
    for (const ZooModel& model : zooModels()) {
        if (std::ranges::count(families, familyOf(model.id)) == 0)
            continue;
        auto subject = subjectOf(model.id, {}, fmt::format("zoo:{},{}", model.id, kPreset));
        if (!subject)
            return fail(subject.error());
        subjects.push_back(std::move(*subject));
    }
    return subjects;
}

/// The name of a file, without what would break a line of the table.
std::string tableName(const std::filesystem::path& file) {
    std::string name = file.filename().string();
    std::ranges::replace(name, ',', '_');
    return name;
}

class Planner {
public:
    Planner(const Registry& registry, const TransferRequest& request) : m_registry(registry), m_request(request) {}

    Result<std::vector<TransferRun>> plan() {
        if (auto found = findMethods(); !found)
            return fail(found.error());
        std::vector<std::string> heldOut = m_request.heldOut;
        if (heldOut.empty() && m_request.graphs.empty()) {
            heldOut = graphFamilies();
            for (const SuperFamily& super : superFamilies())
                heldOut.emplace_back(super.name);
        }
        for (const std::string& name : heldOut) {
            const auto families = familiesOf(name);
            if (!families)
                return fail(families.error());
            auto subjects = subjectsOf(*families);
            if (!subjects)
                return fail(subjects.error());
            for (const Subject& subject : *subjects)
                add(subject, name);
        }
        for (const std::string& graph : m_request.graphs) {
            const auto subject = subjectOf(tableName(graph), graph, graph);
            if (!subject)
                return fail(subject.error());
            add(*subject, std::string(kFromFiles));
        }
        return std::move(m_runs);
    }

private:
    Result<> findMethods() {
        std::vector<std::string> names = m_request.methods;
        if (names.empty()) {
            for (const TransferMethod& method : transferMethods())
                names.push_back(method.name);
        }
        for (const std::string& name : names) {
            const auto before = m_methods.size();
            for (const TransferMethod& method : transferMethods()) {
                if (method.name == name && std::ranges::count(m_methods, &method) == 0)
                    m_methods.push_back(&method);
            }
            if (m_methods.size() == before && std::ranges::count(m_methods, name, &TransferMethod::name) == 0)
                return fail("there is no method {} in this study; see opscape-cli bench transfer --help.", name);
        }
        for (const TransferMethod* method : m_methods) {
            if (const auto info = m_registry.optimizer(method->optimizer); !info)
                return fail("method {}: {}", method->name, info.error().message);
        }
        return {};
    }

    void add(const Subject& subject, const std::string& heldOut) {
        for (const TransferMethod* method : m_methods) {
            const OptimizerInfo& info = **m_registry.optimizer(method->optimizer);
            const double budgetS = method->budgetS == TransferMethod::kBudget ? m_request.budgetS : method->budgetS;
            TransferRun made;
            made.takesModel = method->takesModel;
            made.heldOut = method->takesModel ? heldOut : std::string(TransferRow::kNothing);
            made.run.workload = subject.name;
            made.run.preset = subject.graph.empty() ? kPreset : std::string(kFromFiles);
            made.run.graph = subject.graph;
            made.run.method = {method->name, method->optimizer, method->options};
            if (method->optimizer == "go" || method->optimizer == "refine")
                made.run.method.decide = kDecides;
            made.run.budgetS = budgetS;
            made.run.endings = endingsOf(made.run.method, info, {Fuser::None});
            const std::size_t seeds = takesTime(info) ? m_request.seeds.size() : 1;
            for (std::size_t i = 0; i < seeds; ++i) {
                made.run.seed = m_request.seeds[i];
                made.run.cells = cellsOf(made.run, subject.devices);
                // A workload is of a family and of a super-family; what takes no policy is made once.
                const auto key = std::tuple(made.heldOut, subject.name, method->name, budgetS, made.run.seed);
                if (m_seen.insert(key).second)
                    m_runs.push_back(made);
            }
        }
    }

    const Registry& m_registry;
    const TransferRequest& m_request;
    std::vector<const TransferMethod*> m_methods;
    std::vector<TransferRun> m_runs;
    std::set<std::tuple<std::string, std::string, std::string, double, std::uint64_t>> m_seen;
};

class TransferMaker {
public:
    TransferMaker(const Registry& registry, const TransferRequest& request, TransferTable& table,
                  std::filesystem::path file, const TrainingEngine& engine, const Provenance& provenance,
                  const TransferWatcher& watcher, std::stop_token stop)
        : m_registry(registry),
          m_request(request),
          m_table(table),
          m_folder(file.parent_path() / (file.stem().string() + "_models")),
          m_file(std::move(file)),
          m_engine(engine),
          m_provenance(provenance),
          m_watcher(watcher),
          m_stop(std::move(stop)) {}

    Result<> make(TransferRun run) {
        std::string hash(TransferRow::kNothing);
        const TransferRow* known = nullptr;
        bool isWhole = true;
        for (const ResultRow& cell : run.run.cells) {
            const TransferRow* row = m_table.find(run.row(cell));
            isWhole = isWhole && row != nullptr;
            known = row != nullptr ? row : known;
        }
        if (isWhole)
            return {};
        if (run.takesModel) {
            const auto file = policy(run.heldOut, run.run.seed);
            if (!file)
                return fail(file.error());
            if (m_stop.stop_requested())
                return {};
            auto hashed = m_engine.hash(*file);
            if (!hashed)
                return fail(hashed.error());
            if (known != nullptr && known->model != *hashed)
                return fail("{}: the rows without {}, seed {}, were made with another policy than {}; delete these "
                            "rows or name another table.",
                            m_file.string(), run.heldOut, run.run.seed, file->string());
            hash = std::move(*hashed);
            run.run.method.options["model"] = file->string();
        }
        StudyFiles files; // in memory
        StudyWatcher watcher;
        watcher.begins = m_watcher.begins;
        watcher.progress = m_watcher.progress;
        watcher.done = [this, &run](const WorkloadReport& report) {
            for (const std::string& remark : report.remarks)
                m_watcher.said(remark);
            for (const std::string& failure : report.failures)
                m_watcher.said(fmt::format("{} {}", run.run.workload, failure));
        };
        if (auto done = runStudy(m_registry, {run.run}, files, m_provenance, watcher, m_stop); !done)
            return done;
        std::vector<TransferRow> rows;
        for (const ResultRow& result : files.results.rows()) {
            rows.push_back(run.row(result));
            rows.back().model = hash;
            if (m_table.find(rows.back()) != nullptr)
                rows.pop_back();
        }
        if (auto added = m_table.add(rows, m_provenance); !added)
            return added;
        if (m_watcher.made && !rows.empty())
            m_watcher.made(rows);
        return {};
    }

private:
    /// Trained now, unless it is there.
    Result<std::filesystem::path> policy(const std::string& heldOut, std::uint64_t seed) {
        const std::string name = fmt::format("{}-{}", heldOut, seed);
        const std::filesystem::path model = m_folder / (name + ".opscape-model");
        std::error_code ec;
        if (std::filesystem::exists(model, ec))
            return model;
        m_watcher.begins(fmt::format("policy without {}, seed {}", heldOut, seed));
        std::filesystem::create_directories(m_folder, ec); // writing there tells
        TrainingRequest training = m_request.training;
        training.seed = seed;
        training.recipe.seed = seed;
        training.recipe.validation.emplace();
        training.recipe.validationLessons = 0;
        training.recipe.holdOut.clear();
        if (heldOut != kFromFiles)
            training.recipe.holdOut = {heldOut};
        const std::filesystem::path made = m_folder / (name + ".part");
        training.options.save = m_folder / (name + ".state");
        if (std::filesystem::exists(training.options.save, ec))
            training.options.load = training.options.save;
        RunContext context;
        context.stop = m_stop;
        context.progress = m_watcher.progress;
        TrainingWatcher watcher;
        watcher.begins = [](const LessonSet&) {};
        const auto trained = trainModel(m_registry, training, made, m_engine, watcher, context);
        if (m_stop.stop_requested()) // what is learned so far is no policy yet
            return model;
        if (!trained)
            return fail("policy without {}, seed {}: {}", heldOut, seed, trained.error().message);
        std::filesystem::rename(made, model, ec);
        if (ec)
            return fail("{} cannot be written: {}.", model.string(), ec.message());
        std::filesystem::remove(training.options.save, ec);
        return model;
    }

    const Registry& m_registry;
    const TransferRequest& m_request;
    TransferTable& m_table;
    std::filesystem::path m_folder, m_file;
    const TrainingEngine& m_engine;
    const Provenance& m_provenance;
    const TransferWatcher& m_watcher;
    std::stop_token m_stop;
};

/// A method at one budget is one of its own: those that end by themselves are compared with searches of any length.
ResultRow asMethod(ResultRow row, bool isSeeded) {
    if (row.budgetS > 0)
        row.optimizer = fmt::format("{} {} s", row.optimizer, row.budgetS);
    row.budgetS = isSeeded ? 1 : 0;
    return row;
}

/// The part of a run that takes a policy.
TransferPart partOf(const TransferRun& run) {
    return !run.run.graph.empty()       ? TransferPart::Files
           : isSuperFamily(run.heldOut) ? TransferPart::SuperFamilies
                                        : TransferPart::Families;
}

/// Workloads that are judged in a part. Where no policy is asked for, all are among the families.
std::set<std::string> workloadsIn(TransferPart part, const std::vector<TransferRun>& runs) {
    const bool isAny = std::ranges::any_of(runs, &TransferRun::takesModel);
    std::set<std::string> workloads;
    for (const TransferRun& run : runs) {
        if ((run.takesModel || !isAny) && partOf(run) == part)
            workloads.insert(run.run.workload);
    }
    return workloads;
}

} // namespace

TransferRow TransferRun::row(const ResultRow& result) const {
    TransferRow made;
    static_cast<ResultRow&>(made) = result;
    made.heldOut = heldOut;
    return made;
}

std::span<const TransferMethod> transferMethods() {
    const std::string fewUpdates = "50";
    static const std::vector<TransferMethod> kMethods{
        {"go-zero-shot", "the policy's likeliest decisions", "go", {{"zero-shot", "greedy"}}, true},
        {"go-best-of-64", "the best of 64 plans that it draws", "go", {{"zero-shot", "best"}}, true},
        {"go-fine-tuned", "50 updates of it, no refinement", "go", {{"updates", fewUpdates}, {"share", "1"}}, true},
        {"go-untrained", "the same from nothing", "go", {{"model", "none"}, {"updates", fewUpdates}, {"share", "1"}}},
        {"go-pretrained", "GO from that policy, with refinement", "go", {}, true, TransferMethod::kBudget},
        {"go", "GO from nothing, with refinement", "go", {{"model", "none"}}, false, TransferMethod::kBudget},
        {"anneal", "annealing, short", "anneal", {}, false, 10},
        {"anneal", "annealing", "anneal", {}, false, TransferMethod::kBudget},
        {"refine", "staged refinement", "refine", {}, false, TransferMethod::kBudget},
        {"hdp", "HDP", "hdp", {}, false, TransferMethod::kBudget},
        {"expert", "what people do by hand", "expert"},
        {"metis", "least cut", "metis"},
        {"heft", "earliest finish", "heft"},
    };
    return kMethods;
}

Result<std::vector<TransferRun>> transferRuns(const Registry& registry, const TransferRequest& request) {
    return Planner(registry, request).plan();
}

Result<> runTransfer(const Registry& registry, const TransferRequest& request, const std::vector<TransferRun>& runs,
                     TransferTable& table, const std::filesystem::path& file, const TrainingEngine& engine,
                     const Provenance& provenance, const TransferWatcher& watcher, std::stop_token stop) {
    TransferMaker maker(registry, request, table, file, engine, provenance, watcher, stop);
    for (const TransferRun& run : runs) {
        if (stop.stop_requested())
            return {};
        if (auto made = maker.make(run); !made)
            return made;
    }
    return {};
}

StudyRows transferRows(const std::vector<TransferRun>& runs, const TransferTable& table, TransferPart part) {
    std::set<std::string> seeded; // methods that are run with every seed
    for (const TransferRun& run : runs) {
        if (run.takesModel || run.run.method.optimizer == "go" || run.run.budgetS > 0)
            seeded.insert(run.run.method.name);
    }
    const std::set<std::string> workloads = workloadsIn(part, runs);
    StudyRows study;
    for (const TransferRun& run : runs) {
        if (!workloads.contains(run.run.workload) || (run.takesModel && partOf(run) != part))
            continue;
        for (const ResultRow& cell : run.run.cells) {
            const TransferRow* row = table.find(run.row(cell));
            const bool isSeeded = seeded.contains(cell.optimizer);
            (row != nullptr ? study.rows : study.missing).push_back(asMethod(row != nullptr ? *row : cell, isSeeded));
        }
    }
    return study;
}

const std::vector<Contest>& transferContests() {
    static const std::vector<Contest> kContests{{"go-zero-shot"}, {"go-best-of-64"}, {"go-fine-tuned"}};
    return kContests;
}

} // namespace opscape
