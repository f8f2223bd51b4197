// SPDX-License-Identifier: MIT
// Text that comes from files of any encoding and with anything in it, made fit to be compared, written and looked at;
// and counts in words. Everything here is independent of the locale.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace opscape {

[[nodiscard]] bool isUtf8(std::string_view text);
/// The same text where it is UTF-8; else with U+FFFD in place of every byte that is not.
[[nodiscard]] std::string toUtf8(std::string_view text);

/// What a terminal and a window may be given: UTF-8, in which characters that would not be seen but obeyed (controls,
/// among them line ends and escape sequences, and those that turn the direction of writing, such as U+202E) stand
/// written out, as \n or \u202E. Done twice it changes nothing more.
[[nodiscard]] std::string printable(std::string_view text);
/// The same for a text of several lines: its line ends stay.
[[nodiscard]] std::string printableLines(std::string_view text);

/// Each character by itself, as long in bytes as before: ASCII, Latin-1, Latin Extended-A, Greek (a final sigma is a
/// sigma, the micro sign a mu) and Cyrillic. Other scripts, and what would need more than one character or a language
/// (the German sharp s, the Turkish i), stay as they are.
[[nodiscard]] std::string lowerCase(std::string_view text);
/// The same for one ASCII character; any other stays.
[[nodiscard]] constexpr char lowerCase(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// How many characters UTF-8 text has.
[[nodiscard]] std::size_t characterCount(std::string_view text);
/// Bytes of the character at the front; 1 where that is no UTF-8, 0 of an empty text.
[[nodiscard]] std::size_t characterBytes(std::string_view text);

/// "1 op", "12,345 ops": for words whose plural ends in s.
[[nodiscard]] std::string counted(std::int64_t count, std::string_view what);

} // namespace opscape
