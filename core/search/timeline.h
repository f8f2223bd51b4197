// SPDX-License-Identifier: MIT
// What one device is doing when, while a schedule is being built: only the gaps are kept, and what is free at the end.
// Gaps are in order of time, in blocks that know their widest gap, so that a search passes over a block too narrow for
// the op in one step however many slivers a long schedule leaves behind.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace opscape {

class Timeline {
public:
    /// Where an op fits first: no earlier than readyNs, in the first gap that is wide enough, or at the end.
    struct Place {
        std::int64_t startNs;
        std::size_t block, gap; ///< block == kAtEnd: after everything else
    };
    static constexpr std::size_t kAtEnd = static_cast<std::size_t>(-1);

    [[nodiscard]] Place find(std::int64_t readyNs, std::int64_t lengthNs) const {
        auto block =
            std::ranges::partition_point(m_blocks, [readyNs](const Block& b) { return b.gaps.back().endNs < readyNs; });
        for (; block != m_blocks.end(); ++block) {
            if (block->widestNs < lengthNs)
                continue;
            for (auto gap = block->gaps.begin(); gap != block->gaps.end(); ++gap) {
                const std::int64_t startNs = std::max(gap->startNs, readyNs);
                if (startNs + lengthNs <= gap->endNs)
                    return {startNs, static_cast<std::size_t>(block - m_blocks.begin()),
                            static_cast<std::size_t>(gap - block->gaps.begin())};
            }
        }
        return {std::max(readyNs, m_endNs), kAtEnd, 0};
    }

    /// Takes the place, as find() gave it.
    void take(const Place& place, std::int64_t lengthNs) {
        const std::int64_t endNs = place.startNs + lengthNs;
        if (place.block == kAtEnd) {
            if (place.startNs > m_endNs)
                append({m_endNs, place.startNs});
            m_endNs = endNs;
            return;
        }
        Block& block = m_blocks[place.block];
        const auto at = block.gaps.begin() + static_cast<std::ptrdiff_t>(place.gap);
        const Gap before{at->startNs, place.startNs}, after{endNs, at->endNs};
        const bool keepBefore = before.endNs > before.startNs, keepAfter = after.endNs > after.startNs;
        if (keepBefore && keepAfter) {
            *at = before;
            block.gaps.insert(at + 1, after);
        } else if (keepBefore || keepAfter) {
            *at = keepBefore ? before : after;
        } else {
            block.gaps.erase(at);
        }
        if (block.gaps.empty())
            m_blocks.erase(m_blocks.begin() + static_cast<std::ptrdiff_t>(place.block));
        else if (block.gaps.size() > 2 * kBlock)
            split(place.block);
        else
            block.measure();
    }

private:
    static constexpr std::size_t kBlock = 64;

    struct Gap {
        std::int64_t startNs, endNs;
    };
    struct Block {
        std::vector<Gap> gaps; ///< never empty
        std::int64_t widestNs = 0;
        void measure() {
            widestNs = 0;
            for (const Gap& gap : gaps)
                widestNs = std::max(widestNs, gap.endNs - gap.startNs);
        }
    };

    void append(Gap gap) {
        if (m_blocks.empty() || m_blocks.back().gaps.size() >= kBlock)
            m_blocks.emplace_back();
        m_blocks.back().gaps.push_back(gap);
        m_blocks.back().widestNs = std::max(m_blocks.back().widestNs, gap.endNs - gap.startNs);
    }

    void split(std::size_t index) {
        Block upper;
        Block& lower = m_blocks[index];
        upper.gaps.assign(lower.gaps.begin() + kBlock, lower.gaps.end());
        lower.gaps.resize(kBlock);
        lower.measure();
        upper.measure();
        m_blocks.insert(m_blocks.begin() + static_cast<std::ptrdiff_t>(index) + 1, std::move(upper));
    }

    std::vector<Block> m_blocks;
    std::int64_t m_endNs = 0;
};

} // namespace opscape
