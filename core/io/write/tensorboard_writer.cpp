// SPDX-License-Identifier: MIT
// CRC-32C by a table of the bytes' remainders (D. V. Sarwate, Computation of cyclic redundancy checks via table
// look-up, Communications of the ACM 31(8), 1988).
#include <opscape/base/text.h>
#include <opscape/io/write/tensorboard.pb.h>
#include <opscape/io/write/tensorboard_writer.h>

#include <array>
#include <cmath>

namespace opscape {
namespace {

constexpr std::array<std::uint32_t, 256> kRemainders = [] {
    constexpr std::uint32_t kPolynomial = 0x82f63b78; // 0x1edc6f41, lowest bit first
    std::array<std::uint32_t, 256> remainders{};
    for (std::uint32_t byte = 0; byte < 256; ++byte) {
        std::uint32_t r = byte;
        for (int bit = 0; bit < 8; ++bit)
            r = (r >> 1) ^ ((r & 1) != 0 ? kPolynomial : 0);
        remainders[byte] = r;
    }
    return remainders;
}();

void appendLittleEndian(std::string& out, std::uint64_t value, int bytes) {
    for (int i = 0; i < bytes; ++i)
        out += static_cast<char>(value >> (8 * i) & 0xff);
}

void appendRecord(std::string& out, const tensorboard::Event& event) {
    const std::string bytes = event.SerializeAsString();
    std::string length;
    appendLittleEndian(length, bytes.size(), 8);
    out += length;
    appendLittleEndian(out, maskedCrc32c(length), 4);
    out += bytes;
    appendLittleEndian(out, maskedCrc32c(bytes), 4);
}

void addScalar(tensorboard::Summary& summary, std::string tag, double value) {
    if (std::isnan(value))
        return; // there is no such figure
    auto& made = *summary.add_value();
    made.set_tag(std::move(tag));
    made.set_simple_value(static_cast<float>(value));
}

} // namespace

std::uint32_t crc32c(std::string_view bytes) {
    std::uint32_t crc = 0xffffffff;
    for (const char c : bytes)
        crc = (crc >> 8) ^ kRemainders[(crc ^ static_cast<unsigned char>(c)) & 0xff];
    return ~crc;
}

std::uint32_t maskedCrc32c(std::string_view bytes) {
    const std::uint32_t crc = crc32c(bytes);
    return ((crc >> 15) | (crc << 17)) + 0xa282ead8;
}

std::string writeTensorBoard(std::span<const CurvePoint> points, std::span<const NamedTime> baselines,
                             std::int64_t startedMs) {
    std::string out;
    const double started = static_cast<double>(startedMs) / 1000;
    tensorboard::Event first;
    first.set_wall_time(started);
    first.set_file_version("brain.Event:2");
    appendRecord(out, first);
    for (const CurvePoint& p : points) {
        tensorboard::Event event;
        event.set_wall_time(started + p.seconds);
        event.set_step(p.update);
        auto& summary = *event.mutable_summary();
        if (p.bestNs >= 0)
            addScalar(summary, "train/best_ms", static_cast<double>(p.bestNs) / 1e6);
        addScalar(summary, "train/reward", p.reward);
        addScalar(summary, "train/entropy", p.entropy);
        addScalar(summary, "train/kl", p.kl);
        addScalar(summary, "train/clip_fraction", p.clipFraction);
        addScalar(summary, "train/value_baseline", p.valueBaseline);
        addScalar(summary, "train/policy_loss", p.policyLoss);
        addScalar(summary, "train/imitation_loss", p.imitationLoss);
        addScalar(summary, "train/simulations", static_cast<double>(p.simulations));
        for (const NamedTime& baseline : baselines)
            addScalar(summary, "baseline_ms/" + toUtf8(baseline.name), static_cast<double>(baseline.ns) / 1e6);
        appendRecord(out, event);
    }
    return out;
}

} // namespace opscape
