// SPDX-License-Identifier: MIT
#include "cli_fixture.h"
#include "support/child_process.h"

#include <opscape/base/paths.h>

namespace opscape::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class CliRuns : public CliTest {
protected:
    void make(const char* optimizer, const char* seed = "1") const {
        ASSERT_EQ(run({"optimize", graph(), "--optimizer", optimizer, "--seed", seed}).status, 0);
    }
    /// The numbers of the runs that fit, as they are listed.
    std::vector<int> listed(std::vector<std::string> more = {}) const {
        more.insert(more.begin(), {"runs", "list"});
        std::vector<int> ids;
        const auto list = json(more);
        for (const auto& entry : list["runs"])
            ids.push_back(entry["run_id"]);
        return ids;
    }
};

TEST_F(CliRuns, AreFoundSortedAndTakenAsCsv) {
    make("scatter", "3");
    make("learns", "4");
    make("scatter", "5");
    EXPECT_EQ(listed(), (std::vector{3, 2, 1}));
    EXPECT_EQ(listed({"scatter"}), (std::vector{3, 1}));
    EXPECT_EQ(listed({"optimizer:scatter", "seed:3"}), std::vector{1});
    EXPECT_EQ(listed({"not", "learned"}), (std::vector{3, 1}));
    EXPECT_EQ(listed({"--sort", "seed", "--ascending"}), (std::vector{1, 2, 3}));
    EXPECT_EQ(json({"runs", "list", "scatter", "--limit", "1"})["total"], 2);
    EXPECT_THAT(run({"runs", "list", "nothing-of-the-kind"}).out, "No run fits.\n");
    const ProgramEnd csv = run({"runs", "list", "--csv"});
    EXPECT_THAT(csv.out, testing::StartsWith("run,kind,status,graph,"));
    EXPECT_EQ(std::ranges::count(csv.out, '\n'), 4);
    EXPECT_THAT(csv.out, HasSubstr("\n2,optimize,finished,small,"));
    const ProgramEnd mistaken = run({"runs", "list", "step<"});
    expectRefused(mistaken, 2);
    EXPECT_THAT(mistaken.err, HasSubstr("Column 6: a value is missing here"));
}

TEST_F(CliRuns, AreTaggedNotedAndPinned) {
    make("scatter");
    make("scatter");
    EXPECT_EQ(run({"runs", "tag", "1", "2", "--tag", "best,paper"}).out, "Runs 1 and 2 are tagged best, paper.\n");
    EXPECT_EQ(run({"runs", "untag", "1", "--tag", "paper"}).out, "Run 1 is no longer tagged paper.\n");
    EXPECT_EQ(run({"runs", "note", "2", "look at \"this\""}).out, "Run 2 is noted.\n");
    EXPECT_EQ(run({"runs", "pin", "1"}).out, "Run 1 is pinned.\n");
    const auto list = json({"runs", "list"})["runs"];
    EXPECT_EQ(list[0]["tags"], (nlohmann::json{"best", "paper"}));
    EXPECT_EQ(list[0]["notes"], "look at \"this\"");
    EXPECT_EQ(list[1]["tags"], nlohmann::json{"best"});
    EXPECT_EQ(list[1]["pinned"], true);
    EXPECT_EQ(listed({"tag:paper"}), std::vector{2});
    EXPECT_THAT(run({"runs", "list"}).out, HasSubstr("(pinned) best"));
    EXPECT_THAT(run({"runs", "show", "2"}).out, AllOf(HasSubstr("best paper"), HasSubstr("look at \"this\"")));
    ASSERT_EQ(run({"runs", "unpin", "1"}).status, 0);
    EXPECT_EQ(listed({"pinned"}), std::vector<int>{});
}

TEST_F(CliRuns, AreDeletedBroughtBackAndPurged) {
    for (int i = 0; i < 3; ++i)
        make("scatter");
    EXPECT_THAT(run({"runs", "delete", "1", "3"}).out, HasSubstr("Runs 1 and 3 are deleted; runs bring-back"));
    EXPECT_EQ(listed(), std::vector{2});
    EXPECT_EQ(run({"runs", "bring-back", "3"}).out, "Run 3 is back.\n");
    EXPECT_EQ(listed(), (std::vector{3, 2}));
    EXPECT_EQ(run({"runs", "purge"}).out, "1 run is gone for good.\n");
    expectRefused(run({"runs", "show", "1"}), 1);
    EXPECT_EQ(json({"runs", "purge"})["purged"], 0);
}

TEST_F(CliRuns, AreTakenToAnotherDatabaseAndNotDoubled) {
    make("scatter", "9");
    make("learns");
    const std::string file = in("some.opscape-runs");
    EXPECT_EQ(run({"runs", "export", "1", "2", "-o", file}).out, "2 runs are in " + file + ".\n");
    const auto there = [this](std::vector<std::string> words) {
        words.insert(words.begin(), {OPSCAPE_BINARY_DIR "/bin/opscape-cli", "--db", in("there.sqlite")});
        return Program(words).wait();
    };
    std::filesystem::remove(graph());
    EXPECT_EQ(there({"runs", "import", file}).out, "2 runs are imported, as runs 1 and 2.\n");
    EXPECT_EQ(there({"runs", "import", file}).out, "2 runs were here already, as runs 1 and 2.\n");
    EXPECT_EQ(there({"runs", "show", "1"}).out, run({"runs", "show", "1"}).out);
    EXPECT_EQ(there({"runs", "curve", "2"}).out, run({"runs", "curve", "2"}).out);
    EXPECT_EQ(there({"runs", "list", "--csv"}).out, run({"runs", "list", "--csv"}).out);
    ASSERT_TRUE(writeFile(file, readFile(file)->substr(0, 5'000)));
    const ProgramEnd damaged = there({"runs", "import", file});
    expectRefused(damaged, 1);
    EXPECT_THAT(damaged.err, HasSubstr("damaged or not whole"));
}

TEST_F(CliRuns, AreMadeAgainWithTheSameOptionsAndSeedOrOthers) {
    make("scatter", "77");
    const auto first = json({"runs", "show", "1"});
    std::filesystem::remove(graph());
    const auto again = json({"runs", "again", "1"});
    EXPECT_EQ(again["run_id"], 2);
    EXPECT_EQ(again["seed"], 77);
    EXPECT_EQ(again["makespan_ns"], first["makespan_ns"]);
    EXPECT_EQ(json({"runs", "again", "1", "--seed", "78"})["seed"], 78);
    expectRefused(run({"runs", "again", "1", "--set", "nonsense"}), 2);
    expectRefused(run({"runs", "again", "1", "--set", "unheard-of=1"}), 1);
}

TEST_F(CliRuns, SeveralProgramsWriteToOneDatabaseAtOnce) {
    make("scatter");
    std::vector<std::unique_ptr<ChildProcess>> children;
    for (int c = 0; c < 3; ++c) {
        children.push_back(std::make_unique<ChildProcess>([this, c](const ChildProcess& self) {
            const std::string tag = "tag" + std::to_string(c);
            for (const auto& words : {std::vector<std::string>{"runs", "tag", "1", "--tag", tag},
                                      {"runs", "again", "1"},
                                      {"runs", "note", "1", tag}}) {
                if (const ProgramEnd end = run(words); end.status != 0) {
                    self.tell(end.err);
                    return 1;
                }
            }
            return 0;
        }));
    }
    for (const auto& child : children) {
        EXPECT_EQ(child->hear(), "");
        EXPECT_EQ(child->wait(), 0);
    }
    EXPECT_EQ(listed().size(), 4u);
    EXPECT_EQ(store().get(1)->tags, (std::vector<std::string>{"tag0", "tag1", "tag2"}));
}

} // namespace
} // namespace opscape::test
