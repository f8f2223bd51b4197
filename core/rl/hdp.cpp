// SPDX-License-Identifier: MIT
// An update draws plans (one, as published), simulates them, and makes those more likely whose reward -sqrt(seconds) is
// above a moving average of rewards (REINFORCE, Williams 1992). A plan that runs out of memory counts as 100 s.
//
// As published: the networks (hdp_policy.h), their widths, reward, baseline, Adam, the norm of the gradient cut off at
// 1, noise on the logits early on. Ours, where the paper is silent or a fixed number does not fit every graph: what an
// op is described by (hdp_graph.h), the blocks of a group's description scaled each for itself, no more groups than
// there are ops, a constant learning rate and the bound of the logits (tried on one graph only), and a baseline
// that begins with the first reward. Ops keep the priorities of upward rank: HDP places and does not order.
#include <opscape/rl/hdp.h>
#include <opscape/rl/hdp_policy.h>
#include <opscape/search/setup.h>

#include <algorithm>
#include <cmath>

namespace opscape::rl {
namespace {

constexpr int kMostGroups = 256, kGroupsPerDevice = 20;

class Run {
public:
    Run(const Problem& problem, const SearchSetup& setup, const HdpOptions& options, const RunContext& context)
        : m_problem(problem),
          m_setup(setup),
          m_options(options),
          m_context(context),
          m_run(problem, context,
                options.updates > 0 ? SearchBudget{options.updates * options.batch, 0} : options.budget),
          m_base(setup.planFor(setup.start().device)) {
        if (!setup.ordersOps() && m_base.policy == QueuePolicy::Order)
            m_base.policy = QueuePolicy::Priority; // made for another placement, a fixed order might wait for itself
    }

    Result<Plan> run() {
        const std::size_t devices = m_problem.cluster->deviceCount();
        const int most = m_options.groups > 0
                             ? m_options.groups
                             : static_cast<int>(std::min<std::size_t>(kMostGroups, kGroupsPerDevice * devices));
        const HdpGraph graph(m_problem, m_setup.groups(), most);
        HdpPolicy policy(graph, devices, m_options, m_context.seed);
        policy.stopWith([this] { return m_context.stopRequested() || (isByTime() && m_run.best() && m_run.isOver()); });
        Random random(m_context.seed ^ 0x9e3779b97f4a7c15ULL);
        for (std::int64_t update = 1; update == 1 || !m_run.isOver(); ++update) {
            m_run.setStage(fmt::format("update {}", update));
            const auto samples =
                policy.sample(samplesLeft(), update <= m_options.noiseUpdates ? m_options.noise : 0, random);
            if (!samples)
                break;
            const std::vector<float> advantage = score(graph, *samples);
            if (advantage.empty())
                break;
            const std::optional<double> loss = policy.learn(advantage);
            tell(update, policy.entropy(), loss);
            if (!loss)
                break;
        }
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
        const std::int64_t left = m_options.budget.simulations - m_run.simulations();
        return static_cast<int>(std::clamp<std::int64_t>(left, 1, m_options.batch));
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
            if (m_context.improved && score && (m_shown.costNs == 0 || score->betterThan(m_shown))) {
                m_shown = *score;
                m_context.improved(m_run.best()->plan, score->timeNs);
            }
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

    void tell(std::int64_t update, double entropy, std::optional<double> loss) const {
        if (!m_context.curve)
            return;
        CurvePoint point;
        point.update = update;
        point.seconds = std::chrono::duration<double>(m_context.now() - m_begin).count();
        point.simulations = m_run.simulations();
        point.reward = m_reward;
        point.bestNs = m_run.best() ? m_run.best()->score.timeNs : -1;
        point.entropy = entropy;
        point.valueBaseline = m_compared;
        if (loss)
            point.policyLoss = *loss;
        m_context.curve(point);
    }

    const Problem& m_problem;
    const SearchSetup& m_setup;
    const HdpOptions& m_options;
    const RunContext& m_context;
    SearchRun m_run;
    Plan m_base; ///< what is not decided here
    Score m_shown;
    std::optional<double> m_baseline;
    double m_reward = 0, m_compared = 0; ///< of the last update: its mean, and what it was compared with
    RunPause::Clock::time_point m_begin = m_context.now();
};

} // namespace

Result<Plan> trainHdp(const Problem& problem, const HdpOptions& options, const RunContext& context) {
    const auto setup = SearchSetup::make(problem);
    if (!setup)
        return fail(setup.error());
    if (!setup->placesOps())
        return setup->planFor(setup->start().device);
    try {
        return Run(problem, *setup, options, context).run();
    } catch (const std::exception& error) { // of torch, which says much and first what it is about
        const std::string_view said = error.what();
        return fail("learning failed: {}; choose smaller networks or fewer plans per update.",
                    said.substr(0, said.find('\n')));
    }
}

} // namespace opscape::rl
