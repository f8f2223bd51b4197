// SPDX-License-Identifier: MIT
#include "query_fixture.h"

#include <opscape/query/neighbourhood.h>

namespace opscape::test {
namespace {

class Neighbourhood : public QueryTest {
protected:
    std::vector<OpId> around(int hops, EdgeDirection direction) const {
        return neighbourhood(*m_problem.graph, {op("encoder/layer_0/relu")}, hops, direction);
    }
    std::vector<OpId> ops(const std::vector<std::string>& names) const {
        std::vector<OpId> ids;
        for (const std::string& name : names)
            ids.push_back(op(name));
        return ids;
    }
};

TEST_F(Neighbourhood, ReachesAsFarAsItIsTold) {
    EXPECT_EQ(around(0, EdgeDirection::Both), ops({"encoder/layer_0/relu"}));
    EXPECT_EQ(around(1, EdgeDirection::Both),
              ops({"encoder/layer_0/matmul", "encoder/layer_0/relu", "encoder/layer_1/MatMul"}));
    EXPECT_EQ(around(2, EdgeDirection::Both).size(), 5U) << "a path may turn: over the first op to its other consumer";
    EXPECT_EQ(around(99, EdgeDirection::Both).size(), 6U);
}

TEST_F(Neighbourhood, FollowsOneDirectionWhereTold) {
    EXPECT_EQ(around(9, EdgeDirection::Inputs), ops({"encoder/layer_0/matmul", "encoder/layer_0/relu"}));
    EXPECT_EQ(around(2, EdgeDirection::Outputs), ops({"encoder/layer_0/relu", "encoder/layer_1/MatMul", "loss"}));
}

TEST_F(Neighbourhood, OfNothingIsNothing) {
    EXPECT_TRUE(neighbourhood(*m_problem.graph, {}, 3, EdgeDirection::Both).empty());
}

} // namespace
} // namespace opscape::test
