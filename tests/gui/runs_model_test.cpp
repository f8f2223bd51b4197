// SPDX-License-Identifier: MIT
#include "gui/models/runs_model.h"

#include <QAbstractItemModelTester>
#include <QCoreApplication>
#include <QFont>
#include <QPersistentModelIndex>
#include <QSignalSpy>

#include <gtest/gtest.h>

#include <numeric>

namespace opscape {
namespace {

using Ids = std::vector<std::int64_t>;

RunRecord record(std::int64_t id) {
    RunRecord run;
    run.id = id;
    run.status = RunStatus::Finished;
    run.graphName = "graph " + std::to_string(id);
    run.clusterId = "p100x4";
    run.linkModel = "fifo";
    run.optimizer = id % 2 == 0 ? "heft" : "metis";
    run.revision = 3;
    run.version = "0.1.0";
    run.result = RunResult{id * 1000, id * 500, 1 << 20, 1 << 10, true};
    return run;
}

std::vector<RunRecord> records(const std::vector<qint64>& ids) {
    std::vector<RunRecord> runs;
    for (const qint64 id : ids)
        runs.push_back(record(id));
    return runs;
}

class RunsModelTest : public testing::Test {
protected:
    /// With what is said of the first `inView` of them.
    void list(Ids ids, std::size_t inView = 1000) {
        RunListing listing;
        listing.total = static_cast<std::int64_t>(ids.size());
        for (std::size_t i = 0; i < std::min(ids.size(), inView); ++i)
            listing.inView.push_back(record(ids[i]));
        listing.ids = std::move(ids);
        model.setListing(listing);
    }
    Ids rows() const {
        Ids seen;
        for (int row = 0; row < model.rowCount(); ++row)
            seen.push_back(model.index(row, 0).data(RunsModel::RunIdRole).toLongLong());
        return seen;
    }
    QString cell(int row, RunsModel::Column column) const { return model.index(row, column).data().toString(); }
    /// What the model asked for since the last call.
    std::vector<qint64> asked() {
        QCoreApplication::processEvents();
        std::vector<qint64> ids;
        while (!needed.isEmpty()) {
            const auto some = needed.takeFirst().front().value<std::vector<qint64>>();
            ids.insert(ids.end(), some.begin(), some.end());
        }
        return ids;
    }
    static Ids upTo(std::int64_t last) {
        Ids ids(static_cast<std::size_t>(last));
        std::iota(ids.begin(), ids.end(), 1);
        return ids;
    }

    RunsModel model;
    QAbstractItemModelTester tester{&model, QAbstractItemModelTester::FailureReportingMode::Fatal};
    QSignalSpy needed{&model, &RunsModel::needed};
};

TEST_F(RunsModelTest, LoadsOnlyWhatIsLookedAt) {
    model.blockSignals(true); // the tester looks at everything
    RunsModel lazy;
    QSignalSpy spy(&lazy, &RunsModel::needed);
    RunListing listing;
    listing.ids = upTo(10'000);
    for (std::int64_t id = 1; id <= 40; ++id)
        listing.inView.push_back(record(id));
    lazy.setListing(listing);
    EXPECT_EQ(lazy.rowCount(), 10'000);
    EXPECT_EQ(lazy.index(39, RunsModel::Graph).data().toString(), "graph 40");
    QCoreApplication::processEvents();
    EXPECT_TRUE(spy.isEmpty());
    EXPECT_FALSE(lazy.waits());

    EXPECT_EQ(lazy.index(5'000, RunsModel::Id).data().toString(), "5001") << "the number is known";
    EXPECT_EQ(lazy.index(5'000, RunsModel::Graph).data().toString(), "");
    EXPECT_EQ(lazy.index(5'001, RunsModel::Graph).data().toString(), "");
    EXPECT_TRUE(lazy.waits());
    QCoreApplication::processEvents();
    ASSERT_EQ(spy.size(), 1) << "once for all that was looked at";
    const auto ids = spy.takeFirst().front().value<std::vector<qint64>>();
    EXPECT_LE(ids.size(), 2U * RunsModel::kPage);
    EXPECT_EQ(std::ranges::count(ids, 5'001), 1);
    lazy.addRecords(records(ids));
    EXPECT_EQ(lazy.index(5'000, RunsModel::Graph).data().toString(), "graph 5001");
    EXPECT_FALSE(lazy.waits());
    QCoreApplication::processEvents();
    EXPECT_TRUE(spy.isEmpty());
}

TEST_F(RunsModelTest, KeepsOnlySoMuchLoaded) {
    model.blockSignals(true);
    RunsModel lazy;
    RunListing listing;
    listing.ids = upTo(20'000);
    lazy.setListing(listing);
    for (qint64 first = 1; first < 20'000; first += 1'000) {
        std::vector<qint64> ids(1'000);
        std::iota(ids.begin(), ids.end(), first);
        lazy.addRecords(records(ids));
    }
    EXPECT_EQ(lazy.loaded(1), nullptr);
    EXPECT_NE(lazy.loaded(20'000), nullptr);
}

TEST_F(RunsModelTest, RowsStayTheSameRunsWhateverIsListed) {
    list({4, 3, 2, 1});
    const QPersistentModelIndex two(model.index(2, 0)), four(model.index(0, 0));
    QSignalSpy reset(&model, &QAbstractItemModel::modelReset);
    const auto idOf = [](const QPersistentModelIndex& index) { return index.data(RunsModel::RunIdRole).toLongLong(); };
    for (const Ids& ids : {Ids{6, 5, 4, 3, 2, 1}, Ids{1, 2, 3, 4, 5, 6}, Ids{6, 4, 2}, Ids{2, 9, 4, 8}, Ids{8, 4, 2},
                           Ids{2, 7, 6, 5, 4, 3, 1}}) {
        list(ids);
        EXPECT_EQ(rows(), ids);
        ASSERT_TRUE(two.isValid() && four.isValid());
        EXPECT_EQ(idOf(two), 2);
        EXPECT_EQ(idOf(four), 4);
    }
    EXPECT_EQ(reset.size(), 0);
    list({9, 8});
    EXPECT_FALSE(two.isValid()) << "it is not listed any more";
    list({});
    EXPECT_EQ(model.rowCount(), 0);
}

TEST_F(RunsModelTest, AQuiteDifferentListIsANewTable) {
    QSignalSpy reset(&model, &QAbstractItemModel::modelReset);
    list(upTo(400));
    Ids odd;
    for (std::int64_t id = 1; id <= 400; id += 2)
        odd.push_back(id);
    list(odd);
    EXPECT_EQ(rows(), odd);
    EXPECT_EQ(reset.size(), 1) << "rather than 200 removals";
}

TEST_F(RunsModelTest, AsksAgainForWhatMayHaveChanged) {
    list(upTo(300), 300);
    EXPECT_TRUE(asked().empty());
    list(upTo(300), 10);
    EXPECT_EQ(cell(200, RunsModel::Graph), "");
    const auto ids = asked();
    EXPECT_EQ(std::ranges::count(ids, 201), 1);
    EXPECT_EQ(std::ranges::count(ids, 5), 0) << "that came with the listing";
}

TEST_F(RunsModelTest, RunsWithoutAResultHaveADash) {
    RunListing listing;
    listing.ids = {2};
    listing.inView = {record(2)};
    listing.inView[0].result.reset();
    listing.inView[0].status = RunStatus::Interrupted;
    listing.inView[0].error = "The program that made it (process 7) ended before the run did.";
    model.setListing(listing);
    EXPECT_EQ(cell(0, RunsModel::StepTime), QStringLiteral("–"));
    EXPECT_EQ(cell(0, RunsModel::Status), "died");
    EXPECT_TRUE(model.index(0, 0).data(Qt::ToolTipRole).toString().contains("process 7"));
}

TEST_F(RunsModelTest, SaysWhenThePluginThatMadeARunIsAnotherOneNow) {
    list({2, 1});
    EXPECT_EQ(cell(0, RunsModel::MadeBy), QStringLiteral("0.1.0 · r3"));
    model.setRevisions({{"heft", 5}, {"metis", 3}});
    EXPECT_EQ(cell(0, RunsModel::MadeBy), QStringLiteral("0.1.0 · r3, now r5"));
    EXPECT_EQ(cell(1, RunsModel::MadeBy), QStringLiteral("0.1.0 · r3"));
    EXPECT_TRUE(model.index(0, 0).data(Qt::ToolTipRole).toString().contains("this program has revision 5"));
}

TEST_F(RunsModelTest, TagsAndNotesAreEditedInPlaceAndNothingElseIs) {
    list({2, 1});
    for (int column = 0; column < RunsModel::ColumnCount; ++column)
        EXPECT_EQ(model.index(0, column).flags().testFlag(Qt::ItemIsEditable),
                  column == RunsModel::Tags || column == RunsModel::Notes);
    QSignalSpy tags(&model, &RunsModel::tagsEdited), notes(&model, &RunsModel::notesEdited);
    EXPECT_TRUE(model.setData(model.index(1, RunsModel::Tags), "paper, best"));
    EXPECT_TRUE(model.setData(model.index(1, RunsModel::Notes), "two\nlines"));
    EXPECT_FALSE(model.setData(model.index(1, RunsModel::Notes), "two\nlines")) << "nothing has changed";
    EXPECT_EQ(cell(1, RunsModel::Tags), "best paper");
    EXPECT_EQ(cell(1, RunsModel::Notes), "two lines") << "in one row";
    ASSERT_EQ(tags.size(), 1);
    EXPECT_EQ(tags[0][0].toLongLong(), 1);
    EXPECT_EQ(tags[0][2].value<std::vector<std::string>>(), (std::vector<std::string>{"best", "paper"}));
    ASSERT_EQ(notes.size(), 1);
    EXPECT_EQ(notes[0][1].toString(), "two\nlines");
}

TEST_F(RunsModelTest, ShowsTheRunThatIsOpenInBold) {
    list({2, 1});
    model.setShown(1);
    EXPECT_FALSE(model.index(0, 0).data(Qt::FontRole).value<QFont>().bold());
    EXPECT_TRUE(model.index(1, 0).data(Qt::FontRole).value<QFont>().bold());
}

} // namespace
} // namespace opscape
