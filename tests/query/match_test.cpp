// SPDX-License-Identifier: MIT
#include "query_fixture.h"

namespace opscape::test {
namespace {

constexpr const char* kAll =
    "encoder/layer_0/matmul, encoder/layer_0/relu, encoder/layer_1/MatMul, /model/conv_12, loss, grad step";

TEST_F(QueryTest, AnEmptyQueryFitsEveryOp) {
    EXPECT_EQ(find(""), kAll);
    EXPECT_EQ(find("  \t "), kAll);
}

TEST_F(QueryTest, WordsAreLookedForInNamesWhateverTheirCase) {
    EXPECT_EQ(find("matmul"), "encoder/layer_0/matmul, encoder/layer_1/MatMul");
    EXPECT_EQ(find("MATMUL layer_1"), "encoder/layer_1/MatMul");
    EXPECT_EQ(find("nowhere"), "");
    EXPECT_EQ(find("\"grad step\""), "grad step");
    EXPECT_EQ(find("\"d s\""), "grad step");
    EXPECT_EQ(find("d s"), find("d and s")) << "without quotes they are two words";
    EXPECT_EQ(find("name:relu"), "encoder/layer_0/relu");
    EXPECT_EQ(find("name=LOSS"), "loss");
    EXPECT_EQ(find("name=los"), "");
    EXPECT_EQ(find("time"), "") << "a field's name alone is a word like any other";
}

TEST_F(QueryTest, ExpressionsAreLookedForInNames) {
    EXPECT_EQ(find("/conv_\\d+$/"), "/model/conv_12");
    EXPECT_EQ(find("/^(encoder|loss)/ not /relu/"), "encoder/layer_0/matmul, encoder/layer_1/MatMul, loss");
    EXPECT_EQ(find("(/MODEL/)"), "/model/conv_12");
    EXPECT_EQ(find("type:/grad$/"), "grad step");
    EXPECT_EQ(find("type!=/mat/"), "encoder/layer_0/relu, /model/conv_12, loss");
}

TEST_F(QueryTest, ANameThatBeginsWithASlashIsNoExpression) {
    EXPECT_EQ(find("/model/conv_12"), "/model/conv_12");
    EXPECT_EQ(find("(/model/conv)"), "/model/conv_12");
    EXPECT_EQ(find("name:/model/c"), "/model/conv_12");
}

TEST_F(QueryTest, TypesScopesAndPhases) {
    EXPECT_EQ(find("type:matmul"), "encoder/layer_0/matmul, encoder/layer_1/MatMul, grad step");
    EXPECT_EQ(find("type=matmul"), "encoder/layer_0/matmul, encoder/layer_1/MatMul");
    EXPECT_EQ(find("type!=matmul"), "encoder/layer_0/relu, /model/conv_12, loss, grad step");
    EXPECT_EQ(find("scope:encoder"), "encoder/layer_0/matmul, encoder/layer_0/relu, encoder/layer_1/MatMul");
    EXPECT_EQ(find("scope=encoder/layer_0"), "encoder/layer_0/matmul, encoder/layer_0/relu");
    EXPECT_EQ(find("scope:layer_1"), "encoder/layer_1/MatMul");
    EXPECT_EQ(find("scope!=encoder"), "/model/conv_12, loss, grad step");
    EXPECT_EQ(find("scope:/layer_[1-9]/"), "encoder/layer_1/MatMul");
    EXPECT_EQ(find("phase:backward"), "grad step");
    EXPECT_EQ(find("phase!=Forward"), "grad step");
}

TEST_F(QueryTest, DevicesGoByNumberLetterOrName) {
    const std::string first = "encoder/layer_0/matmul, encoder/layer_0/relu";
    for (const char* query : {"device:0", "device:A", "device:a", "device:gpu:0", "device=GPU:0", "device!=1"})
        EXPECT_EQ(find(query), first) << query;
    EXPECT_EQ(find("device:c"), "Column 8: there is no device \"c\"; there are A gpu:0, B gpu:1.");
}

TEST_F(QueryTest, TimesAndSizesHaveUnits) {
    EXPECT_EQ(find("time>2ms"), "encoder/layer_0/matmul, grad step");
    EXPECT_EQ(find("time >= 2ms"), "encoder/layer_0/matmul, encoder/layer_1/MatMul, grad step");
    EXPECT_EQ(find("time<0.00005s"), "/model/conv_12, loss");
    EXPECT_EQ(find("time=100us"), "encoder/layer_0/relu");
    EXPECT_EQ(find("time:100us"), "encoder/layer_0/relu");
    EXPECT_EQ(find("mem>1MiB type:matmul"), "encoder/layer_0/matmul, grad step");
    EXPECT_EQ(find("mem<=1KiB"), "/model/conv_12, loss");
    EXPECT_EQ(find("mem<1kb"), "");
    EXPECT_EQ(find("flops>2.5M"), "encoder/layer_0/matmul, grad step");
}

TEST_F(QueryTest, EqualIsToThePrecisionThatWasWrittenAndMoreAndLessAreExact) {
    m_schedule.ops[3].endNs = 321'640;
    for (const char* fits : {"end=322us", "end:0.32ms", "end=321.6us", "end=0.3ms", "end=321640ns"})
        EXPECT_EQ(find(fits), "/model/conv_12") << fits;
    for (const char* fits : {"end=323us", "end=321.7us", "end=321641ns", "end>322us end<0.9ms", "end<=321us"})
        EXPECT_EQ(find(fits), "") << fits;
    EXPECT_EQ(find("end!=322us end<1ms"), "");
    EXPECT_EQ(find("end>321us end<=322us"), "/model/conv_12");
}

TEST_F(QueryTest, BlanksMayStandAroundAComparisonAndBeforeAUnit) {
    const std::string slow = "encoder/layer_0/matmul, grad step";
    for (const char* query : {"time > 2 ms", "time >2 ms", "time> 2\tMS", "(time > 2 ms)", "flops > 2.5 M"})
        EXPECT_EQ(find(query), slow) << query;
    EXPECT_EQ(find("mem <= 1 KiB not loss"), "/model/conv_12");
    EXPECT_EQ(find("time > 2 ms grad"), "grad step");
    EXPECT_EQ(find("in > 1 \"s\""), "loss") << "in quotes it is a word, not a unit";
    EXPECT_EQ(find("time > 2"), "Column 8: \"2\" is no time; write a number with ns, us, ms or s, such as 2ms.");
    EXPECT_EQ(find("time > 2 loss"), "Column 8: \"2\" is no time; write a number with ns, us, ms or s, such as 2ms.");
}

TEST_F(QueryTest, AStopEndsTheSearchWithoutAnAnswer) {
    std::stop_source wish;
    const auto query = Query::parse("relu or time>1ms or scope:encoder");
    ASSERT_TRUE(query);
    EXPECT_EQ(query->match(m_facts, wish.get_token())->size(), 4U);
    wish.request_stop();
    const auto ops = query->match(m_facts, wish.get_token());
    ASSERT_FALSE(ops);
    EXPECT_EQ(ops.error().message, "The search was stopped.");
}

TEST_F(QueryTest, ScheduleAndPlan) {
    EXPECT_EQ(find("start<1ms"), "encoder/layer_0/matmul");
    EXPECT_EQ(find("end>5ms"), "grad step");
    EXPECT_EQ(find("wait>0"), "loss");
    EXPECT_EQ(find("critical not matmul"), "encoder/layer_0/relu, loss, grad step");
    EXPECT_EQ(find("fused"), "encoder/layer_0/matmul, encoder/layer_0/relu");
    EXPECT_EQ(find("cut"), "encoder/layer_0/matmul, encoder/layer_0/relu, encoder/layer_1/MatMul, /model/conv_12");
    EXPECT_EQ(find("priority>=40"), "encoder/layer_0/matmul, encoder/layer_0/relu");
    EXPECT_EQ(find("priority<0"), "grad step");
    EXPECT_EQ(find("\"critical\""), "") << "in quotes it is a word";
}

TEST_F(QueryTest, DegreesCountNeighbours) {
    EXPECT_EQ(find("in:0"), "encoder/layer_0/matmul");
    EXPECT_EQ(find("in>1"), "loss");
    EXPECT_EQ(find("out=2"), "encoder/layer_0/matmul");
    EXPECT_EQ(find("out<1"), "grad step");
}

TEST_F(QueryTest, AndBindsTighterThanOrAndNotTightest) {
    EXPECT_EQ(find("loss or relu"), "encoder/layer_0/relu, loss");
    EXPECT_EQ(find("loss OR encoder relu"), find("loss or (encoder and relu)"));
    EXPECT_EQ(find("(loss or encoder) relu"), "encoder/layer_0/relu");
    EXPECT_EQ(find("not encoder AND not loss"), "/model/conv_12, grad step");
    EXPECT_EQ(find("not (encoder or loss)"), "/model/conv_12, grad step");
    EXPECT_EQ(find("not not loss"), "loss");
    EXPECT_EQ(find("not not not loss or loss"), kAll);
}

TEST_F(QueryTest, WithoutAPlanTimesAreThoseOfTheFirstDeviceAndWhatNeedsThePlanIsRefused) {
    m_facts.plan = nullptr;
    m_facts.schedule = nullptr;
    m_facts.critical = nullptr;
    EXPECT_EQ(find("time>2ms"), "encoder/layer_0/matmul, grad step");
    EXPECT_EQ(find("loss or device:0"), "Column 9: device asks for a plan, and there is none.");
    EXPECT_EQ(find("critical"), "Column 1: critical asks for a plan, and there is none.");
    m_facts.cost = nullptr;
    EXPECT_EQ(find("time>2ms"), "Column 1: time asks for a plan, and there is none.");
}

TEST_F(QueryTest, APlanWithoutPrioritiesOrFusionIsNoMistake) {
    m_plan.priority.clear();
    m_plan.fusionGroup.clear();
    EXPECT_EQ(find("priority>1"), "Column 1: the plan has no priorities: ops run first come, first served.");
    EXPECT_EQ(find("fused"), "");
}

TEST_F(QueryTest, KnowsWhetherTheAnswerHangsOnThePlan) {
    EXPECT_FALSE(Query::parse("a type:b in>2")->asksPlan());
    EXPECT_TRUE(Query::parse("a or (b and not critical)")->asksPlan());
    EXPECT_TRUE(Query::parse("time>1ms")->asksPlan());
    EXPECT_TRUE(Query::parse("")->empty());
    EXPECT_FALSE(Query::parse("a")->empty());
}

} // namespace
} // namespace opscape::test
