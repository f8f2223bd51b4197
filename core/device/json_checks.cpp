// SPDX-License-Identifier: MIT
#include <opscape/device/json_checks.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

namespace opscape::json {

Json parseUnique(std::string_view text) {
    std::vector<std::set<std::string>> open;
    return Json::parse(text, [&open](int, Json::parse_event_t event, Json& parsed) {
        if (event == Json::parse_event_t::object_start)
            open.emplace_back();
        else if (event == Json::parse_event_t::object_end)
            open.pop_back();
        else if (event == Json::parse_event_t::key && !open.back().insert(parsed.get<std::string>()).second)
            bad("the key \"{}\" is given twice in one object", parsed.get<std::string>());
        return true;
    });
}

void knownKeys(const Json& object, const std::string& place, std::initializer_list<std::string_view> keys) {
    if (!object.is_object())
        bad("{} must be an object", place);
    for (const auto& [key, value] : object.items()) {
        if (std::ranges::find(keys, std::string_view(key)) == keys.end())
            bad("{} has an unknown key \"{}\"; known are: {}", place, key, fmt::join(keys, ", "));
    }
}

double number(const Json& object, const std::string& place, const char* key, double least) {
    const auto it = object.find(key);
    if (it == object.end())
        bad("{}.{} is missing", place, key);
    if (!it->is_number() || it->get<double>() < least)
        bad("{}.{} must be a number of at least {}", place, key, least);
    return it->get<double>();
}

std::int64_t whole(const Json& object, const std::string& place, const char* key, std::int64_t least) {
    constexpr double kExact = 0x1p53; // up to here a double holds every whole number
    const double value = number(object, place, key, static_cast<double>(least));
    if (value != std::floor(value) || value > kExact)
        bad("{}.{} must be a whole number below 2^53", place, key);
    return static_cast<std::int64_t>(value);
}

bool flag(const Json& object, const std::string& place, const char* key) {
    const auto it = object.find(key);
    if (it == object.end())
        return false;
    if (!it->is_boolean())
        bad("{}.{} must be true or false", place, key);
    return it->get<bool>();
}

std::string text(const Json& object, const std::string& place, const char* key, const char* otherwise) {
    const auto it = object.find(key);
    if (it == object.end() && otherwise != nullptr)
        return otherwise;
    if (it == object.end() || !it->is_string())
        bad("{}.{} must be a text", place, key);
    return it->get<std::string>();
}

const Json& array(const Json& object, const std::string& place, const char* key) {
    static const Json kNone = Json::array();
    const auto it = object.find(key);
    if (it == object.end())
        return kNone;
    if (!it->is_array())
        bad("{}.{} must be a list", place, key);
    return *it;
}

} // namespace opscape::json
