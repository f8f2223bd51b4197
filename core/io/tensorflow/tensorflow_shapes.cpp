// SPDX-License-Identifier: MIT
#include <opscape/io/tensorflow/tensorflow_shape_rules.h>
#include <opscape/io/tensorflow/tensorflow_shapes.h>

#include <algorithm>

namespace opscape {
namespace {

/// A dimension that the file leaves open may be told by a rule.
void complete(Tensor& tensor, const Shape& inferred) {
    if (!tensor.shapeKnown) {
        tensor.shape = inferred;
        tensor.shapeKnown = true;
    }
    for (std::size_t d = 0; tensor.shape.size() == inferred.size() && d < inferred.size(); ++d) {
        if (tensor.shape[d] < 0)
            tensor.shape[d] = inferred[d];
    }
}

bool isOpen(const Shape& shape) {
    return std::ranges::any_of(shape, [](std::int64_t dim) { return dim < 0; });
}

/// One number more or less is another rank.
bool isShapeItself(const Tensor& tensor) {
    return tensor.shape.size() == 1 && (tensor.dtype == DType::I32 || tensor.dtype == DType::I64);
}

} // namespace

TfShapes::TfShapes(const TfProgram& program, const std::vector<std::vector<TfSource>>& sources)
    : m_program(program),
      m_ports(sources.size()),
      m_outputs(sources.size()) {
    std::vector<std::vector<std::size_t>> readers(sources.size());
    std::vector<std::size_t> waiting(sources.size()), ready;
    for (std::size_t n = 0; n < sources.size(); ++n) {
        for (const TfSource& source : sources[n]) {
            if (source.node < 0)
                continue;
            const auto from = static_cast<std::size_t>(source.node);
            m_ports[from].push_back(source.port);
            readers[from].push_back(n);
            ++waiting[n];
        }
    }
    for (std::size_t n = 0; n < sources.size(); ++n) {
        std::vector<std::size_t>& ports = m_ports[n];
        ports.push_back(0);
        std::ranges::sort(ports);
        ports.erase(std::unique(ports.begin(), ports.end()), ports.end());
        for (const std::size_t port : ports)
            m_outputs[n].push_back(declared(n, port));
        if (waiting[n] == 0)
            ready.push_back(n);
    }
    // What lies on a cycle never comes, and keeps what the file says of it.
    for (std::size_t at = 0; at < ready.size(); ++at) {
        infer(ready[at], sources);
        for (const std::size_t reader : readers[ready[at]]) {
            if (--waiting[reader] == 0)
                ready.push_back(reader);
        }
    }
}

Tensor TfShapes::declared(std::size_t node, std::size_t port) const {
    const TfNode& at = m_program.nodes()[node];
    return outputOf(*at.def, port, m_program.scope(at.scope).arguments, m_program.definitionOf(*at.def));
}

Tensor TfShapes::output(std::size_t node, std::size_t port) const {
    const std::vector<std::size_t>& ports = m_ports[node];
    const auto at = std::ranges::lower_bound(ports, port) - ports.begin();
    const auto index = static_cast<std::size_t>(at);
    return index < ports.size() && ports[index] == port ? m_outputs[node][index] : declared(node, port);
}

void TfShapes::infer(std::size_t node, const std::vector<std::vector<TfSource>>& sources) {
    TfNodeView view{*m_program.nodes()[node].def, 0, {}, {}};
    for (const TfSource& source : sources[node]) {
        const Tensor* tensor = nullptr;
        const TfNumbers* value = nullptr;
        if (source.node >= 0) {
            const auto from = static_cast<std::size_t>(source.node);
            const std::vector<std::size_t>& ports = m_ports[from];
            tensor = &m_outputs[from]
                               [static_cast<std::size_t>(std::ranges::lower_bound(ports, source.port) - ports.begin())];
            const auto known = source.port == 0 ? m_values.find(from) : m_values.end();
            value = known != m_values.end() ? &known->second : nullptr;
        }
        view.shapes.push_back(tensor != nullptr && tensor->shapeKnown ? &tensor->shape : nullptr);
        view.values.push_back(value);
    }
    for (std::size_t i = 0; i < m_ports[node].size(); ++i) {
        Tensor& tensor = m_outputs[node][i];
        view.port = m_ports[node][i];
        if (!tensor.shapeKnown || isOpen(tensor.shape)) {
            if (const auto inferred = inferredShape(view))
                complete(tensor, *inferred);
        }
        if (!tensor.shapeKnown || !isOpen(tensor.shape) || isShapeItself(tensor))
            continue;
        m_opened.emplace_back(node, tensor.shape);
        for (std::int64_t& dim : tensor.shape)
            dim = std::max<std::int64_t>(dim, dim < 0 ? 1 : 0);
    }
    if (auto value = inferredValue(view))
        m_values[node] = std::move(*value);
}

} // namespace opscape
