// SPDX-License-Identifier: MIT
#include "gui/job_runner.h"

#include <QSemaphore>
#include <QSignalSpy>
#include <QTest>
#include <QThread>

#include <gtest/gtest.h>

#include <stdexcept>

namespace opscape {
namespace {

bool becomesIdle(const JobRunner& jobs) {
    return QTest::qWaitFor([&] { return jobs.idle(); }, 20'000);
}

TEST(JobRunner, DeliversOnTheThreadThatStartedTheJob) {
    JobRunner jobs;
    QThread* worked = nullptr;
    QThread* delivered = nullptr;
    jobs.start("a", "a", [&](const RunContext&) -> JobRunner::Deliver {
        worked = QThread::currentThread();
        return [&] { delivered = QThread::currentThread(); };
    });
    ASSERT_TRUE(becomesIdle(jobs));
    EXPECT_EQ(delivered, QThread::currentThread());
    EXPECT_NE(worked, delivered);
}

TEST(JobRunner, DropsTheResultOfAJobThatWasSuperseded) {
    JobRunner jobs;
    QSemaphore hold;
    QStringList delivered;
    jobs.start("lane", "first", [&](const RunContext&) -> JobRunner::Deliver {
        hold.acquire();
        return [&] { delivered << "first"; };
    });
    jobs.start("lane", "second",
               [&](const RunContext&) -> JobRunner::Deliver { return [&] { delivered << "second"; }; });
    ASSERT_TRUE(becomesIdle(jobs));
    hold.release();
    QTest::qWait(50);
    EXPECT_EQ(delivered, QStringList{"second"});
}

TEST(JobRunner, KeepsJobsOfOtherLanes) {
    JobRunner jobs;
    int delivered = 0;
    for (const char* lane : {"a", "b", "c"})
        jobs.start(lane, lane, [&](const RunContext&) -> JobRunner::Deliver { return [&] { ++delivered; }; });
    ASSERT_TRUE(becomesIdle(jobs));
    EXPECT_EQ(delivered, 3);
}

TEST(JobRunner, CancelStopsWorkThatListensAndDeliversWhatItHas) {
    JobRunner jobs;
    bool sawStop = false;
    const auto id = jobs.start("lane", "job", [&](const RunContext& context) -> JobRunner::Deliver {
        while (!context.stopRequested())
            QThread::msleep(1);
        return [&] { sawStop = true; };
    });
    jobs.cancel(id);
    ASSERT_TRUE(becomesIdle(jobs));
    EXPECT_TRUE(sawStop);
}

TEST(JobRunner, CancelFreesTheLaneOfWorkThatDoesNotListen) {
    QSemaphore hold;
    bool delivered = false;
    JobRunner jobs;
    const auto id = jobs.start("lane", "job", [&](const RunContext&) -> JobRunner::Deliver {
        hold.acquire();
        return [&] { delivered = true; };
    });
    jobs.cancel(id);
    EXPECT_TRUE(becomesIdle(jobs)); // the work is still held
    EXPECT_FALSE(jobs.busy("lane"));
    hold.release();
    QTest::qWait(50);
    EXPECT_FALSE(delivered);
}

/// Two jobs of one lane that stop only when they are let; the first is cancelled and awaited.
class LateJob : public testing::Test {
protected:
    void cancelFirst() {
        const auto id = jobs.start("lane", "job", [this](const RunContext&) -> JobRunner::Deliver {
            hold.acquire();
            return [this] { ++delivered; };
        });
        jobs.awaitLate("lane");
        jobs.cancel(id);
        ASSERT_TRUE(becomesIdle(jobs)) << "the lane is free although the work goes on";
        EXPECT_FALSE(jobs.busy("lane"));
        EXPECT_EQ(delivered, 0);
    }

    QSemaphore hold;
    int delivered = 0;
    JobRunner jobs;
};

TEST_F(LateJob, StillDeliversWhenItIsAwaited) {
    cancelFirst();
    hold.release();
    EXPECT_TRUE(QTest::qWaitFor([&] { return delivered == 1; }, 20'000));
}

TEST_F(LateJob, DeliversNothingOnceItsLaneIsUsedOrAbandoned) {
    cancelFirst();
    jobs.abandon("lane");
    hold.release();
    QTest::qWait(50);
    EXPECT_EQ(delivered, 0);
    cancelFirst();
    jobs.start("lane", "next", [](const RunContext&) { return JobRunner::Deliver(); });
    hold.release();
    QTest::qWait(50);
    EXPECT_EQ(delivered, 0);
}

TEST(JobRunner, ThinsOutProgress) {
    JobRunner jobs;
    QSignalSpy changes(&jobs, &JobRunner::changed);
    const auto start = std::chrono::steady_clock::now();
    jobs.start("lane", "job", [](const RunContext& context) -> JobRunner::Deliver {
        for (int i = 0; i < 100'000; ++i)
            context.report({0.5, -1, i, "working"});
        return {};
    });
    ASSERT_TRUE(becomesIdle(jobs));
    const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - start);
    EXPECT_LE(changes.count(), took.count() / 50 + 4) << "more than one report in 50 ms";
}

TEST(JobRunner, TurnsAnExceptionIntoASentence) {
    JobRunner jobs;
    QSignalSpy failures(&jobs, &JobRunner::failed);
    jobs.start("lane", "job", [](const RunContext&) -> JobRunner::Deliver { throw std::runtime_error("out of luck"); });
    ASSERT_TRUE(becomesIdle(jobs));
    ASSERT_EQ(failures.count(), 1);
    EXPECT_TRUE(failures.front().front().toString().contains("out of luck"));
}

} // namespace
} // namespace opscape
