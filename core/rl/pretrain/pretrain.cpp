// SPDX-License-Identifier: MIT
// Proximal policy optimisation with elites, as on one graph (trainer.cpp), over many: an update draws samples for one
// lesson of every slot, and each epoch is one step of Adam along the mean of their gradients. Rewards are relative to
// the best simple plan of a lesson, so that lessons count alike whatever their step time. Lessons are sorted by size
// and dealt out to the slots; a curriculum opens them from the smallest on. Nothing is imitated: from simple plans a
// policy learns to repeat them, not to beat them.
//
// All processes hold the same weights and the same state of Adam and draw the same lessons; each works on its own
// slots and sums its gradients with the others, so that what they do is decided by the seed alone.
#include <opscape/base/hash.h>
#include <opscape/rl/model/identity.h>
#include <opscape/rl/model/model.h>
#include <opscape/rl/pretrain/pretrain.h>
#include <opscape/rl/pretrain/pretrain_state.h>
#include <opscape/rl/train/base_plan.h>
#include <opscape/rl/train/trainer.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace opscape::rl {
namespace {

constexpr double kFirstOpen = .2;              ///< share of the lessons that a curriculum begins with
constexpr std::uint64_t kUpdatesInTurn = 1000; ///< of a lesson, as published
constexpr int kProposals = 64;
constexpr double kEvaluations = 20; ///< of a training by updates

/// A whole number as two floats that hold it exactly, and that can be summed over processes of which one has it.
constexpr std::int64_t kHalf = 1 << 20;
void putExactly(std::int64_t number, float* halves) {
    halves[0] = static_cast<float>(number / kHalf);
    halves[1] = static_cast<float>(number % kHalf);
}
std::int64_t exactly(const float* halves) { return std::llround(halves[0]) * kHalf + std::llround(halves[1]); }

class Pretraining {
public:
    Pretraining(std::span<const Lesson> lessons, std::span<const Lesson> heldOut,
                std::span<const DecisionTask* const> tasks, const PretrainOptions& options, const Crew& crew,
                const std::function<void(const PretrainPoint&)>& told, const RunContext& context)
        : m_lessons(lessons),
          m_heldOut(heldOut),
          m_options(options),
          m_crew(crew),
          m_told(told),
          m_context(context),
          m_open(lessons.size()),
          m_judged(heldOut.size()) {
        m_quiet.stop = context.stop;
        m_quiet.pause = context.pause;
        m_begin = context.now();
        for (const DecisionTask* task : tasks) { // in the order of the chain
            if (std::ranges::count(options.tasks, task->info().id) > 0)
                m_phase.push_back(task);
        }
        m_slots = std::clamp(options.slots, 1, std::max(1, static_cast<int>(lessons.size())));
    }

    Result<PretrainResult> run(const std::filesystem::path& model) {
        if (auto begun = begin(); !begun)
            return fail(begun.error());
        if (auto kept = keep(); !kept) // while little is lost by a file that cannot be written
            return fail(kept.error());
        bool isStopped = false;
        while (!isStopped) {
            auto goesOn = update();
            if (!goesOn)
                return fail(goesOn.error());
            isStopped = !*goesOn;
        }
        if (m_crew.rank == 0) {
            if (auto kept = keep(); !kept)
                return fail(kept.error());
            if (auto written = writeModel(made(), model); !written)
                return fail(written.error());
        }
        return PretrainResult{m_update, m_simulations, seconds(), m_lastLook};
    }

private:
    Result<> begin() {
        if (m_lessons.empty())
            return fail("there is no lesson to learn from; name a larger set or hold out less.");
        if (m_phase.empty() || m_phase.size() != m_options.tasks.size())
            return fail("there is no decision task for one of \"{}\"; see the list of tasks.",
                        fmt::join(m_options.tasks, ", "));
        if (m_crew.size > m_slots)
            return fail("{} processes share {} lessons an update; take as many slots as processes, or more.",
                        m_crew.size, m_slots);
        dealOut();
        auto first = trainer(m_slotLessons[0][0]);
        if (!first)
            return fail(first.error());
        m_network = (*first)->network();
        m_state.parameters = (*first)->parameters();
        if (m_options.load.empty())
            return {};
        return load();
    }

    /// Smallest first, one to each slot in turn.
    void dealOut() {
        std::vector<std::size_t> order(m_lessons.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::ranges::stable_sort(order, {}, [this](std::size_t i) { return m_lessons[i].problem.graph->opCount(); });
        m_slotLessons.resize(static_cast<std::size_t>(m_slots));
        for (std::size_t i = 0; i < order.size(); ++i)
            m_slotLessons[i % m_slotLessons.size()].push_back(order[i]);
    }

    [[nodiscard]] std::string lessonsHash() const {
        Hasher hash;
        for (const std::span<const Lesson> lessons : {m_lessons, m_heldOut}) {
            hash.value(lessons.size());
            for (const Lesson& lesson : lessons) {
                hash.text(lesson.problem.graph->hash());
                hash.text(lesson.problem.cluster->hash());
            }
        }
        hash.value(m_slots);
        return hash.hex();
    }

    [[nodiscard]] TrainOptions trainOptions(std::uint64_t seed) const {
        TrainOptions options;
        options.network = m_options.network;
        options.groups = m_options.groups;
        options.samples = m_options.samples;
        options.clip = m_options.clip;
        options.entropyBegin = m_options.entropyBegin;
        options.entropyEnd = m_options.entropyEnd;
        options.imitation = false;
        // Rewards are relative to the simple plans, but no good plan is learned again or varied: on one graph that
        // helps, while a policy that repeats plans of its lessons does worse on the super-families it has not seen.
        options.eliteCount = 0;
        options.threads = m_options.threads;
        options.seed = seed;
        return options;
    }

    /// Made ready: its simple plans are simulated.
    Result<std::unique_ptr<Trainer>> makeTrainer(const Lesson& lesson, std::uint64_t seed) const {
        const auto named = [&lesson](const Error& error) { return fail("{}: {}", lesson.name, error.message); };
        const auto base = basePlan(lesson.problem, std::span(&m_phase, 1));
        if (!base)
            return named(base.error());
        auto made = Trainer::make(lesson.problem, m_phase, *base, trainOptions(seed), m_quiet);
        if (!made)
            return named(made.error());
        if (auto warm = made->warmUp(); !warm)
            return named(warm.error());
        return std::make_unique<Trainer>(std::move(*made));
    }

    Result<Trainer*> trainer(std::size_t lesson) {
        if (m_open[lesson] == nullptr) {
            auto made = makeTrainer(m_lessons[lesson], Random(m_context.seed + lesson)());
            if (!made)
                return fail(made.error());
            m_open[lesson] = std::move(*made);
        }
        return m_open[lesson].get();
    }

    Result<> load() {
        auto state = readState<TrainingState>(kTrainingFile, m_options.load);
        if (!state)
            return fail(state.error());
        if (state->lessonsHash != lessonsHash())
            return fail("{}: was trained on other lessons; name the same set, held-out families and seed, or train "
                        "anew.",
                        m_options.load.string());
        if (state->policy.parameters.size() != m_state.parameters.size() || state->seed != m_context.seed)
            return fail("{}: was trained with another network or seed; choose the same, or train anew.",
                        m_options.load.string());
        for (std::size_t i = 0; i < state->lessons.size(); ++i) {
            const auto number = static_cast<std::size_t>(state->opened[i]);
            if (!isMine(number))
                continue;
            auto open = trainer(number);
            if (!open)
                return fail(open.error());
            state->lessons[i].policy.parameters = state->policy.parameters;
            if (auto restored = (*open)->restore(std::move(state->lessons[i]), m_options.load); !restored)
                return fail(restored.error());
        }
        m_state = std::move(state->policy);
        m_update = state->update;
        m_simulations = state->simulations;
        m_before = state->seconds;
        m_curve = std::move(state->curve);
        return {};
    }

    /// Worked on by this process.
    [[nodiscard]] bool isMine(std::size_t lesson) const {
        for (std::size_t slot = 0; slot < m_slotLessons.size(); ++slot) {
            if (std::ranges::count(m_slotLessons[slot], lesson) > 0)
                return static_cast<int>(slot) % m_crew.size == m_crew.rank;
        }
        return false;
    }

    [[nodiscard]] double seconds() const {
        return m_before + std::chrono::duration<double>(m_context.now() - m_begin).count();
    }
    [[nodiscard]] bool isByUpdates() const { return m_options.updates > 0; }
    [[nodiscard]] double progress() const {
        return isByUpdates() ? static_cast<double>(m_update) / static_cast<double>(m_options.updates)
                             : seconds() / m_options.seconds;
    }

    /// What the processes have to agree on before an update; all see what the first one sees.
    struct Agreed {
        double progress = 0;
        bool stops = false, looks = false;
    };
    Result<Agreed> agree() {
        std::vector<float> said(3);
        if (m_crew.rank == 0) {
            said[0] = static_cast<float>(progress());
            said[1] = isTimeToLook() ? 1 : 0;
        }
        said[2] = m_context.stopRequested() ? 1 : 0;
        if (auto summed = sum(said); !summed)
            return fail(summed.error());
        return Agreed{said[0], said[2] > 0, said[1] > 0};
    }

    [[nodiscard]] bool isTimeToLook() const {
        if (m_heldOut.empty())
            return false;
        if (isByUpdates()) {
            const auto every =
                std::max<std::int64_t>(1, std::llround(static_cast<double>(m_options.updates) / kEvaluations));
            return m_update % every == 0 || m_update >= m_options.updates;
        }
        return m_update == 0 || progress() >= 1 || seconds() - m_looked >= m_options.evaluateEvery;
    }

    Result<> sum(std::span<float> values) const {
        if (m_crew.size > 1 && !m_crew.sum(values))
            return fail("another process of the training is gone; start it again from its last state ({}).",
                        m_options.save.empty() ? "none was kept" : m_options.save.string());
        return {};
    }

    /// Which lesson of a slot, the same in every process.
    [[nodiscard]] std::size_t draw(std::size_t slot, double progress) const {
        const std::vector<std::size_t>& all = m_slotLessons[slot];
        const double part =
            m_options.curriculum > 0 ? kFirstOpen + (1 - kFirstOpen) * progress / m_options.curriculum : 1;
        const auto count = static_cast<std::uint32_t>(
            std::clamp(std::ceil(part * static_cast<double>(all.size())), 1.0, static_cast<double>(all.size())));
        Random random(m_context.seed ^ (static_cast<std::uint64_t>(m_update) * 0x9e3779b97f4a7c15ULL + slot));
        switch (m_options.draw) {
        case LessonDraw::InTurn:
            return all[(static_cast<std::uint64_t>(m_update) / kUpdatesInTurn) % count];
        case LessonDraw::Uniform:
            return all[random.below(count)];
        case LessonDraw::ByFamily:
            break;
        }
        std::vector<std::string_view> families;
        for (std::uint32_t i = 0; i < count; ++i) {
            if (std::ranges::count(families, m_lessons[all[i]].family) == 0)
                families.push_back(m_lessons[all[i]].family);
        }
        const std::string_view family = families[random.below(static_cast<std::uint32_t>(families.size()))];
        std::vector<std::size_t> its;
        for (std::uint32_t i = 0; i < count; ++i) {
            if (m_lessons[all[i]].family == family)
                its.push_back(all[i]);
        }
        return its[random.below(static_cast<std::uint32_t>(its.size()))];
    }

    /// False when the training is over.
    Result<bool> update() {
        const auto agreed = agree();
        if (!agreed)
            return fail(agreed.error());
        std::optional<HeldOut> seen;
        if (agreed->looks && !agreed->stops) {
            auto looked = look();
            if (!looked)
                return fail(looked.error());
            seen = *looked;
        }
        if (agreed->stops || agreed->progress >= 1) {
            if (seen)
                tell({.update = m_update, .heldOut = seen}, true);
            return false;
        }
        std::vector<Trainer*> mine;
        std::vector<CurvePoint> points;
        for (std::size_t slot = 0; slot < m_slotLessons.size(); ++slot) {
            if (static_cast<int>(slot) % m_crew.size != m_crew.rank)
                continue;
            const std::size_t number = draw(slot, agreed->progress);
            auto lesson = trainer(number);
            if (!lesson)
                return fail(lesson.error());
            const std::int64_t before = (*lesson)->simulations();
            if (auto set = (*lesson)->setParameters(m_state.parameters); !set)
                return fail(set.error());
            auto point = (*lesson)->collect();
            if (!point)
                return fail("{}: {}", m_lessons[number].name, point.error().message);
            if (!*point)
                return stoppedWithin();
            m_simulationsHere += (*lesson)->simulations() - before;
            mine.push_back(*lesson);
            points.push_back(**point);
        }
        const double rate =
            m_options.learningRate * std::pow(m_options.lastLearningRate / m_options.learningRate, agreed->progress);
        std::vector<float> gradient;
        for (int epoch = 0; epoch < m_options.epochs; ++epoch) {
            gradient.assign(m_state.parameters.size(), 0);
            for (std::size_t i = 0; i < mine.size(); ++i) {
                if (auto set = mine[i]->setParameters(m_state.parameters); !set)
                    return fail(set.error());
                if (!mine[i]->addGradient(agreed->progress, gradient, points[i]))
                    return stoppedWithin();
            }
            if (auto summed = sum(gradient); !summed)
                return fail(summed.error());
            for (float& g : gradient)
                g /= static_cast<float>(m_slots);
            adamStep(m_state.adam, m_state.parameters, gradient, rate, m_options.gradientClip);
        }
        for (Trainer* lesson : mine)
            lesson->letGo();
        return finish(points, seen);
    }

    /// One process alone may leave in the middle of an update; of several all have to, and they find each other gone.
    Result<bool> stoppedWithin() {
        if (m_crew.size > 1)
            return fail("stopped in the middle of an update; start it again from its last state.");
        return false;
    }

    /// Means over the lessons of all processes.
    Result<bool> finish(const std::vector<CurvePoint>& points, const std::optional<HeldOut>& seen) {
        std::vector<float> sums(6);
        for (const CurvePoint& point : points) {
            sums[0] += static_cast<float>(point.reward);
            sums[1] += static_cast<float>(point.entropy);
            sums[2] += static_cast<float>(point.kl);
            sums[3] += static_cast<float>(point.clipFraction);
        }
        sums[4] = static_cast<float>(std::exchange(m_simulationsHere, 0));
        if (auto summed = sum(sums); !summed)
            return fail(summed.error());
        ++m_update;
        m_simulations += std::llround(sums[4]);
        tell({.update = m_update,
              .reward = sums[0] / m_slots,
              .entropy = sums[1] / m_slots,
              .kl = sums[2] / m_slots,
              .clipFraction = sums[3] / m_slots,
              .heldOut = seen});
        if (m_crew.rank == 0 && seconds() - m_kept >= m_options.saveEvery) {
            if (auto kept = keep(); !kept)
                m_failure = kept.error().message; // said at the end, where it is tried again
        }
        return true;
    }

    /// A look is no update of its own, but belongs to the last one.
    void tell(PretrainPoint point, bool isLook = false) {
        point.seconds = seconds();
        point.simulations = m_simulations;
        if (!isLook)
            m_curve.push_back(point);
        else if (!m_curve.empty() && m_curve.back().update == point.update)
            m_curve.back().heldOut = point.heldOut;
        thinOut(m_curve);
        if (m_crew.rank == 0 && m_told)
            m_told(point);
        if (m_crew.rank == 0) {
            m_context.report(
                {std::min(1.0, progress()), -1, m_simulations, fmt::format("update {}", m_update), true, m_failure});
        }
    }

    /// What the policy does on lessons that are held out, each process with its part of them.
    Result<HeldOut> look() {
        m_looked = seconds();
        constexpr std::size_t kTotals = 3, kOfLesson = 6;
        std::vector<float> sums(kTotals + kOfLesson * m_heldOut.size());
        for (std::size_t i = 0; i < m_heldOut.size(); ++i) {
            if (static_cast<int>(i) % m_crew.size != m_crew.rank || m_context.stopRequested())
                continue;
            if (m_judged[i] == nullptr) {
                auto made = makeTrainer(m_heldOut[i], Random(m_context.seed + m_lessons.size() + i)());
                if (!made)
                    return fail(made.error());
                m_judged[i] = std::move(*made);
            }
            Trainer& judged = *m_judged[i];
            if (auto set = judged.setParameters(m_state.parameters); !set)
                return fail(set.error());
            const auto greedy = judged.propose(Draw::Greedy, 1), sampled = judged.propose(Draw::Sample, kProposals);
            if (!greedy || !sampled)
                return fail("{}: {}", m_heldOut[i].name, (greedy ? sampled : greedy).error().message);
            if (!*greedy || !*sampled)
                continue;
            const auto simple = static_cast<double>(judged.referenceNs());
            sums[0] += static_cast<float>(std::log(static_cast<double>((*greedy)->costNs) / simple));
            sums[1] += static_cast<float>(std::log(static_cast<double>((*sampled)->costNs) / simple));
            sums[2] += 1;
            float* its = sums.data() + kTotals + kOfLesson * i;
            putExactly((*greedy)->costNs, its);
            putExactly((*sampled)->costNs, its + 2);
            putExactly(judged.referenceNs(), its + 4);
        }
        if (auto summed = sum(sums); !summed)
            return fail(summed.error());
        HeldOut seen;
        seen.lessons = static_cast<std::size_t>(sums[2]);
        if (sums[2] > 0) {
            seen.greedy = std::exp(sums[0] / sums[2]);
            seen.bestOf64 = std::exp(sums[1] / sums[2]);
            m_lastLook = seen;
            m_lastJudged.clear();
            for (std::size_t i = 0; i < m_heldOut.size(); ++i) {
                const float* its = sums.data() + kTotals + kOfLesson * i;
                if (exactly(its + 4) > 0) // it was looked at
                    m_lastJudged.push_back(row(m_heldOut[i], exactly(its), exactly(its + 2), exactly(its + 4)));
            }
        }
        return seen;
    }

    /// The name of a lesson is that of its graph, " on " and that of its cluster.
    static JudgedLesson row(const Lesson& lesson, std::int64_t greedyNs, std::int64_t bestOf64Ns,
                            std::int64_t simpleNs) {
        constexpr std::string_view kOn = " on ";
        const std::size_t at = lesson.name.rfind(kOn);
        const bool isBoth = at != std::string::npos;
        return {lesson.name.substr(0, at),
                isBoth ? lesson.name.substr(at + kOn.size()) : std::string(),
                lesson.family,
                static_cast<std::int64_t>(lesson.problem.graph->opCount()),
                greedyNs,
                bestOf64Ns,
                simpleNs};
    }

    Result<> keep() {
        if (m_options.save.empty() || m_crew.rank != 0)
            return {};
        m_kept = seconds();
        TrainingState state{lessonsHash(), m_context.seed, m_update, m_simulations, seconds(), m_state, {}, {},
                            m_curve};
        for (std::size_t i = 0; i < m_open.size(); ++i) {
            if (m_open[i] == nullptr)
                continue;
            state.opened.push_back(static_cast<std::int64_t>(i));
            state.lessons.push_back(m_open[i]->checkpoint());
            state.lessons.back().policy = {};
        }
        return writeState(kTrainingFile, state, m_options.save);
    }

    [[nodiscard]] Model made() const {
        Model model;
        model.version = OPSCAPE_VERSION;
        model.network = m_network;
        model.revisions = revisionsOf(m_phase);
        model.recipe = m_options.recipe;
        model.updates = m_update;
        model.simulations = m_simulations;
        model.seconds = seconds();
        if (m_lastLook) {
            model.heldOutLessons = static_cast<std::int64_t>(m_lastLook->lessons);
            model.heldOutGreedy = m_lastLook->greedy;
            model.heldOutBestOf64 = m_lastLook->bestOf64;
            model.judged = m_lastJudged;
        }
        model.curve = m_curve;
        model.parameters = m_state.parameters;
        return model;
    }

    std::span<const Lesson> m_lessons, m_heldOut;
    const PretrainOptions& m_options;
    const Crew& m_crew;
    const std::function<void(const PretrainPoint&)>& m_told;
    const RunContext& m_context;
    RunContext m_quiet;
    std::vector<const DecisionTask*> m_phase;
    std::vector<std::unique_ptr<Trainer>> m_open, m_judged; ///< null until they are needed
    std::vector<std::vector<std::size_t>> m_slotLessons;    ///< numbers of lessons, smallest first
    int m_slots = 1;
    PolicyState m_state;
    std::map<std::string, std::string> m_network;
    std::int64_t m_update = 0, m_simulations = 0, m_simulationsHere = 0;
    std::optional<HeldOut> m_lastLook;
    std::vector<JudgedLesson> m_lastJudged; ///< the same, lesson by lesson
    std::vector<PretrainPoint> m_curve;     ///< thinned out
    RunPause::Clock::time_point m_begin;
    double m_before = 0, m_looked = 0, m_kept = 0; ///< seconds
    std::string m_failure;
};

} // namespace

Result<PretrainResult> pretrain(std::span<const Lesson> lessons, std::span<const Lesson> heldOut,
                                std::span<const DecisionTask* const> tasks, const PretrainOptions& options,
                                const std::filesystem::path& model, const Crew& crew,
                                const std::function<void(const PretrainPoint&)>& told, const RunContext& context) {
    try {
        return Pretraining(lessons, heldOut, tasks, options, crew, told, context).run(model);
    } catch (const std::exception& error) { // of torch, which says much and first what it is about
        const std::string_view said = error.what();
        return fail("learning failed: {}; choose a smaller network or fewer samples.", said.substr(0, said.find('\n')));
    }
}

} // namespace opscape::rl
