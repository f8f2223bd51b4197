// SPDX-License-Identifier: MIT
#include <opscape/rl/train/rollout.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>
#include <thread>

namespace opscape::rl {
namespace {

/// Streams of different samples share nothing.
Random streamOf(std::uint64_t seed, int sample) {
    return Random(seed ^ (static_cast<std::uint64_t>(sample) + 1) * 0xd1342543de82ef95ULL);
}

/// The first of the actions that look alike, of the kind that is likeliest as a whole: "to an idle device", shared
/// among seven of them, is likelier than "to the same device" long before one of the seven is.
int likeliest(std::span<const float> logProbability, std::span<const std::uint8_t> mask) {
    int best = -1;
    double most = 0;
    for (std::size_t a = 0; a < mask.size(); ++a) {
        if (mask[a] == 0)
            continue;
        const auto alike = std::ranges::count(logProbability, logProbability[a]);
        const double mass = static_cast<double>(alike) * std::exp(double{logProbability[a]});
        if (best < 0 || mass > most) {
            best = static_cast<int>(a);
            most = mass;
        }
    }
    return best;
}

int drawFrom(std::span<const float> logProbability, std::span<const std::uint8_t> mask, Draw draw, Random& random) {
    if (draw == Draw::Greedy)
        return likeliest(logProbability, mask);
    double left = random.uniform();
    int last = 0;
    for (std::size_t a = 0; a < mask.size(); ++a) {
        if (mask[a] == 0)
            continue;
        last = static_cast<int>(a);
        left -= std::exp(double{logProbability[a]});
        if (left < 0)
            break;
    }
    return last;
}

} // namespace

void inParallel(int threads, int count, const std::function<void(int thread, int index)>& work) {
    threads = std::clamp(threads, 1, std::max(1, count));
    if (threads == 1) {
        for (int i = 0; i < count; ++i)
            work(0, i);
        return;
    }
    std::atomic<int> next{0};
    std::exception_ptr thrown;
    std::mutex lock;
    const auto loop = [&](int thread) {
        try {
            for (int i = next++; i < count; i = next++)
                work(thread, i);
        } catch (...) {
            const std::lock_guard guard(lock);
            thrown = std::current_exception();
        }
    };
    {
        std::vector<std::jthread> others;
        for (int thread = 1; thread < threads; ++thread)
            others.emplace_back(loop, thread);
        loop(0);
    }
    if (thrown)
        std::rethrow_exception(thrown);
}

Rollouts::Rollouts(const Problem& problem, std::span<const DecisionTask* const> tasks, const DecisionUnits& units,
                   int threads, bool plain)
    : m_units(units),
      m_episodes(static_cast<std::size_t>(std::max(1, threads))) {
    for (Episodes& episodes : m_episodes) {
        for (const DecisionTask* task : tasks) {
            episodes.push_back(plain ? std::make_unique<PlainEpisode>(*task, problem, units)
                                     : task->begin(problem, units));
        }
    }
}

int Rollouts::actionCount(std::size_t task) const { return m_episodes[0][task]->actionCount(); }
int Rollouts::featureCount(std::size_t task) const { return m_episodes[0][task]->featureCount(); }

Result<> Rollouts::run(std::size_t task, const HeadWeights& head, std::span<const float> unitRows, Draw draw,
                       std::uint64_t seed, const RunContext& context, TaskBatch& batch, std::span<Plan> plans,
                       double room) {
    batch.samples = static_cast<int>(plans.size());
    batch.units = static_cast<int>(m_units.count());
    batch.actionCount = actionCount(task);
    batch.features = featureCount(task);
    const std::size_t decisions = plans.size() * m_units.count();
    const std::size_t actions = decisions * static_cast<std::size_t>(batch.actionCount);
    batch.actions.assign(decisions, 0);
    batch.logProbability.assign(decisions, 0);
    batch.seen.assign(actions * static_cast<std::size_t>(batch.features), 0);
    batch.mask.assign(actions, 0);
    const std::size_t width = static_cast<std::size_t>(head.features > 0 ? head.hidden : batch.actionCount);
    const std::size_t block = width * m_units.count();
    std::vector<Head> heads(m_episodes.size(), Head(head));
    std::vector<Result<>> results(plans.size());
    inParallel(static_cast<int>(m_episodes.size()), batch.samples, [&](int thread, int sample) {
        const auto s = static_cast<std::size_t>(sample), t = static_cast<std::size_t>(thread);
        if (context.stopRequested()) {
            results[s] = fail("stopped.");
            return;
        }
        const bool isPerSample = unitRows.size() > block;
        const auto rows = unitRows.empty() ? unitRows : unitRows.subspan(isPerSample ? s * block : 0, block);
        m_episodes[t][task]->setRoom(room);
        results[s] =
            runOne(*m_episodes[t][task], heads[t], rows, draw, streamOf(seed, sample), sample, batch, plans[s]);
    });
    const auto bad = std::ranges::find_if(results, [](const Result<>& result) { return !result; });
    return bad != results.end() ? *bad : Result<>();
}

Result<> Rollouts::runOne(TaskEpisode& episode, Head& head, std::span<const float> unitRows, Draw draw, Random random,
                          int sample, TaskBatch& batch, Plan& plan) const {
    const auto actions = static_cast<std::size_t>(batch.actionCount);
    const std::size_t features = actions * static_cast<std::size_t>(batch.features);
    const std::size_t width = unitRows.size() / m_units.count();
    std::vector<float> logProbability(actions);
    episode.restart(plan);
    for (std::size_t unit = 0; unit < m_units.count(); ++unit) {
        const std::size_t at = static_cast<std::size_t>(sample) * m_units.count() + unit;
        const std::span<std::uint8_t> mask(batch.mask.data() + at * actions, actions);
        const std::span<float> seen(batch.seen.data() + at * features, features);
        episode.look(mask, seen);
        int action = batch.forced.empty() ? TaskBatch::kFree : batch.forced[at];
        if (action == TaskBatch::kFree) {
            head.logProbabilities(unitRows.subspan(unit * width, width), seen, mask, logProbability);
            action = drawFrom(logProbability, mask, draw, random);
            batch.logProbability[at] = logProbability[static_cast<std::size_t>(action)];
        } else {
            action = action < 0 ? TaskBatch::wanted(action) : action;
            if (mask[static_cast<std::size_t>(action)] == 0)
                action = static_cast<int>(std::ranges::find_if(mask, [](auto is) { return is != 0; }) - mask.begin());
        }
        batch.actions[at] = action;
        episode.take(action);
    }
    return episode.write(plan);
}

} // namespace opscape::rl
