// SPDX-License-Identifier: MIT
// Training by several processes on one machine, over its loopback interface.
#include "rl/rl_fixture.h"
#include "support/child_process.h"
#include "support/temporary_folder.h"

#include <opscape/rl/model/model.h>
#include <opscape/rl/pretrain/crew.h>
#include <opscape/rl/pretrain/free_port.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>

namespace opscape::rl {
namespace {

using test::ChildProcess;

std::vector<Lesson> lessons() {
    std::vector<Lesson> all;
    for (const auto& [layers, steps, devices] : {std::tuple(2, 3, 2), {3, 3, 3}, {1, 5, 2}, {2, 4, 4}})
        all.push_back(
            {fmt::format("lstm {} {} {}", layers, steps, devices), "lstm",
             test::makeTestProblem(test::lstmTrainingGraph(layers, steps, 512), test::acceleratorShape(devices))});
    return all;
}

PretrainOptions options(std::int64_t updates) {
    PretrainOptions o;
    o.network.hidden = 16;
    o.network.headHidden = 8;
    o.updates = updates;
    o.samples = 8;
    o.slots = 4;
    return o;
}

/// In a process of its own, which must not have used torch before. 0, or 1 where it said why not.
int work(const ChildProcess& child, int rank, int size, std::uint16_t port, const PretrainOptions& o,
         const std::filesystem::path& model) {
    Crew crew;
    if (size > 1) {
        const auto joined = joinCrew({rank, size, "127.0.0.1", port, 30});
        if (!joined) {
            child.tell(joined.error().message);
            return 1;
        }
        crew = *joined;
    }
    const auto done = pretrain(lessons(), {}, registry().tasks(), o, model, crew,
                               [&child](const PretrainPoint& point) { child.tell(std::to_string(point.update)); }, {});
    if (!done)
        child.tell(done.error().message);
    return done ? 0 : 1;
}

class CrewTest : public testing::Test {
protected:
    std::vector<float> trainedBy(int size) {
        const std::uint16_t port = freePort();
        const auto file = folder / fmt::format("of_{}", size);
        std::vector<std::unique_ptr<ChildProcess>> crew;
        for (int rank = 0; rank < size; ++rank) {
            crew.push_back(std::make_unique<ChildProcess>(
                [&](const ChildProcess& child) { return work(child, rank, size, port, options(4), file); }));
        }
        for (auto& process : crew)
            EXPECT_EQ(process->wait(), 0) << process->hear();
        const auto model = readModel(file);
        EXPECT_TRUE(model.has_value()) << (model ? "" : model.error().message);
        return model ? model->parameters : std::vector<float>();
    }
    test::TemporaryFolder folder;
};

TEST_F(CrewTest, OneTwoAndFourProcessesMakeTheSameUpdates) {
    const auto alone = trainedBy(1);
    ASSERT_FALSE(alone.empty());
    for (const int size : {2, 4}) {
        const auto together = trainedBy(size);
        ASSERT_EQ(together.size(), alone.size());
        double most = 0;
        for (std::size_t i = 0; i < alone.size(); ++i)
            most = std::max(most, static_cast<double>(std::abs(alone[i] - together[i])));
        EXPECT_LT(most, 1e-4) << size;
    }
}

TEST_F(CrewTest, AKilledProcessEndsTheOthersWithASentenceAndAStateToGoOnFrom) {
    const std::uint16_t port = freePort();
    PretrainOptions o = options(1'000'000);
    o.save = folder / "state";
    o.saveEvery = 0;
    ChildProcess first([&](const ChildProcess& child) { return work(child, 0, 2, port, o, folder / "model"); });
    ChildProcess second([&](const ChildProcess& child) { return work(child, 1, 2, port, o, folder / "model"); });
    while (first.hear() != "3") {
    }
    second.kill();
    std::string last;
    for (std::string line = first.hear(); !line.empty(); line = first.hear())
        last = line;
    EXPECT_EQ(first.wait(), 1);
    EXPECT_NE(last.find("another process of the training is gone"), std::string::npos) << last;
    EXPECT_NE(last.find((folder / "state").string()), std::string::npos) << last;

    ChildProcess rest([&](const ChildProcess& child) {
        PretrainOptions on = options(6);
        on.load = folder / "state";
        return work(child, 0, 1, 0, on, folder / "model");
    });
    const std::string said = rest.hear();
    EXPECT_EQ(rest.wait(), 0) << said;
    EXPECT_TRUE(readModel(folder / "model").has_value());
}

TEST_F(CrewTest, OneOfACrewOutlivesWhatItWritesToAProcessThatIsGone) {
    const std::uint16_t port = freePort();
    const auto writes = [port](const ChildProcess& child, int rank) {
        const auto crew = joinCrew({rank, 2, "127.0.0.1", port, 30});
        std::array<int, 2> ends{};
        if (!crew || ::pipe(ends.data()) != 0)
            return 1;
        ::close(ends[0]);
        child.tell(::write(ends[1], "", 1) == -1 && errno == EPIPE ? "lives" : "was heard");
        return 0;
    };
    ChildProcess first([&](const ChildProcess& child) { return writes(child, 0); });
    ChildProcess second([&](const ChildProcess& child) { return writes(child, 1); });
    for (ChildProcess* process : {&first, &second}) {
        EXPECT_EQ(process->hear(), "lives");
        EXPECT_EQ(process->wait(), 0);
    }
}

/// Sums ones until one of the crew is gone, meets the others again, and tells number and size of what is left.
int meetAgain(const ChildProcess& child, int rank, int size, std::uint16_t port) {
    CrewPlace place{rank, size, "127.0.0.1", port, 30};
    place.elastic = true;
    place.regroupSeconds = 5;
    auto crew = joinCrew(place);
    if (!crew) {
        child.tell(crew.error().message);
        return 1;
    }
    std::vector<float> ones(1);
    do {
        ones[0] = 1;
        child.tell("sums");
    } while (crew->sum(ones));
    const auto left = crew->regroup();
    if (!left) {
        child.tell(left.error().message);
        return 1;
    }
    ones[0] = 1;
    const bool sums = left->size == 1 || left->sum(ones);
    child.tell(fmt::format("rank {} of {} sums {}", left->rank, left->size, sums ? ones[0] : 0));
    return 0;
}

/// What it tells after it has found one gone.
std::string lastOf(ChildProcess& process) {
    std::string last;
    for (std::string line = process.hear(); !line.empty(); line = process.hear())
        last = line;
    return last;
}

TEST_F(CrewTest, OfAnElasticCrewThoseThatAreLeftMeetAgainWithRanksAnew) {
    const std::uint16_t port = freePort();
    std::vector<std::unique_ptr<ChildProcess>> crew;
    for (int rank = 0; rank < 3; ++rank)
        crew.push_back(
            std::make_unique<ChildProcess>([&](const ChildProcess& child) { return meetAgain(child, rank, 3, port); }));
    for (auto& process : crew)
        ASSERT_EQ(process->hear(), "sums");
    crew[1]->kill();
    EXPECT_EQ(lastOf(*crew[0]), "rank 0 of 2 sums 2");
    EXPECT_EQ(lastOf(*crew[2]), "rank 1 of 2 sums 2");
    EXPECT_EQ(crew[0]->wait(), 0);
    EXPECT_EQ(crew[2]->wait(), 0);
}

TEST_F(CrewTest, WithoutItsFirstProcessAnElasticCrewEndsWithASentence) {
    const std::uint16_t port = freePort();
    ChildProcess first([&](const ChildProcess& child) { return meetAgain(child, 0, 2, port); });
    ChildProcess second([&](const ChildProcess& child) { return meetAgain(child, 1, 2, port); });
    ASSERT_EQ(first.hear(), "sums");
    ASSERT_EQ(second.hear(), "sums");
    first.kill();
    const std::string said = lastOf(second);
    EXPECT_EQ(second.wait(), 1);
    EXPECT_NE(said.find("the first process of the training"), std::string::npos) << said;
    EXPECT_NE(said.find("--resume"), std::string::npos) << said;
}

TEST_F(CrewTest, WhoFindsNobodySaysWhereItLooked) {
    const std::uint16_t port = freePort();
    ChildProcess lonely([&](const ChildProcess& child) {
        const auto joined = joinCrew({1, 2, "127.0.0.1", port, .3});
        child.tell(joined ? "found" : joined.error().message);
        return 0;
    });
    const std::string said = lonely.hear();
    EXPECT_NE(said.find(fmt::format("127.0.0.1:{}", port)), std::string::npos) << said;
}

struct Variable {
    explicit Variable(const char* n, const char* value) : name(n) { ::setenv(n, value, 1); }
    ~Variable() { ::unsetenv(name); }
    const char* name;
};

TEST(CrewPlace, ComesFromTheUsualEnvironment) {
    const auto none = crewPlace();
    ASSERT_TRUE(none.has_value());
    EXPECT_FALSE(none->has_value());
    const Variable size("WORLD_SIZE", "4"), rank("RANK", "3"), host("MASTER_ADDR", "node7"),
        port("MASTER_PORT", "4000");
    const auto place = crewPlace();
    ASSERT_TRUE(place.has_value() && place->has_value());
    EXPECT_EQ((*place)->rank, 3);
    EXPECT_EQ((*place)->size, 4);
    EXPECT_EQ((*place)->host, "node7");
    EXPECT_EQ((*place)->port, 4000);
}

TEST(CrewPlace, SaysWhichVariableIsMissingOrWrong) {
    const Variable size("WORLD_SIZE", "4");
    EXPECT_NE(crewPlace().error().message.find("RANK"), std::string::npos);
    const Variable rank("RANK", "4");
    EXPECT_NE(crewPlace().error().message.find("from 0 to 3"), std::string::npos) << crewPlace().error().message;
    const Variable lower("RANK", "1");
    EXPECT_NE(crewPlace().error().message.find("MASTER_ADDR"), std::string::npos);
}

} // namespace
} // namespace opscape::rl
