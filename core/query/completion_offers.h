// SPDX-License-Identifier: MIT
// What completions of every kind of query share: how a word that is being typed divides, and the offers that are made
// for it, as many as are wanted.
#pragma once

#include <opscape/query/completion.h>

#include <optional>
#include <span>

namespace opscape {

/// "time>2": the field "time", the key "time>". A word without a comparison has neither.
struct TypedWord {
    std::optional<std::string_view> field;
    std::string_view key;
};
[[nodiscard]] TypedWord typedWord(std::string_view word);

class CompletionOffers {
public:
    /// Each takes the place of these bytes of the query.
    CompletionOffers(std::size_t from, std::size_t to, std::size_t most) : m_from(from), m_to(to), m_most(most) {}

    void offer(std::string text, std::string note);
    /// "and", "or" and "not", where what is typed may become one.
    void joinings(std::string_view part);
    /// The number that is typed with each unit that may follow it.
    void units(std::string_view key, std::string_view part, std::span<const std::string_view> units,
               std::string_view note);

    [[nodiscard]] bool isFull() const { return m_found.size() >= m_most; }
    [[nodiscard]] std::size_t most() const { return m_most; }
    [[nodiscard]] std::vector<Completion> take() && { return std::move(m_found); }

private:
    std::size_t m_from, m_to, m_most;
    std::vector<Completion> m_found;
};

} // namespace opscape
