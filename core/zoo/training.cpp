// SPDX-License-Identifier: MIT
#include <opscape/zoo/training.h>

namespace opscape {
namespace {

struct RuleRow {
    std::string_view type;
    std::vector<std::string_view> states; ///< tensors of the weight's shape that are kept beside it
};

RuleRow rowOf(UpdateRule rule) {
    switch (rule) {
    case UpdateRule::Sgd:
        return {"SGD", {}};
    case UpdateRule::Momentum:
        return {"Momentum", {"momentum"}};
    case UpdateRule::Adam:
        return {"Adam", {"first_moment", "second_moment"}};
    }
    throw std::logic_error("an update rule that is none");
}

} // namespace

void minimize(TensorProgram& program, Value loss, UpdateRule rule) {
    std::vector<Value> values;
    for (const TensorProgram::Variable& variable : program.variables())
        values.push_back(variable.value);
    const std::vector<Value> all = gradients(program, loss, values);
    const RuleRow row = rowOf(rule);
    for (std::size_t i = 0; i < values.size(); ++i) {
        const TensorProgram::Variable variable = program.variables()[i];
        if (!all[i].valid())
            throw std::logic_error(fmt::format("the loss does not depend on variable {}", variable.name));
        const std::size_t slash = variable.name.rfind('/');
        const std::string own = variable.name.substr(slash + 1); // of the whole where there is none
        const std::string layer = slash == std::string::npos ? "" : "/" + variable.name.substr(0, slash);
        const auto scope = program.scopeAt("train" + layer, Phase::Update);
        std::vector<Value> inputs{variable.weight, all[i]};
        for (const std::string_view state : row.states)
            inputs.push_back(program.state(fmt::format("{}/{}", own, state), program.shape(variable.weight)));
        program.update(row.type, variable, inputs, {}, "update_" + own);
    }
}

} // namespace opscape
