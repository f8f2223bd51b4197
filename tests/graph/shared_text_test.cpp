// SPDX-License-Identifier: MIT
#include <opscape/graph/graph_builder.h>
#include <opscape/graph/shared_text.h>

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace opscape {
namespace {

TEST(SharedText, IsTheTextItWasMadeOf) {
    const SharedText text = std::string("a text longer than what fits into a string");
    EXPECT_EQ(text, "a text longer than what fits into a string");
    EXPECT_EQ(std::string_view(text), text.str());
    EXPECT_EQ(fmt::format("{}", text), text.str());
    EXPECT_FALSE(text.empty());
    EXPECT_TRUE(SharedText().empty());
    EXPECT_EQ(SharedText(), SharedText("")) << "an empty text is one text";
    EXPECT_EQ(SharedText(), "");
    EXPECT_NE(SharedText("a"), SharedText("b"));
}

TEST(SharedText, CopiesShareAndOutliveEachOther) {
    SharedText copy;
    {
        const SharedText first("Conv");
        copy = first;
        EXPECT_EQ(&copy.str(), &first.str());
        EXPECT_EQ(SharedText("Conv"), first) << "equal, though not shared";
    }
    EXPECT_EQ(copy, "Conv");
    SharedText& same = copy;
    copy = same;
    EXPECT_EQ(copy, "Conv") << "given to itself";
    const SharedText moved = std::move(copy);
    EXPECT_EQ(moved, "Conv");
    copy = "MatMul";
    EXPECT_EQ(moved, "Conv") << "replaced, not changed";
}

TEST(SharedText, IsCopiedByManyThreadsAtOnce) {
    const SharedText text("Conv");
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
        threads.emplace_back([&text] {
            for (int i = 0; i < 10'000; ++i) {
                const SharedText copy = text;
                ASSERT_EQ(copy, "Conv");
            }
        });
    }
    for (std::thread& thread : threads)
        thread.join();
    EXPECT_EQ(text, "Conv");
}

TEST(SharedText, OpsOfOneTypeShareIt) {
    GraphBuilder builder("g");
    for (const char* name : {"a", "b"}) {
        Op op;
        op.name = name;
        op.type = "Conv";
        op.colocation = "group";
        op.requestedDevice = "/gpu:0";
        builder.addOp(std::move(op));
    }
    Diagnostics diagnostics;
    const auto graph = std::move(builder).build(diagnostics);
    ASSERT_TRUE(graph);
    const Op &a = graph->op(OpId(0)), &b = graph->op(OpId(1));
    EXPECT_EQ(&a.type.str(), &b.type.str());
    EXPECT_EQ(&a.colocation.str(), &b.colocation.str());
    EXPECT_EQ(&a.requestedDevice.str(), &b.requestedDevice.str());
}

} // namespace
} // namespace opscape
