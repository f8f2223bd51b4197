// SPDX-License-Identifier: MIT
// How well what a person typed fits the name of a command.
#pragma once

#include <QString>

#include <optional>

namespace opscape {

/// Less is better; none where it does not fit. Each typed word must be found in `title`, in `path` (the menus that lead
/// to it) or, as initials of words that follow one another, in the title: "oz" finds "Open from the zoo" no earlier
/// than "ofz" does. A word found at the start of a word counts before one found inside, the title before its path.
[[nodiscard]] std::optional<int> commandMatch(const QString& typed, const QString& title, const QString& path);

} // namespace opscape
