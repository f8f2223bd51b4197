// SPDX-License-Identifier: MIT
#include <opscape/rl/train/elites.h>

#include <algorithm>
#include <cmath>

namespace opscape::rl {
namespace {

constexpr double kDrawNext = .6;   ///< that the elite after the one at hand is looked at
constexpr double kFreeShare = .08; ///< of the units, in the mean
constexpr double kAnyUnits = .4, kRun = .3;

} // namespace

bool Elites::add(Elite elite) {
    const auto isSame = [&elite](const Elite& other) {
        return other.score.costNs == elite.score.costNs && other.score.feasible == elite.score.feasible;
    };
    if (m_most == 0 || std::ranges::any_of(m_elites, isSame))
        return false;
    const auto at =
        std::ranges::find_if(m_elites, [&elite](const Elite& other) { return elite.score.betterThan(other.score); });
    if (m_elites.size() >= m_most && at == m_elites.end())
        return false;
    m_elites.insert(at, std::move(elite));
    if (m_elites.size() > m_most)
        m_elites.pop_back();
    return true;
}

std::size_t Elites::draw(Random& random) const {
    std::size_t at = 0;
    while (at + 1 < m_elites.size() && random.uniform() < kDrawNext)
        ++at;
    return at;
}

void Elites::drawFree(const DecisionUnits& units, Random& random, std::vector<std::uint8_t>& isFree) {
    const std::uint32_t count = units.count();
    isFree.assign(count, 0);
    const double size = 1 - std::log(1 - random.uniform()) * kFreeShare * count;
    const auto wanted = std::min(count, static_cast<std::uint32_t>(size));
    const double kind = random.uniform();
    if (kind < kAnyUnits) {
        for (std::uint32_t i = 0; i < wanted; ++i)
            isFree[random.below(count)] = 1;
    } else if (kind < kAnyUnits + kRun) {
        const std::uint32_t begin = random.below(count);
        for (std::uint32_t i = begin; i < std::min(count, begin + wanted); ++i)
            isFree[i] = 1;
    } else {
        const std::uint32_t layer = units.layer[random.below(count)];
        for (std::uint32_t i = 0; i < count; ++i)
            isFree[i] = units.layer[i] == layer && random.below(2) == 0 ? 1 : 0;
        isFree[random.below(count)] = 1;
    }
}

} // namespace opscape::rl
