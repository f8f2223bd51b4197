// SPDX-License-Identifier: MIT
// The table of gradient rules behind gradients(); internal to core/zoo.
#pragma once

#include <opscape/zoo/tensor_program.h>

namespace opscape {

/// One op on the way back. A rule reads what is known and adds ops that end in `inputGradients`.
struct BackwardOp {
    TensorProgram& program;
    std::vector<Attribute> attributes;  ///< of the forward op
    std::vector<Value> inputs, outputs; ///< of the forward op
    std::vector<Value> gradients;       ///< of the loss by each output; none where the loss does not depend on it
    std::vector<bool> isNeeded;         ///< per input
    std::vector<Value> inputGradients;  ///< to be filled in where needed

    [[nodiscard]] const Shape& shapeOf(std::size_t input) const { return program.shape(inputs[input]); }
    template <class T>
    [[nodiscard]] const T& attribute(std::string_view name) const {
        for (const Attribute& attribute : attributes) {
            if (attribute.name == name)
                return std::get<T>(attribute.value);
        }
        throw std::logic_error(fmt::format("an op without its attribute {}", name));
    }
    [[nodiscard]] bool flag(std::string_view name) const;
};

using GradientRule = void (*)(BackwardOp&);

/// Null when there is none.
[[nodiscard]] GradientRule gradientRule(std::string_view opType);

} // namespace opscape
