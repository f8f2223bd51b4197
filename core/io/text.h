// SPDX-License-Identifier: MIT
// Text for files: JSON and CSV in UTF-8, whatever names and attributes hold.
#pragma once

#include <opscape/base/text.h>

#include <string>
#include <string_view>

namespace opscape {

/// Appends the text as a JSON string, with its quotes.
void appendJson(std::string& out, std::string_view text);
/// Appends the shortest number that reads back to the same bits, always with a '.' or exponent; infinities and NaN,
/// which JSON has not, as "inf", "-inf" and "nan" in quotes.
void appendJson(std::string& out, double value);

/// The double that is written like the float: 0.1f becomes 0.1, not 0.10000000149011612.
[[nodiscard]] double widened(float value);

/// A field of a CSV file, UTF-8; quoted where it has to be.
[[nodiscard]] std::string csvField(std::string_view text);

/// "light_resnet50" of "/a/b/light_resnet50.onnx".
[[nodiscard]] std::string stemOf(std::string_view origin);

} // namespace opscape
