// SPDX-License-Identifier: MIT
// The best different samples so far: they are learned again (self-imitation), and half of the new samples start from
// one of them and decide only a part of the units anew (large neighbourhood search guided by the policy).
#pragma once

#include <opscape/base/random.h>
#include <opscape/rl/train/rollout.h>
#include <opscape/search/search_run.h>

namespace opscape::rl {

struct Elite {
    std::vector<std::vector<int>> actions; ///< [task][unit]
    Score score;
    friend bool operator==(const Elite&, const Elite&) = default;
};

class Elites {
public:
    explicit Elites(int most) : m_most(static_cast<std::size_t>(most)) {}

    /// Keeps it when it is among the best and no other has its cost; false when not.
    bool add(Elite elite);
    [[nodiscard]] const std::vector<Elite>& all() const { return m_elites; } ///< best first
    [[nodiscard]] bool empty() const { return m_elites.empty(); }
    void restore(std::vector<Elite> elites) { m_elites = std::move(elites); }

    /// Index of the elite to vary; the best most often.
    [[nodiscard]] std::size_t draw(Random& random) const;
    /// Which units to decide anew: any, a run of neighbours in order, or parts of one layer. One flag per unit.
    static void drawFree(const DecisionUnits& units, Random& random, std::vector<std::uint8_t>& isFree);

private:
    std::size_t m_most;
    std::vector<Elite> m_elites;
};

} // namespace opscape::rl
