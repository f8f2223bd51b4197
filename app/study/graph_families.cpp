// SPDX-License-Identifier: MIT
#include "graph_families.h"

#include <opscape/zoo/zoo.h>

#include <fmt/ranges.h>

#include <algorithm>

namespace opscape {

const std::vector<SuperFamily>& superFamilies() {
    static const std::vector<SuperFamily> kAll{{"recurrent", {"rnnlm", "gnmt"}},
                                               {"transformer", {"txl", "bert", "gpt2"}},
                                               {"branching", {"inception", "amoebanet", "wavenet"}},
                                               {"plain", {"resnet", "vgg", "alexnet"}}};
    return kAll;
}

std::vector<std::string> graphFamilies() {
    std::vector<std::string> families;
    for (const SuperFamily& super : superFamilies())
        families.insert(families.end(), super.families.begin(), super.families.end());
    return families;
}

std::string familyOf(std::string_view workload) {
    if (findZooModel(workload) == nullptr)
        return {};
    std::string found;
    for (const std::string& family : graphFamilies()) {
        if (workload.starts_with(family) && family.size() > found.size())
            found = family;
    }
    return found;
}

const SuperFamily* superFamilyOf(std::string_view family) {
    const auto found = std::ranges::find_if(
        superFamilies(), [family](const SuperFamily& super) { return std::ranges::count(super.families, family) > 0; });
    return found == superFamilies().end() ? nullptr : &*found;
}

Result<std::vector<std::string>> expandFamilies(std::span<const std::string> names) {
    std::vector<std::string> wanted, supers;
    const std::vector<std::string> all = graphFamilies();
    for (const SuperFamily& super : superFamilies())
        supers.emplace_back(super.name);
    for (const std::string& name : names) {
        const auto super = std::ranges::find(superFamilies(), name, &SuperFamily::name);
        if (name == "all")
            wanted = all;
        else if (super != superFamilies().end())
            wanted.insert(wanted.end(), super->families.begin(), super->families.end());
        else if (std::ranges::count(all, name) > 0)
            wanted.push_back(name);
        else
            return fail("there is no family of graphs \"{}\"; name all, one of {}, or one of the super-families {}.",
                        name, fmt::join(all, ", "), fmt::join(supers, ", "));
    }
    std::vector<std::string> families;
    std::ranges::copy_if(all, std::back_inserter(families),
                         [&wanted](const std::string& family) { return std::ranges::count(wanted, family) > 0; });
    return families;
}

} // namespace opscape
