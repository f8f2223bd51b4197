// SPDX-License-Identifier: MIT
#include "layers.h"

#include <opscape/base/text.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <map>

namespace opscape {
namespace {

bool contains(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

/// The number behind "layer_3", "lstm3", "rnn_cell_3".
std::optional<int> layerNumber(const std::string& scope) {
    const std::size_t digits = scope.find_last_not_of("0123456789") + 1;
    if (digits == scope.size())
        return std::nullopt;
    std::string_view stem = std::string_view(scope).substr(0, digits);
    while (!stem.empty() && (stem.back() == '_' || stem.back() == '-' || stem.back() == '.'))
        stem.remove_suffix(1);
    constexpr std::array<std::string_view, 6> kStems{"layer", "layers", "cell", "lstm", "gru", "rnn"};
    if (std::ranges::none_of(kStems, [stem](std::string_view s) { return stem.ends_with(s); }))
        return std::nullopt;
    int number = 0;
    const auto [end, ec] = std::from_chars(scope.data() + digits, scope.data() + scope.size(), number);
    return ec == std::errc() ? std::optional(number) : std::nullopt;
}

} // namespace

std::string_view forwardName(std::string_view opName) {
    constexpr std::string_view kGradients = "gradients/";
    return opName.starts_with(kGradients) ? opName.substr(kGradients.size()) : opName;
}

bool isForward(const Op& op) { return op.phase == Phase::Forward && forwardName(op.name).size() == op.name.size(); }

std::optional<LayerName> layerOf(std::string_view opName) {
    std::string_view rest = forwardName(opName);
    LayerName layer;
    for (std::size_t slash; (slash = rest.find('/')) != std::string_view::npos; rest.remove_prefix(slash + 1)) {
        const std::string scope = lowerCase(rest.substr(0, slash));
        if (contains(scope, "decoder"))
            layer.side = LayerSide::Decoder;
        else if (contains(scope, "encoder"))
            layer.side = LayerSide::Encoder;
        if (const auto number = layerNumber(scope)) {
            layer.number = *number;
            return layer;
        }
    }
    return std::nullopt;
}

std::vector<LayerName> recurrentLayers(const Graph& graph) {
    struct Signs {
        bool recurrentOp = false, sigmoid = false, tanh = false, convolution = false;
        [[nodiscard]] bool isRecurrent() const { return recurrentOp || (sigmoid && tanh && !convolution); }
    };
    std::map<LayerName, Signs> layers;
    for (std::size_t i = 0; i < graph.opCount(); ++i) {
        const Op& op = graph.op(OpId(i));
        const auto layer = isForward(op) ? layerOf(op.name) : std::nullopt;
        if (!layer)
            continue;
        Signs& signs = layers[*layer];
        const std::string type = lowerCase(op.type);
        signs.recurrentOp =
            signs.recurrentOp || contains(type, "lstm") || contains(type, "gru") || contains(type, "rnn");
        signs.sigmoid = signs.sigmoid || type == "sigmoid";
        signs.tanh = signs.tanh || type == "tanh";
        signs.convolution = signs.convolution || contains(type, "conv");
    }
    std::vector<LayerName> names;
    std::size_t recurrent = 0;
    for (const auto& [name, signs] : layers) {
        names.push_back(name);
        recurrent += signs.isRecurrent() ? 1 : 0;
    }
    return 2 * recurrent >= names.size() ? names : std::vector<LayerName>();
}

} // namespace opscape
