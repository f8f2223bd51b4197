// SPDX-License-Identifier: MIT
#include <opscape/zoo/image_layers.h>

namespace opscape {

Value convNorm(TensorProgram& p, std::string_view name, Value x, std::int64_t filters, const Sizes& kernel,
               const Window& window, bool relu) {
    const auto scope = p.scope(name);
    const Value normalized = batchNorm(p, convolution(p, x, filters, kernel, window, false));
    return relu ? p.relu(normalized) : normalized;
}

Value flatten(TensorProgram& p, Value x) { return p.reshape(x, {p.dim(x, 0), -1}); }

Value imageLoss(TensorProgram& p, Value logits) {
    return p.softmaxCrossEntropy(logits, p.input("labels", {p.dim(logits, 0)}, DType::I64)).loss;
}

std::vector<ZooParameter> imageParameters(std::int64_t smallBatch, std::int64_t paperBatch, std::int64_t image,
                                          std::int64_t leastImage) {
    return {{"batch", "Images in a batch.", smallBatch, paperBatch, 1, 4096, {}},
            {"image", "Height and width of an image, pixels.", image, image, leastImage, 2048, {}},
            {"classes", "Classes to tell apart.", 1000, 1000, 2, 100000, {}}};
}

Value imageInput(TensorProgram& p, const ZooValues& values) {
    const std::int64_t side = values["image"];
    return p.input("images", {values["batch"], 3, side, side});
}

} // namespace opscape
