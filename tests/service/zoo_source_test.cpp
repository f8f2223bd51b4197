// SPDX-License-Identifier: MIT
#include "service/zoo_source.h"
#include "support/sentence.h"

#include <gtest/gtest.h>

namespace opscape::test {
namespace {

TEST(ZooSource, IsReadBackAsItWasWritten) {
    for (const char* text : {"zoo:rnnlm4,small", "zoo:rnnlm4,paper", "zoo:rnnlm4,paper,batch=8,hidden=512"}) {
        const auto source = ZooSource::parse(text);
        ASSERT_TRUE(source) << source.error().message;
        EXPECT_EQ(source->text(), text);
    }
    EXPECT_EQ(ZooSource::parse("zoo:rnnlm4")->text(), "zoo:rnnlm4,small");
}

TEST(ZooSource, IsNotMistakenForAFile) {
    EXPECT_TRUE(ZooSource::isMeant("zoo:rnnlm4"));
    EXPECT_FALSE(ZooSource::isMeant("zoo/rnnlm4.json"));
}

TEST(ZooSource, SaysWhatIsWrongInOneSentence) {
    const auto wordless = ZooSource::parse("zoo:rnnlm4,large");
    ASSERT_FALSE(wordless);
    EXPECT_THAT(wordless.error().message, IsOneSentence());
    EXPECT_THAT(wordless.error().message, testing::HasSubstr("\"large\""));
    for (const char* text :
         {"zoo:", "zoo:rnnlm5", "zoo:rnnlm4,depth=3", "zoo:rnnlm4,hidden=0", "zoo:rnnlm4,hidden=x"}) {
        const auto graph = ZooSource::parse(text)->build();
        ASSERT_FALSE(graph) << text;
        EXPECT_THAT(graph.error().message, IsOneSentence());
    }
}

TEST(ZooSource, BringsAsManyDevicesAsTheWorkloadWasPublishedOn) {
    EXPECT_EQ(ZooSource::parse("zoo:gnmt8")->publishedCluster()->deviceCount(), 8U);
    EXPECT_FALSE(ZooSource::parse("zoo:resnet50")->publishedCluster().has_value());
}

} // namespace
} // namespace opscape::test
