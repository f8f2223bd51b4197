// SPDX-License-Identifier: MIT
// Phase after phase of learning, each from the best plan of the one before, then staged refinement of the best plan
// with what is left of the budget. Shares of the budget: on small graphs a policy has said what it has to say early;
// the longer a simulation takes, the more a good proposal is worth.
#include <opscape/rl/engine.h>
#include <opscape/rl/model/identity.h>
#include <opscape/rl/model/model.h>
#include <opscape/rl/train/base_plan.h>
#include <opscape/rl/train/checkpoint_keeper.h>
#include <opscape/rl/train/trainer.h>
#include <opscape/search/refine.h>

#include <algorithm>
#include <array>

namespace opscape::rl {
namespace {

using Clock = RunPause::Clock;

constexpr std::size_t kMediumGraph = 5'000, kLargeGraph = 20'000;
constexpr double kShare = .1, kShareIfMedium = .25, kShareIfLarge = .5;
constexpr auto kReportEvery = std::chrono::milliseconds(50);
constexpr int kProposals = 64; ///< of a model
/// Shares of a memory, tried in turn; 0: as the policy likes. What tasks know of memory is less than what a plan takes,
/// seldom a tenth of it.
constexpr std::array kRooms{0., 1., .7, .5, .35, .25, .18, .12, .08};
constexpr std::ptrdiff_t kTail = 500;                 ///< at least so many points of the curve are in a checkpoint
constexpr std::int64_t kSimulationsPerImitation = 64; ///< when they are counted, few of them allow few steps

/// What has been spent of the whole budget, over all parts of a run.
class Ledger {
public:
    Ledger(const TrainOptions& options, double policyShare, const RunContext& context)
        : m_options(options),
          m_policyShare(policyShare),
          m_context(context) {}

    /// So much was spent before.
    void add(double seconds) {
        m_begin -= std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
    }
    [[nodiscard]] double seconds() const { return std::chrono::duration<double>(m_context.now() - m_begin).count(); }
    [[nodiscard]] bool isByTime() const { return m_options.updates == 0 && m_options.budget.simulations == 0; }
    /// How much of what phase `index` of `count` has for its policy is spent, 0 to 1 and beyond. Every phase has an
    /// equal part of the budget, first for the policy, then for refinement.
    [[nodiscard]] double ofPhase(std::size_t index, std::size_t count, std::int64_t updates,
                                 std::int64_t simulations) const {
        if (m_options.updates > 0)
            return static_cast<double>(updates) / static_cast<double>(m_options.updates);
        const double spent = isByTime()
                                 ? seconds() / m_options.budget.seconds
                                 : static_cast<double>(simulations) / static_cast<double>(m_options.budget.simulations);
        const double ofPhases = spent * static_cast<double>(count) - static_cast<double>(index);
        return m_policyShare > 0 ? ofPhases / m_policyShare : 1;
    }
    /// When so much of the budget is spent; never unless it is by time.
    [[nodiscard]] Clock::time_point when(double share) const {
        if (!isByTime())
            return Clock::time_point::max();
        const std::chrono::duration<double> seconds(share * m_options.budget.seconds);
        return m_begin + std::chrono::duration_cast<Clock::duration>(seconds);
    }
    /// Simulations that the policy may still make; without such a budget as many as it likes.
    [[nodiscard]] int simulationsLeft(std::size_t index, std::size_t count, std::int64_t simulations) const {
        if (m_options.updates > 0 || m_options.budget.simulations == 0)
            return 1 << 30;
        const double all = static_cast<double>(m_options.budget.simulations) *
                           (static_cast<double>(index) + m_policyShare) / static_cast<double>(count);
        return static_cast<int>(std::min(1e9, all - static_cast<double>(simulations)));
    }
    /// What refinement may spend after the policy of a phase, which made `ofPolicy` of the `simulations` so far.
    [[nodiscard]] SearchBudget rest(std::size_t index, std::size_t count, std::int64_t simulations,
                                    std::int64_t ofPolicy) const {
        const double until = (static_cast<double>(index) + 1) / static_cast<double>(count);
        if (isByTime())
            return {0, std::max(.01, m_options.budget.seconds * until - seconds())};
        if (m_options.updates == 0)
            return {std::max<std::int64_t>(1, std::llround(static_cast<double>(m_options.budget.simulations) * until) -
                                                  simulations),
                    0};
        const double share = std::max(.01, m_policyShare); // by updates: in proportion to what they took
        return {std::max<std::int64_t>(1, std::llround(static_cast<double>(ofPolicy) * (1 - share) / share)), 0};
    }

private:
    const TrainOptions& m_options;
    double m_policyShare;
    const RunContext& m_context;
    Clock::time_point m_begin = m_context.now();
};

double shareOfPolicy(const TrainOptions& options, std::size_t ops) {
    if (!options.search || options.zeroShot != ZeroShot::Off)
        return 1;
    if (options.policyShare > 0)
        return options.policyShare;
    return ops >= kLargeGraph ? kShareIfLarge : ops >= kMediumGraph ? kShareIfMedium : kShare;
}

class Run {
public:
    Run(const Problem& problem, std::span<const DecisionTask* const> tasks, const TrainOptions& options,
        const RunContext& context)
        : m_problem(problem),
          m_tasks(tasks),
          m_options(options),
          m_context(context),
          m_share(shareOfPolicy(options, problem.graph->opCount())),
          m_ledger(m_options, m_share, context),
          m_keeper(options.save, options.saveEvery) {
        m_options.seed = context.seed;
        if (options.budget.simulations > 0 && options.updates == 0)
            m_options.imitationSteps = static_cast<int>(
                std::min<std::int64_t>(options.imitationSteps, options.budget.simulations / kSimulationsPerImitation));
    }

    Result<Plan> run() {
        if (auto found = findPhases(); !found)
            return fail(found.error());
        auto base = basePlan(m_problem, m_phases);
        if (!base)
            return base;
        ScoredPlan best{std::move(*base), {}};
        auto first = load(best.plan);
        if (!first)
            return fail(first.error());
        for (std::size_t phase = *first; phase < m_phases.size(); ++phase) {
            if (phase > *first && m_context.stopRequested())
                break;
            auto learned = learn(phase, best.plan);
            if (!learned)
                return fail(learned.error());
            best = std::move(*learned);
            if (!m_options.search || m_share >= 1 || m_context.stopRequested())
                continue;
            auto plan = refined(phase, best.plan);
            if (!plan)
                return plan;
            best.plan = std::move(*plan);
        }
        return reported(best.plan);
    }

private:
    Result<> findPhases() {
        for (const auto& ids : m_options.phases) {
            std::vector<const DecisionTask*>& phase = m_phases.emplace_back();
            for (const DecisionTask* task : m_tasks) { // in the order of the chain
                if (std::ranges::count(ids, task->info().id) > 0)
                    phase.push_back(task);
            }
            if (phase.empty() || phase.size() != ids.size())
                return fail("there is no decision task for one of \"{}\"; see the list of tasks.",
                            fmt::join(ids, ", "));
        }
        if (m_phases.empty())
            return fail("no decision task is to be learned; choose at least one.");
        return {};
    }

    Result<ScoredPlan> learn(std::size_t phase, const Plan& base) {
        RunContext context = m_context;
        if (phase > 0)
            context.baselines = nullptr; // what the whole run is compared with is what it began with
        else
            context.baselines = [this](const std::vector<NamedTime>& baselines) {
                m_firstBaselines = baselines;
                if (m_context.baselines)
                    m_context.baselines(baselines);
            };
        auto trainer = Trainer::make(m_problem, m_phases[phase], base, m_options, context);
        if (!trainer)
            return fail(trainer.error());
        trainer->setDeadlines(m_ledger.when(share(phase, 1)), m_ledger.when(share(phase, m_share)));
        const int most = m_ledger.simulationsLeft(phase, m_phases.size(), m_simulations);
        if (auto begun = begin(*trainer, phase, most); !begun)
            return fail(begun.error());
        if (m_keeper.isOn() && !m_context.stopRequested()) { // stopped earlier it is not what training begins with
            if (auto kept = m_keeper.begin(checkpoint(*trainer, phase, base)); !kept)
                return fail(kept.error());
        }
        report(*trainer, phase);
        double longest = 0; // of an update, as a share of the phase
        const bool learns = !m_hasModel || m_options.zeroShot == ZeroShot::Off;
        for (double before = spent(*trainer, phase);
             learns && before + longest / 2 < 1 && !m_context.stopRequested();) {
            const int left = m_ledger.simulationsLeft(phase, m_phases.size(), simulations(*trainer));
            if (left <= 0)
                break;
            auto point = trainer->update(before, left);
            if (!point) {
                m_keeper.end();
                return fail(point.error());
            }
            if (*point) {
                tell(**point);
                if (m_keeper.isOn())
                    m_keeper.add(checkpoint(*trainer, phase, base));
            }
            report(*trainer, phase);
            const double after = spent(*trainer, phase);
            if (m_ledger.isByTime())
                longest = std::max(longest, after - before);
            before = after;
        }
        m_keeper.end();
        m_ofPolicy = trainer->simulations();
        m_simulations += m_ofPolicy;
        return *trainer->best();
    }

    Result<> begin(Trainer& trainer, std::size_t phase, int most) {
        m_hasModel = false;
        if (m_loaded)
            return restore(trainer, most);
        if (m_options.model.empty()) {
            if (m_options.zeroShot != ZeroShot::Off)
                m_remark = "there is no model to take as it is: learned from nothing.";
            return trainer.warmUp(most);
        }
        const auto model = readModel(m_options.model);
        const auto fits = model ? checkModel(*model, trainer.network(), revisionsOf(m_phases[phase]), m_options.model)
                                : Result<>(fail(model.error()));
        if (!fits && !m_options.modelMayDiffer)
            return fits;
        if (!fits) {
            m_remark = fmt::format("learned from nothing: {}", fits.error().message);
            return trainer.warmUp(most);
        }
        m_hasModel = true;
        if (auto adopted = trainer.adopt(model->parameters); !adopted)
            return adopted;
        // What the policy says comes first: on a large graph it is there long before the simple plans are. What does
        // not fit in memory is said again with less and less room.
        double room = 0;
        for (const double share : kRooms) {
            room = share;
            const auto greedy = trainer.propose(Draw::Greedy, 1, room);
            if (!greedy)
                return fail(greedy.error());
            report(trainer, phase);
            if (!*greedy || (*greedy)->feasible || trainer.simulations() >= most / 4) // samples have half
                break;
        }
        if (m_options.zeroShot != ZeroShot::Greedy) {
            if (auto sampled = trainer.propose(Draw::Sample, std::clamp(most / 2, 1, kProposals), room); !sampled)
                return fail(sampled.error());
            report(trainer, phase);
        }
        if (m_options.zeroShot != ZeroShot::Off && trainer.best())
            return {};
        return trainer.warmUp(std::max<std::int64_t>(1, most - trainer.simulations()));
    }

    /// Reads the file to go on from, if any: the phase to begin with and its base plan.
    Result<std::size_t> load(Plan& base) {
        if (m_options.load.empty())
            return 0;
        auto checkpoint = readCheckpoint(m_options.load);
        if (!checkpoint)
            return fail(checkpoint.error());
        const auto phase = static_cast<std::size_t>(checkpoint->phase);
        if (phase > 0) {
            if (phase >= m_phases.size() || checkpoint->graphHash != m_problem.graph->hash() ||
                checkpoint->clusterHash != m_problem.cluster->hash())
                return fail("{}: was trained on one task after the other; it goes on with the same tasks, graph and "
                            "cluster only.",
                            m_options.load.string());
            base = checkpoint->base;
            m_simulations = checkpoint->simulationsBefore;
            m_firstBaselines = checkpoint->firstBaselines;
            if (m_context.baselines)
                m_context.baselines(m_firstBaselines);
        }
        m_loaded = std::move(*checkpoint);
        return phase;
    }

    Result<> restore(Trainer& trainer, int mostSimulations) {
        Checkpoint from = *std::exchange(m_loaded, std::nullopt);
        Resumed resumed{from.update, from.simulationsBefore + from.simulations, from.seconds,
                        from.best ? from.best->score.timeNs : -1};
        std::vector<CurvePoint> tail = std::move(from.tail);
        const auto goesOn = trainer.restore(std::move(from), m_options.load, mostSimulations);
        if (!goesOn)
            return fail(goesOn.error());
        resumed.onlyNetwork = !*goesOn;
        if (m_context.resumed)
            m_context.resumed(resumed);
        if (!*goesOn || !m_context.goesOn)
            return {};
        m_ledger.add(resumed.seconds);
        m_tail = std::move(tail);
        for (const CurvePoint& point : m_tail) { // what was cut off may not have kept them
            if (m_context.curve)
                m_context.curve(point);
        }
        return {};
    }

    [[nodiscard]] Checkpoint checkpoint(const Trainer& trainer, std::size_t phase, const Plan& base) const {
        Checkpoint c = trainer.checkpoint();
        c.seconds = m_ledger.seconds();
        c.phase = static_cast<std::int64_t>(phase);
        c.base = base;
        c.simulationsBefore = m_simulations;
        c.firstBaselines = m_firstBaselines;
        c.tail = m_tail;
        return c;
    }

    [[nodiscard]] std::int64_t simulations(const Trainer& trainer) const {
        return m_simulations + trainer.simulations();
    }
    [[nodiscard]] double spent(const Trainer& trainer, std::size_t phase) const {
        return m_ledger.ofPhase(phase, m_phases.size(), trainer.updates(), simulations(trainer));
    }

    void tell(CurvePoint point) {
        point.seconds = m_ledger.seconds();
        point.simulations += m_simulations;
        if (std::ssize(m_tail) >= 2 * kTail)
            m_tail.erase(m_tail.begin(), m_tail.begin() + kTail);
        m_tail.push_back(point);
        if (m_context.curve)
            m_context.curve(point);
    }

    void report(const Trainer& trainer, std::size_t phase) {
        if (!trainer.best())
            return;
        const Score& score = trainer.best()->score;
        if (m_context.improved && (m_shown.costNs == 0 || score.betterThan(m_shown))) {
            m_shown = score;
            m_context.improved(trainer.best()->plan, score.timeNs);
        }
        const auto now = m_context.now();
        if (now - m_reported < kReportEvery)
            return;
        m_reported = now;
        const double part = share(phase, m_share * std::clamp(spent(trainer, phase), 0.0, 1.0));
        m_context.report({part, score.timeNs, simulations(trainer), fmt::format("policy, update {}", trainer.updates()),
                          score.feasible});
    }

    /// Of the whole run, at a share of a phase.
    [[nodiscard]] double share(std::size_t phase, double ofPhase) const {
        return (static_cast<double>(phase) + ofPhase) / static_cast<double>(m_phases.size());
    }

    /// Refinement of what the phase decides, from the best plan.
    Result<Plan> refined(std::size_t phase, const Plan& from) {
        Problem problem = m_problem;
        problem.start = from;
        problem.decide.clear();
        for (const DecisionTask* task : m_phases[phase])
            problem.decide.push_back(task->info().id);
        RunContext context = m_context;
        std::int64_t simulations = 0;
        context.progress = [&](const Progress& progress) {
            simulations = progress.simulations;
            Progress whole = progress;
            whole.fraction = share(phase, m_share + (1 - m_share) * progress.fraction);
            whole.simulations += m_simulations;
            whole.verdict = verdict();
            m_context.report(whole);
        };
        context.improved = [this](const Plan& plan, std::int64_t bestNs) { // better than what refinement begins with?
            if (!m_context.improved || (m_shown.costNs > 0 && m_shown.feasible && bestNs >= m_shown.timeNs))
                return;
            m_shown = {bestNs, bestNs, true};
            m_context.improved(plan, bestNs);
        };
        RefineOptions options;
        options.budget = m_ledger.rest(phase, m_phases.size(), m_simulations, m_ofPolicy);
        auto plan = refine(problem, context, options);
        m_simulations += simulations;
        return plan;
    }

    /// The plan as it is; the last report says so when it does not fit in memory.
    Result<Plan> reported(const Plan& plan) const {
        RunContext context;
        context.progress = [this](const Progress& progress) {
            Progress last = progress;
            last.simulations = m_simulations;
            last.verdict = verdict();
            m_context.report(last);
        };
        SearchRun run(m_problem, context, {1, 0});
        (void)run.score(plan);
        return run.finish();
    }

    [[nodiscard]] const std::string& verdict() const {
        return m_keeper.failure().empty() ? m_remark : m_keeper.failure();
    }

    const Problem& m_problem;
    std::span<const DecisionTask* const> m_tasks;
    TrainOptions m_options;
    const RunContext& m_context;
    double m_share;
    Ledger m_ledger;
    CheckpointKeeper m_keeper;
    std::vector<std::vector<const DecisionTask*>> m_phases;
    bool m_hasModel = false;            ///< the policy of the phase began with one
    std::string m_remark;               ///< why it did not
    std::int64_t m_simulations = 0;     ///< of what has ended
    std::int64_t m_ofPolicy = 0;        ///< of the last phase
    std::optional<Checkpoint> m_loaded; ///< until the first phase goes on from it
    std::vector<NamedTime> m_firstBaselines;
    std::vector<CurvePoint> m_tail; ///< the last of the curve
    Score m_shown;
    Clock::time_point m_reported;
};

} // namespace

Result<Plan> train(const Problem& problem, std::span<const DecisionTask* const> tasks, const TrainOptions& options,
                   const RunContext& context) {
    try {
        return Run(problem, tasks, options, context).run();
    } catch (const std::exception& error) { // of torch, which says much and first what it is about
        const std::string_view said = error.what();
        return fail("learning failed: {}; choose a smaller network or fewer samples.", said.substr(0, said.find('\n')));
    }
}

} // namespace opscape::rl

extern "C" __attribute__((visibility("default"))) const opscape::rl::Engine opscapeEngine;
extern "C" const opscape::rl::Engine opscapeEngine{
    opscape::rl::kEngineAbi, &opscape::rl::train,     &opscape::rl::trainHdp,  &opscape::rl::pretrain,
    &opscape::rl::joinCrew,  &opscape::rl::crewPlace, &opscape::rl::readModel, &opscape::rl::modelHash};
