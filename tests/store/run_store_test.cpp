// SPDX-License-Identifier: MIT
#include "store_fixture.h"
#include "support/sentence.h"

#include <opscape/store/compression.h>

#include <thread>

namespace opscape::test {
namespace {

using testing::HasSubstr;

const RunResult kResult{5'000'000'000'001, 4'000'000'000'002, 17'000'000'003, 123'456'789, false};

TEST_F(StoreTest, KeepsEveryFieldOfAFinishedRun) {
    RunRecord expected = sampleRun();
    {
        RunStore store = openStore();
        expected.id = beginRun(store);
        ASSERT_TRUE(store.finish(expected.id, RunStatus::Finished, 777, kResult, R"({"plan": 1})", {}));
    }
    expected.status = RunStatus::Finished;
    expected.wallMs = 777;
    expected.result = kResult;
    const RunStore reopened = openStore();
    expected.uid = reopened.get(expected.id)->uid;
    EXPECT_EQ(expected.uid.size(), 32u);
    EXPECT_EQ(*reopened.get(expected.id), expected);
    EXPECT_EQ(*reopened.list(), std::vector{expected});
    EXPECT_EQ(*reopened.graphText(expected.graphHash), kGraphJson);
    EXPECT_EQ(*reopened.clusterText(expected.clusterHash), kClusterJson);
    EXPECT_EQ(*reopened.planText(expected.id), R"({"plan": 1})");
}

TEST_F(StoreTest, ARunThatFailedKeepsItsReasonAndHasNoResult) {
    RunStore store = openStore();
    const std::int64_t id = beginRun(store);
    ASSERT_TRUE(store.finish(id, RunStatus::Failed, 5, std::nullopt, "", "the optimizer ran out of ideas."));
    const auto run = store.get(id);
    EXPECT_EQ(run->status, RunStatus::Failed);
    EXPECT_EQ(run->error, "the optimizer ran out of ideas.");
    EXPECT_FALSE(run->result);
    const auto plan = store.planText(id);
    ASSERT_FALSE(plan);
    EXPECT_THAT(plan.error().message, IsOneSentence());
    EXPECT_THAT(plan.error().message, HasSubstr("the optimizer ran out of ideas."));
}

TEST_F(StoreTest, EmptyTextsStayEmptyTexts) {
    RunStore store = openStore();
    RunRecord run;
    run.options = {{"unset", ""}};
    run.id = *store.begin(run, sampleGraph, {});
    ASSERT_TRUE(store.finish(run.id, RunStatus::Failed, 0, std::nullopt, {}, {}));
    ASSERT_TRUE(store.setNotes(run.id, {}));
    run.status = RunStatus::Failed;
    run.uid = store.get(run.id)->uid;
    EXPECT_EQ(*store.get(run.id), run);
    EXPECT_EQ(*store.clusterText(""), "");
}

TEST_F(StoreTest, AnUnfinishedRunOfThisProcessIsRunningInEveryConnection) {
    RunStore store = openStore();
    const std::int64_t id = beginRun(store);
    EXPECT_EQ(openStore().get(id)->status, RunStatus::Running);
    EXPECT_EQ(store.get(id)->status, RunStatus::Running);
}

TEST_F(StoreTest, ListsTheNewestFirstAndByGraphAndUpToALimit) {
    RunStore store = openStore();
    const std::int64_t first = beginRun(store);
    RunRecord other = sampleRun();
    other.graphHash = "another";
    const std::int64_t second = beginRun(store, other);
    const std::int64_t third = beginRun(store);
    const auto ids = [](const auto& runs) {
        std::vector<std::int64_t> found;
        for (const RunRecord& run : *runs)
            found.push_back(run.id);
        return found;
    };
    EXPECT_EQ(ids(store.list()), (std::vector{third, second, first}));
    EXPECT_EQ(ids(store.list("another")), std::vector{second});
    EXPECT_EQ(ids(store.list(sampleRun().graphHash, 1)), std::vector{third});
    EXPECT_EQ(ids(store.list("unheard of")), std::vector<std::int64_t>{});
}

TEST_F(StoreTest, AsksForAGraphOnlyWhenItIsNotThere) {
    RunStore store = openStore();
    int asked = 0;
    const auto graph = [&asked] {
        ++asked;
        return kGraphJson;
    };
    ASSERT_TRUE(store.begin(sampleRun(), graph, kClusterJson));
    ASSERT_TRUE(store.begin(sampleRun(), graph, kClusterJson));
    EXPECT_EQ(asked, 1);
}

TEST_F(StoreTest, DeletingTheLastRunOfAGraphDeletesTheGraph) {
    RunStore store = openStore();
    const std::int64_t first = beginRun(store);
    const std::int64_t second = beginRun(store);
    ASSERT_TRUE(store.finish(first, RunStatus::Finished, 1, kResult, "{}", ""));
    ASSERT_TRUE(store.remove(first));
    EXPECT_FALSE(store.get(first));
    EXPECT_FALSE(store.planText(first));
    EXPECT_TRUE(store.graphText(sampleRun().graphHash));
    EXPECT_TRUE(store.clusterText(sampleRun().clusterHash));
    ASSERT_TRUE(store.remove(second));
    EXPECT_FALSE(store.graphText(sampleRun().graphHash));
    EXPECT_FALSE(store.clusterText(sampleRun().clusterHash));
}

TEST_F(StoreTest, TheNumberOfADeletedRunIsNotGivenAgain) {
    RunStore store = openStore();
    const std::int64_t first = beginRun(store);
    ASSERT_TRUE(store.remove(first));
    EXPECT_GT(beginRun(store), first);
}

TEST_F(StoreTest, NotesAreReplaced) {
    RunStore store = openStore();
    const std::int64_t id = beginRun(store);
    ASSERT_TRUE(store.setNotes(id, "better than HEFT; \"quoted\" 'text' -- and more"));
    EXPECT_EQ(openStore().get(id)->notes, "better than HEFT; \"quoted\" 'text' -- and more");
}

TEST_F(StoreTest, ARunThatIsNotThereIsNamed) {
    RunStore store = openStore();
    const std::vector<std::string> messages{
        store.get(42).error().message,
        store.planText(42).error().message,
        store.setNotes(42, "x").error().message,
        store.remove(42).error().message,
        store.finish(42, RunStatus::Finished, 0, kResult, "{}", "").error().message,
    };
    for (const std::string& message : messages) {
        EXPECT_THAT(message, IsOneSentence());
        EXPECT_THAT(message, HasSubstr("there is no run 42"));
        EXPECT_THAT(message, HasSubstr(file().string()));
    }
    EXPECT_THAT(store.graphText("nope").error().message, IsOneSentence());
    EXPECT_THAT(store.clusterText("nope").error().message, IsOneSentence());
}

TEST_F(StoreTest, TheDataVersionChangesWhenAnotherConnectionWrites) {
    const RunStore watching = openStore();
    RunStore writing = openStore();
    const auto before = *watching.dataVersion();
    EXPECT_EQ(*watching.dataVersion(), before);
    const std::int64_t id = beginRun(writing);
    const auto after = *watching.dataVersion();
    EXPECT_NE(after, before);
    ASSERT_TRUE(writing.setNotes(id, "seen?"));
    EXPECT_NE(*watching.dataVersion(), after);
}

TEST_F(StoreTest, ManyThreadsKeepTheirRunsAtOnce) {
    constexpr int kThreads = 6;
    constexpr int kRuns = 10;
    std::vector<std::string> errors(kThreads);
    {
        std::vector<std::jthread> threads;
        for (int t = 0; t < kThreads; ++t) {
            threads.emplace_back([this, t, &error = errors[static_cast<std::size_t>(t)]] {
                auto store = RunStore::open(file()); // the first to come creates the file
                if (!store) {
                    error = store.error().message;
                    return;
                }
                RunRecord run = sampleRun();
                run.optimizer = std::to_string(t);
                for (int i = 0; i < kRuns && error.empty(); ++i) {
                    run.seed = static_cast<std::uint64_t>(i);
                    const auto id = store->begin(run, sampleGraph, kClusterJson);
                    if (!id)
                        error = id.error().message;
                    else if (auto done = store->finish(*id, RunStatus::Finished, 1, kResult, "{}", ""); !done)
                        error = done.error().message;
                }
            });
        }
    }
    EXPECT_THAT(errors, testing::Each(""));
    std::map<std::string, std::vector<std::uint64_t>> seeds;
    const auto runs = openStore().list();
    for (const RunRecord& run : *runs) {
        EXPECT_EQ(run.status, RunStatus::Finished);
        seeds[run.optimizer].push_back(run.seed);
    }
    EXPECT_EQ(seeds.size(), kThreads);
    for (const auto& [thread, found] : seeds)
        EXPECT_EQ(found, (std::vector<std::uint64_t>{9, 8, 7, 6, 5, 4, 3, 2, 1, 0}));
}

TEST_F(StoreTest, TheDefaultFileIsInTheFolderForUserData) {
    const std::string before = std::getenv("XDG_DATA_HOME") != nullptr ? std::getenv("XDG_DATA_HOME") : "";
    ::setenv("XDG_DATA_HOME", "/some/data", 1);
    EXPECT_EQ(RunStore::defaultFile(), "/some/data/opscape/runs.sqlite");
    before.empty() ? ::unsetenv("XDG_DATA_HOME") : ::setenv("XDG_DATA_HOME", before.c_str(), 1);
}

TEST(Compression, GivesTheSameTextBackAndRefusesDamage) {
    std::string text;
    for (int i = 0; i < 20'000; ++i)
        text += std::to_string(i * 7919 % 1000) + ",";
    const std::string bytes = compress(text);
    EXPECT_LT(bytes.size(), text.size() / 2);
    EXPECT_EQ(decompress(bytes, text.size()), text);
    EXPECT_EQ(decompress(compress(""), 0), "");
    EXPECT_FALSE(decompress(bytes, text.size() - 1));
    EXPECT_FALSE(decompress(bytes, text.size() + 1));
    EXPECT_FALSE(decompress(bytes.substr(0, bytes.size() / 2), text.size()));
    EXPECT_FALSE(decompress("not compressed at all", 20));
    EXPECT_FALSE(decompress("tiny", std::size_t{1} << 62));
}

TEST(RunStatusNames, AreReadBack) {
    for (const auto status :
         {RunStatus::Running, RunStatus::Finished, RunStatus::Failed, RunStatus::Cancelled, RunStatus::Interrupted})
        EXPECT_EQ(parseRunStatus(toString(status)), status);
    EXPECT_EQ(parseRunStatus("interrupted"), RunStatus::Interrupted) << "as it was called once, and is in the file";
    EXPECT_FALSE(parseRunStatus("asleep"));
}

} // namespace
} // namespace opscape::test
