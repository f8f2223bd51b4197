// SPDX-License-Identifier: MIT
// Strict reading of JSON for the cluster parser: every value is checked for its kind and bounds, and the sentence on
// what is wrong travels as an exception out of nested parsing, up to the one place that turns it into a Result.
#pragma once

#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <cstdint>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <string_view>

namespace opscape::json {

using Json = nlohmann::json;

struct BadJson : std::runtime_error {
    using std::runtime_error::runtime_error;
};

template <class... Args>
[[noreturn]] void bad(fmt::format_string<Args...> format, Args&&... args) {
    throw BadJson(fmt::format(format, std::forward<Args>(args)...));
}

/// Refuses a key given twice in one object; the library alone would silently keep the last.
[[nodiscard]] Json parseUnique(std::string_view text);

/// Refuses a key that is not among the known ones. `place` says where in the file, e.g. "kinds.P100".
void knownKeys(const Json& object, const std::string& place, std::initializer_list<std::string_view> keys);

[[nodiscard]] double number(const Json& object, const std::string& place, const char* key, double least);
/// A whole number, written as 16000000000 or as 16e9.
[[nodiscard]] std::int64_t whole(const Json& object, const std::string& place, const char* key, std::int64_t least);
/// False when the key is not there.
[[nodiscard]] bool flag(const Json& object, const std::string& place, const char* key);
/// Required unless there is an `otherwise`.
std::string text(const Json& object, const std::string& place, const char* key, const char* otherwise = nullptr);
/// Empty when the key is not there.
[[nodiscard]] const Json& array(const Json& object, const std::string& place, const char* key);

} // namespace opscape::json
