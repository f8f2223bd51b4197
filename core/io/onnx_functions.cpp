// SPDX-License-Identifier: MIT
// A call is opened as a macro is: what the function calls its inputs and outputs becomes what the call calls them,
// every other name of a value gets the name of the call's first output before it, which is unique, and attributes that
// refer to those of the function take the values of the call, else the function's defaults. Calls inside are opened in
// turn.
#include <opscape/io/onnx_annotations.h>
#include <opscape/io/onnx_functions.h>
#include <opscape/io/onnx_index.h>
#include <opscape/io/text.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <unordered_set>

namespace opscape {
namespace {

constexpr std::size_t kDeepest = 16; ///< calls within one another

using Names = std::unordered_map<std::string, std::string>;
using Nodes = google::protobuf::RepeatedPtrField<onnx::NodeProto>;

/// Of the standard's own operators; 0 where it is not said.
template <class Owner>
std::int64_t standardVersion(const Owner& owner) {
    for (const auto& opset : owner.opset_import()) {
        if (opset.domain().empty() || opset.domain() == "ai.onnx")
            return opset.version();
    }
    return 0;
}

void renameIn(onnx::GraphProto& graph, const Names& names);

/// What a node reads, and its subgraphs read from outside.
void renameInputs(onnx::NodeProto& node, const Names& names) {
    for (std::string& input : *node.mutable_input()) {
        if (const auto found = names.find(input); found != names.end())
            input = found->second;
    }
    for (auto& attribute : *node.mutable_attribute()) {
        if (attribute.has_g())
            renameIn(*attribute.mutable_g(), names);
        for (auto& graph : *attribute.mutable_graphs())
            renameIn(graph, names);
    }
}

void renameIn(onnx::GraphProto& graph, const Names& names) {
    Names outer = names; // but for what the graph itself calls so
    for (const auto& input : graph.input())
        outer.erase(input.name());
    for (const auto& initializer : graph.initializer())
        outer.erase(initializer.name());
    for (const auto& node : graph.node()) {
        for (const std::string& output : node.output())
            outer.erase(output);
    }
    for (auto& node : *graph.mutable_node())
        renameInputs(node, outer);
    for (auto& output : *graph.mutable_output()) {
        if (const auto found = outer.find(output.name()); found != outer.end())
            output.set_name(found->second);
    }
}

class Opener {
public:
    Opener(onnx::ModelProto& model, const std::string& origin, Diagnostics& diagnostics,
           const OnnxFunctionLimits& limits)
        : m_model(model),
          m_origin(origin),
          m_diagnostics(diagnostics),
          m_limits(limits) {
        for (const auto& function : model.functions())
            m_functions.emplace(std::pair(function.domain(), function.name()), &function);
    }

    Result<> open() {
        if (m_functions.empty())
            return {};
        takeNames(m_model.graph());
        if (auto opened = open(*m_model.mutable_graph()->mutable_node()); !opened)
            return opened;
        for (const auto& function : m_model.functions()) {
            if (!m_called.contains(&function))
                m_diagnostics.add(Severity::Info, "unused-function", "Functions in the model that nothing calls",
                                  toUtf8(function.domain() + "." + function.name()));
        }
        return {};
    }

private:
    Result<> open(Nodes& nodes) {
        Nodes opened;
        for (onnx::NodeProto& node : nodes) {
            for (auto& attribute : *node.mutable_attribute()) {
                if (attribute.has_g()) {
                    if (auto inner = open(*attribute.mutable_g()->mutable_node()); !inner)
                        return inner;
                }
            }
            const onnx::FunctionProto* function = functionOf(node);
            if (function == nullptr) {
                opened.Add()->Swap(&node);
                continue;
            }
            if (std::ranges::count(m_open, function) > 0)
                return fail("{}: function {} calls itself, through others or at once; ONNX has no recursion.", m_origin,
                            printable(function->name()));
            Nodes inside = instance(*function, node);
            m_open.push_back(function);
            auto done = open(inside);
            m_open.pop_back();
            if (!done)
                return done;
            for (onnx::NodeProto& inner : inside)
                opened.Add()->Swap(&inner);
        }
        nodes.Swap(&opened);
        return {};
    }

    /// The function that the node calls and that can be opened.
    const onnx::FunctionProto* functionOf(const onnx::NodeProto& node) {
        const auto found = m_functions.find({node.domain(), node.op_type()});
        if (found == m_functions.end())
            return nullptr;
        const onnx::FunctionProto& function = *found->second;
        m_called.insert(&function);
        const std::int64_t version = standardVersion(function);
        const std::size_t bytes =
            function.ByteSizeLong() + static_cast<std::size_t>(function.node_size()) * nameOf(node).size();
        const bool isOther = version != 0 && version != standardVersion(m_model);
        const auto size = static_cast<std::size_t>(function.node_size());
        if (!isOther && m_open.size() < kDeepest && m_opened + size <= m_limits.nodes &&
            m_openedBytes + bytes <= m_limits.bytes) {
            m_opened += size;
            m_openedBytes += bytes;
            return &function;
        }
        m_diagnostics.add(Severity::Info, "local-function",
                          "Calls of functions in the model that are of another operator set or beyond the limit on the "
                          "size of a graph, one op each",
                          describe(node));
        return nullptr;
    }

    Nodes instance(const onnx::FunctionProto& function, const onnx::NodeProto& call) {
        const auto first = std::ranges::find_if(call.output(), [](const std::string& name) { return !name.empty(); });
        const std::string scope = nameOf(call);
        const std::string prefix = (first == call.output().end() ? scope : *first) + "/";
        Nodes nodes;
        Names names;
        for (int i = 0; i < function.input_size(); ++i)
            names[function.input(i)] = i < call.input_size() ? call.input(i) : std::string();
        for (int i = 0; i < function.output_size() && i < call.output_size(); ++i) {
            if (call.output(i).empty() || names.try_emplace(function.output(i), call.output(i)).second)
                continue;
            onnx::NodeProto& same = *nodes.Add(); // an input, or another output, handed on
            same.set_op_type("Identity");
            same.set_name(scope + "/" + function.output(i));
            same.add_input(names[function.output(i)]);
            same.add_output(call.output(i));
        }
        for (const auto& node : function.node()) {
            for (const std::string& output : node.output()) {
                if (!output.empty())
                    names.try_emplace(output, freeName(prefix + output));
            }
        }
        for (const auto& node : function.node()) {
            onnx::NodeProto& made = *nodes.Add();
            made = node;
            made.set_name(scope + "/" + nameOf(node));
            setAttributes(made, function, call);
            renameInputs(made, names);
            for (std::string& output : *made.mutable_output()) {
                if (!output.empty())
                    output = names[output];
            }
            if (deviceOf(node, {}).empty())
                copyDevice(call, made);
        }
        return nodes;
    }

    /// Of all values that the file has.
    void takeNames(const onnx::GraphProto& graph) {
        for (const auto& input : graph.input())
            m_names.insert(input.name());
        for (const auto& initializer : graph.initializer())
            m_names.insert(initializer.name());
        for (const auto& node : graph.node()) {
            m_names.insert(node.output().begin(), node.output().end());
            for (const auto& attribute : node.attribute()) {
                if (attribute.has_g())
                    takeNames(attribute.g());
            }
        }
    }

    std::string freeName(const std::string& name) {
        std::string free = name;
        for (std::size_t& number = m_numbers[name]; !m_names.insert(free).second;)
            free = fmt::format("{}#{}", name, ++number + 1);
        return free;
    }

    static void setAttributes(onnx::NodeProto& node, const onnx::FunctionProto& function, const onnx::NodeProto& call) {
        google::protobuf::RepeatedPtrField<onnx::AttributeProto> attributes;
        for (auto& attribute : *node.mutable_attribute()) {
            if (attribute.has_g()) {
                for (auto& inner : *attribute.mutable_g()->mutable_node())
                    setAttributes(inner, function, call);
            }
            if (attribute.ref_attr_name().empty()) {
                attributes.Add()->Swap(&attribute);
                continue;
            }
            const auto given =
                std::ranges::find(call.attribute(), attribute.ref_attr_name(), &onnx::AttributeProto::name);
            auto value = given != call.attribute().end() ? std::optional(*given)
                                                         : defaultOfAttribute(function, attribute.ref_attr_name());
            if (!value)
                continue; // neither given nor with a default: left out
            value->set_name(attribute.name());
            attributes.Add()->Swap(&*value);
        }
        node.mutable_attribute()->Swap(&attributes);
    }

    onnx::ModelProto& m_model;
    const std::string& m_origin;
    Diagnostics& m_diagnostics;
    const OnnxFunctionLimits& m_limits;
    std::map<std::pair<std::string, std::string>, const onnx::FunctionProto*> m_functions;
    std::set<const onnx::FunctionProto*> m_called;
    std::vector<const onnx::FunctionProto*> m_open;         ///< calls within one another
    std::unordered_set<std::string> m_names;                ///< of values
    std::unordered_map<std::string, std::size_t> m_numbers; ///< by name, given to others that wanted it
    std::size_t m_opened = 0, m_openedBytes = 0;
};

} // namespace

Result<> openOnnxFunctions(onnx::ModelProto& model, const std::string& origin, Diagnostics& diagnostics,
                           const OnnxFunctionLimits& limits) {
    return Opener(model, origin, diagnostics, limits).open();
}

} // namespace opscape
