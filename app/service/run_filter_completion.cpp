// SPDX-License-Identifier: MIT
#include "run_filter_completion.h"

#include "run_status.h"

#include <opscape/base/text.h>
#include <opscape/query/completion_offers.h>
#include <opscape/query/tokens.h>

#include <algorithm>
#include <array>
#include <functional>

namespace opscape {
namespace {

constexpr std::size_t kNewest = 2000; ///< runs that are looked at for words
/// Of which a word without a field is completed, and how many of each.
constexpr std::array kNamed{RunField::Tags, RunField::Optimizer, RunField::Graph, RunField::Status};
constexpr std::size_t kMostNamed = 3, kLeastLetters = 2;

class Completer {
public:
    Completer(const RunWords& words, std::size_t from, std::size_t to, std::size_t most)
        : m_words(words),
          m_offers(from, to, most) {}

    std::vector<Completion> complete(std::string_view word) {
        const auto [field, key] = typedWord(word);
        if (!field)
            bare(word);
        else if (const RunFieldInfo* known = findRunField(*field))
            value(*known, key, word);
        return std::move(m_offers).take();
    }

private:
    void bare(std::string_view word) {
        const std::string part = lowerCase(word);
        if (part.starts_with('"'))
            return;
        for (const RunFieldInfo& field : runFields()) {
            const bool isFlag = field.measure == RunMeasure::Flag;
            if (!field.name.starts_with(part) || (isFlag && field.name == part))
                continue;
            const bool isFigure = field.measure == RunMeasure::Time || field.measure == RunMeasure::Milliseconds ||
                                  field.measure == RunMeasure::Bytes || field.measure == RunMeasure::Percent;
            m_offers.offer(std::string(field.name) + (isFlag ? "" : isFigure ? "<" : ":"), std::string(field.summary));
        }
        m_offers.joinings(part);
        if (part.size() < kLeastLetters)
            return;
        for (const RunField field : kNamed)
            values(field, std::string(nameOf(field)) + ":", part, kMostNamed);
    }

    void value(const RunFieldInfo& field, std::string_view key, std::string_view word) {
        std::string_view typed = word.substr(key.size());
        if (typed.starts_with('"'))
            typed.remove_prefix(1);
        const std::string part = lowerCase(typed);
        if (field.measure == RunMeasure::Flag) {
            for (const std::string_view answer : {"yes", "no"}) {
                if (answer.starts_with(part) && answer != part)
                    m_offers.offer(std::string(key) + std::string(answer), std::string(field.summary));
            }
            return;
        }
        if (field.measure == RunMeasure::Text)
            return values(field.field, std::string(key), part, m_offers.most());
        units(field.measure, key, part);
    }

    /// Those that begin with what is typed before those that only hold it.
    void values(RunField field, const std::string& key, std::string_view part, std::size_t most) {
        const auto known = m_words.find(field);
        if (known == m_words.end())
            return;
        std::size_t offered = 0;
        for (const bool atStart : {true, false}) {
            for (const auto& [text, runs] : known->second) {
                const std::string lower = lowerCase(text);
                const std::size_t at = lower.find(part);
                if (text.empty() || at == std::string::npos || (at == 0) != atStart || lower == part ||
                    offered++ >= most)
                    continue;
                m_offers.offer(key + quotedForQuery(text), counted(runs, "run"));
            }
        }
    }

    void units(RunMeasure measure, std::string_view key, std::string_view part) {
        static constexpr std::array<std::string_view, 3> kTimes{"us", "ms", "s"}, kSizes{"KiB", "MiB", "GiB"};
        static constexpr std::array<std::string_view, 1> kShares{"%"};
        if (measure == RunMeasure::Time || measure == RunMeasure::Milliseconds)
            m_offers.units(key, part, kTimes, "time");
        else if (measure == RunMeasure::Bytes)
            m_offers.units(key, part, kSizes, "size");
        else if (measure == RunMeasure::Percent)
            m_offers.units(key, part, kShares, "share");
    }

    static std::string_view nameOf(RunField field) {
        return std::ranges::find(runFields(), field, &RunFieldInfo::field)->name;
    }

    const RunWords& m_words;
    CompletionOffers m_offers;
};

} // namespace

Result<RunWords> readRunWords(const RunStore& store) {
    const auto runs = store.list({}, kNewest);
    if (!runs)
        return fail(runs.error());
    const std::set<std::int64_t> paused = pausedRuns(store);
    std::map<RunField, std::map<std::string, std::int64_t>> counts;
    for (const RunRecord& run : *runs) {
        ++counts[RunField::Graph][run.graphName];
        ++counts[RunField::Cluster][run.clusterId];
        ++counts[RunField::Links][run.linkModel];
        ++counts[RunField::Optimizer][run.optimizer.empty() ? "given plan" : run.optimizer];
        ++counts[RunField::Objective][run.objective];
        ++counts[RunField::Status][std::string(statusText(run, paused.contains(run.id)))];
        ++counts[RunField::Version][run.version];
        for (const std::string& tag : run.tags)
            ++counts[RunField::Tags][tag];
    }
    RunWords words;
    for (const auto& [field, texts] : counts) {
        auto& found = words[field];
        found.assign(texts.begin(), texts.end());
        std::ranges::stable_sort(found, std::greater(), &std::pair<std::string, std::int64_t>::second);
    }
    return words;
}

std::vector<Completion> runFilterCompletions(std::string_view filter, std::size_t cursor, const RunWords& words,
                                             std::size_t most) {
    const std::string_view typed = filter.substr(0, cursor);
    const std::size_t start = queryWordStart(typed);
    return Completer(words, start, typed.size(), most).complete(typed.substr(start));
}

} // namespace opscape
