// SPDX-License-Identifier: MIT
#include "fusion/typed_graph.h"

#include <opscape/cost/op_cost.h>

namespace opscape::test {
namespace {

using enum FusionKind;

TEST(FusionKinds, EveryOpTypeWithACostRuleHasOne) {
    for (const OpRule& rule : opRules())
        EXPECT_TRUE(hasFusionKind(rule.type)) << rule.type << " is missing in fusion_kind.cpp";
    EXPECT_EQ(fusionKind("NobodyKnows"), Opaque);
}

TEST(FusionKinds, NothingGoesWithWhatIsOpaque) {
    for (const FusionKind kind : {View, Elementwise, Broadcast, Movement, Reduce, Contraction, Opaque}) {
        EXPECT_FALSE(joined(kind, Opaque));
        EXPECT_FALSE(joined(Opaque, kind));
    }
}

TEST(FusionKinds, LoopsGoWithOneAnotherAndBeforeAReduction) {
    const std::array loops{Elementwise, Broadcast, Movement};
    for (std::size_t a = 0; a < loops.size(); ++a) {
        for (std::size_t b = 0; b < loops.size(); ++b)
            EXPECT_EQ(joined(loops[a], loops[b]), loops[std::max(a, b)]);
        EXPECT_EQ(joined(loops[a], Reduce), Reduce);
        EXPECT_FALSE(joined(loops[a], Contraction)) << "no prologue";
        EXPECT_EQ(joined(View, loops[a]), loops[a]);
        EXPECT_EQ(joined(loops[a], View), loops[a]);
    }
}

TEST(FusionKinds, AContractionHasAnEpilogueAndAReductionGoesOnItsResult) {
    EXPECT_EQ(joined(Contraction, Elementwise), Contraction);
    EXPECT_EQ(joined(Contraction, Broadcast), Contraction);
    EXPECT_EQ(joined(Contraction, View), Contraction);
    EXPECT_FALSE(joined(Contraction, Movement));
    EXPECT_FALSE(joined(Contraction, Reduce));
    EXPECT_FALSE(joined(Contraction, Contraction));
    EXPECT_EQ(joined(Reduce, Elementwise), Reduce);
    EXPECT_EQ(joined(Reduce, View), Reduce);
    EXPECT_FALSE(joined(Reduce, Broadcast));
    EXPECT_FALSE(joined(Reduce, Movement));
    EXPECT_FALSE(joined(Reduce, Reduce));
}

TEST(FusionKinds, AnOpMayBeMoreThanItsTypeSays) {
    TypedGraph g;
    const OpId wide = g.op("wide", "Relu");
    const OpId narrow = g.op("narrow", "Relu", {}, 1);
    const OpId same = g.op("same", "Mul", {wide});
    const OpId widens = g.op("widens", "Mul", {wide, narrow});
    const OpId variable = g.op("variable", "Identity");
    const OpId alias = g.op("alias", "Identity", {wide});
    const OpId step = g.op("step", "Mul", {wide});
    g.edit(step).phase = Phase::Update;
    g.weight(variable);
    const auto graph = g.build();
    EXPECT_EQ(fusionKind(*graph, same), Elementwise);
    EXPECT_EQ(fusionKind(*graph, widens), Broadcast);
    EXPECT_EQ(fusionKind(*graph, variable), Opaque) << "hands out a variable";
    EXPECT_EQ(fusionKind(*graph, alias), View);
    EXPECT_EQ(fusionKind(*graph, step), Opaque) << "updates";
}

} // namespace
} // namespace opscape::test
