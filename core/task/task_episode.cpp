// SPDX-License-Identifier: MIT
#include <opscape/task/decision_task.h>

#include <algorithm>

namespace opscape {

void DecisionTask::open(Plan&) const {}

std::unique_ptr<TaskEpisode> DecisionTask::begin(const Problem& problem, const DecisionUnits& units) const {
    return std::make_unique<PlainEpisode>(*this, problem, units);
}

std::vector<Proposal> DecisionTask::proposals(const Problem&, const Plan&) const { return {}; }

PlainEpisode::PlainEpisode(const DecisionTask& task, const Problem& problem, const DecisionUnits& units,
                           bool legalIsFixed)
    : m_task(task),
      m_problem(problem),
      m_units(units),
      m_actionCount(task.actionCount(problem)),
      m_legalIsFixed(legalIsFixed),
      m_taken(units.count()),
      m_perOp(units.unitOf.size()) {}

void PlainEpisode::restart(const Plan& soFar) {
    m_at = 0;
    if (!m_knowsLegal || !m_legalIsFixed)
        findLegal(soFar);
}

void PlainEpisode::findLegal(const Plan& soFar) {
    const auto actions = static_cast<std::size_t>(m_actionCount);
    m_opMask.assign(m_units.unitOf.size() * actions, 0);
    m_unitMask.assign(m_units.count() * actions, 0);
    for (std::uint32_t unit = 0; unit < m_units.count(); ++unit) {
        const std::span<std::uint8_t> all(&m_unitMask[unit * actions], actions);
        bool hasChoice = false;
        for (const OpId op : m_units.ops(unit)) {
            const std::span<std::uint8_t> own(&m_opMask[op.index() * actions], actions);
            m_task.legal(m_problem, soFar, op, own);
            const bool mayChoose = std::ranges::count(own, 0) + 1 < static_cast<std::ptrdiff_t>(actions);
            if (hasChoice && !mayChoose)
                continue;
            if (mayChoose && !hasChoice)
                std::ranges::fill(all, std::uint8_t{0}); // what ops without a choice asked for
            hasChoice = mayChoose;
            for (std::size_t a = 0; a < actions; ++a)
                all[a] = all[a] | own[a];
        }
    }
    m_knowsLegal = true;
}

void PlainEpisode::look(std::span<std::uint8_t> mask, std::span<float>) {
    std::copy_n(&m_unitMask[m_at * mask.size()], mask.size(), mask.begin());
}

void PlainEpisode::take(int action) { m_taken[m_at++] = action; }

std::span<const int> PlainEpisode::perOp() {
    const auto actions = static_cast<std::size_t>(m_actionCount);
    for (std::size_t op = 0; op < m_perOp.size(); ++op) {
        m_perOp[op] = m_taken[m_units.unitOf[op]];
        const std::span<const std::uint8_t> own(&m_opMask[op * actions], actions);
        if (own[static_cast<std::size_t>(m_perOp[op])] == 0)
            m_perOp[op] = static_cast<int>(std::ranges::find_if(own, [](auto is) { return is != 0; }) - own.begin());
    }
    return m_perOp;
}

Result<> PlainEpisode::write(Plan& plan) { return m_task.apply(m_problem, perOp(), plan); }

} // namespace opscape
