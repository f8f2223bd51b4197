// SPDX-License-Identifier: MIT
// Random graphs that use everything a Graph can hold, for properties that must hold for every graph.
#pragma once

#include <opscape/base/random.h>
#include <opscape/graph/graph_builder.h>

#include <limits>

namespace opscape {

inline Op namedOp(std::string name) {
    Op op;
    op.name = std::move(name);
    return op;
}

class RandomGraph {
public:
    explicit RandomGraph(std::uint64_t seed) : m_random(seed) {}

    Graph make(std::size_t ops) {
        GraphBuilder builder("random \"graph\"\n\u00e9");
        std::vector<TensorId> tensors;
        for (std::size_t i = 0; i < ops; ++i)
            builder.addOp(op(i));
        for (std::size_t i = 0; i < ops; ++i) {
            for (std::uint32_t k = pick(3); k > 0; --k)
                tensors.push_back(builder.addResident(tensor(static_cast<TensorKind>(1 + pick(4)))));
            for (std::uint32_t k = pick(4); k > 0 && !tensors.empty(); --k)
                builder.addInput(OpId(i), pick(5) == 0 ? TensorId() : tensors[pick(tensors.size())]);
            if (i > 0 && pick(4) == 0)
                builder.addControl(OpId(pick(i)), OpId(i));
            for (std::uint32_t k = pick(3); k > 0; --k)
                tensors.push_back(builder.addOutput(OpId(i), tensor(TensorKind::Activation)));
        }
        Diagnostics diagnostics;
        return *std::move(builder).build(diagnostics);
    }

private:
    std::uint32_t pick(std::size_t bound) { return m_random.below(static_cast<std::uint32_t>(bound)); }
    std::int64_t size() { return static_cast<std::int64_t>(m_random() >> (1 + pick(63))); }
    double real() {
        constexpr double kOdd[] = {0.0,    -0.0,     1.0,
                                   0.1,    1e300,    std::numeric_limits<double>::infinity(),
                                   5e-324, -1.0 / 3, -std::numeric_limits<double>::infinity()};
        return pick(2) == 0 ? kOdd[pick(std::size(kOdd))] : (m_random.uniform() - 0.5) * 1e6;
    }
    std::string text() {
        constexpr std::string_view kParts[] = {"a", "/", "\"", "\\", "\n", "\x01", "\u00fc", "\U0001f600", " ", "7"};
        std::string s;
        for (std::uint32_t n = pick(6); n > 0; --n)
            s += kParts[pick(std::size(kParts))];
        return s;
    }

    AttributeValue value() {
        switch (pick(5)) {
        case 0:
            return static_cast<std::int64_t>(m_random());
        case 1:
            return real();
        case 2:
            return text();
        case 3: {
            std::vector<std::int64_t> values(pick(4));
            for (auto& v : values)
                v = static_cast<std::int64_t>(m_random());
            return values;
        }
        default: {
            std::vector<double> values(pick(4));
            for (auto& v : values)
                v = real();
            return values;
        }
        }
    }

    Op op(std::size_t number) {
        Op op;
        op.name = text() + std::to_string(number);
        op.type = text();
        op.phase = static_cast<Phase>(pick(3));
        op.colocation = pick(3) == 0 ? text() : "";
        op.requestedDevice = pick(3) == 0 ? text() : "";
        op.flops = pick(3) == 0 ? size() : -1;
        op.bytesMoved = pick(3) == 0 ? size() : -1;
        op.workspaceBytes = pick(3) == 0 ? size() : 0;
        for (std::uint32_t n = pick(3); n > 0; --n)
            op.timeNs[text()] = size();
        for (std::uint32_t n = pick(4); n > 0; --n)
            op.attributes.push_back({text(), value()});
        return op;
    }

    Tensor tensor(TensorKind kind) {
        Tensor tensor;
        tensor.name = text();
        tensor.kind = kind;
        tensor.dtype = static_cast<DType>(pick(static_cast<std::size_t>(DType::String) + 1));
        tensor.shapeKnown = pick(4) != 0;
        for (std::uint32_t n = tensor.shapeKnown ? pick(5) : 0; n > 0; --n)
            tensor.shape.push_back(pick(6) == 0 ? kUnknownDim : static_cast<std::int64_t>(pick(1000)));
        tensor.bytes = pick(3) == 0 ? size() : -1;
        return tensor;
    }

    Random m_random;
};

} // namespace opscape
