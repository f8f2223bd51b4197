// SPDX-License-Identifier: MIT
#include "completion.h"

#include "tokens.h"

#include <opscape/base/text.h>
#include <opscape/device/device_letters.h>

#include <algorithm>

namespace opscape {
namespace {

constexpr std::size_t kTypesOfAWord = 3; ///< op types suggested for a word without a field
constexpr std::size_t kLeastOfAWord = 2; ///< letters before they are

std::string opsText(std::size_t ops) { return counted(static_cast<std::int64_t>(ops), "op"); }

class Completer {
public:
    Completer(const QueryFacts& facts, std::size_t from, std::size_t to, std::size_t most)
        : m_facts(facts),
          m_from(from),
          m_to(to),
          m_most(most) {}

    std::vector<Completion> complete(std::string_view word) {
        const std::size_t at = word.find_first_of(":<>=!");
        const QueryFieldInfo* field = at == std::string_view::npos ? nullptr : findQueryField(word.substr(0, at));
        if (at == std::string_view::npos)
            bare(word);
        else if (field != nullptr)
            value(*field, word.substr(0, word.find_first_not_of(":<>=!", at)), word);
        return std::move(m_found);
    }

private:
    void offer(std::string text, std::string note) {
        if (m_found.size() < m_most)
            m_found.push_back({std::move(text), std::move(note), m_from, m_to});
    }

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
            offer(std::string(field.name) + sign, std::string(field.summary));
        }
        for (const std::string_view joining : {"and", "or", "not"}) {
            if (!part.empty() && joining.starts_with(part) && joining != part)
                offer(std::string(joining), joining == "not" ? "what does not fit" : "between two conditions");
        }
        if (part.size() < kLeastOfAWord)
            return;
        std::size_t types = 0;
        for (const GraphWords::Type& type : m_facts.words->types) {
            if (type.lower.find(part) != std::string::npos && types++ < kTypesOfAWord)
                offer("type:" + quotedForQuery(type.name), opsText(type.ops));
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
                    offer(std::string(key) + std::string(toString(phase)), "phase");
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
                    offer(std::string(key) + quotedForQuery(type.name), opsText(type.ops));
            }
        }
    }

    void names(std::string_view key, std::string_view part) {
        if (part.size() < kLeastOfAWord)
            return;
        for (std::size_t i = 0; i < m_facts.words->names.size() && m_found.size() < m_most; ++i) {
            if (m_facts.words->names[i].find(part) != std::string::npos && m_facts.words->names[i] != part)
                offer(std::string(key) + quotedForQuery(m_facts.graph->op(OpId(i)).name),
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
        for (std::size_t i = 0; i < std::min(fitting.size(), m_most); ++i)
            offer(std::string(key) + quotedForQuery(m_facts.scopes->path(fitting[i])),
                  opsText(m_facts.scopes->scope(fitting[i]).opsBelow));
    }

    void devices(std::string_view key, std::string_view part) {
        for (std::size_t i = 0; m_facts.cluster != nullptr && i < m_facts.cluster->deviceCount(); ++i) {
            const std::string letters = deviceLetters(DeviceId(i));
            const std::string& name = m_facts.cluster->device(DeviceId(i)).name;
            if (lowerCase(name) != part &&
                (lowerCase(name).find(part) != std::string::npos || lowerCase(letters).starts_with(part)))
                offer(std::string(key) + quotedForQuery(name), letters);
        }
    }

    void units(QueryValue value, std::string_view key, std::string_view part) {
        const std::size_t end = part.find_first_not_of("0123456789.");
        const std::string_view number = part.substr(0, end);
        const std::string_view unit = end == std::string_view::npos ? std::string_view() : part.substr(end);
        if (number.empty())
            return;
        std::vector<std::string_view> all;
        if (value == QueryValue::Time)
            all = {"ns", "us", "ms", "s"};
        else if (value == QueryValue::Bytes)
            all = {"KiB", "MiB", "GiB"};
        for (const std::string_view known : all) {
            if (lowerCase(known).starts_with(unit) && lowerCase(known) != unit)
                offer(fmt::format("{}{}{}", key, number, known), value == QueryValue::Time ? "time" : "size");
        }
    }

    const QueryFacts& m_facts;
    std::size_t m_from, m_to, m_most;
    std::vector<Completion> m_found;
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
