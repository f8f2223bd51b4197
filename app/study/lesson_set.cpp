// SPDX-License-Identifier: MIT
// Every lesson has a generator of its own, seeded by the recipe's seed, what the lesson is for and its number, so that
// lessons do not depend on how many there are before them. What cannot be built, has another size than is wanted or
// fits no cluster is drawn again.
#include "lesson_set.h"

#include "graph_families.h"
#include "lesson_clusters.h"
#include "lesson_models.h"

#include <opscape/base/hash.h>
#include <opscape/search/setup.h>
#include <opscape/zoo/random_graphs.h>
#include <opscape/zoo/zoo.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace opscape {
namespace {

enum class Use : std::uint8_t { Training, Validation, HeldOut };

constexpr std::uint32_t kTries = 100;                                            ///< to draw a lesson
constexpr std::uint64_t kMostNumbers = 1'000'000'007, kSeeds = 4 * kMostNumbers; ///< apart, so that seeds are, too

bool isIn(const std::vector<std::string>& names, std::string_view name) { return std::ranges::count(names, name) > 0; }

/// Of the super-families of which nothing is held out, the first of these.
std::vector<std::string> chooseValidation(const std::vector<std::string>& families,
                                          const std::vector<std::string>& holdOut) {
    for (const char* family : {"gpt2", "gnmt", "amoebanet"}) {
        const auto isHeldOut = [&holdOut](std::string_view other) { return isIn(holdOut, other); };
        if (isIn(families, family) && families.size() > 1 &&
            std::ranges::none_of(superFamilyOf(family)->families, isHeldOut))
            return {family};
    }
    return {};
}

std::vector<std::string> without(const std::vector<std::string>& all, const std::vector<std::string>& some) {
    std::vector<std::string> rest;
    std::ranges::copy_if(all, std::back_inserter(rest), [&some](const auto& name) { return !isIn(some, name); });
    return rest;
}

/// Everything that there is in a step, were nothing ever given back.
double allBytes(const Graph& graph) {
    double sum = 0, workspace = 0;
    for (std::size_t t = 0; t < graph.tensorCount(); ++t)
        sum += static_cast<double>(graph.tensorBytes(TensorId(t)));
    for (std::size_t i = 0; i < graph.opCount(); ++i)
        workspace = std::max(workspace, static_cast<double>(opCost(graph, OpId(i)).workspaceBytes));
    return sum + workspace;
}

/// One of the simple plans fits in memory.
bool fitsInMemory(const Problem& problem) {
    double room = HUGE_VAL;
    for (std::size_t d = 0; d < problem.cluster->deviceCount(); ++d) {
        const std::int64_t bytes = problem.cluster->kindOf(DeviceId(d)).memoryBytes;
        room = std::min(room, bytes > 0 ? static_cast<double>(bytes) : HUGE_VAL);
    }
    if (allBytes(*problem.graph) <= room)
        return true;
    const auto setup = SearchSetup::make(problem);
    if (!setup)
        return false;
    const RunContext quiet;
    SearchRun run(problem, quiet, SearchBudget::unlimited());
    const std::vector<ScoredPlan> plans = setup->scoreStarts(run);
    return !plans.empty() && plans.front().score.feasible;
}

std::string hashOf(const LessonSet& set) {
    Hasher hasher;
    for (const auto* lessons : {&set.training, &set.validation, &set.heldOut}) {
        hasher.value(lessons->size());
        for (const rl::Lesson& lesson : *lessons) {
            hasher.text(lesson.name);
            hasher.text(lesson.problem.graph->hash());
            hasher.text(lesson.problem.cluster->hash());
        }
    }
    return hasher.hex();
}

struct NamedGraph {
    std::string name;
    Graph graph;
};
/// None where what was drawn cannot be built.
using DrawGraph = std::function<std::optional<NamedGraph>(Random& random)>;

std::optional<NamedGraph> drawModel(std::string_view family, Random& random) {
    VariedModel varied = varyModel(family, random);
    auto graph = buildZooModel(varied.model, kZooPresets[0], varied.settings);
    if (!graph)
        return std::nullopt;
    return NamedGraph{std::move(varied.name), std::move(*graph)};
}

class Maker {
public:
    Maker(LessonRecipe recipe, const RunContext& context)
        : m_recipe(std::move(recipe)),
          m_context(context),
          m_clusters(m_recipe.leastDevices, m_recipe.mostDevices) {}

    Result<LessonSet> make() {
        if (auto found = findFamilies(); !found)
            return fail(found.error());
        m_all = m_recipe.lessons + m_recipe.validationLessons *
                                       ((m_recipe.validation->empty() ? 0 : 1) + (m_recipe.holdOut.empty() ? 0 : 1));
        for (const auto& part : {&Maker::addWorkloads, &Maker::addTraining, &Maker::addKeptOut}) {
            if (auto added = (this->*part)(); !added)
                return fail(added.error());
        }
        if (m_set.training.empty())
            return fail("the recipe has nothing to learn from; give it lessons or workloads.");
        m_set.hash = hashOf(m_set);
        m_set.recipe = std::move(m_recipe);
        return std::move(m_set);
    }

private:
    Result<> findFamilies() {
        for (std::vector<std::string>* names : {&m_recipe.families, &m_recipe.holdOut}) {
            auto families = expandFamilies(*names);
            if (!families)
                return fail(families.error());
            *names = std::move(*families);
        }
        if (m_recipe.validation) {
            auto families = expandFamilies(*m_recipe.validation);
            if (!families)
                return fail(families.error());
            m_recipe.validation = without(*families, m_recipe.holdOut);
        } else {
            m_recipe.validation = chooseValidation(m_recipe.families, m_recipe.holdOut);
        }
        m_recipe.families = without(without(m_recipe.families, m_recipe.holdOut), *m_recipe.validation);
        if (m_recipe.families.empty() && m_recipe.randomShare < 1 && m_recipe.lessons > 0)
            return fail("no family is left to learn from; hold out fewer, or learn from random graphs alone.");
        return {};
    }

    /// As they were published.
    Result<> addWorkloads() {
        for (const std::string& workload : m_recipe.workloads) {
            const ZooModel* model = findZooModel(workload);
            if (model == nullptr || model->devices < 2)
                return fail("there is no workload {} that was published on several devices.", workload);
            const std::string family = familyOf(workload);
            if (isIn(m_recipe.holdOut, family) || isIn(*m_recipe.validation, family))
                return fail("{} cannot be learned from, since its family {} is kept out.", workload, family);
            auto graph = buildZooModel(workload, kZooPresets[0]);
            if (!graph)
                return fail(graph.error());
            auto cluster = m_clusters.bundled(fmt::format("p100x{}", model->devices));
            if (!cluster)
                return fail(cluster.error());
            add(m_set.training, family, {workload, std::move(*graph)}, *cluster);
        }
        return {};
    }

    Result<> addTraining() {
        std::size_t randoms = 0, others = 0;
        for (std::size_t i = 0; i < m_recipe.lessons; ++i) {
            if (static_cast<double>(randoms) < m_recipe.randomShare * static_cast<double>(i + 1)) {
                const RandomFamily family = kRandomFamilies[randoms++ % kRandomFamilies.size()];
                const DrawGraph draw = [&](Random& random) { return drawRandom(family, i, random); };
                if (auto drawn = addDrawn(m_set.training, Use::Training, i, std::string(toString(family)), draw);
                    !drawn)
                    return drawn;
            } else if (auto drawn = addOf(m_set.training, Use::Training, i,
                                          m_recipe.families[others++ % m_recipe.families.size()]);
                       !drawn) {
                return drawn;
            }
        }
        return {};
    }

    Result<> addKeptOut() {
        const auto add = [this](std::vector<rl::Lesson>& lessons, Use use, const std::vector<std::string>& families) {
            for (std::size_t i = 0; i < m_recipe.validationLessons && !families.empty(); ++i) {
                if (auto drawn = addOf(lessons, use, i, families[i % families.size()]); !drawn)
                    return drawn;
            }
            return Result<>();
        };
        if (auto added = add(m_set.validation, Use::Validation, *m_recipe.validation); !added)
            return added;
        return add(m_set.heldOut, Use::HeldOut, m_recipe.holdOut);
    }

    Result<> addOf(std::vector<rl::Lesson>& lessons, Use use, std::size_t number, const std::string& family) {
        return addDrawn(lessons, use, number, family, [&family](Random& random) { return drawModel(family, random); });
    }

    [[nodiscard]] std::optional<NamedGraph> drawRandom(RandomFamily family, std::size_t number, Random& random) const {
        RandomGraphOptions options{family, m_recipe.seed * kMostNumbers + number * kTries + random.below(kTries)};
        options.mostOps = std::min(m_recipe.mostOps, options.mostOps);
        if (options.mostOps >= 2 * options.leastOps)
            options.leastOps = std::max(m_recipe.leastOps, options.leastOps);
        else // the recipe asks for very small ones
            options.leastOps = m_recipe.leastOps;
        auto graph = randomGraph(options);
        if (!graph)
            return std::nullopt;
        return NamedGraph{graph->name(), std::move(*graph)};
    }

    Result<> addDrawn(std::vector<rl::Lesson>& lessons, Use use, std::size_t number, const std::string& family,
                      const DrawGraph& draw) {
        m_context.report(
            {.fraction = static_cast<double>(m_done++) / static_cast<double>(m_all), .stage = "making lessons"});
        Random random(m_recipe.seed * kSeeds + static_cast<std::uint64_t>(use) * kMostNumbers + number);
        for (std::uint32_t i = 0; i < kTries; ++i) {
            if (m_context.stopRequested())
                return fail("stopped before there were lessons to learn from.");
            auto drawn = draw(random);
            if (!drawn || drawn->graph.opCount() < m_recipe.leastOps || drawn->graph.opCount() > m_recipe.mostOps)
                continue;
            const auto cluster = m_clusters.draw(random);
            if (!cluster)
                return fail(cluster.error());
            add(lessons, family, std::move(*drawn), *cluster);
            if (fitsInMemory(lessons.back().problem))
                return {};
            lessons.pop_back();
            ++m_set.leftOut;
        }
        return fail("no {} of {} to {} ops was found that fits in memory on {} to {} devices; widen these bounds or "
                    "leave the family out.",
                    family, m_recipe.leastOps, m_recipe.mostOps, m_recipe.leastDevices, m_recipe.mostDevices);
    }

    void add(std::vector<rl::Lesson>& lessons, const std::string& family, NamedGraph graph,
             const LessonClusters::Named& cluster) {
        Diagnostics diagnostics; // of graphs whose sizes are all known
        lessons.push_back(
            {fmt::format("{} on {}", graph.name, cluster.name), family,
             makeProblem(std::make_shared<const Graph>(std::move(graph.graph)), cluster.cluster, diagnostics)});
    }

    LessonRecipe m_recipe;
    const RunContext& m_context;
    LessonClusters m_clusters;
    LessonSet m_set;
    std::size_t m_done = 0, m_all = 1; ///< lessons
};

} // namespace

Result<LessonSet> makeLessons(const LessonRecipe& recipe, const RunContext& context) {
    return Maker(recipe, context).make();
}

} // namespace opscape
