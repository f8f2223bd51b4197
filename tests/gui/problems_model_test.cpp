// SPDX-License-Identifier: MIT
#include "gui/models/problems_model.h"
#include "gui/sample_graph.h"

#include <QAbstractItemModelTester>

#include <gtest/gtest.h>

namespace opscape {
namespace {

TEST(ProblemsModel, ListsKindsWithTheirExamples) {
    ProblemsModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    Diagnostics diagnostics;
    diagnostics.add(Severity::Info, "folded", "Constants that became state", "w1");
    diagnostics.add(Severity::Warning, "unknown-op", "Ops of unknown type", "a: Foo");
    diagnostics.add(Severity::Warning, "unknown-op", "Ops of unknown type", "b: Foo");
    model.setEntries(diagnostics.entries());
    ASSERT_EQ(model.rowCount(), 2);
    const QModelIndex unknown = model.index(1, 0);
    EXPECT_EQ(model.rowCount(unknown), 2);
    EXPECT_EQ(unknown.siblingAtColumn(ProblemsModel::Count).data().toString(), "2");
    EXPECT_EQ(model.index(1, 0, unknown).data().toString(), "b: Foo");
    EXPECT_EQ(model.seriousCount(), 1);
    model.setEntries({});
    EXPECT_EQ(model.rowCount(), 0);
}

TEST(ProblemsModel, PutsErrorsFirst) {
    auto opened = std::make_shared<OpenedGraph>(*test::sampleOpened());
    opened->diagnostics.add(Severity::Info, "remark", "A remark", "x");
    opened->diagnostics.add(Severity::Error, "mistake", "A mistake", "y");
    const auto entries = problemsOf(nullptr, opened.get(), nullptr);
    ASSERT_EQ(entries.size(), 2U);
    EXPECT_EQ(entries[0].code, "mistake");
}

TEST(ProblemsModel, NamesAPlanThatDoesNotFitIntoMemory) {
    const auto opened = test::sampleOpened();
    Outcome outcome = *test::sampleRun(opened, false)->outcome;
    EXPECT_TRUE(problemsOf(nullptr, nullptr, &outcome).empty());
    outcome.schedule.feasible = false;
    outcome.schedule.devices[0].overBytes = 1;
    const auto entries = problemsOf(nullptr, nullptr, &outcome);
    ASSERT_EQ(entries.size(), 1U);
    EXPECT_EQ(entries[0].severity, Severity::Error);
    EXPECT_FALSE(entries[0].examples.at(0).empty());
}

} // namespace
} // namespace opscape
