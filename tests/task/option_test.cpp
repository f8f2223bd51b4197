// SPDX-License-Identifier: MIT
#include <opscape/task/option.h>

#include <gtest/gtest.h>

namespace opscape {
namespace {

std::vector<OptionSpec> specs() {
    return {OptionSpec::integer("budget", "How long.", 10, 1, 100, "s"),
            OptionSpec::real("rate", "How fast.", 0.1, 0, 1), OptionSpec::flag("loud", "Whether to say so.", false),
            OptionSpec::choice("queue", "In which order.", "fifo", {"fifo", "rank"})};
}

std::string errorOf(const Result<>& result) { return result ? "" : result.error().message; }

TEST(Options, StartAtTheirDefaults) {
    const Options options(specs());
    EXPECT_EQ(options.integer("budget"), 10);
    EXPECT_DOUBLE_EQ(options.real("rate"), 0.1);
    EXPECT_FALSE(options.flag("loud"));
    EXPECT_EQ(options.choice("queue"), "fifo");
}

TEST(Options, AreSetFromText) {
    Options options(specs());
    EXPECT_TRUE(options.setPair("budget=100"));
    EXPECT_TRUE(options.setPair("rate=1e-3"));
    EXPECT_TRUE(options.set("loud", "true"));
    EXPECT_TRUE(options.set("queue", "rank"));
    EXPECT_EQ(options.toMap(), (std::map<std::string, std::string>{
                                   {"budget", "100"}, {"rate", "0.001"}, {"loud", "true"}, {"queue", "rank"}}));
}

TEST(Options, TextOfAValueReadsBackToTheSameValue) {
    for (const double value : {0.1, 1.0 / 3, 1e-300, 0.0, 1.0}) {
        Options options(specs());
        if (options.set("rate", toString(OptionValue(value)))) {
            EXPECT_EQ(options.real("rate"), value);
        }
    }
}

TEST(Options, TakeThePathOfAFileAsItIs) {
    const std::vector<OptionSpec> files{OptionSpec::fileToWrite("out", "Where to."),
                                        OptionSpec::fileToRead("in", "Where from.")};
    Options options(files);
    EXPECT_EQ(options.file("out"), "");
    const std::string path = "/tmp/a b=c,\"d\" \u00e9.ckpt";
    EXPECT_TRUE(options.setPair("out=" + path));
    EXPECT_EQ(options.file("out"), path);
    EXPECT_EQ(options.toMap().at("out"), path);
    EXPECT_TRUE(options.set("out", ""));
    EXPECT_EQ(options.file("out"), "");
    EXPECT_EQ(errorOf(options.set("in", "a\tb")),
              "option in=a\tb: the value must be path of a file without control characters, or empty.");
    EXPECT_FALSE(options.set("in", std::string("a\0b", 3)));
    EXPECT_FALSE(options.set("in", std::string(4096, 'x')));
    EXPECT_EQ(options.file("in"), "");
}

TEST(Options, AreRefusedWithNameValueAndDomain) {
    Options options(specs());
    EXPECT_EQ(errorOf(options.set("budget", "0")), "option budget=0: the value must be integer from 1 to 100, in s.");
    EXPECT_EQ(errorOf(options.set("budget", "101")),
              "option budget=101: the value must be integer from 1 to 100, in s.");
    EXPECT_EQ(errorOf(options.set("budget", "1.5")),
              "option budget=1.5: the value must be integer from 1 to 100, in s.");
    EXPECT_EQ(errorOf(options.set("budget", "")), "option budget=: the value must be integer from 1 to 100, in s.");
    EXPECT_EQ(errorOf(options.set("rate", "nan")), "option rate=nan: the value must be number from 0 to 1.");
    EXPECT_EQ(errorOf(options.set("loud", "yes")), "option loud=yes: the value must be true or false.");
    EXPECT_EQ(errorOf(options.set("queue", "lifo")), "option queue=lifo: the value must be one of fifo, rank.");
    EXPECT_EQ(errorOf(options.setPair("budget")), "\"budget\" is not of the form name=value.");
    EXPECT_EQ(errorOf(options.set("bugdet", "1")),
              "there is no option \"bugdet\"; the options are budget, rate, loud, queue.");
    EXPECT_EQ(errorOf(Options().set("any", "1")), "there is no option \"any\"; this optimizer has none.");
    EXPECT_EQ(options.integer("budget"), 10) << "a refused value changes nothing";
}

} // namespace
} // namespace opscape
