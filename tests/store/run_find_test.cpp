// SPDX-License-Identifier: MIT
#include "store_fixture.h"

namespace opscape::test {
namespace {

using Ids = std::vector<std::int64_t>;
using Kind = RunCondition::Kind;
using Compare = RunCondition::Compare;

RunCondition text(RunField field, std::string words, Compare compare = Compare::Has) {
    RunCondition condition{.kind = Kind::Text, .field = field, .compare = compare};
    condition.text = std::move(words);
    return condition;
}

RunCondition number(RunField field, Compare compare, double value) {
    RunCondition condition{.kind = Kind::Number, .field = field, .compare = compare};
    condition.number = value;
    return condition;
}

RunCondition combined(Kind kind, std::vector<RunCondition> parts) {
    RunCondition condition{.kind = kind};
    condition.parts = std::move(parts);
    return condition;
}

/// Three finished runs of unlike figures, and a fourth that failed.
class RunFind : public StoreTest {
protected:
    RunFind() : store(openStore()) {
        const auto keep = [this](const char* graph, const char* optimizer, std::int64_t ns, std::int64_t boundNs) {
            RunRecord run = sampleRun();
            run.graphName = graph;
            run.graphHash = std::string("hash of ") + graph;
            run.optimizer = optimizer;
            run.notes.clear();
            run.startedMs += ns;
            run.seed = static_cast<std::uint64_t>(ns) | (std::uint64_t{1} << 63);
            keepRun(store, run, {ns, boundNs, ns * 2, ns / 10, ns < 300});
        };
        keep("alpha", "heft", 200, 100);
        keep("Beta", "metis", 100, 99);
        keep("alpha", "go", 300, 290);
        RunRecord failed = sampleRun();
        failed.graphName = "gamma";
        failed.optimizer = "";
        failed.notes = "ran out";
        const std::int64_t id = beginRun(store, failed);
        EXPECT_TRUE(store.finish(id, RunStatus::Failed, 9, std::nullopt, {}, "no luck."));
    }
    [[nodiscard]] Ids found(const RunCondition& condition) const {
        RunQuery query;
        query.condition = condition;
        query.ascending = true;
        const auto ids = store.find(query);
        EXPECT_TRUE(ids) << ids.error().message;
        return ids.value_or(Ids{-1});
    }
    [[nodiscard]] Ids sorted(RunField field, bool ascending) const {
        RunQuery query;
        query.sort = field;
        query.ascending = ascending;
        const auto ids = store.find(query);
        EXPECT_TRUE(ids) << ids.error().message;
        return ids.value_or(Ids{-1});
    }
    RunStore store;
};

TEST_F(RunFind, SortsByEveryFieldAndPutsRunsWithoutAFigureLast) {
    EXPECT_EQ(sorted(RunField::Id, false), (Ids{4, 3, 2, 1}));
    EXPECT_EQ(sorted(RunField::StepTime, true), (Ids{2, 1, 3, 4}));
    EXPECT_EQ(sorted(RunField::StepTime, false), (Ids{3, 1, 2, 4}));
    EXPECT_EQ(sorted(RunField::Gap, true), (Ids{2, 3, 1, 4}));
    EXPECT_EQ(sorted(RunField::Graph, true), (Ids{3, 1, 2, 4})) << "case does not matter, the newer of equals first";
    EXPECT_EQ(sorted(RunField::Optimizer, true).front(), 4) << "a given plan";
    for (int field = 0; field <= static_cast<int>(RunField::Any); ++field) {
        EXPECT_EQ(sorted(static_cast<RunField>(field), true).size(), 4u) << field;
        EXPECT_EQ(sorted(static_cast<RunField>(field), false).size(), 4u) << field;
    }
}

TEST_F(RunFind, PinnedRunsComeFirstInAnyOrder) {
    ASSERT_TRUE(store.setPinned(Ids{1}, true));
    EXPECT_EQ(sorted(RunField::Id, false), (Ids{1, 4, 3, 2}));
    EXPECT_EQ(sorted(RunField::StepTime, true), (Ids{1, 2, 3, 4}));
    EXPECT_EQ(store.list()->front().id, 4) << "a plain list is by number alone";
}

TEST_F(RunFind, FitsTextsAndFiguresAndWhatCombinesThem) {
    EXPECT_EQ(found({}), (Ids{1, 2, 3, 4}));
    EXPECT_EQ(found(text(RunField::Graph, "ALPH")), (Ids{1, 3}));
    EXPECT_EQ(found(text(RunField::Graph, "alph", Compare::Equal)), Ids{});
    EXPECT_EQ(found(text(RunField::Graph, "beta", Compare::Equal)), Ids{2});
    EXPECT_EQ(found(text(RunField::Any, "given")), Ids{4});
    EXPECT_EQ(found(text(RunField::Any, "no luck")), Ids{4});
    EXPECT_EQ(found(text(RunField::Any, "heft")), Ids{1});
    EXPECT_EQ(found(text(RunField::Any, "alphap100x4")), Ids{}) << "words do not reach from one text into the next";
    EXPECT_EQ(found(text(RunField::Option, "budget=12")), (Ids{1, 2, 3, 4}));
    EXPECT_EQ(found(text(RunField::Option, "unheard")), Ids{});
    EXPECT_EQ(found(number(RunField::StepTime, Compare::Less, 250)), (Ids{1, 2}));
    EXPECT_EQ(found(number(RunField::StepTime, Compare::GreaterEqual, 200)), (Ids{1, 3}));
    EXPECT_EQ(found(number(RunField::Gap, Compare::Greater, 0.5)), Ids{1});
    EXPECT_EQ(found(number(RunField::Fits, Compare::Equal, 1)), (Ids{1, 2}));
    EXPECT_EQ(found(combined(Kind::Not, {number(RunField::StepTime, Compare::Less, 250)})), (Ids{3, 4}))
        << "a run without a result is not faster than 250 ns";
    EXPECT_EQ(found(combined(Kind::Any, {text(RunField::Optimizer, "go"), text(RunField::Optimizer, "metis")})),
              (Ids{2, 3}));
    EXPECT_EQ(found(combined(Kind::All,
                             {text(RunField::Graph, "alpha"), combined(Kind::Not, {text(RunField::Optimizer, "go")})})),
              Ids{1});
    EXPECT_EQ(found(combined(Kind::Any, {})), Ids{});
}

TEST_F(RunFind, SeedsOf64BitsAreFoundWhole) {
    RunCondition seed = number(RunField::Seed, Compare::Equal, 0);
    seed.isWhole = true;
    seed.whole = static_cast<std::int64_t>(std::uint64_t{100} | (std::uint64_t{1} << 63));
    EXPECT_EQ(found(seed), Ids{2});
}

TEST_F(RunFind, ATextIsATextWhateverItHolds) {
    for (const char* evil : {"'", "\"", "%", "_", "'; DROP TABLE runs; --", "?1", "\\"})
        EXPECT_EQ(found(text(RunField::Any, evil)), Ids{}) << evil;
    EXPECT_EQ(*store.count(), 4);
}

TEST_F(RunFind, IsOfOneGraphWhereThatIsAsked) {
    RunQuery query;
    query.graphHash = "hash of alpha";
    EXPECT_EQ(*store.find(query), (Ids{3, 1}));
}

TEST_F(RunFind, RecordsComeInTheOrderThatIsAskedWithoutThoseThatAreGone) {
    const auto runs = store.get(Ids{3, 99, 1});
    ASSERT_EQ(runs->size(), 2u);
    EXPECT_EQ(runs->at(0), *store.get(3));
    EXPECT_EQ(runs->at(1), *store.get(1));
}

TEST_F(RunFind, ListsTheRunsThatLearn) {
    ASSERT_TRUE(store.appendCurve(1, std::vector<CurvePoint>(1)));
    ASSERT_TRUE(store.appendCurve(3, std::vector<CurvePoint>(1)));
    EXPECT_EQ(store.listLearning(5)->size(), 2u);
    EXPECT_EQ(store.listLearning(1)->front().id, 3);
}

} // namespace
} // namespace opscape::test
