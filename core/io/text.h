// SPDX-License-Identifier: MIT
// Text for files: names and attributes come from files of any encoding, but JSON, SQLite and the screen want UTF-8.
#pragma once

#include <string>
#include <string_view>

namespace opscape {

[[nodiscard]] bool isUtf8(std::string_view text);
/// The same text where it is UTF-8; else with U+FFFD in place of every byte that is not.
[[nodiscard]] std::string toUtf8(std::string_view text);

/// Appends the text as a JSON string, with its quotes.
void appendJson(std::string& out, std::string_view text);
/// Appends the shortest number that reads back to the same bits, always with a '.' or exponent; infinities and NaN,
/// which JSON has not, as "inf", "-inf" and "nan" in quotes.
void appendJson(std::string& out, double value);

/// "light_resnet50" of "/a/b/light_resnet50.onnx".
[[nodiscard]] std::string stemOf(std::string_view origin);

} // namespace opscape
