// SPDX-License-Identifier: MIT
#include <opscape/base/text.h>
#include <opscape/base/units.h>
#include <opscape/graph/graph_builder.h>
#include <opscape/io/pipedream_reader.h>

#include <charconv>
#include <cmath>
#include <unordered_map>
#include <utility>

namespace opscape {
namespace {

constexpr double kNsPerMs = 1e6;
constexpr double kLongestMs = 1e9;
constexpr double kMostBytes = 1e15;
constexpr std::string_view kSeparator = " -- ";

struct Layer {
    std::string id, description;
    double forwardMs = 0, backwardMs = 0, activationBytes = 0, parameterBytes = 0;
    [[nodiscard]] bool isInput() const { return description.starts_with("Input"); }
};

std::vector<std::string_view> fields(std::string_view line) {
    std::vector<std::string_view> parts;
    for (std::size_t at; (at = line.find(kSeparator)) != std::string_view::npos;
         line.remove_prefix(at + kSeparator.size()))
        parts.push_back(line.substr(0, at));
    parts.push_back(line);
    return parts;
}

/// A number, or the sum of "[a; b; c]"; none where the text is neither.
std::optional<double> parseAmount(std::string_view text) {
    if (text.starts_with('[') && text.ends_with(']'))
        text = text.substr(1, text.size() - 2);
    double sum = 0;
    for (;;) {
        double value = 0;
        const auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (ec != std::errc() || !(value >= 0))
            return std::nullopt;
        sum += value;
        text.remove_prefix(static_cast<std::size_t>(end - text.data()));
        if (text.empty())
            return sum;
        if (!text.starts_with("; "))
            return std::nullopt;
        text.remove_prefix(2);
    }
}

Result<Layer> parseLayer(const std::vector<std::string_view>& parts) {
    Layer layer;
    layer.id = parts[0];
    layer.description = parts[1];
    std::string_view rest = parts[2];
    struct Figure {
        std::string_view key;
        double most;
        std::string_view unit;
        double& value;
    };
    const Figure figures[] = {{"forward_compute_time", kLongestMs, "ms", layer.forwardMs},
                              {"backward_compute_time", kLongestMs, "ms", layer.backwardMs},
                              {"activation_size", kMostBytes, "bytes", layer.activationBytes},
                              {"parameter_size", kMostBytes, "bytes", layer.parameterBytes}};
    for (const auto& [key, most, unit, value] : figures) {
        if (!rest.starts_with(key) || !rest.substr(key.size()).starts_with('='))
            return fail("layer {} lacks {}=, which must come in its place", layer.id, key);
        rest.remove_prefix(key.size() + 1);
        const std::size_t comma = rest.find(", ");
        const std::string_view text = rest.substr(0, comma);
        const auto amount = parseAmount(text);
        if (!amount || *amount > most)
            return fail("{} of layer {} is \"{}\"; it must be a number, or a sum like [1; 2], from 0 to {} {}", key,
                        layer.id, elide(printable(text), 80), most, unit);
        value = *amount;
        rest.remove_prefix(comma == std::string_view::npos ? rest.size() : comma + 2);
    }
    return layer;
}

Op makeOp(const Layer& layer, Phase phase) {
    Op op;
    op.name = (phase == Phase::Backward ? "gradients/" : "") + layer.id;
    op.type = layer.description.substr(0, layer.description.find('('));
    op.phase = phase;
    op.colocation = layer.id;
    op.attributes = {{"layer", layer.description}};
    op.timeNs["gpu"] = std::llround((phase == Phase::Backward ? layer.backwardMs : layer.forwardMs) * kNsPerMs);
    return op;
}

Tensor sized(std::string name, TensorKind kind, double bytes) {
    Tensor tensor;
    tensor.name = std::move(name);
    tensor.kind = kind;
    tensor.bytes = std::llround(bytes);
    return tensor;
}

using Edges = std::vector<std::pair<std::size_t, std::size_t>>;

/// Which layers have a backward op: those that take time backward, and those that take none but lie between two such
/// layers, so that the gradient passes through them (an addition, a reshape).
std::vector<std::uint8_t> layersWithBackward(const std::vector<Layer>& layers, const Edges& edges) {
    std::vector<std::vector<std::size_t>> next(layers.size()), previous(layers.size());
    for (const auto& [from, to] : edges) {
        next[from].push_back(to);
        previous[to].push_back(from);
    }
    const auto reached = [&](const std::vector<std::vector<std::size_t>>& along) {
        std::vector<std::uint8_t> is(layers.size());
        std::vector<std::size_t> open;
        for (std::size_t i = 0; i < layers.size(); ++i) {
            if (layers[i].isInput() || layers[i].backwardMs == 0)
                continue;
            is[i] = 1;
            open.push_back(i);
        }
        while (!open.empty()) {
            const std::size_t layer = open.back();
            open.pop_back();
            for (const std::size_t other : along[layer]) {
                if (std::exchange(is[other], 1) == 0)
                    open.push_back(other);
            }
        }
        return is;
    };
    const std::vector<std::uint8_t> after = reached(next), before = reached(previous);
    std::vector<std::uint8_t> has(layers.size());
    for (std::size_t i = 0; i < layers.size(); ++i)
        has[i] = !layers[i].isInput() && after[i] != 0 && before[i] != 0;
    return has;
}

} // namespace

bool looksLikePipedream(std::string_view bytes) {
    const std::string_view line = bytes.substr(0, bytes.find('\n'));
    return line.find(kSeparator) != std::string_view::npos &&
           line.find("forward_compute_time=") != std::string_view::npos;
}

Result<GraphFile> readPipedream(std::string_view bytes, const std::string& origin) {
    std::vector<Layer> layers;
    std::unordered_map<std::string, std::size_t> layerOf;
    Edges edges;
    std::vector<std::tuple<std::string, std::string, std::size_t>> namedEdges; // with their line
    std::size_t lineNumber = 0;
    while (!bytes.empty()) {
        std::string_view line = bytes.substr(0, bytes.find('\n'));
        bytes.remove_prefix(std::min(bytes.size(), line.size() + 1));
        ++lineNumber;
        if (line.ends_with('\r'))
            line.remove_suffix(1);
        if (line.empty())
            continue;
        const auto parts = fields(line.starts_with('\t') ? line.substr(1) : line);
        if (line.starts_with('\t')) {
            if (parts.size() != 2)
                return fail("{}: line {}: an edge must read \"node1 -- node2\" after its tab.", origin, lineNumber);
            namedEdges.emplace_back(parts[0], parts[1], lineNumber);
            continue;
        }
        if (parts.size() < 3)
            return fail("{}: line {}: a layer must read \"id -- description -- forward_compute_time=...\".", origin,
                        lineNumber);
        auto layer = parseLayer(parts);
        if (!layer)
            return fail("{}: line {}: {}.", origin, lineNumber, layer.error().message);
        if (!layerOf.try_emplace(layer->id, layers.size()).second)
            return fail("{}: line {}: there is a layer {} already; each must have an id of its own.", origin,
                        lineNumber, layer->id);
        layers.push_back(std::move(*layer));
    }
    for (const auto& [from, to, line] : namedEdges) {
        const auto a = layerOf.find(from), b = layerOf.find(to);
        if (a == layerOf.end() || b == layerOf.end())
            return fail("{}: line {}: the edge names {}, but no line describes that layer.", origin, line,
                        a == layerOf.end() ? from : to);
        edges.emplace_back(a->second, b->second);
    }

    GraphFile file;
    file.format = "pipedream";
    file.fileNodes = layers.size();
    file.fileEdges = edges.size();
    GraphBuilder builder(std::filesystem::path(origin).filename().string());
    std::vector<OpId> forward(layers.size()), backward(layers.size());
    std::vector<TensorId> activation(layers.size());
    for (std::size_t i = 0; i < layers.size(); ++i) {
        const Layer& layer = layers[i];
        if (layer.isInput()) {
            activation[i] = builder.addResident(sized(layer.id, TensorKind::Input, layer.activationBytes));
            ++file.folded;
            continue;
        }
        forward[i] = builder.addOp(makeOp(layer, Phase::Forward));
        activation[i] = builder.addOutput(forward[i], sized(layer.id, TensorKind::Activation, layer.activationBytes));
        if (layer.parameterBytes > 0)
            builder.addInput(forward[i], builder.addResident(
                                             sized(layer.id + ":weights", TensorKind::Weight, layer.parameterBytes)));
    }
    const std::vector<std::uint8_t> hasBackward = layersWithBackward(layers, edges);
    for (std::size_t i = 0; i < layers.size(); ++i) {
        if (hasBackward[i] == 0)
            continue;
        backward[i] = builder.addOp(makeOp(layers[i], Phase::Backward));
        builder.addInput(backward[i], activation[i]);
    }
    for (const auto& [from, to] : edges) {
        if (!forward[to].valid()) {
            file.diagnostics.add(Severity::Warning, "edge-into-input", "Edges into Input layers, left out",
                                 layers[from].id + " -- " + layers[to].id);
            continue;
        }
        builder.addInput(forward[to], activation[from]);
        if (!backward[from].valid() || !backward[to].valid())
            continue;
        const std::string name = "gradients/" + layers[from].id + ":" + layers[to].id;
        builder.addInput(backward[from], builder.addOutput(backward[to], sized(name, TensorKind::Activation,
                                                                               layers[from].activationBytes)));
    }
    auto graph = std::move(builder).build(file.diagnostics);
    if (!graph)
        return fail("{}: {}", origin, graph.error().message);
    file.graph = std::move(*graph);
    return file;
}

} // namespace opscape
