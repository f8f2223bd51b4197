// SPDX-License-Identifier: MIT
// PEFT as it is loaded, against its paper and a plain version of it.
#include "contract/plugins.h"
#include "sim/textbook.h"

namespace opscape::test {
namespace {

void expectAsThePaper(const Textbook& book, std::int64_t makespan) {
    const Problem problem = textbookProblem(book, LinkModel::None);
    const auto plan = solved("peft", problem);
    ASSERT_TRUE(plan.has_value());
    const Plan expected = peft(book);
    EXPECT_EQ(plan->device, expected.device);
    const Schedule schedule = simulated(problem, *plan), published = simulated(problem, expected);
    EXPECT_EQ(schedule.makespanNs, makespan * kUnitNs);
    for (std::size_t t = 0; t < schedule.ops.size(); ++t)
        EXPECT_EQ(schedule.ops[t].startNs, published.ops[t].startNs) << "T" << t + 1;
}

TEST(Peft, Reaches85OnGraphA) { expectAsThePaper(graphA(), 85); }

TEST(Peft, Reaches122OnGraphBStartByStart) { expectAsThePaper(graphB(), 122); }

TEST(Peft, LooksPastTheOpAtHand) {
    // a ends first on d0, but what follows is fast on d1 only, and the tensor between them is dear.
    TinyGraph g;
    const OpId a = g.op("a", 10, {}, 500);
    const OpId b = g.op("b", 400, {a});
    g.edit(a).timeNs["L"] = 20;
    g.edit(b).timeNs["L"] = 30;
    const Problem problem = makeTestProblem(g.build(), {.model = LinkModel::None, .kinds = {"K", "L"}});
    EXPECT_EQ(simulated(problem, *solved("heft", problem)).makespanNs, 410);
    EXPECT_EQ(simulated(problem, *solved("peft", problem)).makespanNs, 50);
}

} // namespace
} // namespace opscape::test
