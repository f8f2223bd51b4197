// SPDX-License-Identifier: MIT
// Coarse to fine. The best quick placements get forward-backward priorities. Then only groups of the coarse levels
// move, hot, so that whole layers find their devices. Then finer
// groups and scopes, cooler. Last, scopes and single ops, cold, while a fifth of the moves change the priority of an op
// that waits for its device; every tenth of this stage begins with forward-backward improvement of the best plan. All
// levels open from the start find worse plans, and so do single ops alone: the landscape is smooth only from afar.
// Large graphs afford few simulations, which are worth more at the coarse levels. Where fusion is to be decided, too,
// the first half goes as above; then the best plan is fused as compilers do by default, if that helps, and fused groups
// move as one, a few times in turn. To fuse first finds worse plans: what one device would fuse is too much to move.
#include <opscape/fusion/fusers.h>
#include <opscape/search/local_search.h>
#include <opscape/search/refine.h>

#include <algorithm>

namespace opscape {
namespace {

constexpr std::size_t kCoarse = 1;        // K64
constexpr double kShareOfPriorities = .1; // of the budget, for those of the quick placements
constexpr std::size_t kLargeGraph = 20'000;
constexpr double kManyStartsFrom = 20'000; // simulations that the budget is good for
constexpr int kManyStarts = 3;
constexpr double kShareOfStarts = .5; // of the budget, when there are several
constexpr int kRounds = 10;           // of forward-backward improvement in the last stage
constexpr int kRoundsIfLarge = 3;
constexpr double kPriorityShare = .2;
constexpr double kShareUnfused = .5; // of the budget, where fusion is to be decided
constexpr int kFusions = 3;          // how often what is fused is decided anew, beside the end

constexpr LevelShares kCoarsest{1, 0, 0, 0, 0, 0};
constexpr LevelShares kOnlyCoarse{0, 1, 0, 0, 0, 0};
constexpr LevelShares kScopes{0, 1, 1, 1, 1, 0};
constexpr LevelShares kFine{0, .5, .5, .5, 1, .2};
constexpr LevelShares kFinest{0, .3, .5, .5, 1, 1};

/// Shares of the budget.
struct Shares {
    double coarse, scopes, ops;
};

class Refiner {
public:
    /// It has the budget from one share of it to another.
    Refiner(const SearchSetup& setup, SearchRun& run, const RefineOptions& options, Random& random, double from = 0,
            double to = 1)
        : m_setup(setup),
          m_run(run),
          m_options(options),
          m_from(from),
          m_to(to),
          m_search(setup.problem(), setup.groups(), run, random),
          m_priorities(setup.problem(), setup.start().fusionGroup),
          m_isLarge(setup.problem().graph->opCount() >= kLargeGraph) {}

    /// `starts` 0: as many as the budget is good for.
    void refine(int starts) {
        const std::vector<ScoredPlan> begin = m_setup.scoreStarts(m_run);
        if (begin.empty() || m_run.isOver())
            return;
        for (std::size_t i = 0; i < begin.size() && (i == 0 || m_run.spent() < at(kShareOfPriorities)); ++i)
            improvePriorities(begin[i]);
        m_bestStart = *m_run.best();
        if (starts == 0) {
            const double spent = std::max(m_run.spent(), 1e-6);
            starts = static_cast<double>(m_run.simulations()) / spent >= kManyStartsFrom ? kManyStarts : 1;
        }
        Shares shares = m_isLarge ? Shares{.5, .4, .1} : Shares{.1, .55, .35};
        if (!m_setup.placesOps())
            shares = {0, 0, 1};
        else if (!m_options.singleOps)
            shares.ops = 0;
        const double sum = shares.coarse + shares.scopes + shares.ops;
        shares = {shares.coarse / sum, shares.scopes / sum, shares.ops / sum};
        if (starts == 1 || !m_setup.placesOps()) {
            walk(begin, shares, m_from, m_to);
        } else {
            const double scopes = shares.scopes / (shares.scopes + shares.coarse);
            for (int i = 0; i < starts; ++i)
                walk(begin, {1 - scopes, scopes, 0}, at(kShareOfStarts * i / starts),
                     at(kShareOfStarts * (i + 1) / starts));
            const double opsAt = shares.ops > 0 ? at((1 + kShareOfStarts) / 2) : m_to;
            walkOn(at(kShareOfStarts), opsAt, {.005, .001}, kScopes, kScopes);
            if (shares.ops > 0)
                walkOps(opsAt, m_to);
        }
        if (m_run.best())
            improvePriorities(*m_run.best());
    }

    /// Fine and cool only, from the best plan so far.
    void goOn() {
        if (!m_setup.placesOps() && !m_setup.ordersOps())
            return;
        if (m_options.singleOps || !m_setup.placesOps())
            walkOps(m_from, m_to);
        else
            walkOn(m_from, m_to, {.005, .001}, kScopes, kScopes);
    }

private:
    [[nodiscard]] double at(double share) const { return m_from + (m_to - m_from) * share; }
    struct Temperatures {
        double hot, cold;
    };

    /// All stages, within a share of the budget.
    void walk(const std::vector<ScoredPlan>& begin, const Shares& shares, double from, double to) {
        const double scopesAt = from + (to - from) * shares.coarse;
        const double opsAt = scopesAt + (to - from) * shares.scopes;
        if (shares.coarse > 0) {
            const ScoredPlan coarse = anneal(coarsened(begin), from, scopesAt, {.05, .002}, kCoarsest, kOnlyCoarse, 0);
            anneal(better(coarse, m_bestStart), scopesAt, opsAt, {.01, .001}, kScopes, kScopes, 0);
        }
        if (shares.ops > 0)
            walkOps(opsAt, to);
    }

    void walkOn(double from, double to, Temperatures t, const LevelShares& levels, const LevelShares& levelsEnd) {
        if (m_run.best())
            anneal(*m_run.best(), from, to, t, levels, levelsEnd, 0);
    }

    void walkOps(double from, double to) {
        constexpr Temperatures kCold{.003, .0003};
        const double priorityShare = !m_setup.ordersOps() ? 0 : m_setup.placesOps() ? kPriorityShare : 1;
        const int rounds = m_isLarge ? kRoundsIfLarge : kRounds;
        for (int round = 0; round < rounds && !m_run.isOver(); ++round) {
            const double begin = static_cast<double>(round) / rounds, end = (round + 1.0) / rounds;
            const auto temperature = [&](double at) { return kCold.hot * std::pow(kCold.cold / kCold.hot, at); };
            const auto levels = [&](double at) {
                LevelShares shares;
                for (std::size_t level = 0; level < shares.size(); ++level)
                    shares[level] = kFine[level] * (1 - at) + kFinest[level] * at;
                return shares;
            };
            improvePriorities(*m_run.best());
            const ScoredPlan& best = *m_run.best();
            const bool mayReorder = best.plan.policy == QueuePolicy::Priority;
            anneal(best, from + (to - from) * begin, from + (to - from) * end, {temperature(begin), temperature(end)},
                   levels(begin), levels(end), mayReorder ? priorityShare : 0);
        }
    }

    ScoredPlan anneal(const ScoredPlan& plan, double from, double to, Temperatures t, const LevelShares& levels,
                      const LevelShares& levelsEnd, double priorityShare) {
        AnnealingStage stage;
        stage.name = levels == kCoarsest ? "coarse groups" : levels == kScopes ? "scopes" : "ops and priorities";
        stage.begin = from;
        stage.end = to;
        stage.hot = t.hot;
        stage.cold = t.cold;
        stage.levelsBegin = levels;
        stage.levelsEnd = levelsEnd;
        stage.priorityShare = priorityShare;
        stage.earlyAbort = m_options.earlyAbort;
        return m_search.anneal(plan, stage);
    }

    /// The best of the starting plans once every coarse group is on one device.
    ScoredPlan coarsened(const std::vector<ScoredPlan>& plans) {
        std::optional<ScoredPlan> best;
        for (const ScoredPlan& from : plans) {
            if (best && m_run.isOver())
                break;
            const GroupLevel& level = m_setup.groups().levels[kCoarse];
            Plan plan = m_setup.planFor(projected(m_setup.problem(), m_setup.groups(), level, from.plan.device));
            if (const auto score = m_run.score(plan); score && (!best || score->betterThan(best->score)))
                best = {std::move(plan), *score};
        }
        return best.value_or(plans.front());
    }

    static const ScoredPlan& better(const ScoredPlan& a, const ScoredPlan& b) {
        return b.score.betterThan(a.score) ? b : a;
    }

    void improvePriorities(const ScoredPlan& from) {
        if (!m_setup.ordersOps() || m_run.isOver())
            return;
        m_run.setStage("priorities");
        const Plan plan = from.plan; // a copy: it may be the run's best, which changes
        (void)m_priorities.improve(m_run, plan);
    }

    const SearchSetup& m_setup;
    SearchRun& m_run;
    const RefineOptions& m_options;
    double m_from, m_to;
    LocalSearch m_search;
    ForwardBackward m_priorities;
    ScoredPlan m_bestStart;
    bool m_isLarge;
};

/// Placement and fusion depend on one another: what is fused is placed as one, and what is placed apart is not fused.
/// So they take turns.
class FusedRefiner {
public:
    FusedRefiner(const Problem& problem, SearchRun& run, const RefineOptions& options, Random& random)
        : m_problem(problem),
          m_run(run),
          m_options(options),
          m_random(random) {}

    Result<> refine() {
        const auto unfused = SearchSetup::make(m_problem);
        if (!unfused)
            return fail(unfused.error());
        (void)m_run.score(unfused->start());
        double from = 0;
        if (unfused->placesOps() || unfused->ordersOps()) {
            from = kShareUnfused;
            Refiner(*unfused, m_run, m_options, m_random, 0, from).refine(m_options.starts);
        }
        for (int round = 0; round < kFusions && m_run.best() && !m_run.isOver(); ++round) {
            fuseAgain();
            Problem problem = m_problem;
            problem.start = m_run.best()->plan;
            const auto setup = SearchSetup::make(problem);
            if (!setup)
                return fail(setup.error());
            Refiner(*setup, m_run, m_options, m_random, from + (1 - from) * round / kFusions,
                    from + (1 - from) * (round + 1) / kFusions)
                .goOn();
        }
        if (m_run.best())
            fuseAgain();
        return {};
    }

private:
    /// Of the best plan, as the default fusers would.
    void fuseAgain() {
        m_run.setStage("fusion");
        const Plan best = m_run.best()->plan;
        for (FusionGroupIds& groups : fusionProposals(m_problem, best.device, Fuser::TimeSaved)) {
            Plan trial = best;
            setFusion(*m_problem.graph, trial, std::move(groups));
            (void)m_run.score(trial);
            if (m_problem.decides("scheduling") && !m_run.isOver())
                (void)ForwardBackward(m_problem, trial.fusionGroup).improve(m_run, trial);
        }
    }

    const Problem& m_problem;
    SearchRun& m_run;
    const RefineOptions& m_options;
    Random& m_random;
};

} // namespace

Result<Plan> refine(const Problem& problem, const RunContext& context, const RefineOptions& options) {
    SearchRun run(problem, context, options.budget);
    Random random(context.seed);
    if (problem.decides("fusion") && problem.objective == Objective::StepTime) {
        if (auto done = FusedRefiner(problem, run, options, random).refine(); !done)
            return fail(done.error());
        return run.finish();
    }
    const auto setup = SearchSetup::make(problem);
    if (!setup)
        return fail(setup.error());
    Refiner(*setup, run, options, random).refine(options.starts);
    return run.finish();
}

} // namespace opscape
