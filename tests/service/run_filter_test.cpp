// SPDX-License-Identifier: MIT
#include "service/run_filter.h"
#include "support/sentence.h"
#include "support/temporary_folder.h"

#include <opscape/store/run_store.h>

#include <gtest/gtest.h>

#include <ctime>

namespace opscape::test {
namespace {

using Ids = std::vector<std::int64_t>;
using testing::HasSubstr;

std::int64_t localMs(int year, int month, int day, int hour) {
    std::tm time{};
    time.tm_year = year - 1900;
    time.tm_mon = month - 1;
    time.tm_mday = day;
    time.tm_hour = hour;
    time.tm_isdst = -1;
    return static_cast<std::int64_t>(std::mktime(&time)) * 1000;
}

/// Filters as they are typed, over runs in a database.
class RunFilter : public testing::Test {
protected:
    RunFilter() : m_store(std::move(*RunStore::open(m_folder / "runs.sqlite"))) {
        add("rnnlm4", "p100x4", "heft", 4'000'000, localMs(2026, 10, 31, 23), {"best"});
        add("rnnlm4", "v100x8", "go", 3'000'000, localMs(2026, 11, 1, 0), {"paper", "best"});
        add("gnmt8", "p100x4", "metis", 9'000'000, localMs(2026, 11, 29, 12), {});
        add("ünïcode net", "p100x4", "", 0, localMs(2027, 1, 1, 5), {});
        EXPECT_TRUE(m_store.setPinned(Ids{3}, true));
        EXPECT_TRUE(m_store.setNotes(3, "to be looked at (again)"));
        EXPECT_TRUE(m_store.appendCurve(2, std::vector<CurvePoint>(1)));
    }
    Ids found(const std::string& filter) const {
        RunQuery query;
        query.ascending = true;
        query.pinnedFirst = false;
        const auto condition = parseRunFilter(filter);
        EXPECT_TRUE(condition) << filter << ": " << condition.error().message;
        if (!condition)
            return {-1};
        query.condition = *condition;
        const auto ids = m_store.find(query);
        EXPECT_TRUE(ids) << filter << ": " << ids.error().message;
        return ids.value_or(Ids{-1});
    }

private:
    void add(const char* graph, const char* cluster, const char* optimizer, std::int64_t ns, std::int64_t startedMs,
             std::vector<std::string> tags) {
        RunRecord run;
        run.graphName = run.graphHash = graph;
        run.clusterId = run.clusterHash = cluster;
        run.linkModel = "fifo";
        run.optimizer = optimizer;
        run.startedMs = startedMs;
        run.tags = std::move(tags);
        run.options = {{"budget", "5"}};
        run.seed = static_cast<std::uint64_t>(ns) + 1;
        const auto id = m_store.begin(
            run, [] { return std::string("{}"); }, "c");
        const RunResult result{ns, ns / 2 + 1, 3 << 20, 1 << 10, ns < 5'000'000};
        EXPECT_TRUE(m_store.finish(*id, ns > 0 ? RunStatus::Finished : RunStatus::Failed, ns / 1'000'000,
                                   ns > 0 ? std::optional(result) : std::nullopt, {}, ns > 0 ? "" : "no plan."));
    }
    TemporaryFolder m_folder;
    RunStore m_store;
};

TEST_F(RunFilter, FindsWordsFieldsAndFigures) {
    EXPECT_EQ(found(""), (Ids{1, 2, 3, 4}));
    EXPECT_EQ(found("  "), (Ids{1, 2, 3, 4}));
    EXPECT_EQ(found("RNN"), (Ids{1, 2}));
    EXPECT_EQ(found("rnn p100"), Ids{1}) << "what stands side by side must hold together";
    EXPECT_EQ(found("graph:rnnlm cluster:v100x8"), Ids{2});
    EXPECT_EQ(found("optimizer=go"), Ids{2});
    EXPECT_EQ(found("optimizer!=go"), (Ids{1, 3, 4}));
    EXPECT_EQ(found("tag:best"), (Ids{1, 2}));
    EXPECT_EQ(found("tag=bes"), Ids{});
    EXPECT_EQ(found("step<4ms"), Ids{2});
    EXPECT_EQ(found("step <= 4ms"), (Ids{1, 2}));
    EXPECT_EQ(found("time>3500us"), (Ids{1, 3}));
    EXPECT_EQ(found("gap>99%"), (Ids{1, 2, 3}));
    EXPECT_EQ(found("memory>=3MiB"), (Ids{1, 2, 3}));
    EXPECT_EQ(found("took>3.5ms"), (Ids{1, 3}));
    EXPECT_EQ(found("status:failed"), Ids{4});
    EXPECT_EQ(found("option:budget=5 run>2"), (Ids{3, 4}));
    EXPECT_EQ(found("seed:4000001"), Ids{1});
    EXPECT_EQ(found("seed:18446744073709551615"), Ids{});
    EXPECT_EQ(found("ünï"), Ids{4});
    EXPECT_EQ(found("note:\"looked at (again)\""), Ids{3});
}

TEST_F(RunFilter, CombinesWithAndOrNotAndBrackets) {
    EXPECT_EQ(found("tag:paper or graph:gnmt"), (Ids{2, 3}));
    EXPECT_EQ(found("not tag:best"), (Ids{3, 4}));
    EXPECT_EQ(found("rnnlm and not (tag:paper or optimizer:metis)"), Ids{1});
    EXPECT_EQ(found("not not rnnlm"), (Ids{1, 2}));
    EXPECT_EQ(found("pinned"), Ids{3});
    EXPECT_EQ(found("not pinned learned"), Ids{2});
    EXPECT_EQ(found("pinned:no fits:yes"), (Ids{1, 2}));
    EXPECT_EQ(found("\"or\""), Ids{}) << "a word, not what combines";
}

TEST_F(RunFilter, DatesAreDaysMonthsAndYears) {
    EXPECT_EQ(found("date:2026-11"), (Ids{2, 3}));
    EXPECT_EQ(found("date:2026-11-29"), Ids{3});
    EXPECT_EQ(found("date:2026"), (Ids{1, 2, 3}));
    EXPECT_EQ(found("date<2026-11"), Ids{1});
    EXPECT_EQ(found("date<=2026-11"), (Ids{1, 2, 3}));
    EXPECT_EQ(found("date>2026-11-01"), (Ids{3, 4}));
    EXPECT_EQ(found("date>=2026-11-01"), (Ids{2, 3, 4}));
}

TEST(RunFilterMistakes, AreOneSentenceThatSaysWhere) {
    const std::vector<std::pair<const char*, const char*>> mistakes{
        {"step<", "Column 6: a value is missing"},
        {"step<4", "a time with its unit"},
        {"memory>much", "a size"},
        {"ops:many", "a number"},
        {"gap<x", "a share"},
        {"date:yesterday", "a date"},
        {"date:2026-13", "a date"},
        {"date:2026-1-1-1", "a date"},
        {"seed<7", "a seed"},
        {"pinned:maybe", "yes or no"},
        {"graph<a", "graph is a text"},
        {"unheard:x", "there is no field \"unheard\""},
        {"a (b", "Column 3: there is no closing bracket"},
        {"a b)", "Column 4: there is no opening bracket"},
        {"()", "before this bracket"},
        {"not", "missing here"},
        {"a or", "missing here"},
        {"or a", "missing"},
        {"\"open", "no closing quote"},
        {"tag:\"", "no closing quote"},
    };
    for (const auto& [filter, what] : mistakes) {
        const auto condition = parseRunFilter(filter);
        ASSERT_FALSE(condition) << filter;
        EXPECT_THAT(condition.error().message, IsOneSentence()) << filter;
        EXPECT_THAT(condition.error().message, HasSubstr(what)) << filter;
    }
    EXPECT_FALSE(parseRunFilter(std::string(5'000, '('))) << "no stack is overflown";
}

TEST(RunFilterFields, AreKnownByTheirNames) {
    EXPECT_EQ(runFieldNamed("STEP"), RunField::StepTime);
    EXPECT_EQ(runFieldNamed("method"), RunField::Optimizer);
    EXPECT_FALSE(runFieldNamed("nothing"));
    EXPECT_THAT(runFieldNames(), HasSubstr("graph, cluster"));
}

} // namespace
} // namespace opscape::test
