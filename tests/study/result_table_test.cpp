// SPDX-License-Identifier: MIT
#include "study/result_table.h"
#include "support/sentence.h"
#include "support/temporary_folder.h"

#include <opscape/base/paths.h>

#include <gtest/gtest.h>

namespace opscape::test {
namespace {

ResultRow sampleRow() {
    return {"gnmt8", "paper", 8, "refine", "fbi", "time-saved", 3, 0.5, 123'456'789, 100'000'000, true, 0.517, 4'321};
}

class Results : public testing::Test {
protected:
    [[nodiscard]] std::filesystem::path file() const { return m_folder / "table.csv"; }
    [[nodiscard]] std::string text() const { return *readFile(file()); }
    TemporaryFolder m_folder;
};

TEST_F(Results, AreReadBackAsTheyWereWritten) {
    auto table = ResultTable::open(file());
    ASSERT_TRUE(table);
    ResultRow outOfMemory = sampleRow();
    outOfMemory.optimizer = "metis";
    outOfMemory.feasible = false;
    ASSERT_TRUE(table->add(sampleRow(), {"opscape-cli bench baselines", "2 cores", "abc"}));
    ASSERT_TRUE(table->add(outOfMemory, {"opscape-cli bench baselines", "2 cores", "abc"}));
    const auto again = ResultTable::open(file());
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ(again->rows(), (std::vector{sampleRow(), outOfMemory}));
    EXPECT_TRUE(text().starts_with("workload,preset,devices,optimizer,scheduler,fuser,seed,budget_s,step_time_ns,"
                                   "lower_bound_ns,feasible,wall_s,simulations\n# opscape-cli bench baselines; 2 "
                                   "cores; commit abc\ngnmt8,paper,8,refine,fbi,time-saved,3,0.5,123456789,100000000,"
                                   "yes,0.517,4321\n"))
        << text();
}

TEST_F(Results, GoOnInTheSameFileUnderTheirOwnProvenance) {
    ASSERT_TRUE(ResultTable::open(file())->add(sampleRow(), {"first", "m", "a"}));
    auto table = ResultTable::open(file());
    ResultRow other = sampleRow();
    other.seed = 4;
    EXPECT_NE(table->find(sampleRow()), nullptr);
    EXPECT_EQ(table->find(other), nullptr);
    ASSERT_TRUE(table->add(other, {"second", "m", "b"}));
    EXPECT_EQ(ResultTable::open(file())->rows().size(), 2U);
    EXPECT_NE(text().find("# second; m; commit b\n"), std::string::npos);
}

TEST_F(Results, OfAnotherKindAreRefusedWithTheirLine) {
    for (const std::string wrong : {"a,b,c\n", "nonsense"}) {
        ASSERT_TRUE(writeFile(m_folder / "other.csv", wrong));
        const auto table = ResultTable::open(m_folder / "other.csv");
        ASSERT_FALSE(table);
        EXPECT_THAT(table.error().message, IsOneSentence());
        EXPECT_NE(table.error().message.find("other.csv, line 1"), std::string::npos);
    }
    ASSERT_TRUE(ResultTable::open(file())->add(sampleRow(), {"c", "m", "a"}));
    ASSERT_TRUE(writeFile(m_folder / "cut.csv", text() + "gnmt8,paper,8,refine,fbi"));
    const auto cut = ResultTable::open(m_folder / "cut.csv");
    ASSERT_FALSE(cut);
    EXPECT_NE(cut.error().message.find("line 4"), std::string::npos) << cut.error().message;
}

TEST_F(Results, ThatCannotBeWrittenSaySo) {
    ASSERT_TRUE(writeFile(m_folder / "results", "a file where a folder should be"));
    auto table = ResultTable::open(m_folder / "results" / "table.csv");
    ASSERT_TRUE(table);
    const auto added = table->add(sampleRow(), {"c", "m", "a"});
    ASSERT_FALSE(added);
    EXPECT_THAT(added.error().message, IsOneSentence());
}

} // namespace
} // namespace opscape::test
