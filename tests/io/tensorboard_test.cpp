// SPDX-License-Identifier: MIT
#include <opscape/io/write/tensorboard.pb.h>
#include <opscape/io/write/tensorboard_writer.h>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <limits>
#include <map>

namespace opscape {
namespace {

using testing::ElementsAre;
using testing::Pair;

std::string hex(std::string_view bytes) {
    std::string text;
    for (const char c : bytes)
        text += fmt::format("{:02x}", static_cast<unsigned char>(c));
    return text;
}

std::uint64_t littleEndian(std::string_view bytes) {
    std::uint64_t value = 0;
    for (std::size_t i = bytes.size(); i-- > 0;)
        value = value << 8 | static_cast<unsigned char>(bytes[i]);
    return value;
}

/// The events of a file whose checksums hold.
std::vector<tensorboard::Event> eventsOf(std::string_view file) {
    std::vector<tensorboard::Event> events;
    while (!file.empty()) {
        const std::uint64_t size = littleEndian(file.substr(0, 8));
        EXPECT_EQ(littleEndian(file.substr(8, 4)), maskedCrc32c(file.substr(0, 8)));
        const std::string_view bytes = file.substr(12, size);
        EXPECT_EQ(littleEndian(file.substr(12 + size, 4)), maskedCrc32c(bytes));
        EXPECT_TRUE(events.emplace_back().ParseFromArray(bytes.data(), static_cast<int>(bytes.size())));
        file.remove_prefix(16 + size);
    }
    return events;
}

TEST(TensorBoard, TheChecksumIsThatOfRfc3720) {
    EXPECT_EQ(crc32c(""), 0U);
    EXPECT_EQ(crc32c("123456789"), 0xe3069283U);
    EXPECT_EQ(crc32c(std::string(32, '\0')), 0x8a9136aaU);
    EXPECT_EQ(crc32c(std::string(32, '\xff')), 0x62a8ab43U);
    std::string ascending;
    for (int i = 0; i < 32; ++i)
        ascending += static_cast<char>(i);
    EXPECT_EQ(crc32c(ascending), 0x46dd794eU);
}

TEST(TensorBoard, TheFileBeginsWithTheBytesOfItsVersion) {
    // Length 24 and its masked checksum; field 1 is the double 1.5, field 3 the text; their masked checksum.
    EXPECT_EQ(hex(writeTensorBoard({}, {}, 1500)), "1800000000000000a37f4b22"
                                                   "09000000000000f83f"
                                                   "1a0d627261696e2e4576656e743a32"
                                                   "2a28646c");
}

TEST(TensorBoard, EveryPointIsAnEventWithTheScalarsThatItHas) {
    CurvePoint point;
    point.update = 7;
    point.seconds = 2.5;
    point.simulations = 640;
    point.reward = -0.25;
    point.bestNs = 3'500'000;
    point.policyLoss = 0.5;
    const std::vector<NamedTime> baselines{{"layers in turn", 4'000'000}};
    const auto events = eventsOf(writeTensorBoard(std::vector{point}, baselines, 1'700'000'000'000));
    ASSERT_EQ(events.size(), 2U);
    EXPECT_EQ(events[0].file_version(), "brain.Event:2");
    EXPECT_EQ(events[1].step(), 7);
    EXPECT_EQ(events[1].wall_time(), 1'700'000'002.5);
    std::map<std::string, float> scalars;
    for (const auto& value : events[1].summary().value())
        scalars[value.tag()] = value.simple_value();
    EXPECT_THAT(scalars,
                ElementsAre(Pair("baseline_ms/layers in turn", 4.0F), Pair("train/best_ms", 3.5F),
                            Pair("train/clip_fraction", 0.0F), Pair("train/entropy", 0.0F), Pair("train/kl", 0.0F),
                            Pair("train/policy_loss", 0.5F), Pair("train/reward", -0.25F),
                            Pair("train/simulations", 640.0F), Pair("train/value_baseline", 0.0F)));
}

TEST(TensorBoard, AnEmptyScalarIsWrittenToo) {
    // A figure of 0 is not left out: proto3 would leave out a field without presence.
    CurvePoint point;
    point.update = 1;
    const auto events = eventsOf(writeTensorBoard(std::vector{point}, {}, 0));
    for (const auto& value : events.at(1).summary().value())
        EXPECT_TRUE(value.has_simple_value()) << value.tag();
}

} // namespace
} // namespace opscape
