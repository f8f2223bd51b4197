// SPDX-License-Identifier: MIT
#include <opscape/rl/network/parameters.h>

#include <malloc.h>

extern "C" void openblas_set_num_threads(int) __attribute__((weak));

namespace opscape::rl {

using torch::Tensor;

void prepareProcess() {
    static const bool done = [] {
        ::mallopt(M_MMAP_THRESHOLD, 256 << 20);
        ::mallopt(M_TRIM_THRESHOLD, 512 << 20);
        at::set_num_threads(1);
        if (openblas_set_num_threads != nullptr)
            openblas_set_num_threads(1);
        return true;
    }();
    (void)done;
}

Tensor randomParameter(const std::vector<std::int64_t>& shape, double scale, Random& random, torch::ScalarType type) {
    Tensor tensor = torch::empty(shape, torch::kFloat64);
    double* values = tensor.data_ptr<double>();
    for (std::int64_t i = 0; i < tensor.numel(); ++i)
        values[i] = static_cast<float>((2 * random.uniform() - 1) * scale);
    return tensor.to(type).requires_grad_();
}

std::vector<float> numbersOf(const Tensor& tensor) {
    const Tensor dense = tensor.detach().to(torch::kFloat32).contiguous();
    return {dense.data_ptr<float>(), dense.data_ptr<float>() + dense.numel()};
}

std::vector<float> numbersOf(const std::vector<Tensor>& tensors) {
    std::vector<float> all;
    for (const Tensor& tensor : tensors) {
        const Tensor dense = tensor.detach().to(torch::kFloat32).contiguous();
        all.insert(all.end(), dense.data_ptr<float>(), dense.data_ptr<float>() + dense.numel());
    }
    return all;
}

void setNumbers(std::vector<Tensor>& tensors, const std::vector<float>& numbers) {
    const torch::NoGradGuard noGradient;
    std::int64_t at = 0;
    const Tensor all = tensorOf(numbers, {static_cast<std::int64_t>(numbers.size())}, torch::kFloat32, torch::kFloat32);
    for (Tensor& tensor : tensors) {
        tensor.copy_(all.narrow(0, at, tensor.numel()).view(tensor.sizes()));
        at += tensor.numel();
    }
}

std::vector<float> gradientOf(const Tensor& loss, const std::vector<Tensor>& parameters) {
    std::vector<Tensor> sums;
    for (const Tensor& parameter : parameters)
        sums.push_back(torch::zeros_like(parameter));
    addGradients({loss}, {}, parameters, sums);
    return numbersOf(sums);
}

void addGradients(const std::vector<Tensor>& outputs, const std::vector<Tensor>& outer,
                  const std::vector<Tensor>& inputs, std::vector<Tensor>& to) {
    const auto parts = torch::autograd::grad(outputs, inputs, outer, false, false, true);
    const torch::NoGradGuard noGradient;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (parts[i].defined())
            to[i].add_(parts[i]);
    }
}

} // namespace opscape::rl
