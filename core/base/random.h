// SPDX-License-Identifier: MIT
// The one source of randomness: xoshiro256** (Blackman and Vigna 2018) seeded by splitmix64. Own code because the
// standard library's distributions give other numbers on other libraries, and a seed must mean the same everywhere.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace opscape {

class Random {
public:
    using result_type = std::uint64_t;

    explicit Random(std::uint64_t seed) {
        for (std::uint64_t& word : m_state) {
            seed += 0x9e3779b97f4a7c15ULL;
            std::uint64_t z = seed;
            z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
            z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
            word = z ^ (z >> 31);
        }
    }

    static constexpr result_type min() { return 0; }
    static constexpr result_type max() { return ~result_type{0}; }

    result_type operator()() {
        const std::uint64_t result = std::rotl(m_state[1] * 5, 7) * 9;
        const std::uint64_t t = m_state[1] << 17;
        m_state[2] ^= m_state[0];
        m_state[3] ^= m_state[1];
        m_state[1] ^= m_state[2];
        m_state[0] ^= m_state[3];
        m_state[2] ^= t;
        m_state[3] = std::rotl(m_state[3], 45);
        return result;
    }

    /// Uniform over 0 .. bound-1; bound must be positive. Multiply-shift: the bias is below 2^-32 for 32-bit bounds.
    std::uint32_t below(std::uint32_t bound) {
        return static_cast<std::uint32_t>(((operator()() >> 32) * std::uint64_t{bound}) >> 32);
    }
    /// Uniform over [0, 1).
    double uniform() { return static_cast<double>(operator()() >> 11) * 0x1.0p-53; }

private:
    std::array<std::uint64_t, 4> m_state;
};

} // namespace opscape
