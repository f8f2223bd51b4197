// SPDX-License-Identifier: MIT
// An update draws samples task by task: the network is evaluated once per task, the heads unit by unit in the rollouts.
// Half of the samples decide everything anew; the others start from an elite and decide a part anew, and only what they
// decided is learned from. A sample's reward is -sqrt(cost / reference), the cost being step time and memory penalty
// (search_run.h) and the reference the best plan before learning; what counts is how it compares: free samples with
// one another, a varied elite with the elite itself. Where all are equal nothing is learned.
#include <opscape/rl/model/identity.h>
#include <opscape/rl/train/judge.h>
#include <opscape/rl/train/trainer.h>
#include <opscape/sim/ranks.h>

#include <algorithm>
#include <cmath>

namespace opscape::rl {
namespace {

constexpr std::size_t kMostProposals = 48;
constexpr int kImitated = 4;           ///< elites that are learned again in an update
constexpr double kPrefer = 50;         ///< an elite that is 2% worse counts a third of the best
constexpr double kImitateTo = .6;      ///< of the first loss: a policy that is sure of the examples tries nothing else
constexpr double kMostImitation = .05; ///< of the time, where time is the budget
constexpr double kMostAdvantage = 3;
constexpr double kNoSpread = 1e-9;
constexpr double kCannotRun = 10; ///< times the reference is what such a plan counts
constexpr std::size_t kLargeGraph = 40'000;
constexpr int kSamples = 64, kSamplesIfLarge = 32;
constexpr int kPaperDecisions = 8'000,
              kLeastSamples = 4;               ///< of the paper shape, an update: many learn faster than large
constexpr double kOneTaskOnly = .5;            ///< of varied samples, when there are several tasks
constexpr double kKickOne = .5, kKickAll = .2; ///< of them, where one unit or all get an action of pure chance

std::uint64_t mixed(std::uint64_t seed, std::uint64_t a, std::uint64_t b) {
    return Random(seed ^ (a * 0x9e3779b97f4a7c15ULL) ^ (b * 0xc2b2ae3d27d4eb4fULL))();
}

std::size_t levelOf(int groups) {
    const auto at =
        std::ranges::find_if(OpGroups::kSizes, [groups](auto size) { return static_cast<int>(size) >= groups; });
    return std::min<std::size_t>(static_cast<std::size_t>(at - OpGroups::kSizes.begin()), OpGroups::kSizes.size() - 1);
}

/// (value - centre) / spread, clipped; zero where there is no spread.
void standardize(std::span<float> values, bool centred) {
    if (values.empty())
        return;
    const auto count = static_cast<double>(values.size());
    double mean = 0, square = 0;
    for (const float value : values)
        mean += value / count;
    for (const float value : values)
        square += (value - mean) * (value - mean) / count;
    const double spread = std::sqrt(square);
    for (float& value : values) {
        const double from = centred ? mean : 0;
        value = spread < kNoSpread
                    ? 0
                    : static_cast<float>(std::clamp((value - from) / spread, -kMostAdvantage, kMostAdvantage));
    }
}

/// The action of most of the unit's time.
std::vector<int> perUnit(const Problem& problem, const DecisionUnits& units, std::span<const int> perOp, int actions) {
    std::vector<int> result;
    std::vector<std::int64_t> weight(static_cast<std::size_t>(actions));
    for (std::uint32_t unit = 0; unit < units.count(); ++unit) {
        std::ranges::fill(weight, 0);
        for (const OpId op : units.ops(unit))
            weight[static_cast<std::size_t>(perOp[op.index()])] += 1 + problem.cost->fastestNs(op);
        result.push_back(static_cast<int>(std::ranges::max_element(weight) - weight.begin()));
    }
    return result;
}

} // namespace

struct Trainer::Impl {
    Problem problem; ///< a pin holds for all of its unit
    std::vector<const DecisionTask*> tasks;
    Plan base, opened; ///< with and without the tasks' parts
    TrainOptions options;
    const RunContext& context;
    DecisionGraph graph;
    std::optional<Rollouts> rollouts;
    std::optional<Policy> policy;
    std::optional<Judge> judge;
    Elites elites{0};
    LearningBatch elitesBatch; ///< of the elites as they were last
    bool elitesAreNew = true;
    LearningBatch collected; ///< by the last collect()
    std::int64_t update = 0, referenceNs = 0;
    std::vector<NamedTime> baselines;
    int samplesPerUpdate = 0;
    bool isFineTuned = false;
    Clock::time_point proposalsUntil = Clock::time_point::max(), imitationUntil = Clock::time_point::max();

    explicit Impl(const RunContext& c) : context(c) {}

    /// From now on it learns as a policy does that was trained before.
    void fineTune() {
        isFineTuned = true;
        options.imitation = false;
        options.learningRate = std::min(options.learningRate, options.fineTuneRate);
    }
    [[nodiscard]] bool isTimed() const { return proposalsUntil != Clock::time_point::max(); }

    struct Candidate {
        std::string name;
        Plan plan;
        std::vector<std::vector<int>> actions; ///< [task][unit]
        bool isEssential = true;               ///< tasks after the first take the last that they propose
    };

    /// The base plan and what the tasks propose, each with each.
    Result<std::vector<Candidate>> candidates() {
        std::vector<Candidate> all{{"", opened, {}}};
        for (const DecisionTask* task : tasks) {
            std::vector<Candidate> next;
            for (const Candidate& before : all) {
                std::vector<Proposal> proposals{{"default", std::vector<int>(problem.graph->opCount())}};
                task->fallback(problem, proposals[0].actions);
                for (Proposal& proposal : task->proposals(problem, before.plan))
                    proposals.push_back(std::move(proposal));
                for (const Proposal& proposal : proposals) {
                    if (next.size() >= kMostProposals)
                        break;
                    Candidate candidate = before;
                    if (auto applied = task->apply(problem, proposal.actions, candidate.plan); !applied)
                        return fail(applied.error());
                    candidate.isEssential =
                        candidate.isEssential && (task == tasks.front() || &proposal == &proposals.back());
                    candidate.name += (candidate.name.empty() ? "" : ", ") + proposal.name;
                    candidate.actions.push_back(
                        perUnit(problem, graph.units, proposal.actions, task->actionCount(problem)));
                    next.push_back(std::move(candidate));
                }
            }
            all = std::move(next);
        }
        return all;
    }

    /// Runs the decisions of `forced` through all tasks; one plan each.
    Result<std::vector<Plan>> replay(std::span<const Elite> forced, LearningBatch& batch) {
        std::vector<Plan> plans(forced.size(), opened);
        batch.tasks.assign(tasks.size(), {});
        for (std::size_t task = 0; task < tasks.size(); ++task) {
            for (const Elite& elite : forced)
                batch.tasks[task].forced.insert(batch.tasks[task].forced.end(), elite.actions[task].begin(),
                                                elite.actions[task].end());
            HeadWeights head; // not used
            head.features = rollouts->featureCount(task);
            if (auto done = rollouts->run(task, head, {}, Draw::Sample, 0, context, batch.tasks[task], plans); !done)
                return fail(done.error());
        }
        return plans;
    }

    /// The first ones, and the others while there is time.
    std::vector<std::optional<Score>> scoreInTime(std::span<const Plan> plans, std::size_t first) {
        std::vector<std::optional<Score>> scores = judge->score(plans.first(first));
        const auto step = static_cast<std::size_t>(std::max(1, options.threads));
        while (scores.size() < plans.size() && context.now() < proposalsUntil) {
            const std::size_t from = scores.size();
            const auto some = judge->score(plans.subspan(from, std::min(step, plans.size() - from)));
            scores.insert(scores.end(), some.begin(), some.end());
        }
        scores.resize(plans.size());
        return scores;
    }

    Result<> warmUp(std::int64_t mostSimulations) {
        auto proposed = options.imitation || options.elites ? candidates() : Result<std::vector<Candidate>>();
        if (!proposed)
            return fail(proposed.error());
        const auto most = static_cast<std::size_t>(std::max<std::int64_t>(1, (mostSimulations - 1) / 2));
        if (proposed->size() > most) // each is simulated as it is and by units
            proposed->erase(proposed->begin() + static_cast<std::ptrdiff_t>(most), proposed->end());
        std::size_t essential = proposed->size();
        if (isTimed())
            essential -= std::ranges::stable_partition(*proposed, std::identity(), &Candidate::isEssential).size();
        std::vector<Plan> plans{base};
        for (const Candidate& candidate : *proposed)
            plans.push_back(candidate.plan);
        std::vector<std::optional<Score>> scores = scoreInTime(plans, 1 + essential);
        for (std::size_t i = 0; i < scores.size(); ++i) {
            if (scores[i])
                baselines.push_back({i == 0 ? "start" : (*proposed)[i - 1].name, scores[i]->timeNs});
        }
        if (!judge->best())
            return context.stopRequested() ? fail("stopped before there was a plan.")
                                           : fail("neither the start plan nor any proposal can run.");
        referenceNs = std::max<std::int64_t>(1, judge->best()->score.costNs);
        if (context.baselines)
            context.baselines(baselines);
        if (proposed->empty() || context.now() >= imitationUntil)
            return {};
        Elites examples(options.eliteCount);
        std::vector<Elite> asUnits;
        for (Candidate& candidate : *proposed)
            asUnits.push_back({std::move(candidate.actions), {}});
        LearningBatch batch;
        const auto unitPlans = replay(asUnits, batch);
        if (!unitPlans)
            return {}; // stopped
        scores = judge->score(*unitPlans);
        for (std::size_t i = 0; i < scores.size(); ++i) {
            if (!scores[i])
                continue;
            for (std::size_t task = 0; task < tasks.size(); ++task)
                asUnits[i].actions[task] = row(batch.tasks[task], i);
            asUnits[i].score = *scores[i];
            examples.add(std::move(asUnits[i]));
        }
        if (options.imitation && !imitate(examples.all()))
            return {};
        if (options.elites)
            elites.restore(examples.all());
        elitesAreNew = true;
        return {};
    }

    std::vector<int> row(const TaskBatch& batch, std::size_t sample) const {
        const auto begin = batch.actions.begin() + static_cast<std::ptrdiff_t>(sample * graph.units.count());
        return {begin, begin + graph.units.count()};
    }

    /// The best of them as a batch to repeat; those close to the best count most.
    bool makeBatch(std::span<const Elite> all, LearningBatch& batch) {
        const auto some = all.first(std::min<std::size_t>(all.size(), kImitated));
        if (!replay(some, batch))
            return false;
        batch.weight.clear();
        double sum = 0;
        for (const Elite& elite : some) {
            const double worse =
                static_cast<double>(elite.score.costNs) / std::max<double>(1, some[0].score.costNs) - 1;
            batch.weight.push_back(static_cast<float>(std::exp(-kPrefer * worse)));
            sum += batch.weight.back();
        }
        for (float& weight : batch.weight)
            weight = static_cast<float>(weight / sum);
        return true;
    }

    /// False when told to stop.
    bool imitate(std::span<const Elite> examples) {
        LearningBatch batch;
        if (examples.empty() || !makeBatch(examples, batch))
            return !context.stopRequested();
        double first = 0;
        const bool isByTime = options.updates == 0 && options.budget.simulations == 0;
        const auto begin = context.now();
        for (int step = 0; step < options.imitationSteps; ++step) {
            const auto report =
                policy->learn(nullptr, &batch, {.imitation = 1}, options.learningRate, options.gradientClip);
            if (!report)
                return false;
            first = step == 0 ? report->loss : first;
            const std::chrono::duration<double> spent = context.now() - begin;
            if (report->loss < kImitateTo * first ||
                (isByTime && spent.count() > kMostImitation * options.budget.seconds))
                break;
        }
        return true;
    }

    /// Which elite a sample varies; -1: none. Fills what is forced.
    std::vector<int> drawVaried(int samples, std::vector<TaskBatch>& batches) {
        std::vector<int> varied(static_cast<std::size_t>(samples), -1);
        if (elites.empty() || options.variedShare <= 0)
            return varied;
        const std::uint32_t units = graph.units.count();
        for (TaskBatch& batch : batches)
            batch.forced.assign(varied.size() * units, TaskBatch::kFree);
        const int count = static_cast<int>(std::lround(samples * options.variedShare));
        std::vector<std::uint8_t> isFree;
        for (int sample = 0; sample < count; ++sample) {
            Random random(
                mixed(options.seed, static_cast<std::uint64_t>(update), 1000 + static_cast<std::uint64_t>(sample)));
            const std::size_t elite = elites.draw(random);
            varied[static_cast<std::size_t>(sample)] = static_cast<int>(elite);
            Elites::drawFree(graph.units, random, isFree);
            const auto taskCount = static_cast<std::uint32_t>(tasks.size());
            const bool onlyOne = taskCount > 1 && random.uniform() < kOneTaskOnly;
            const std::uint32_t one = random.below(taskCount);
            for (std::uint32_t task = 0; task < taskCount; ++task) {
                const std::span<int> forced(&batches[task].forced[static_cast<std::size_t>(sample) * units], units);
                for (std::uint32_t unit = 0; unit < units; ++unit) {
                    if (isFree[unit] == 0 || (onlyOne && task != one))
                        forced[unit] = elites.all()[elite].actions[task][unit];
                }
                if (!onlyOne || task == one)
                    kick(rollouts->actionCount(task), random, forced);
            }
        }
        return varied;
    }

    /// A policy that is sure of itself tries nothing new, so chance does: one of the free units gets any action, or all
    /// of them the same one. It is not learned from, unless it makes an elite.
    static void kick(int actionCount, Random& random, std::span<int> forced) {
        const double kind = random.uniform();
        if (kind >= kKickOne + kKickAll)
            return;
        const int action = static_cast<int>(random.below(static_cast<std::uint32_t>(actionCount)));
        const auto free = static_cast<std::uint32_t>(std::ranges::count(forced, TaskBatch::kFree));
        const std::uint32_t chosen = random.below(std::max(1u, free));
        std::uint32_t at = 0;
        for (int& unit : forced) {
            if (unit == TaskBatch::kFree && (at++ == chosen || kind < kKickAll))
                unit = TaskBatch::wanted(action);
        }
    }

    /// A plan per sample, decided by the policy as `draw` says, but for what is forced in the batch.
    Result<bool> decide(LearningBatch& batch, std::span<Plan> plans, Draw draw, std::uint64_t stream, double room = 0) {
        for (std::size_t task = 0; task < tasks.size(); ++task) {
            const auto rows = policy->unitRows(task, batch.tasks);
            if (!rows)
                return false;
            const std::uint64_t seed = mixed(options.seed, stream, task);
            if (auto done =
                    rollouts->run(task, policy->head(task), *rows, draw, seed, context, batch.tasks[task], plans, room);
                !done)
                return context.stopRequested() ? Result<bool>(false) : fail(done.error());
        }
        return true;
    }

    void keepElites(const LearningBatch& batch, std::span<const std::optional<Score>> scores) {
        for (std::size_t i = 0; options.elites && i < scores.size(); ++i) {
            if (!scores[i])
                continue;
            Elite elite{{}, *scores[i]};
            for (const TaskBatch& task : batch.tasks)
                elite.actions.push_back(row(task, i));
            elitesAreNew = elites.add(std::move(elite)) || elitesAreNew;
        }
    }

    Result<std::optional<CurvePoint>> collect(int mostSamples) {
        const int samples = std::max(1, std::min(samplesPerUpdate, mostSamples));
        collected = {};
        collected.tasks.resize(tasks.size());
        const std::vector<int> varied = drawVaried(samples, collected.tasks);
        std::vector<Plan> plans(static_cast<std::size_t>(samples), opened);
        const auto decided = decide(collected, plans, Draw::Sample, static_cast<std::uint64_t>(update));
        if (!decided)
            return fail(decided.error());
        if (!*decided)
            return std::nullopt;
        const std::vector<std::optional<Score>> scores = judge->score(plans);
        if (context.stopRequested())
            return std::nullopt;
        CurvePoint point;
        setAdvantages(scores, varied, collected, point);
        keepElites(collected, scores);
        if (elitesAreNew && !elites.empty()) {
            if (!makeBatch(elites.all(), elitesBatch))
                return std::nullopt;
            elitesAreNew = false;
        }
        ++update;
        point.update = update;
        return point;
    }

    Result<std::optional<Score>> propose(Draw draw, int count, double room) {
        LearningBatch batch;
        batch.tasks.resize(tasks.size());
        std::vector<Plan> plans(static_cast<std::size_t>(count), opened);
        constexpr std::uint64_t kStream = 1ULL << 40; // of no update
        const auto decided = decide(batch, plans, draw, kStream + static_cast<std::uint64_t>(draw), room);
        if (!decided)
            return fail(decided.error());
        if (!*decided)
            return std::nullopt;
        const std::vector<std::optional<Score>> scores = judge->score(plans);
        keepElites(batch, scores);
        std::optional<Score> best;
        for (const std::optional<Score>& score : scores) {
            if (score && (!best || score->betterThan(*best)))
                best = score;
        }
        return best;
    }

    void setAdvantages(std::span<const std::optional<Score>> scores, std::span<const int> varied, LearningBatch& batch,
                       CurvePoint& point) const {
        const auto reference = static_cast<double>(referenceNs);
        batch.advantage.resize(scores.size());
        const auto cost = [&](std::size_t i) {
            return std::max(1.0, scores[i] ? static_cast<double>(scores[i]->costNs) : kCannotRun * reference);
        };
        std::size_t first = 0; // of those that vary no elite; they are last
        for (std::size_t i = 0; i < scores.size(); ++i) {
            const double reward = -std::sqrt(cost(i) / reference);
            point.reward += reward / static_cast<double>(scores.size());
            if (varied[i] < 0) {
                batch.advantage[i] = static_cast<float>(reward);
            } else {
                const Score& before = elites.all()[static_cast<std::size_t>(varied[i])].score;
                batch.advantage[i] = static_cast<float>(std::log(std::max<double>(1, before.costNs) / cost(i)));
                first = i + 1;
            }
        }
        const std::span<float> all(batch.advantage);
        const auto free = all.subspan(first);
        double mean = 0;
        for (const float reward : free)
            mean += reward / static_cast<double>(free.size());
        point.valueBaseline = free.empty() ? point.reward : mean;
        standardize(all.first(first), false);
        standardize(free, true);
    }

    [[nodiscard]] LossWeights weightsAt(double progress) const {
        LossWeights weights;
        weights.clip = options.clip;
        weights.entropy =
            options.entropyBegin * std::pow(options.entropyEnd / options.entropyBegin, std::clamp(progress, 0.0, 1.0));
        weights.imitation = options.selfImitation;
        return weights;
    }

    [[nodiscard]] const LearningBatch* toRepeat() const { return elites.empty() ? nullptr : &elitesBatch; }

    bool learn(double progress, CurvePoint& point) {
        for (int epoch = 0; epoch < options.epochs; ++epoch) {
            const auto report =
                policy->learn(&collected, toRepeat(), weightsAt(progress), options.learningRate, options.gradientClip);
            if (!report)
                return false;
            tell(*report, point);
        }
        return true;
    }

    static void tell(const LossReport& report, CurvePoint& point) {
        point.entropy = report.entropy;
        point.kl = report.kl;
        point.clipFraction = report.clipFraction;
        point.policyLoss = report.policyLoss;
        point.imitationLoss = report.imitationLoss;
    }
};

Result<Trainer> Trainer::make(const Problem& problem, std::span<const DecisionTask* const> tasks, const Plan& base,
                              const TrainOptions& options, const RunContext& context) {
    auto impl = std::make_unique<Impl>(context);
    impl->problem = problem;
    impl->tasks.assign(tasks.begin(), tasks.end());
    impl->base = impl->opened = base;
    impl->options = options;
    for (const DecisionTask* task : tasks)
        task->open(impl->opened);
    const auto groups = groupOps(problem, ScopeTree(*problem.graph), upwardRanks(problem), impl->opened.fusionGroup);
    if (!groups)
        return fail(groups.error());
    if (!problem.pins.empty()) {
        for (std::size_t op = 0; op < problem.pins.size(); ++op)
            impl->problem.pins[op] = groups->units.pinOf(OpId(op));
    }
    const bool isPaper = options.network.shape == Shape::Paper;
    impl->graph = isPaper ? opGraph(problem, *groups) : groupedGraph(problem, *groups, levelOf(options.groups));
    impl->rollouts.emplace(impl->problem, tasks, impl->graph.units, options.threads, isPaper);
    std::vector<TaskShape> shapes;
    for (std::size_t task = 0; task < tasks.size(); ++task)
        shapes.push_back(
            {tasks[task]->info().id, impl->rollouts->actionCount(task), impl->rollouts->featureCount(task)});
    impl->policy.emplace(options.network, impl->graph, std::move(shapes), mixed(options.seed, 0, 77));
    impl->policy->stopWith([&context] { return context.stopRequested(); });
    impl->judge.emplace(impl->problem, context, options.threads);
    impl->elites = Elites(options.elites ? options.eliteCount : 0);
    int samples = problem.graph->opCount() >= kLargeGraph ? kSamplesIfLarge : kSamples;
    if (isPaper)
        samples = std::clamp(kPaperDecisions / static_cast<int>(impl->graph.units.count()), kLeastSamples, samples);
    impl->samplesPerUpdate = options.samples > 0 ? options.samples : samples;
    return Trainer(std::move(impl));
}

Trainer::Trainer(std::unique_ptr<Impl> impl) : m_impl(std::move(impl)) {}
Trainer::Trainer(Trainer&&) noexcept = default;
Trainer::~Trainer() = default;

void Trainer::setDeadlines(Clock::time_point proposals, Clock::time_point imitation) {
    m_impl->proposalsUntil = proposals;
    m_impl->imitationUntil = imitation;
}

Result<> Trainer::warmUp(std::int64_t mostSimulations) { return m_impl->warmUp(mostSimulations); }

Result<> Trainer::adopt(const std::vector<float>& parameters) {
    m_impl->fineTune();
    return setParameters(parameters);
}

Result<std::optional<CurvePoint>> Trainer::update(double progress, int mostSamples) {
    const std::int64_t before = m_impl->update;
    auto point = m_impl->collect(mostSamples);
    if (point && *point && !m_impl->learn(progress, **point)) {
        m_impl->update = before; // nothing was learned
        point->reset();
    }
    if (point && *point) {
        (*point)->simulations = simulations();
        (*point)->bestNs = best() ? best()->score.timeNs : -1;
    }
    return point;
}

Result<std::optional<CurvePoint>> Trainer::collect() { return m_impl->collect(m_impl->samplesPerUpdate); }

bool Trainer::addGradient(double progress, std::vector<float>& sum, CurvePoint& point) {
    const auto report =
        m_impl->policy->gradient(&m_impl->collected, m_impl->toRepeat(), m_impl->weightsAt(progress), sum);
    if (report)
        Impl::tell(*report, point);
    return report.has_value();
}

void Trainer::letGo() { m_impl->collected = {}; }

Result<std::optional<Score>> Trainer::propose(Draw draw, int count, double room) {
    return m_impl->propose(draw, count, room);
}

Result<> Trainer::setParameters(const std::vector<float>& parameters) {
    return m_impl->policy->restore({parameters, {}});
}

std::vector<float> Trainer::parameters() const { return m_impl->policy->state().parameters; }
std::map<std::string, std::string> Trainer::network() const {
    return networkText(m_impl->options.network, m_impl->policy->tasks());
}
std::int64_t Trainer::referenceNs() const { return m_impl->referenceNs; }

const std::optional<ScoredPlan>& Trainer::best() const { return m_impl->judge->best(); }
std::int64_t Trainer::simulations() const { return m_impl->judge->simulations(); }
std::int64_t Trainer::updates() const { return m_impl->update; }
int Trainer::samples() const { return m_impl->samplesPerUpdate; }
const std::vector<NamedTime>& Trainer::baselines() const { return m_impl->baselines; }

Checkpoint Trainer::checkpoint() const {
    Checkpoint c;
    c.version = OPSCAPE_VERSION;
    c.graphHash = m_impl->problem.graph->hash();
    c.clusterHash = m_impl->problem.cluster->hash();
    c.settingHash = settingHash(m_impl->base, m_impl->problem.pins, m_impl->graph.units);
    c.network = networkText(m_impl->options.network, m_impl->policy->tasks());
    c.revisions = revisionsOf(m_impl->tasks);
    c.seed = m_impl->options.seed;
    c.update = m_impl->update;
    c.simulations = simulations();
    c.isFineTuned = m_impl->isFineTuned;
    c.policy = m_impl->policy->state();
    c.elites = m_impl->elites.all();
    c.referenceNs = m_impl->referenceNs;
    c.baselines = m_impl->baselines;
    c.best = best();
    return c;
}

Result<bool> Trainer::restore(Checkpoint c, const std::filesystem::path& file, std::int64_t mostSimulations) {
    if (c.network != networkText(m_impl->options.network, m_impl->policy->tasks()))
        return fail("{}: was trained with another network or for other tasks; choose the same policy, tasks and sizes, "
                    "or train anew.",
                    file.string());
    if (c.revisions != revisionsOf(m_impl->tasks))
        return fail("{}: was trained with other versions of the decision tasks; train anew.", file.string());
    if (c.isFineTuned)
        m_impl->fineTune();
    const bool isSame = c.graphHash == m_impl->problem.graph->hash() &&
                        c.clusterHash == m_impl->problem.cluster->hash() &&
                        c.settingHash == settingHash(m_impl->base, m_impl->problem.pins, m_impl->graph.units);
    if (!isSame) {
        if (auto warm = warmUp(mostSimulations); !warm)
            return fail(warm.error());
        c.policy.adam = {};
    }
    if (auto restored = m_impl->policy->restore(c.policy); !restored)
        return fail("{}: {}", file.string(), restored.error().message);
    if (!isSame)
        return false;
    m_impl->options.seed = c.seed;
    m_impl->update = c.update;
    m_impl->judge->addSimulations(c.simulations - m_impl->judge->simulations());
    if (m_impl->options.elites)
        m_impl->elites.restore(std::move(c.elites));
    m_impl->elitesAreNew = true;
    m_impl->referenceNs = c.referenceNs;
    m_impl->baselines = std::move(c.baselines);
    if (m_impl->context.baselines)
        m_impl->context.baselines(m_impl->baselines);
    m_impl->judge->restoreBest(std::move(c.best));
    return true;
}

} // namespace opscape::rl
