// SPDX-License-Identifier: MIT
#include "picture_scene.h"

#include <render/op_colours.h>

#include <cmath>

namespace opscape {
namespace {

class OpColoursTest : public testing::Test {
protected:
    PictureScene m_picture;

    [[nodiscard]] ColourSource source() const {
        return {m_picture.graph.get(), m_picture.problem.cluster.get(), &m_picture.plan, m_picture.problem.cost.get()};
    }
    [[nodiscard]] OpColours by(std::vector<double> value) const {
        const OpValues values{"mine", std::move(value), 0, 0, {}};
        ColourSource from = source();
        from.values = &values;
        return {ColourBy::Value, from};
    }
    [[nodiscard]] static std::size_t ops(const OpColours& colours) {
        std::size_t sum = 0;
        for (const auto& c : colours.classes())
            sum += c.ops;
        return sum;
    }
};

TEST_F(OpColoursTest, DevicesHaveNameLetterOpsAndTime) {
    const OpColours colours(ColourBy::Device, source());
    ASSERT_EQ(colours.classes().size(), 3U);
    EXPECT_EQ(colours.classes()[0].name, "gpu:0");
    EXPECT_EQ(colours.classes()[1].letter, "B");
    EXPECT_EQ(colours.classes()[0].ops, 2U);
    EXPECT_EQ(colours.classes()[0].busyNs, 30'000);
    EXPECT_EQ(colours.classes()[2].busyNs, 40'000);
    EXPECT_EQ(colours.classOf(OpId(3)), 2);
    EXPECT_FALSE(colours.isScale());
    EXPECT_EQ(colours.colour(Theme::light(), 1), Theme::light().device(DeviceId(1)));
}

TEST_F(OpColoursTest, WithoutAPlanThereAreNoDevicesAndNoTimes) {
    ColourSource from = source();
    from.plan = nullptr;
    EXPECT_TRUE(OpColours(ColourBy::Device, from).classes().empty());
    EXPECT_TRUE(OpColours(ColourBy::Time, from).classes().empty());
    EXPECT_EQ(OpColours(ColourBy::Time, from).classOf(OpId(0)), -1);
    EXPECT_EQ(ops(OpColours(ColourBy::Memory, from)), 4U) << "memory and type need none";
    EXPECT_EQ(ops(OpColours(ColourBy::OpType, from)), 4U);
}

TEST_F(OpColoursTest, TimesAreStepsFromTheShortestToTheLongest) {
    const OpColours colours(ColourBy::Time, source());
    EXPECT_EQ(colours.classOf(OpId(0)), 0);
    EXPECT_EQ(colours.classOf(OpId(3)), static_cast<int>(colours.classes().size()) - 1);
    EXPECT_LT(colours.classOf(OpId(1)), colours.classOf(OpId(2)));
    EXPECT_EQ(colours.valueText(colours.value(OpId(2))), "30.0 us");
    EXPECT_EQ(ops(colours), 4U);
}

TEST_F(OpColoursTest, NumbersOfManySizesAreStepsOfAFactor) {
    const OpColours colours = by({1, 10, 100, 1000});
    EXPECT_EQ(colours.classOf(OpId(0)), 0);
    EXPECT_NEAR(colours.classOf(OpId(1)), 2, 1);
    EXPECT_NEAR(colours.classOf(OpId(2)), 5, 1);
    EXPECT_EQ(colours.classOf(OpId(3)), 7);
    EXPECT_EQ(by({-5, 0, 5, 10}).classOf(OpId(1)), 2) << "where some are negative, of an amount: a third of the way";
}

TEST_F(OpColoursTest, AnOpWithoutANumberHasNoClass) {
    const OpColours colours = by({1, NAN, 3, NAN});
    EXPECT_EQ(colours.classOf(OpId(1)), -1);
    EXPECT_EQ(ops(colours), 2U);
    EXPECT_TRUE(by({NAN, NAN, NAN, NAN}).classes().empty());
}

TEST_F(OpColoursTest, OneNumberForAllIsOneStep) {
    const OpColours colours = by({7, 7, 7, 7});
    ASSERT_EQ(colours.classes().size(), 1U);
    EXPECT_EQ(colours.classes()[0].name, "7");
    EXPECT_EQ(colours.classes()[0].ops, 4U);
}

TEST_F(OpColoursTest, FusedOpsShareAColourAndNeighboursDiffer) {
    m_picture.plan.fusionGroup = {0, 0, Plan::kNotFused, 3};
    const OpColours colours(ColourBy::FusionGroup, source());
    EXPECT_EQ(colours.classOf(OpId(0)), colours.classOf(OpId(1)));
    EXPECT_EQ(colours.classOf(OpId(2)), 0);
    EXPECT_NE(colours.classOf(OpId(3)), colours.classOf(OpId(0)));
    EXPECT_EQ(colours.classes()[1].name, "1 fusion group");
    m_picture.plan.fusionGroup.clear();
    EXPECT_EQ(OpColours(ColourBy::FusionGroup, source()).classes()[0].ops, 4U);
}

TEST_F(OpColoursTest, PrioritiesNeedAPlanThatHasThem) {
    EXPECT_TRUE(OpColours(ColourBy::Priority, source()).classes().empty());
    m_picture.plan.policy = QueuePolicy::Priority;
    m_picture.plan.priority = {4, 3, 2, 1};
    const OpColours colours(ColourBy::Priority, source());
    EXPECT_EQ(colours.classOf(OpId(0)), 0) << "the highest comes first";
    EXPECT_EQ(colours.classOf(OpId(3)), 3);
    EXPECT_EQ(colours.classes().front().name, "first, #1");
    EXPECT_EQ(colours.classes().back().name, "last, #4");
    EXPECT_EQ(colours.colour(Theme::light(), 0), Theme::light().scale(1)) << "what comes first stands out";
}

TEST(Priorities, AreStepsOfAboutAsManyOpsWhateverTheNumbersAre) {
    GraphBuilder builder("priorities");
    constexpr std::size_t kOps = 800;
    for (std::size_t i = 0; i < kOps; ++i) {
        Op op;
        op.name = fmt::format("op{}", i);
        builder.addOp(std::move(op));
    }
    Diagnostics diagnostics;
    const Graph graph = *std::move(builder).build(diagnostics);
    Plan plan = Plan::allOn(DeviceId(0), kOps);
    plan.policy = QueuePolicy::Priority;
    for (std::size_t i = 0; i < kOps; ++i) // nearly all are small beside the first few
        plan.priority.push_back(static_cast<std::int64_t>(1e15 / static_cast<double>((i + 1) * (i + 1))));
    const OpColours colours(ColourBy::Priority, {&graph, nullptr, &plan, nullptr, nullptr});
    ASSERT_EQ(colours.classes().size(), 8U);
    for (const OpColours::Class& c : colours.classes())
        EXPECT_NEAR(static_cast<double>(c.ops), kOps / 8.0, 2) << c.name;
    EXPECT_EQ(colours.classes().front().name, "first, #1 to #100");
    EXPECT_EQ(colours.valueText(colours.value(OpId(41))), "#42");

    plan.priority.assign(kOps, 5);
    plan.priority[17] = 9;
    const OpColours two(ColourBy::Priority, {&graph, nullptr, &plan, nullptr, nullptr});
    ASSERT_EQ(two.classes().size(), 2U);
    EXPECT_EQ(two.classes()[0].ops, 1U);
    EXPECT_EQ(two.classOf(OpId(17)), 0);
    EXPECT_EQ(two.classes()[1].name, "last, #2") << "they share the second place";
}

TEST(OpTypes, TheRarestOfManyTypesAreOneClass) {
    GraphBuilder builder("types");
    for (int t = 0; t < 40; ++t) {
        for (int i = 0; i <= 40 - t; ++i) {
            Op op;
            op.name = fmt::format("op{}_{}", t, i);
            op.type = fmt::format("Type{}", t);
            builder.addOp(std::move(op));
        }
    }
    Diagnostics diagnostics;
    const Graph graph = *std::move(builder).build(diagnostics);
    const OpColours colours(ColourBy::OpType, {&graph});
    ASSERT_EQ(colours.classes().size(), 24U);
    EXPECT_EQ(colours.classes()[0].name, "Type0");
    EXPECT_EQ(colours.classes()[0].ops, 41U);
    EXPECT_EQ(colours.classes()[23].name, "17 other types");
    std::size_t sum = 0;
    for (const auto& c : colours.classes())
        sum += c.ops;
    EXPECT_EQ(sum, graph.opCount());
}

TEST(ColourBy, EveryWayHasANameOfItsOwn) {
    for (int i = 0; i <= static_cast<int>(ColourBy::Value); ++i)
        EXPECT_EQ(parseColourBy(toString(static_cast<ColourBy>(i))), static_cast<ColourBy>(i));
    EXPECT_FALSE(parseColourBy("hue"));
}

class OpValuesTest : public testing::Test {
protected:
    PictureScene m_picture;
    [[nodiscard]] Result<OpValues> parse(std::string_view text) const {
        return parseValues(text, "mine.csv", *m_picture.graph);
    }
};

TEST_F(OpValuesTest, ReadsNamesAndNumbersWithOrWithoutHeadings) {
    const auto plain = parse("enc/a,1.5\ndec/d,-2e3\n");
    ASSERT_TRUE(plain.has_value());
    EXPECT_EQ(plain->title, "mine");
    EXPECT_EQ(plain->value[0], 1.5);
    EXPECT_EQ(plain->value[3], -2000);
    EXPECT_TRUE(std::isnan(plain->value[1]));
    EXPECT_EQ(plain->known, 2U);
    const auto headed = parse("\xEF\xBB\xBFname,heat\r\n\"enc/b\" , 7\r\n\r\nenc/b,8");
    ASSERT_TRUE(headed.has_value());
    EXPECT_EQ(headed->title, "heat");
    EXPECT_EQ(headed->value[1], 8) << "the last one counts";
    EXPECT_EQ(headed->known, 1U);
}

TEST_F(OpValuesTest, LinesThatNameNoOpAreCounted) {
    const auto values = parse("enc/a,1\nelsewhere,2\nnowhere,3\n");
    ASSERT_TRUE(values.has_value());
    EXPECT_EQ(values->strangers, 2U);
    EXPECT_EQ(values->firstStranger, "elsewhere");
}

TEST_F(OpValuesTest, AWrongFileIsRefusedWithItsPlace) {
    for (const char* text : {"enc/a,1\nenc/b,many\n", "enc/a,1\nenc/b\n", "enc/a,1\nenc/b,inf\n"}) {
        const auto values = parse(text);
        ASSERT_FALSE(values.has_value()) << text;
        EXPECT_NE(values.error().message.find("mine.csv, line 2"), std::string::npos) << values.error().message;
    }
    EXPECT_FALSE(parse("").has_value());
    const auto strangers = parse("x,1\n");
    ASSERT_FALSE(strangers.has_value());
    EXPECT_NE(strangers.error().message.find("enc/a"), std::string::npos) << "says what a name looks like";
}

TEST(OpAttributes, ThoseThatAreNumbersCanBeShown) {
    GraphBuilder builder("attributes");
    for (int i = 0; i < 3; ++i) {
        Op op;
        op.name = fmt::format("op{}", i);
        op.attributes = {{"axis", AttributeValue(std::int64_t{i})}, {"mode", AttributeValue(std::string("same"))}};
        if (i == 1)
            op.attributes.push_back({"rate", AttributeValue(0.5)});
        builder.addOp(std::move(op));
    }
    Diagnostics diagnostics;
    const Graph graph = *std::move(builder).build(diagnostics);
    EXPECT_EQ(numberAttributes(graph), (std::vector<std::string>{"axis", "rate"}));
    EXPECT_EQ(attributeValues(graph, "axis").value[2], 2);
    EXPECT_EQ(attributeValues(graph, "rate").known, 1U);
}

} // namespace
} // namespace opscape
