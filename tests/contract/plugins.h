// SPDX-License-Identifier: MIT
// Every plugin as built, and tiny problems of all sorts to try them on.
#pragma once

#include "sim/test_problem.h"

#include <opscape/task/constraints.h>
#include <opscape/task/plugin.h>

namespace opscape::test {

inline const Registry& plugins() {
    static const Registry kRegistry = [] {
        Registry registry;
        for (const PluginStatus& status : loadPlugins(OPSCAPE_BINARY_DIR "/lib/opscape/plugins", registry))
            EXPECT_TRUE(status.loaded()) << status.file << ": " << status.error;
        return registry;
    }();
    return kRegistry;
}

inline Result<Plan> solved(std::string_view optimizer, const Problem& problem, const RunContext& context = {},
                           const std::vector<std::string>& set = {}) {
    auto made = plugins().makeOptimizer(optimizer);
    auto info = plugins().optimizer(optimizer);
    if (!made || !info)
        return fail("there is no {}", optimizer);
    Options options((*info)->options);
    // Searches are counted, not timed, so that they are quick and give the same again; and networks are small.
    for (const auto& [name, value] : {std::pair("simulations", "60"), std::pair("max-ideals", "500"),
                                      std::pair("nodes", "100"), std::pair("lstm", "8"), std::pair("batch", "16")}) {
        if (std::ranges::count((*info)->options, name, &OptionSpec::name) == 0)
            continue;
        if (auto good = options.set(name, value); !good)
            return fail(good.error());
    }
    for (const std::string& pair : set) {
        if (auto good = options.setPair(pair); !good)
            return fail(good.error());
    }
    Problem ours = problem;
    ours.objective = (*info)->objectives.front();
    return (*made)->solve(ours, options, context);
}

struct NamedProblem {
    std::string name;
    Problem problem;
};

/// One op, chains, independent ops, random graphs with colocation groups; one device, many, of one kind and of two;
/// little memory; no time; no bytes.
inline std::vector<NamedProblem> tinyProblems() {
    using Wiring = ClusterShape::Wiring;
    std::vector<NamedProblem> problems;
    const std::vector<std::pair<std::string, ClusterShape>> clusters{
        {"one device", {.devices = 1}},
        {"two devices", {.devices = 2, .latencyNs = 20}},
        {"eight on a bus", {.devices = 8, .wiring = Wiring::Bus, .memoryBytes = 5000}},
        {"two kinds, blocking", {.devices = 5, .wiring = Wiring::Ports, .blockingSend = true, .kinds = {"K", "L"}}}};
    for (const auto& [clusterName, shape] : clusters) {
        const auto add = [&](const std::string& name, std::shared_ptr<const Graph> graph) {
            problems.push_back({name + " on " + clusterName, makeTestProblem(std::move(graph), shape)});
        };
        TinyGraph one, chain, loose, idle;
        one.op("only", 10, {}, 5);
        OpId last = chain.op("first", 10, {}, 1000);
        for (int i = 0; i < 9; ++i)
            last = chain.op(fmt::format("op{}", i), 10 + i, {last}, 1000);
        for (int i = 0; i < 12; ++i)
            loose.op(fmt::format("op{}", i), 10 + i);
        const OpId first = idle.op("first", 0);
        for (int i = 0; i < 10; ++i)
            idle.op(fmt::format("op{}", i), 0, {first});
        add("one op", one.build());
        add("a chain", chain.build());
        add("independent ops", loose.build());
        add("ops that take no time", idle.build());
        for (std::uint64_t seed = 1; seed <= 6; ++seed) {
            Random random(seed);
            add(fmt::format("random graph {}", seed), randomGraph(random, 5 + random.below(60), true));
        }
    }
    return problems;
}

} // namespace opscape::test
