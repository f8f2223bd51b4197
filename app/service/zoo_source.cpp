// SPDX-License-Identifier: MIT
#include "zoo_source.h"

#include <algorithm>

namespace opscape {
namespace {

constexpr std::string_view kPrefix = "zoo:";

} // namespace

std::string ZooSource::text() const {
    std::string text = std::string(kPrefix) + model + "," + preset;
    for (const auto& [name, value] : settings)
        text += "," + name + "=" + value;
    return text;
}

std::optional<Cluster> ZooSource::publishedCluster() const {
    const ZooModel* known = findZooModel(model);
    if (known == nullptr || known->devices < 2)
        return std::nullopt;
    auto cluster = Cluster::load(fmt::format("p100x{}", known->devices));
    return cluster ? std::optional(std::move(*cluster)) : std::nullopt;
}

bool ZooSource::isMeant(std::string_view path) { return path.starts_with(kPrefix); }

Result<ZooSource> ZooSource::parse(std::string_view path) {
    ZooSource source;
    std::string_view rest = path.substr(kPrefix.size());
    const auto next = [&rest] {
        const std::string_view part = rest.substr(0, rest.find(','));
        rest.remove_prefix(std::min(rest.size(), part.size() + 1));
        return part;
    };
    source.model = next();
    while (!rest.empty()) {
        const std::string_view part = next();
        if (const std::size_t equals = part.find('='); equals != std::string_view::npos)
            source.settings[std::string(part.substr(0, equals))] = part.substr(equals + 1);
        else if (std::ranges::find(kZooPresets, part) != std::end(kZooPresets))
            source.preset = part;
        else
            return fail("\"{}\": \"{}\" is neither a preset ({}) nor of the form parameter=value; write it like "
                        "zoo:rnnlm4,paper,hidden=512.",
                        path, part, fmt::join(kZooPresets, ", "));
    }
    return source;
}

} // namespace opscape
