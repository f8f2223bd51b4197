// SPDX-License-Identifier: MIT
#include "gui/models/notable_baselines.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace opscape {
namespace {

constexpr std::size_t kFew = 6;

/// How names of one kind begin: as optimizers call their plans, and as decision tasks call their proposals.
constexpr std::array<std::array<std::string_view, 2>, 5> kKinds{{{"start", "default"},
                                                                 {"single", "all on"},
                                                                 {"expert", "layers"},
                                                                 {"metis", "least cut"},
                                                                 {"heft", "earliest finish"}}};

} // namespace

std::vector<NamedTime> notableBaselines(std::span<const NamedTime> all) {
    if (all.size() <= kFew)
        return {all.begin(), all.end()};
    std::vector<std::size_t> chosen{
        static_cast<std::size_t>(std::ranges::min_element(all, {}, &NamedTime::ns) - all.begin())};
    const auto isNew = [&](std::size_t i) {
        return std::ranges::none_of(chosen, [&](std::size_t c) { return all[c].ns == all[i].ns; });
    };
    for (const auto& names : kKinds) {
        std::size_t best = all.size();
        for (std::size_t i = 0; i < all.size(); ++i) {
            const bool isOfKind =
                std::ranges::any_of(names, [&](std::string_view name) { return all[i].name.starts_with(name); });
            if (isOfKind && (best == all.size() || all[i].ns < all[best].ns))
                best = i;
        }
        if (best < all.size() && isNew(best))
            chosen.push_back(best);
    }
    std::ranges::sort(chosen);
    std::vector<NamedTime> notable;
    for (const std::size_t i : chosen)
        notable.push_back(all[i]);
    return notable;
}

} // namespace opscape
