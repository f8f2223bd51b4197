// SPDX-License-Identifier: MIT
#include <opscape/graph/types.h>

#include <gtest/gtest.h>

#include <limits>

namespace opscape {
namespace {

constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();

TEST(DType, HasANameAndAWidth) {
    constexpr std::tuple<DType, std::string_view, int> expected[] = {
        {DType::Unknown, "unknown", 0}, {DType::F16, "f16", 16}, {DType::BF16, "bf16", 16},
        {DType::F32, "f32", 32},        {DType::F64, "f64", 64}, {DType::F8, "f8", 8},
        {DType::I4, "i4", 4},           {DType::I8, "i8", 8},    {DType::I16, "i16", 16},
        {DType::I32, "i32", 32},        {DType::I64, "i64", 64}, {DType::U8, "u8", 8},
        {DType::U16, "u16", 16},        {DType::U32, "u32", 32}, {DType::U64, "u64", 64},
        {DType::Bool, "bool", 8},       {DType::C64, "c64", 64}, {DType::C128, "c128", 128},
        {DType::String, "string", 0}};
    EXPECT_EQ(std::size(expected), static_cast<std::size_t>(DType::String) + 1) << "a type is missing here";
    for (const auto& [type, name, bits] : expected) {
        EXPECT_EQ(toString(type), name);
        EXPECT_EQ(bitsOf(type), bits) << name;
        EXPECT_EQ(parseDType(name), type);
    }
    EXPECT_EQ(parseDType("F32"), std::nullopt);
    EXPECT_EQ(parseDType(""), std::nullopt);
}

TEST(Names, OfKindsAndPhasesAreReadBack) {
    for (const TensorKind kind : {TensorKind::Activation, TensorKind::Input, TensorKind::Weight, TensorKind::Constant,
                                  TensorKind::OptimizerState})
        EXPECT_EQ(parseTensorKind(toString(kind)), kind);
    EXPECT_EQ(toString(TensorKind::OptimizerState), "optimizer-state");
    EXPECT_EQ(parseTensorKind("weights"), std::nullopt);
    for (const Phase phase : {Phase::Forward, Phase::Backward, Phase::Update})
        EXPECT_EQ(parsePhase(toString(phase)), phase);
    EXPECT_EQ(parsePhase("train"), std::nullopt);
}

TEST(ElementCount, IsTheProductOfTheDimensions) {
    EXPECT_EQ(elementCount({}), 1) << "a scalar";
    EXPECT_EQ(elementCount({7}), 7);
    EXPECT_EQ(elementCount({2, 3, 5}), 30);
}

TEST(ElementCount, IsUnknownWhenADimensionIs) {
    EXPECT_EQ(elementCount({2, kUnknownDim}), std::nullopt);
    EXPECT_EQ(elementCount({0, kUnknownDim}), std::nullopt);
    EXPECT_EQ(elementCount({-7}), std::nullopt);
}

TEST(ElementCount, IsZeroWhenADimensionIsHoweverLargeTheOthers) {
    EXPECT_EQ(elementCount({0}), 0);
    EXPECT_EQ(elementCount({3, 0, 5}), 0);
    EXPECT_EQ(elementCount({kMax, kMax, 0}), 0);
    EXPECT_EQ(elementCount({0, kMax, kMax}), 0);
}

TEST(ElementCount, IsUnknownWhenItDoesNotFit63Bits) {
    EXPECT_EQ(elementCount({kMax}), kMax);
    EXPECT_EQ(elementCount({kMax, 2}), std::nullopt);
    EXPECT_EQ(elementCount({1LL << 31, 1LL << 31}), 1LL << 62);
    EXPECT_EQ(elementCount({1LL << 31, 1LL << 31, 2}), std::nullopt);
    EXPECT_EQ(elementCount({1LL << 32, 1LL << 32, 1LL << 32}), std::nullopt);
}

TEST(ByteSize, RoundsPartialBytesUp) {
    EXPECT_EQ(byteSize(DType::I4, {}), 1);
    EXPECT_EQ(byteSize(DType::I4, {1}), 1);
    EXPECT_EQ(byteSize(DType::I4, {2}), 1);
    EXPECT_EQ(byteSize(DType::I4, {3}), 2);
    EXPECT_EQ(byteSize(DType::I4, {3, 3}), 5);
    EXPECT_EQ(byteSize(DType::I4, {0}), 0);
}

TEST(ByteSize, IsElementsTimesWidth) {
    EXPECT_EQ(byteSize(DType::F32, {64, 3, 7, 7}), 64 * 3 * 7 * 7 * 4);
    EXPECT_EQ(byteSize(DType::Bool, {5}), 5);
    EXPECT_EQ(byteSize(DType::C128, {5}), 80);
}

TEST(ByteSize, IsUnknownWhereTheTypeOrTheShapeDoesNotTell) {
    EXPECT_EQ(byteSize(DType::Unknown, {5}), std::nullopt);
    EXPECT_EQ(byteSize(DType::String, {5}), std::nullopt);
    EXPECT_EQ(byteSize(DType::F32, {kUnknownDim}), std::nullopt);
}

TEST(ByteSize, IsUnknownWhenTheBitsDoNotFit63Bits) {
    EXPECT_EQ(byteSize(DType::F32, {kMax}), std::nullopt);
    EXPECT_EQ(byteSize(DType::I8, {(kMax - 7) / 8}), (kMax - 7) / 8);
    EXPECT_EQ(byteSize(DType::I8, {(kMax - 7) / 8 + 1}), std::nullopt);
}

TEST(ShapeText, JoinsDimensions) {
    EXPECT_EQ(toString(Shape{}), "scalar");
    EXPECT_EQ(toString(Shape{7}), "7");
    EXPECT_EQ(toString(Shape{1, 64, 56, 56}), "1x64x56x56");
    EXPECT_EQ(toString(Shape{kUnknownDim, 0}), "?x0");
}

TEST(Attribute, EqualsByNameTypeAndBits) {
    const auto attribute = [](AttributeValue value) { return Attribute{"a", std::move(value)}; };
    EXPECT_EQ(attribute(std::int64_t{1}), attribute(std::int64_t{1}));
    EXPECT_NE(attribute(std::int64_t{1}), (Attribute{"b", std::int64_t{1}}));
    EXPECT_NE(attribute(std::int64_t{1}), attribute(1.0));
    EXPECT_NE(attribute(std::string("x")), attribute(std::string("y")));
    const double nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(attribute(nan), attribute(nan));
    EXPECT_NE(attribute(0.0), attribute(-0.0));
    EXPECT_EQ(attribute(std::vector<double>{1, nan}), attribute(std::vector<double>{1, nan}));
    EXPECT_NE(attribute(std::vector<double>{1, 2}), attribute(std::vector<double>{1}));
    EXPECT_NE(attribute(std::vector<std::int64_t>{1, 2}), attribute(std::vector<std::int64_t>{2, 1}));
}

} // namespace
} // namespace opscape
