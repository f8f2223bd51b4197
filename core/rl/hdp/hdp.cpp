// SPDX-License-Identifier: MIT
// An update draws plans (one, as published), simulates them, and makes those more likely whose reward -sqrt(seconds) is
// above a moving average of rewards (REINFORCE, Williams 1992). A plan that runs out of memory counts as 100 s.
//
// As published: the networks (hdp_policy.h), their widths, reward, baseline, Adam, the norm of the gradient cut off at
// 1, noise on the logits early on. Ours, where the paper is silent or a fixed number does not fit every graph: what an
// op is described by (hdp_graph.h), the blocks of a group's description scaled each for itself, no more groups than
// there are ops, a constant learning rate and the bound of the logits (tried on one graph only), and a baseline
// that begins with the first reward. Ops keep the priorities of upward rank: HDP places and does not order.
#include <opscape/rl/hdp/hdp.h>
#include <opscape/rl/hdp/hdp_policy.h>
#include <opscape/rl/hdp/hdp_state.h>
#include <opscape/rl/model/identity.h>
#include <opscape/search/setup.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <tuple>

namespace opscape::rl {
namespace {

constexpr int kMostGroups = 256, kGroupsPerDevice = 20;
constexpr std::int64_t kKeepEvery = 50;               ///< updates
constexpr auto kKeepAfter = std::chrono::seconds(10); ///< where updates take long
constexpr std::size_t kTail = 500; ///< at least so many points of the curve are kept, and at most twice

/// What is left of a budget that took so much already; at least one simulation, for the best plan so far.
SearchBudget rest(const HdpOptions& options, std::int64_t simulations, double seconds) {
    SearchBudget budget = options.updates > 0 ? SearchBudget{options.updates * options.batch, 0} : options.budget;
    if (budget.simulations > 0)
        budget.simulations = std::max<std::int64_t>(1, budget.simulations - simulations);
    else
        budget.seconds = std::max(1e-3, budget.seconds - seconds);
    return budget;
}

class Run {
public:
    /// `from`: what it goes on from; none where it begins.
    Run(const Problem& problem, const SearchSetup& setup, const HdpOptions& options, const RunContext& context,
        const std::optional<HdpState>& from)
        : m_problem(problem),
          m_setup(setup),
          m_options(options),
          m_context(context),
          m_before(from ? from->simulations - (from->best ? 1 : 0) : 0), // the best plan is simulated again
          m_secondsBefore(from && context.goesOn ? from->seconds : 0),
          m_run(problem, context, rest(options, m_before, m_secondsBefore)),
          m_base(setup.planFor(setup.start().device)),
          m_random(context.seed ^ 0x9e3779b97f4a7c15ULL) {
        if (!setup.ordersOps() && m_base.policy == QueuePolicy::Order)
            m_base.policy = QueuePolicy::Priority; // made for another placement, a fixed order might wait for itself
    }

    Result<Plan> run(const std::optional<HdpState>& from) {
        const std::size_t devices = m_problem.cluster->deviceCount();
        const int most = m_options.groups > 0
                             ? m_options.groups
                             : static_cast<int>(std::min<std::size_t>(kMostGroups, kGroupsPerDevice * devices));
        const HdpGraph graph(m_problem, m_setup.groups(), most);
        HdpPolicy policy(graph, devices, m_options, m_context.seed);
        if (auto ready = begin(graph, policy, from); !ready)
            return fail(ready.error());
        policy.stopWith([this] { return m_context.stopRequested() || (isByTime() && m_run.best() && m_run.isOver()); });
        for (std::int64_t update = m_update + 1; update == 1 || !m_run.isOver(); ++update) {
            m_run.setStage(fmt::format("update {}", update));
            const auto samples =
                policy.sample(samplesLeft(), update <= m_options.noiseUpdates ? m_options.noise : 0, m_random);
            if (!samples)
                break;
            const std::vector<float> advantage = score(graph, *samples);
            if (advantage.empty())
                break;
            const std::optional<double> loss = policy.learn(advantage);
            tell(update, policy.entropy(), loss);
            if (!loss)
                break;
            m_update = update;
            keepNowAndThen(graph, policy);
        }
        std::ignore = write();
        if (!m_run.best())
            return m_context.stopRequested() ? fail("stopped before there was a plan.")
                                             : fail("no plan was found that can run.");
        return m_run.finish();
    }

private:
    [[nodiscard]] bool isByTime() const { return m_options.updates == 0 && m_options.budget.simulations == 0; }

    [[nodiscard]] int samplesLeft() const {
        if (isByTime() || m_options.updates > 0)
            return m_options.batch;
        const std::int64_t left = m_options.budget.simulations - simulations();
        return static_cast<int>(std::clamp<std::int64_t>(left, 1, m_options.batch));
    }

    [[nodiscard]] std::int64_t simulations() const { return m_before + m_run.simulations(); }
    [[nodiscard]] double seconds() const {
        return m_secondsBefore + std::chrono::duration<double>(m_context.now() - m_begin).count();
    }

    Result<> begin(const HdpGraph& graph, HdpPolicy& policy, const std::optional<HdpState>& from) {
        if (!from) {
            if (m_options.save.empty())
                return {};
            m_unwritten = state(graph, policy); // while little is lost where it cannot be written
            return write();
        }
        const HdpState now = state(graph, policy);
        if (from->sizes != now.sizes)
            return fail("{}: was trained with networks of other sizes, or by another rate; choose the same, or train "
                        "anew.",
                        m_options.load.string());
        if (from->graphHash != now.graphHash || from->clusterHash != now.clusterHash ||
            from->settingHash != now.settingHash || !policy.restore(from->policy))
            return fail("{}: was trained on another graph, cluster or start plan, which hdp cannot go on from; train "
                        "anew.",
                        m_options.load.string());
        m_update = from->update;
        m_random = std::bit_cast<Random>(from->random);
        m_baseline = from->baseline;
        if (from->best)
            std::ignore = m_run.score(from->best->plan);
        if (m_context.resumed)
            m_context.resumed(
                {from->update, from->simulations, from->seconds, from->best ? from->best->score.timeNs : -1, false});
        if (!m_context.goesOn)
            return {};
        m_tail = from->tail;
        for (const CurvePoint& point : m_tail) { // what was cut off may not have kept them
            if (m_context.curve)
                m_context.curve(point);
        }
        return {};
    }

    [[nodiscard]] HdpState state(const HdpGraph& graph, const HdpPolicy& policy) const {
        HdpState s;
        s.version = OPSCAPE_VERSION;
        s.graphHash = m_problem.graph->hash();
        s.clusterHash = m_problem.cluster->hash();
        s.settingHash = settingHash(m_base, m_problem.pins, graph.units());
        s.sizes = {{"groups", graph.groupCount()},   {"grouper", m_options.grouperHidden}, {"lstm", m_options.hidden},
                   {"rate", m_options.learningRate}, {"noise", m_options.noise},           {"bound", m_options.bound},
                   {"batch", m_options.batch}};
        s.update = m_update;
        s.simulations = simulations();
        s.seconds = seconds();
        s.policy = policy.state();
        s.random = std::bit_cast<std::array<std::uint64_t, 4>>(m_random);
        s.baseline = m_baseline;
        s.best = m_run.best();
        s.tail = m_tail;
        return s;
    }

    void keepNowAndThen(const HdpGraph& graph, const HdpPolicy& policy) {
        if (m_options.save.empty())
            return;
        m_unwritten = state(graph, policy);
        if (m_update % kKeepEvery == 0 || std::chrono::steady_clock::now() - m_written >= kKeepAfter)
            std::ignore = write(); // one that cannot be written any more is no reason to end
    }

    Result<> write() {
        if (!m_unwritten)
            return {};
        m_written = std::chrono::steady_clock::now();
        auto written = writeState(kHdpFile, *m_unwritten, m_options.save);
        if (written)
            m_unwritten.reset();
        return written;
    }

    [[nodiscard]] Plan planOf(const HdpGraph& graph, const HdpSample& sample) const {
        Plan plan = m_base;
        for (std::size_t op = 0; op < plan.device.size(); ++op) {
            const DeviceId pin = m_setup.groups().units.pinOf(OpId(op));
            const auto group = static_cast<std::size_t>(sample.group[graph.units().unitOf[op]]);
            plan.device[op] = pin.valid() ? pin : DeviceId(static_cast<std::size_t>(sample.device[group]));
        }
        return plan;
    }

    /// Rewards above the baseline, which moves; empty when told to stop.
    std::vector<float> score(const HdpGraph& graph, const std::vector<HdpSample>& samples) {
        std::vector<double> rewards;
        for (const HdpSample& sample : samples) {
            if (m_context.stopRequested())
                return {};
            const auto score = m_run.score(planOf(graph, sample));
            const double seconds =
                score && score->feasible ? static_cast<double>(score->timeNs) / 1e9 : m_options.failureSeconds;
            rewards.push_back(-std::sqrt(seconds));
        }
        m_reward = 0;
        for (const double reward : rewards)
            m_reward += reward / static_cast<double>(rewards.size());
        m_compared = m_baseline.value_or(m_reward);
        m_baseline = m_options.baselineDecay * m_compared + (1 - m_options.baselineDecay) * m_reward;
        std::vector<float> advantage;
        for (const double reward : rewards)
            advantage.push_back(static_cast<float>(reward - m_compared));
        return advantage;
    }

    void tell(std::int64_t update, double entropy, std::optional<double> loss) {
        CurvePoint point;
        point.update = update;
        point.seconds = seconds();
        point.simulations = simulations();
        point.reward = m_reward;
        point.bestNs = m_run.best() ? m_run.best()->score.timeNs : -1;
        point.entropy = entropy;
        point.valueBaseline = m_compared;
        if (loss)
            point.policyLoss = *loss;
        if (m_tail.size() >= 2 * kTail)
            m_tail.erase(m_tail.begin(), m_tail.end() - kTail);
        m_tail.push_back(point);
        if (m_context.curve)
            m_context.curve(point);
    }

    const Problem& m_problem;
    const SearchSetup& m_setup;
    const HdpOptions& m_options;
    const RunContext& m_context;
    std::int64_t m_before;  ///< simulations, as of the file that it goes on from
    double m_secondsBefore; ///< the same
    SearchRun m_run;
    Plan m_base; ///< what is not decided here
    Random m_random;
    std::int64_t m_update = 0; ///< the last whole one
    std::optional<double> m_baseline;
    double m_reward = 0, m_compared = 0; ///< of the last update: its mean, and what it was compared with
    RunPause::Clock::time_point m_begin = m_context.now();
    std::vector<CurvePoint> m_tail;
    std::optional<HdpState> m_unwritten;
    std::chrono::steady_clock::time_point m_written;
};

} // namespace

Result<Plan> trainHdp(const Problem& problem, const HdpOptions& options, const RunContext& context) {
    const auto setup = SearchSetup::make(problem);
    if (!setup)
        return fail(setup.error());
    if (!setup->placesOps())
        return setup->planFor(setup->start().device);
    std::optional<HdpState> from;
    if (!options.load.empty()) {
        auto read = readState<HdpState>(kHdpFile, options.load);
        if (!read)
            return fail(read.error());
        from = std::move(*read);
    }
    try {
        return Run(problem, *setup, options, context, from).run(from);
    } catch (const std::exception& error) { // of torch, which says much and first what it is about
        const std::string_view said = error.what();
        return fail("learning failed: {}; choose smaller networks or fewer plans per update.",
                    said.substr(0, said.find('\n')));
    }
}

} // namespace opscape::rl
