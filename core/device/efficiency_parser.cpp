// SPDX-License-Identifier: MIT
// The entry "all" is read first, then each class on top of it, and in each of them the figures for every element type
// before those for one of them: whatever is more particular wins, whatever is not said is taken from the more general.
#include <opscape/device/efficiency_parser.h>

#include <optional>

namespace opscape {
namespace {

using namespace json;

constexpr const char* kAll = "all";

double fraction(const Json& object, const std::string& place, const char* key) {
    const double value = number(object, place, key, 0);
    // More than 1 is possible: fast algorithms for convolutions do with fewer operations than are counted.
    if (value <= 0 || value > 4)
        bad("{}.{} must be above 0 and at most 4", place, key);
    return value;
}

void figures(const Json& object, const std::string& place, Efficiency& efficiency) {
    if (object.contains("compute"))
        efficiency.compute = fraction(object, place, "compute");
    if (object.contains("memory"))
        efficiency.memory = fraction(object, place, "memory");
    if (object.contains("half_flops"))
        efficiency.halfFlops = number(object, place, "half_flops", 0);
    if (object.contains("half_bytes"))
        efficiency.halfBytes = number(object, place, "half_bytes", 0);
}

/// One entry, for one class or for all of them.
void entry(const Json& object, const std::string& place, std::optional<OpClass> only, DeviceKind& kind) {
    if (!object.is_object())
        bad("{} must be an object", place);
    text(object, place, "source", "");
    const auto change = [&](const Json& from, const std::string& where, std::optional<DType> type) {
        for (std::size_t c = 0; c < kOpClassCount; ++c) {
            if (only && static_cast<std::size_t>(*only) != c)
                continue;
            auto& byType = kind.efficiencies[c];
            for (std::size_t t = 0; t < byType.size(); ++t) {
                if (!type || static_cast<std::size_t>(*type) == t)
                    figures(from, where, byType[t]);
            }
        }
    };
    change(object, place, std::nullopt);
    for (const auto& [key, value] : object.items()) {
        if (!value.is_object())
            continue;
        const auto type = parseDType(key);
        if (!type)
            bad("{}: \"{}\" is not an element type", place, key);
        const std::string where = place + "." + key;
        knownKeys(value, where, {"compute", "memory", "half_flops", "half_bytes"});
        change(value, where, type);
    }
    Json known = object;
    for (const auto& [key, value] : object.items()) {
        if (value.is_object())
            known.erase(key);
    }
    knownKeys(known, place, {"compute", "memory", "half_flops", "half_bytes", "source"});
}

} // namespace

void readEfficiency(const Json& object, const std::string& place, DeviceKind& kind) {
    if (!object.is_object())
        bad("{} must be an object", place);
    if (const auto all = object.find(kAll); all != object.end())
        entry(*all, place + "." + kAll, std::nullopt, kind);
    for (const auto& [name, value] : object.items()) {
        if (name == kAll)
            continue;
        const auto opClass = parseOpClass(name);
        if (!opClass) {
            std::string names = kAll;
            for (std::size_t c = 0; c < kOpClassCount; ++c)
                names += ", " + std::string(toString(static_cast<OpClass>(c)));
            bad("{} has an unknown class of ops \"{}\"; known are: {}", place, name, names);
        }
        entry(value, place + "." + name, opClass, kind);
    }
}

} // namespace opscape
