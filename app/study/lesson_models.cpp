// SPDX-License-Identifier: MIT
#include "lesson_models.h"

#include <opscape/zoo/zoo.h>

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <vector>

namespace opscape {
namespace {

struct Parameter {
    std::string_view name;
    std::vector<std::int64_t> values; ///< each as likely
    bool isNamed = false;             ///< it shapes the graph, so that people want to know
};

struct Variation {
    std::string_view family, model;
    std::vector<Parameter> parameters;
};

const std::vector<Variation>& variations() {
    static const std::vector<std::int64_t> kFewLayers{1, 2, 3, 4, 5, 6, 8},
        kWidths{256, 384, 512, 768, 1024, 1536, 2048}, kVocabularies{2000, 5000, 10000, 20000, 40000},
        kBatches{8, 16, 32, 48, 64, 96, 128, 192, 256};
    static const std::vector<Variation> kAll{
        {"rnnlm",
         "rnnlm2",
         {{"layers", kFewLayers, true},
          {"steps", {3, 4, 5, 6, 8, 10, 12, 16, 20, 24}, true},
          {"batch", kBatches, true},
          {"hidden", kWidths},
          {"vocabulary", kVocabularies}}},
        {"gnmt",
         "gnmt2",
         {{"layers", {2, 3, 4, 5, 6}, true},
          {"source-steps", {2, 3, 4, 5, 6, 8, 10}, true},
          {"target-steps", {2, 3, 4, 5, 6, 8, 10}, true},
          {"batch", kBatches, true},
          {"hidden", kWidths},
          {"vocabulary", kVocabularies}}},
        {"txl",
         "txl2",
         {{"layers", {1, 2, 3, 4, 6, 8, 10}, true},
          {"segments", {1, 2, 3, 4, 6, 8}, true},
          {"batch", {2, 4, 8, 16, 32}, true},
          {"segment", {32, 64, 128}},
          {"memory", {32, 64, 128}},
          {"hidden", {256, 512, 768, 1024}},
          {"heads", {4, 8, 16}},
          {"inner", {1024, 2048, 4096}},
          {"vocabulary", kVocabularies}}},
        {"inception",
         "inception32",
         {{"modules-35", {1, 2, 3}, true},
          {"modules-17", {1, 2, 3, 4}, true},
          {"modules-8", {1, 2}, true},
          {"batch", {4, 8, 16, 32, 48, 64}, true},
          {"image", {299, 331, 384}},
          {"auxiliary", {0, 1}}}},
        {"amoebanet",
         "amoebanet",
         {{"cells", {1}, true},
          {"batch", {2, 4, 8, 16, 32}, true},
          {"image", {128, 192, 224, 331}, true},
          {"filters", {48, 96, 128, 190, 256}, true},
          {"stem-filters", {16, 32}}}},
        {"wavenet",
         "wavenet2",
         {{"stacks", {1, 2, 3, 4}, true},
          {"layers", {3, 4, 5, 6, 8, 9, 10, 12, 14, 15, 16, 18, 20, 24}, true},
          {"chunks", {1, 2, 3, 4}, true},
          {"batch", {1, 2, 4, 8}, true},
          {"samples", {1536, 3072, 6144}},
          {"residual", {128, 256, 512}},
          {"skip", {128, 256, 512}}}},
        {"resnet",
         "resnet50",
         {{"depth", {0, 1, 2}, true},
          {"batch", kBatches, true},
          {"image", {96, 128, 160, 224, 288}, true},
          {"version", {0, 1}}}},
        {"vgg", "vgg19", {{"batch", kBatches, true}, {"image", {64, 96, 128, 160, 224, 288}, true}}},
        {"alexnet",
         "alexnet",
         {{"batch", {32, 64, 96, 128, 192, 256, 512}, true}, {"image", {112, 160, 224, 288}, true}}},
        {"bert",
         "bert",
         {{"layers", {1, 2, 3, 4, 6, 8, 10, 12, 16, 20}, true},
          {"batch", {4, 8, 16, 32, 64}, true},
          {"sequence", {64, 128, 256, 512}, true},
          {"hidden", {256, 512, 768, 1024}},
          {"heads", {4, 8, 16}},
          {"inner", {1024, 2048, 3072, 4096}},
          {"vocabulary", kVocabularies}}},
        {"gpt2",
         "gpt2",
         {{"layers", {1, 2, 3, 4, 6, 8, 10, 12, 16, 20}, true},
          {"batch", {1, 2, 4, 8, 16}, true},
          {"sequence", {64, 128, 256, 512, 1024}, true},
          {"hidden", {256, 512, 768, 1024}},
          {"heads", {4, 8, 16}},
          {"inner", {1024, 2048, 3072, 4096}},
          {"vocabulary", kVocabularies}}},
    };
    return kAll;
}

} // namespace

VariedModel varyModel(std::string_view family, Random& random) {
    const auto variation = std::ranges::find(variations(), family, &Variation::family);
    if (variation == variations().end())
        throw std::logic_error(fmt::format("the family {} has no variations", family));
    const ZooModel& model = *findZooModel(variation->model);
    VariedModel varied{std::string(family), model.id, {}};
    const auto set = [&](std::string_view name, std::int64_t value, bool isNamed) {
        const auto parameter = std::ranges::find(model.parameters, name, &ZooParameter::name);
        if (parameter == model.parameters.end())
            throw std::logic_error(fmt::format("{} has no parameter {} to vary", model.id, name));
        const std::string text = parameter->text(value);
        varied.settings[std::string(name)] = text;
        if (isNamed)
            varied.name += fmt::format(" {}={}", name, text);
    };
    for (const Parameter& parameter : variation->parameters)
        set(parameter.name, parameter.values[random.below(static_cast<std::uint32_t>(parameter.values.size()))],
            parameter.isNamed);
    set("optimizer", random.below(3), false);
    return varied;
}

} // namespace opscape
