// SPDX-License-Identifier: MIT
// Recurrent layers, recognised by numbered scopes ("encoder/layer_0/...", "lstm_1/...") whose ops look recurrent: an
// LSTM, GRU or RNN op, or the gates of one (both Sigmoid and Tanh) without a convolution.
#pragma once

#include <opscape/graph/graph.h>

#include <optional>
#include <string_view>

namespace opscape {

enum class LayerSide : std::uint8_t { Plain, Encoder, Decoder };

struct LayerName {
    LayerSide side = LayerSide::Plain;
    int number = 0;
    friend auto operator<=>(const LayerName&, const LayerName&) = default;
};

/// From the name of an op; none when no scope of it is a numbered layer.
[[nodiscard]] std::optional<LayerName> layerOf(std::string_view opName);

/// Layers of the forward ops in order, when at least half of them look recurrent; empty otherwise.
[[nodiscard]] std::vector<LayerName> recurrentLayers(const Graph& graph);

/// The op's name without a leading "gradients/", whether it belongs to the forward pass or not.
[[nodiscard]] std::string_view forwardName(std::string_view opName);
[[nodiscard]] bool isForward(const Op& op);

} // namespace opscape
