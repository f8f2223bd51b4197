// SPDX-License-Identifier: MIT
#include "completion_offers.h"

#include <opscape/base/text.h>

#include <fmt/format.h>

namespace opscape {
namespace {

constexpr std::string_view kComparisons = ":<>=!";

} // namespace

TypedWord typedWord(std::string_view word) {
    const std::size_t at = word.find_first_of(kComparisons);
    if (at == std::string_view::npos)
        return {};
    return {word.substr(0, at), word.substr(0, word.find_first_not_of(kComparisons, at))};
}

void CompletionOffers::offer(std::string text, std::string note) {
    if (!isFull())
        m_found.push_back({std::move(text), std::move(note), m_from, m_to});
}

void CompletionOffers::joinings(std::string_view part) {
    for (const std::string_view joining : {"and", "or", "not"}) {
        if (!part.empty() && joining.starts_with(part) && joining != part)
            offer(std::string(joining), joining == "not" ? "what does not fit" : "between two conditions");
    }
}

void CompletionOffers::units(std::string_view key, std::string_view part, std::span<const std::string_view> units,
                             std::string_view note) {
    const std::size_t end = part.find_first_not_of("0123456789.");
    const std::string_view number = part.substr(0, end);
    const std::string_view typed = end == std::string_view::npos ? std::string_view() : part.substr(end);
    if (number.empty())
        return;
    for (const std::string_view unit : units) {
        if (lowerCase(unit).starts_with(typed) && lowerCase(unit) != typed)
            offer(fmt::format("{}{}{}", key, number, unit), std::string(note));
    }
}

} // namespace opscape
