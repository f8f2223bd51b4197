// SPDX-License-Identifier: MIT
#include <opscape/io/onnx_loops.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_map>

namespace opscape {
namespace {

using Types = std::unordered_map<std::string_view, onnx::TypeProto>;

bool hasShape(const onnx::TypeProto& type) { return type.has_tensor_type() && type.tensor_type().has_shape(); }

bool isSameShape(const onnx::TypeProto& a, const onnx::TypeProto& b) {
    return std::ranges::equal(a.tensor_type().shape().dim(), b.tensor_type().shape().dim(),
                              [](const auto& x, const auto& y) {
                                  return x.has_dim_value() && y.has_dim_value() && x.dim_value() == y.dim_value();
                              });
}

bool hasSubgraph(const onnx::NodeProto& node) {
    return std::ranges::any_of(node.attribute(), [](const auto& attribute) { return attribute.has_g(); });
}

void addTypes(Types& types, const onnx::GraphProto& graph) {
    for (const auto* list : {&graph.value_info(), &graph.input(), &graph.output()}) {
        for (const auto& info : *list) {
            if (hasShape(info.type()))
                types[info.name()] = info.type();
        }
    }
    for (const auto& initializer : graph.initializer()) {
        onnx::TypeProto& type = types[initializer.name()];
        type.mutable_tensor_type()->set_elem_type(initializer.data_type());
        for (const std::int64_t dim : initializer.dims())
            type.mutable_tensor_type()->mutable_shape()->add_dim()->set_dim_value(dim);
        type.mutable_tensor_type()->mutable_shape();
    }
}

void setType(onnx::GraphProto& graph, const std::string& name, const onnx::TypeProto& type) {
    const auto output = std::ranges::find(*graph.mutable_output(), name, &onnx::ValueInfoProto::name);
    onnx::ValueInfoProto& info = output != graph.mutable_output()->end() ? *output : *graph.add_value_info();
    info.set_name(name);
    *info.mutable_type() = type;
}

bool carry(onnx::GraphProto& graph, const onnx::NodeProto& loop, onnx::GraphProto& body,
           const onnx::GraphProto& inferredBody, const Types& types) {
    bool isAny = false;
    for (int at = 2; at < loop.input_size() && at < body.input_size(); ++at) { // behind the rounds and the condition
        const auto begin = types.find(loop.input(at));
        if (begin == types.end())
            continue;
        onnx::TypeProto& input = *body.mutable_input(at)->mutable_type();
        if (!hasShape(input)) {
            input = begin->second;
            isAny = true;
            continue;
        }
        const int output = at - 2, inside = at - 1;
        if (output < loop.output_size() && inside < inferredBody.output_size() && !loop.output(output).empty() &&
            !types.contains(loop.output(output)) && hasShape(inferredBody.output(inside).type()) &&
            isSameShape(input, inferredBody.output(inside).type())) {
            setType(graph, loop.output(output), input);
            isAny = true;
        }
    }
    return isAny;
}

bool carry(onnx::GraphProto& graph, const onnx::GraphProto& inferred, Types types) {
    if (std::ranges::none_of(graph.node(), hasSubgraph))
        return false;
    addTypes(types, inferred);
    bool isAny = false;
    for (int n = 0; n < std::min(graph.node_size(), inferred.node_size()); ++n) {
        auto& node = *graph.mutable_node(n);
        for (int a = 0; a < std::min(node.attribute_size(), inferred.node(n).attribute_size()); ++a) {
            if (!node.attribute(a).has_g() || !inferred.node(n).attribute(a).has_g())
                continue;
            onnx::GraphProto& body = *node.mutable_attribute(a)->mutable_g();
            const onnx::GraphProto& inferredBody = inferred.node(n).attribute(a).g();
            if (node.op_type() == "Loop" && node.domain().empty())
                isAny = carry(graph, node, body, inferredBody, types) || isAny;
            isAny = carry(body, inferredBody, types) || isAny;
        }
    }
    return isAny;
}

} // namespace

bool carryStates(onnx::GraphProto& graph, const onnx::GraphProto& inferred) { return carry(graph, inferred, Types()); }

} // namespace opscape
