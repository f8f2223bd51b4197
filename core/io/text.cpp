// SPDX-License-Identifier: MIT
#include <opscape/io/text.h>

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <iterator>

namespace opscape {
void appendJson(std::string& out, std::string_view text) {
    out += '"';
    const std::string repaired = isUtf8(text) ? std::string() : toUtf8(text);
    for (const char c : repaired.empty() ? text : std::string_view(repaired)) {
        switch (c) {
        case '"':
            out += "\\\"";
            break;
        case '\\':
            out += "\\\\";
            break;
        case '\n':
            out += "\\n";
            break;
        case '\t':
            out += "\\t";
            break;
        default:
            if (static_cast<unsigned char>(c) < 0x20)
                fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<unsigned>(c));
            else
                out += c;
        }
    }
    out += '"';
}

void appendJson(std::string& out, double value) {
    if (!std::isfinite(value)) {
        out += std::isnan(value) ? "\"nan\"" : value > 0 ? "\"inf\"" : "\"-inf\"";
        return;
    }
    const std::size_t begin = out.size();
    fmt::format_to(std::back_inserter(out), "{}", value);
    if (out.find_first_of(".e", begin) == std::string::npos)
        out += ".0";
}

std::string csvField(std::string_view text) {
    const std::string utf8 = toUtf8(text);
    if (utf8.find_first_of(",\"\r\n") == std::string::npos)
        return utf8;
    std::string quoted = "\"";
    for (const char c : utf8) {
        if (c == '"')
            quoted += '"';
        quoted += c;
    }
    return quoted + '"';
}

double widened(float value) {
    char text[64];
    const auto end = std::to_chars(text, text + sizeof text, value).ptr;
    double wide = value;
    std::from_chars(text, end, wide);
    return wide;
}

std::string stemOf(std::string_view origin) {
    origin = origin.substr(origin.rfind('/') + 1);
    return std::string(origin.substr(0, origin.rfind('.')));
}

} // namespace opscape
