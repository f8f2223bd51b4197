// SPDX-License-Identifier: MIT
// Weights of a network as plain numbers and back. For the .cpp files of this folder that see torch.
#pragma once

#include <opscape/base/random.h>
#include <opscape/rl/pch.h>

#include <exception>
#include <vector>

namespace opscape::rl {

/// Thrown inside a long evaluation when the run is to stop. An exception of the standard library, because torch hands
/// on no others from a backward pass.
struct Stopped : std::exception {};

/// Torch takes one thread: sums are in one order then, and parallelism is over samples. And the tensors of one update
/// are kept for the next in place of being given back to the system, which took a fifth of the time.
void prepareProcess();

/// A view of the numbers, not a copy, but for another type.
template <class T>
torch::Tensor tensorOf(const std::vector<T>& numbers, at::IntArrayRef shape, torch::ScalarType from,
                       torch::ScalarType to) {
    return torch::from_blob(const_cast<T*>(numbers.data()), shape, from).to(to); // NOLINT: read only
}

/// A weight with numbers from -scale to scale.
[[nodiscard]] torch::Tensor randomParameter(const std::vector<std::int64_t>& shape, double scale, Random& random,
                                            torch::ScalarType type);

/// The numbers of one tensor, and of all of them, one after the other.
[[nodiscard]] std::vector<float> numbersOf(const torch::Tensor& tensor);
[[nodiscard]] std::vector<float> numbersOf(const std::vector<torch::Tensor>& tensors);
void setNumbers(std::vector<torch::Tensor>& tensors, const std::vector<float>& numbers);
/// Zero where the loss does not depend on a parameter.
[[nodiscard]] std::vector<float> gradientOf(const torch::Tensor& loss, const std::vector<torch::Tensor>& parameters);
/// Adds the gradient of `outputs` (times `outer`; empty: one) by each input to a tensor of its size.
void addGradients(const std::vector<torch::Tensor>& outputs, const std::vector<torch::Tensor>& outer,
                  const std::vector<torch::Tensor>& inputs, std::vector<torch::Tensor>& to);

} // namespace opscape::rl
