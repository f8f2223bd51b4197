// SPDX-License-Identifier: MIT
// The models of the zoo: whole training steps of networks that people know, made by calculation. A workload is a family
// with its figures (rnnlm4 is rnnlm with 4 layers) in two presets: `paper` is the published size, `small` the same
// structure with 500 to 3,000 ops. Every parameter can be set on top of a preset.
//
// To add a family: write core/zoo/<family>.{h,cpp} with a function that appends its ZooModels, and name it in zoo.cpp.
#pragma once

#include <opscape/base/result.h>
#include <opscape/graph/graph.h>
#include <opscape/zoo/training.h>

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace opscape {

struct ZooParameter {
    std::string name;    ///< e.g. "hidden"; lower case, words joined by '-'
    std::string summary; ///< one sentence
    std::int64_t small = 0, paper = 0;
    std::int64_t least = 1, most = 1;
    std::vector<std::string> choices; ///< where it is a choice: by name, and the values above are places in this list

    /// The value as it is written on a command line.
    [[nodiscard]] std::string text(std::int64_t value) const;
};

/// Value of each parameter by name; always complete and within bounds.
class ZooValues {
public:
    ZooValues(std::span<const ZooParameter> parameters, bool paper);
    [[nodiscard]] std::int64_t operator[](std::string_view name) const;
    /// The error names the parameter, the text and what is allowed.
    [[nodiscard]] Result<> set(std::string_view name, std::string_view text);

private:
    std::vector<ZooParameter> m_parameters;
    std::vector<std::int64_t> m_values;
};

/// How variables are updated: sgd, momentum or adam. Every model of a training step has it.
[[nodiscard]] ZooParameter updateRuleParameter(UpdateRule rule);
[[nodiscard]] UpdateRule updateRule(const ZooValues& values);

struct ZooModel {
    std::string id;      ///< e.g. "rnnlm4"; also the name of the graph
    std::string title;   ///< e.g. "RNN language model, 4 layers"
    std::string summary; ///< one sentence, with the source
    int devices = 1;     ///< on how many the workload was published
    std::vector<ZooParameter> parameters;
    /// May fail where values that are fine one by one do not fit together.
    Result<Graph> (*build)(const std::string& name, const ZooValues& values) = nullptr;
};

inline constexpr std::string_view kZooPresets[] = {"small", "paper"};

/// In the order of the families.
[[nodiscard]] const std::vector<ZooModel>& zooModels();
/// Null when there is none.
[[nodiscard]] const ZooModel* findZooModel(std::string_view id);
/// `settings` are values by parameter, on top of the preset. Errors name what is allowed.
[[nodiscard]] Result<Graph> buildZooModel(std::string_view id, std::string_view preset,
                                          const std::map<std::string, std::string>& settings = {});

} // namespace opscape
