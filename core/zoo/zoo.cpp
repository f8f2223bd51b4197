// SPDX-License-Identifier: MIT
#include <opscape/zoo/alexnet.h>
#include <opscape/zoo/amoebanet.h>
#include <opscape/zoo/bert.h>
#include <opscape/zoo/gnmt.h>
#include <opscape/zoo/gpt2.h>
#include <opscape/zoo/inception.h>
#include <opscape/zoo/resnet.h>
#include <opscape/zoo/rnnlm.h>
#include <opscape/zoo/transformer_xl.h>
#include <opscape/zoo/vgg.h>
#include <opscape/zoo/wavenet.h>
#include <opscape/zoo/zoo.h>

#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

namespace opscape {
namespace {

/// "integer from 1 to 64", "one of sgd, adam"
std::string domain(const ZooParameter& parameter) {
    return parameter.choices.empty() ? fmt::format("an integer from {} to {}", parameter.least, parameter.most)
                                     : fmt::format("one of {}", fmt::join(parameter.choices, ", "));
}

template <class Range, class Name>
std::string names(const Range& range, const Name& name) {
    std::string text;
    for (const auto& item : range)
        text += fmt::format("{}{}", text.empty() ? "" : ", ", std::invoke(name, item));
    return text;
}

} // namespace

std::string ZooParameter::text(std::int64_t value) const {
    return choices.empty() ? fmt::format("{}", value) : choices.at(static_cast<std::size_t>(value));
}

ZooValues::ZooValues(std::span<const ZooParameter> parameters, bool paper)
    : m_parameters(parameters.begin(), parameters.end()) {
    for (const ZooParameter& parameter : parameters)
        m_values.push_back(paper ? parameter.paper : parameter.small);
}

std::int64_t ZooValues::operator[](std::string_view name) const {
    const auto it = std::ranges::find(m_parameters, name, &ZooParameter::name);
    if (it == m_parameters.end())
        throw std::logic_error(fmt::format("a model reads its parameter {}, which it does not declare", name));
    return m_values[static_cast<std::size_t>(it - m_parameters.begin())];
}

Result<> ZooValues::set(std::string_view name, std::string_view text) {
    const auto it = std::ranges::find(m_parameters, name, &ZooParameter::name);
    if (it == m_parameters.end())
        return fail("there is no parameter {}; choose among {}.", name, names(m_parameters, &ZooParameter::name));
    std::int64_t value = 0;
    bool fits = false;
    if (it->choices.empty()) {
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        fits = error == std::errc() && end == text.data() + text.size() && value >= it->least && value <= it->most;
    } else {
        const auto choice = std::ranges::find(it->choices, text);
        value = choice - it->choices.begin();
        fits = choice != it->choices.end();
    }
    if (!fits)
        return fail("parameter {} cannot be \"{}\"; it must be {}.", name, text, domain(*it));
    m_values[static_cast<std::size_t>(it - m_parameters.begin())] = value;
    return {};
}

ZooParameter updateRuleParameter(UpdateRule rule) {
    const auto value = static_cast<std::int64_t>(rule);
    return {"optimizer", "How variables are updated.", value, value, 0, 2, {"sgd", "momentum", "adam"}};
}

UpdateRule updateRule(const ZooValues& values) { return static_cast<UpdateRule>(values["optimizer"]); }

const std::vector<ZooModel>& zooModels() {
    static const std::vector<ZooModel> kModels = [] {
        std::vector<ZooModel> models;
        addRnnlmModels(models);
        addGnmtModels(models);
        addTransformerXlModels(models);
        addInceptionModels(models);
        addAmoebanetModels(models);
        addWavenetModels(models);
        addResnetModels(models);
        addVggModels(models);
        addAlexnetModels(models);
        addBertModels(models);
        addGpt2Models(models);
        return models;
    }();
    return kModels;
}

const ZooModel* findZooModel(std::string_view id) {
    const auto it = std::ranges::find(zooModels(), id, &ZooModel::id);
    return it == zooModels().end() ? nullptr : &*it;
}

Result<Graph> buildZooModel(std::string_view id, std::string_view preset,
                            const std::map<std::string, std::string>& settings) {
    const ZooModel* model = findZooModel(id);
    if (model == nullptr)
        return fail("there is no model \"{}\"; choose among {}.", id, names(zooModels(), &ZooModel::id));
    if (std::ranges::find(kZooPresets, preset) == std::end(kZooPresets))
        return fail("there is no preset {}; choose among {}.", preset, fmt::join(kZooPresets, ", "));
    ZooValues values(model->parameters, preset == "paper");
    for (const auto& [name, text] : settings) {
        if (auto set = values.set(name, text); !set)
            return fail("{}: {}", id, set.error().message);
    }
    return model->build(model->id, values);
}

} // namespace opscape
