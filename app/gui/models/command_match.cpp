// SPDX-License-Identifier: MIT
#include "gui/models/command_match.h"

#include <QStringList>

#include <algorithm>

namespace opscape {
namespace {

constexpr int kStart = 0, kWordStart = 1, kInitials = 2, kInside = 3, kPathStart = 4, kPathInside = 6;

bool startsWord(const QString& text, qsizetype at) { return at == 0 || !text[at - 1].isLetterOrNumber(); }

/// Where a word begins with it, else anywhere; -1 when it is not there.
qsizetype bestPlace(const QString& text, const QString& word) {
    const qsizetype first = text.indexOf(word);
    for (qsizetype at = first; at >= 0; at = text.indexOf(word, at + 1)) {
        if (startsWord(text, at))
            return at;
    }
    return first;
}

/// "ofz" in "open from the zoo": initials in their order; words may be left out.
bool isInitials(const QString& text, const QString& word) {
    qsizetype found = 0;
    for (qsizetype at = 0; at < text.size() && found < word.size(); ++at) {
        if (startsWord(text, at) && text[at] == word[found])
            ++found;
    }
    return found == word.size() && word.size() > 1;
}

std::optional<int> wordMatch(const QString& word, const QString& title, const QString& path) {
    if (const qsizetype at = bestPlace(title, word); at >= 0)
        return at == 0 ? kStart : startsWord(title, at) ? kWordStart : kInside;
    if (isInitials(title, word))
        return kInitials;
    if (const qsizetype at = bestPlace(path, word); at >= 0)
        return startsWord(path, at) ? kPathStart : kPathInside;
    return std::nullopt;
}

} // namespace

std::optional<int> commandMatch(const QString& typed, const QString& title, const QString& path) {
    const QString foldedTitle = title.toCaseFolded(), foldedPath = path.toCaseFolded();
    int sum = 0;
    for (const QString& word : typed.toCaseFolded().split(u' ', Qt::SkipEmptyParts)) {
        const std::optional<int> cost = wordMatch(word, foldedTitle, foldedPath);
        if (!cost)
            return std::nullopt;
        sum += *cost;
    }
    return sum;
}

} // namespace opscape
