// SPDX-License-Identifier: MIT
// Training that goes on from a file, through the optimizer as a person uses it.
#include "contract/plugins.h"
#include "support/sentence.h"
#include "support/stop_after.h"
#include "support/temporary_folder.h"

#include <opscape/base/paths.h>

#include <sys/stat.h>

#include <atomic>
#include <thread>

namespace opscape::test {
namespace {

class Resumed : public testing::Test {
protected:
    [[nodiscard]] Result<Plan> go(std::vector<std::string> files, const RunContext& context = {}) const {
        std::vector<std::string> set{m_budget, "share=0.7", "samples=16", "tasks=all", "hidden=16"};
        set.insert(set.end(), files.begin(), files.end());
        return solved("go", m_problem, context, set);
    }
    [[nodiscard]] std::string refusal(const std::string& file) const {
        const auto plan = go({"resume-from=" + file});
        EXPECT_FALSE(plan.has_value());
        return plan ? "" : plan.error().message;
    }
    [[nodiscard]] static Problem someProblem(std::uint64_t seed) {
        Random random(seed);
        return makeTestProblem(randomGraph(random, 40, true), {.devices = 3, .latencyNs = 20});
    }

    TemporaryFolder m_folder;
    std::string m_file = (m_folder / "training").string();
    Problem m_problem = someProblem(5);
    std::string m_budget = "simulations=700";
};

TEST_F(Resumed, EndsWithThePlanOfARunThatWasNeverStopped) {
    for (const std::string budget : {"simulations=700", "updates=20"}) {
        m_budget = budget;
        const auto whole = go({});
        ASSERT_TRUE(whole.has_value()) << whole.error().message;
        for (const int after : {2, 11}) {
            SCOPED_TRACE(fmt::format("{}, stopped after {} updates", budget, after));
            StopAfter stopped(after);
            ASSERT_TRUE(go({"checkpoint=" + m_file}, stopped.context).has_value());
            ASSERT_EQ(stopped.updates, after);
            RunContext rest;
            std::int64_t first = 0;
            std::size_t baselines = 0;
            rest.curve = [&](const CurvePoint& point) { first = first == 0 ? point.update : first; };
            rest.baselines = [&](const auto& all) { baselines = all.size(); };
            const auto resumed = go({"resume-from=" + m_file, "checkpoint=" + m_file}, rest);
            ASSERT_TRUE(resumed.has_value()) << resumed.error().message;
            EXPECT_EQ(first, after + 1);
            EXPECT_GT(baselines, 2U);
            EXPECT_EQ(*resumed, *whole);
        }
    }
}

TEST_F(Resumed, EndsWithTheSamePlanHoweverOftenAndWheneverItWasStopped) {
    const auto whole = go({});
    ASSERT_TRUE(whole.has_value()) << whole.error().message;
    std::vector<std::string> files{"checkpoint=" + m_file};
    for (int round = 1;; ++round) {
        std::stop_source source;
        RunContext context;
        context.stop = source.get_token();
        std::jthread stopper([&](const std::stop_token& over) {
            for (int ms = 0; ms < 5 * round * round && !over.stop_requested(); ++ms)
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
            source.request_stop();
        });
        const auto plan = go(files, context);
        const bool isStopped = context.stopRequested();
        if (!isStopped) {
            ASSERT_TRUE(plan.has_value()) << plan.error().message;
            EXPECT_EQ(*plan, *whole);
            break;
        }
        if (std::filesystem::exists(m_file) && files.size() == 1)
            files.push_back("resume-from=" + m_file);
    }
}

TEST_F(Resumed, SaysInOneSentenceWhyAFileIsNoUse) {
    ASSERT_TRUE(go({"checkpoint=" + m_file}).has_value());
    const std::string good = readFile(m_file).value_or("");
    std::string damaged = good;
    damaged[good.size() / 2] ^= 1;
    const std::vector<std::pair<std::string, std::string>> files{
        {(m_folder / "missing").string(), "No such file"},
        {m_folder.file("other", "a letter").string(), "is not a checkpoint of Opscape"},
        {m_folder.file("short", good.substr(0, good.size() - 9)).string(), "damaged"},
        {m_folder.file("damaged", damaged).string(), "damaged"}};
    for (const auto& [file, why] : files) {
        const std::string message = refusal(file);
        EXPECT_THAT(message, IsOneSentence());
        EXPECT_THAT(message, testing::HasSubstr(file));
        EXPECT_THAT(message, testing::HasSubstr(why));
    }
    const auto otherNetwork = go({"resume-from=" + m_file, "hidden=24"});
    ASSERT_FALSE(otherNetwork.has_value());
    EXPECT_THAT(otherNetwork.error().message, IsOneSentence());
    EXPECT_THAT(otherNetwork.error().message, testing::HasSubstr(m_file));
    const auto nowhere = go({"checkpoint=" + (m_folder / "no/such/folder").string()});
    ASSERT_FALSE(nowhere.has_value());
    EXPECT_THAT(nowhere.error().message, IsOneSentence());
}

TEST_F(Resumed, AFileIsWaitedForByNobody) {
    const std::string pipe = (m_folder / "pipe").string();
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    for (const std::string& file : {pipe, std::string("/dev/zero")}) {
        EXPECT_THAT(refusal(file), IsOneSentence());
        EXPECT_THAT(refusal(file), testing::HasSubstr(file + ": is not a file"));
    }
}

TEST_F(Resumed, OneTaskAfterTheOtherEndsWithTheSamePlanWhereverItWasStopped) {
    m_budget = "updates=4";
    const std::string separate = "tasks=separate";
    std::vector<std::int64_t> updates;
    RunContext watched;
    watched.curve = [&](const CurvePoint& point) { updates.push_back(point.update); };
    const auto whole = go({separate}, watched);
    ASSERT_TRUE(whole.has_value()) << whole.error().message;
    ASSERT_GE(m_problem.decide.size(), 2u);
    ASSERT_THAT(std::span(updates).first(8), testing::ElementsAre(1, 2, 3, 4, 1, 2, 3, 4));
    const int all = 4 * static_cast<int>(m_problem.decide.size());
    for (const int after : {3, 6, all}) {
        SCOPED_TRACE(fmt::format("stopped after {} updates", after));
        std::stop_source source;
        RunContext context;
        context.stop = source.get_token();
        int count = 0;
        std::size_t baselines = 0;
        context.baselines = [&](const auto& all) { baselines = all.size(); };
        context.curve = [&](const CurvePoint&) {
            if (++count == after)
                source.request_stop();
        };
        ASSERT_TRUE(go({"checkpoint=" + m_file, separate}, context).has_value());
        RunContext rest;
        std::size_t baselinesAgain = 0;
        rest.baselines = [&](const auto& all) { baselinesAgain = all.size(); };
        rest.curve = [&](const CurvePoint&) { ++count; };
        const auto resumed = go({"resume-from=" + m_file, separate}, rest);
        ASSERT_TRUE(resumed.has_value()) << resumed.error().message;
        EXPECT_EQ(*resumed, *whole);
        EXPECT_EQ(count, all);
        EXPECT_EQ(baselinesAgain, baselines);
    }
    const auto together = go({"resume-from=" + m_file});
    ASSERT_FALSE(together.has_value());
    EXPECT_THAT(together.error().message, IsOneSentence());
}

TEST_F(Resumed, SaysWhatItGoesOnFrom) {
    m_budget = "updates=5";
    std::optional<CurvePoint> last;
    RunContext context;
    context.curve = [&](const CurvePoint& point) { last = point; };
    ASSERT_TRUE(go({"checkpoint=" + m_file}, context).has_value());
    std::optional<opscape::Resumed> told;
    RunContext rest;
    rest.resumed = [&](const opscape::Resumed& resumed) { told = resumed; };
    ASSERT_TRUE(go({"resume-from=" + m_file}, rest).has_value());
    ASSERT_TRUE(told.has_value());
    EXPECT_EQ(told->updates, 5);
    EXPECT_EQ(told->simulations, last->simulations);
    EXPECT_EQ(told->bestNs, last->bestNs);
    EXPECT_NEAR(told->seconds, last->seconds, .05);
    EXPECT_FALSE(told->onlyNetwork);
    m_problem = someProblem(6);
    ASSERT_TRUE(go({"resume-from=" + m_file}, rest).has_value());
    EXPECT_TRUE(told->onlyNetwork);
}

TEST_F(Resumed, TheSameRunCountsTheTimeItTook) {
    m_budget = "seconds=0.6";
    ASSERT_TRUE(go({"simulations=1"}).has_value()); // opening the engine counts in a budget of time, once a process
    ASSERT_TRUE(go({"checkpoint=" + m_file, "simulations=0"}).has_value());
    for (const bool isSame : {true, false}) {
        RunContext rest;
        rest.goesOn = isSame;
        int updates = 0;
        std::int64_t before = 0;
        rest.resumed = [&](const opscape::Resumed& resumed) { before = resumed.updates; };
        rest.curve = [&](const CurvePoint& point) { updates += point.update > before ? 1 : 0; };
        ASSERT_TRUE(go({"resume-from=" + m_file, "simulations=0"}, rest).has_value());
        EXPECT_EQ(updates <= 2, isSame) << "the policy has had its share of the budget";
    }
}

TEST_F(Resumed, APauseChangesNothingButHowLongItLasts) {
    const auto whole = go({});
    ASSERT_TRUE(whole.has_value()) << whole.error().message;
    RunContext context;
    context.pause = std::make_shared<RunPause>();
    std::atomic<int> updates = 0;
    double last = 0;
    context.curve = [&](const CurvePoint& point) {
        last = point.seconds;
        if (++updates == 3)
            context.pause->set(true);
    };
    std::jthread lets([&] {
        while (!context.pause->isSet())
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        std::this_thread::sleep_for(std::chrono::milliseconds(60));
        const int before = updates;
        std::this_thread::sleep_for(std::chrono::milliseconds(300));
        EXPECT_EQ(updates, before) << "nothing is learned meanwhile";
        context.pause->set(false);
    });
    const auto begin = context.now();
    const auto plan = go({}, context);
    ASSERT_TRUE(plan.has_value()) << plan.error().message;
    EXPECT_EQ(*plan, *whole);
    EXPECT_GE(context.pause->lost(), std::chrono::milliseconds(360));
    EXPECT_LE(last, std::chrono::duration<double>(context.now() - begin).count()) << "its clock stood still, too";
}

TEST_F(Resumed, TheRecordSaysWhatWasInForce) {
    const auto info = plugins().optimizer("go");
    const auto go = plugins().makeOptimizer("go");
    ASSERT_TRUE(info && go);
    Options options((*info)->options);
    EXPECT_EQ((*go)->inForce(options).toMap(), options.toMap());
    ASSERT_TRUE(options.set("policy", "paper"));
    const auto told = (*go)->inForce(options).toMap();
    for (const char* off : {"imitation", "elites", "search"})
        EXPECT_EQ(told.at(off), "false") << off;
    EXPECT_EQ(told.at("policy"), "paper");
}

TEST_F(Resumed, TakesOnlyTheNetworkWhereTheProblemIsAnother) {
    ASSERT_TRUE(go({"checkpoint=" + m_file}).has_value());
    m_problem.pins.assign(m_problem.graph->opCount(), DeviceId());
    m_problem.pins[7] = DeviceId(2);
    for (const bool isPinned : {true, false}) {
        if (!isPinned)
            m_problem = someProblem(6);
        RunContext context;
        std::int64_t first = 0;
        context.curve = [&](const CurvePoint& point) { first = first == 0 ? point.update : first; };
        const auto plan = go({"resume-from=" + m_file}, context); // checked by the optimizer, pins too
        ASSERT_TRUE(plan.has_value()) << plan.error().message;
        EXPECT_EQ(first, 1);
    }
}

} // namespace
} // namespace opscape::test
