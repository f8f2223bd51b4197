// SPDX-License-Identifier: MIT
// A small training step on two devices, with everything that can be asked of it.
#pragma once

#include <opscape/query/query.h>

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace opscape::test {

/// encoder/layer_0/matmul -> encoder/layer_0/relu -> encoder/layer_1/MatMul -> loss -> "grad step", with a side branch
/// /model/conv_12 from the first to the loss. The first two on gpu:0, the others on gpu:1.
class QueryTest : public testing::Test {
protected:
    QueryTest();

    /// Names of what fits, joined by commas; the error where there is one.
    [[nodiscard]] std::string find(std::string_view query) const;
    [[nodiscard]] OpId op(std::string_view name) const { return m_problem.graph->findOp(name); }

    Problem m_problem;
    Plan m_plan;
    Schedule m_schedule;
    std::vector<std::uint8_t> m_critical;
    std::unique_ptr<const ScopeTree> m_scopes;
    std::unique_ptr<const GraphWords> m_words;
    QueryFacts m_facts;
};

} // namespace opscape::test
