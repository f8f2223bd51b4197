// SPDX-License-Identifier: MIT
#include "completion.h"

#include "completion_offers.h"
#include "tokens.h"

#include <opscape/base/text.h>
#include <opscape/device/device_letters.h>

#include <algorithm>
#include <array>

namespace opscape {
namespace {

constexpr std::size_t kTypesOfAWord = 3; ///< op types suggested for a word without a field
constexpr std::size_t kLeastOfAWord = 2; ///< letters before they are

std::string opsText(std::size_t ops) { return counted(static_cast<std::int64_t>(ops), "op"); }

class Completer {
public:
    Completer(const QueryFacts& facts, std::size_t from, std::size_t to, std::size_t most)
        : m_facts(facts),
          m_offers(from, to, most) {}

    std::vector<Completion> complete(std::string_view word) {
        const auto [field, key] = typedWord(word);
        if (!field)
            bare(word);
        else if (const QueryFieldInfo* known = findQueryField(*field))
            value(*known, key, word);
        return std::move(m_offers).take();
    }

private:
    void bare(std::string_view word) {
        const std::string part = lowerCase(word);
        if (part.starts_with('"') || part.starts_with('/'))
            return;
        for (const QueryFieldInfo& field : queryFields()) {
            if (!field.name.starts_with(part) || (field.value == QueryValue::None && field.name == part))
                continue;
            const bool number =
                field.value == QueryValue::Time || field.value == QueryValue::Bytes || field.value == QueryValue::Count;
            const char* sign = field.value == QueryValue::None ? "" : number ? ">" : ":";
            m_offers.offer(std::string(field.name) + sign, std::string(field.summary));
        }
        m_offers.joinings(part);
        if (part.size() < kLeastOfAWord)
            return;
        std::size_t types = 0;
        for (const GraphWords::Type& type : m_facts.words->types) {
            if (type.lower.find(part) != std::string::npos && types++ < kTypesOfAWord)
                m_offers.offer("type:" + quotedForQuery(type.name), opsText(type.ops));
        }
    }

    void value(const QueryFieldInfo& field, std::string_view key, std::string_view word) {
        std::string_view typed = word.substr(key.size());
        if (typed.starts_with('/'))
            return;
        if (typed.starts_with('"'))
            typed.remove_prefix(1);
        const std::string part = lowerCase(typed);
        switch (field.field) {
        case QueryField::Name:
            names(key, part);
            return;
        case QueryField::Type:
            typesWith(key, part);
            return;
        case QueryField::Scope:
            scopes(key, part);
            return;
        case QueryField::Device:
            devices(key, part);
            return;
        case QueryField::Phase:
            for (const Phase phase : {Phase::Forward, Phase::Backward, Phase::Update}) {
                if (toString(phase).starts_with(part) && toString(phase) != part)
                    m_offers.offer(std::string(key) + std::string(toString(phase)), "phase");
            }
            return;
        default:
            units(field.value, key, part);
        }
    }

    void typesWith(std::string_view key, std::string_view part) {
        for (const bool atStart : {true, false}) {
            for (const GraphWords::Type& type : m_facts.words->types) {
                const std::size_t at = type.lower.find(part);
                if (at != std::string::npos && (at == 0) == atStart && type.lower != part)
                    m_offers.offer(std::string(key) + quotedForQuery(type.name), opsText(type.ops));
            }
        }
    }

    void names(std::string_view key, std::string_view part) {
        if (part.size() < kLeastOfAWord)
            return;
        for (std::size_t i = 0; i < m_facts.words->names.size() && !m_offers.isFull(); ++i) {
            if (m_facts.words->names[i].find(part) != std::string::npos && m_facts.words->names[i] != part)
                m_offers.offer(std::string(key) + quotedForQuery(m_facts.graph->op(OpId(i)).name),
                               m_facts.graph->op(OpId(i)).type);
        }
    }

    /// Those at the top first: what is typed leads from level to level.
    void scopes(std::string_view key, std::string_view part) {
        std::vector<ScopeId> fitting;
        for (std::size_t s = 1; s < m_facts.scopes->scopeCount(); ++s) {
            if (m_facts.words->paths[s].find(part) != std::string::npos && m_facts.words->paths[s] != part)
                fitting.emplace_back(s);
        }
        const auto rank = [&](ScopeId s) {
            return std::pair(!m_facts.words->paths[s.index()].starts_with(part), m_facts.scopes->scope(s).depth);
        };
        std::ranges::stable_sort(fitting, {}, rank);
        for (std::size_t i = 0; i < std::min(fitting.size(), m_offers.most()); ++i)
            m_offers.offer(std::string(key) + quotedForQuery(m_facts.scopes->path(fitting[i])),
                           opsText(m_facts.scopes->scope(fitting[i]).opsBelow));
    }

    void devices(std::string_view key, std::string_view part) {
        for (std::size_t i = 0; m_facts.cluster != nullptr && i < m_facts.cluster->deviceCount(); ++i) {
            const std::string letters = deviceLetters(DeviceId(i));
            const std::string& name = m_facts.cluster->device(DeviceId(i)).name;
            if (lowerCase(name) != part &&
                (lowerCase(name).find(part) != std::string::npos || lowerCase(letters).starts_with(part)))
                m_offers.offer(std::string(key) + quotedForQuery(name), letters);
        }
    }

    void units(QueryValue value, std::string_view key, std::string_view part) {
        static constexpr std::array<std::string_view, 4> kTimes{"ns", "us", "ms", "s"};
        static constexpr std::array<std::string_view, 3> kSizes{"KiB", "MiB", "GiB"};
        if (value == QueryValue::Time)
            m_offers.units(key, part, kTimes, "time");
        else if (value == QueryValue::Bytes)
            m_offers.units(key, part, kSizes, "size");
    }

    const QueryFacts& m_facts;
    CompletionOffers m_offers;
};

} // namespace

std::size_t queryWordStart(std::string_view text) {
    std::size_t start = 0;
    bool quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (quoted && text[i] == '\\')
            ++i;
        else if (text[i] == '"')
            quoted = !quoted;
        else if (!quoted && (isSpace(text[i]) || text[i] == '(' || text[i] == ')'))
            start = i + 1;
    }
    return start;
}

std::vector<Completion> completions(std::string_view query, std::size_t cursor, const QueryFacts& facts,
                                    std::size_t most) {
    const std::string_view typed = query.substr(0, cursor);
    const std::size_t start = queryWordStart(typed);
    return Completer(facts, start, typed.size(), most).complete(typed.substr(start));
}

} // namespace opscape
