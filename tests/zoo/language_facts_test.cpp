// SPDX-License-Identifier: MIT
// Language models and translation against what is published of them, each with its source.
#include <opscape/zoo/counts.h>
#include <opscape/zoo/zoo.h>

#include <gtest/gtest.h>

namespace opscape {
namespace {

GraphCounts counted(std::string_view id, const std::map<std::string, std::string>& settings) {
    const auto graph = buildZooModel(id, "paper", settings);
    EXPECT_TRUE(graph) << (graph ? "" : graph.error().message);
    return graph ? countGraph(*graph) : GraphCounts();
}

TEST(BertFacts, ParametersAreThoseOfTheReleasedModel) {
    // bert-base-uncased on huggingface.co: 109,482,240 in the encoder and pooler (110 M in Devlin et al. 2018), and
    // with the heads of pre-training 110,106,428.
    const std::int64_t hidden = 768, words = 30522;
    const std::int64_t maskedWords = hidden * hidden + hidden + 2 * hidden + words, nextSentence = 2 * hidden + 2;
    const GraphCounts counts = counted("bert", {{"batch", "1"}});
    EXPECT_EQ(counts.parameters, 110'106'428);
    EXPECT_EQ(counts.parameters - maskedWords - nextSentence, 109'482'240);
}

TEST(BertFacts, MultiplyAddsAreThePublishedOnes) {
    // Jiao et al. 2020 (TinyBERT), table 1: 22.5e9 operations on 128 words, without the heads of pre-training.
    const double hidden = 768, words = 30522;
    const double maskedWord = hidden * hidden + hidden * words;
    const GraphCounts counts = counted("bert", {{"batch", "1"}, {"sequence", "128"}, {"predictions", "1"}});
    EXPECT_NEAR(2 * (counts.forwardMultiplyAdds - maskedWord) / 22.5e9, 1, 0.01);
}

TEST(Gpt2Facts, ParametersAndOperationsAreThePublishedOnes) {
    // gpt2 on huggingface.co: 124,439,808. Operations on 1024 tokens: transformer_sizing.ipynb of nanoGPT (Karpathy).
    const GraphCounts counts = counted("gpt2", {{"batch", "1"}});
    EXPECT_EQ(counts.parameters, 124'439'808);
    EXPECT_EQ(2 * counts.forwardMultiplyAdds, 291'648'307'200.0);
}

TEST(TransformerXlFacts, ParametersAreThePublishedOnes) {
    // Dai et al. 2019, tables 1 and 2, with the settings of the authors' scripts: WikiText-103 standard 151 M (its
    // adaptive softmax keeps all words at full width), enwik8 with 12 layers 41 M and with 24 layers 277 M.
    const auto parameters = [](const char* layers, const char* hidden, const char* heads, const char* inner,
                               const char* vocabulary) {
        return static_cast<double>(counted("txl2", {{"layers", layers},
                                                    {"hidden", hidden},
                                                    {"heads", heads},
                                                    {"inner", inner},
                                                    {"vocabulary", vocabulary},
                                                    {"segments", "1"}})
                                       .parameters);
    };
    EXPECT_NEAR(parameters("16", "410", "10", "2100", "267735") / 151e6, 1, 0.01);
    EXPECT_NEAR(parameters("12", "512", "8", "2048", "204") / 41e6, 1, 0.01);
    EXPECT_NEAR(parameters("24", "1024", "8", "3072", "204") / 277e6, 1, 0.01);
}

TEST(TransformerXlFacts, OnlyTheProjectionOfDistancesHasNoGradientOfItsInput) {
    const double layers = 2, hidden = 1024, distances = 64 + 64;
    const GraphCounts counts = counted("txl2", {});
    const double unneeded = layers * distances * hidden * hidden; // sinusoids are given
    EXPECT_NEAR(counts.backwardMultiplyAdds, 2 * counts.forwardMultiplyAdds - unneeded, 1);
}

TEST(GnmtFacts, ParametersAndMultiplyAddsPerWordAreThePublishedOnes) {
    // Shazeer et al. 2017 (Outrageously Large Neural Networks), table 2: GNMT with 278 M parameters and 214 M
    // multiply-adds per step. Wu et al. leave the width of the attention and the exact vocabulary open, which are worth
    // 1% of the parameters.
    const double steps = 30, batch = 2;
    const GraphCounts counts = counted("gnmt8", {{"batch", "2"}, {"source-steps", "30"}, {"target-steps", "30"}});
    EXPECT_NEAR(static_cast<double>(counts.parameters) / 278e6, 1, 0.015);
    EXPECT_NEAR(counts.forwardMultiplyAdds / (steps * batch) / 214e6, 1, 0.01);
    EXPECT_EQ(counts.backwardMultiplyAdds, 2 * counts.forwardMultiplyAdds) << "words have gradients, too";
}

TEST(GnmtFacts, SourceAndTargetMayDifferInLength) {
    const auto at = [](const char* source, const char* target) {
        return counted("gnmt2", {{"source-steps", source}, {"target-steps", target}});
    };
    EXPECT_EQ(at("5", "7").parameters, at("7", "5").parameters);
    EXPECT_NE(at("5", "7").forwardMultiplyAdds, at("7", "5").forwardMultiplyAdds);
}

} // namespace
} // namespace opscape
