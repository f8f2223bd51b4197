// SPDX-License-Identifier: MIT
#include <opscape/base/text.h>
#include <opscape/io/tensorflow/tensorflow_functions.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace opscape {
namespace {

namespace tf = tensorflow;

/// Names of functions that a node holds, whatever it does with them.
std::vector<std::string> heldFunctions(const tf::NodeDef& node) {
    std::vector<std::string> names;
    for (const std::string& attribute : node.attr()) {
        const tf::AttrEntry entry = parseAttribute(attribute);
        if (entry.value().value_case() == tf::AttrValue::kFunc)
            names.emplace_back(entry.value().func().name());
        for (const auto& function : entry.value().list().func())
            names.emplace_back(function.name());
    }
    return names;
}

/// An op that runs functions which it holds, and how its inputs and outputs are theirs.
struct Runner {
    std::string_view type;
    std::array<std::string_view, 2> attributes; ///< the functions, or lists of them, of which it runs one
    std::size_t firstInput;                     ///< the one that is the first argument
};
constexpr std::array<Runner, 9> kRunners{{{"PartitionedCall", {"f", ""}, 0},
                                          {"StatefulPartitionedCall", {"f", ""}, 0},
                                          {"TPUPartitionedCall", {"f", ""}, 0},
                                          {"While", {"body", ""}, 0},
                                          {"StatelessWhile", {"body", ""}, 0},
                                          {"If", {"then_branch", "else_branch"}, 1},
                                          {"StatelessIf", {"then_branch", "else_branch"}, 1},
                                          {"Case", {"branches", ""}, 1},
                                          {"StatelessCase", {"branches", ""}, 1}}};

const Runner* runnerOf(const tf::NodeDef& node) {
    const auto found = std::ranges::find(kRunners, std::string_view(node.op()), &Runner::type);
    return found != kRunners.end() ? &*found : nullptr;
}

std::size_t numberIn(std::string_view text) {
    std::size_t number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
}

/// How many inputs or outputs of a call an argument of the function stands for.
std::size_t widthOf(const tf::OpDef::ArgDef& arg, const TfAttributes& attributes) {
    constexpr std::int64_t kMost = 1 << 20;
    if (!arg.number_attr().empty()) {
        const auto count = findAttribute(attributes, arg.number_attr());
        return count ? static_cast<std::size_t>(std::clamp<std::int64_t>(count->i(), 0, kMost)) : 1;
    }
    if (!arg.type_list_attr().empty()) {
        const auto types = findAttribute(attributes, arg.type_list_attr());
        return types ? static_cast<std::size_t>(types->list().type_size()) : 1;
    }
    return 1;
}

/// "output:1" or "1": the name, which may be empty, and the number.
std::pair<std::string_view, std::size_t> partsOf(std::string_view output) {
    const std::size_t colon = output.find(':');
    if (colon != std::string_view::npos)
        return {output.substr(0, colon), numberIn(output.substr(colon + 1))};
    const bool isNumber = !output.empty() && output.front() >= '0' && output.front() <= '9';
    return isNumber ? std::pair(std::string_view(), numberIn(output)) : std::pair(output, std::size_t{0});
}

std::size_t portIn(const tf::OpDef& definition, const TfAttributes& attributes, std::string_view output) {
    const auto [name, number] = partsOf(output);
    std::size_t first = 0;
    for (const auto& arg : definition.output_arg()) {
        if (arg.name() == name)
            return first + number;
        first += widthOf(arg, attributes);
    }
    return number;
}

/// What another copy of the function's nodes takes, about.
std::size_t bytesOf(const tf::FunctionDef& function) {
    std::size_t bytes = 0;
    for (const auto& node : function.node_def()) {
        bytes += node.name().size() + node.op().size() + node.device().size();
        for (const std::string& input : node.input())
            bytes += input.size();
        for (const std::string& attribute : node.attr())
            bytes += parseAttribute(attribute).value().value_case() == tf::AttrValue::kTensor ? 0 : attribute.size();
    }
    return bytes;
}

} // namespace

TfReference parseReference(std::string_view text) {
    TfReference reference;
    reference.isControl = text.starts_with('^');
    text.remove_prefix(reference.isControl ? 1 : 0);
    const std::size_t colon = std::min(text.find(':'), text.size());
    reference.name = text.substr(0, colon);
    reference.output = text.substr(std::min(colon + 1, text.size()));
    return reference;
}

Result<TfProgram> TfProgram::make(const tf::GraphDef& graph, const tf::OpList& ops, const std::string& origin,
                                  Diagnostics& diagnostics) {
    TfProgram program(origin, diagnostics);
    for (const auto& op : ops.op())
        program.m_definitions.emplace(op.name(), &op);
    for (const auto& function : graph.library().function()) {
        program.m_functions.emplace(function.signature().name(), Function{&function, bytesOf(function)});
        program.m_definitions.insert_or_assign(function.signature().name(), &function.signature());
    }
    program.m_scopes.emplace_back();
    if (auto expanded = program.expand(0, graph.node(), 0); !expanded)
        return fail(std::move(expanded.error()));
    program.noteUncalled(graph);
    return program;
}

Result<> TfProgram::expand(int scope, const google::protobuf::RepeatedPtrField<tf::NodeDef>& nodes, int depth) {
    for (const auto& def : nodes) {
        const int index = static_cast<int>(m_nodes.size());
        m_nodes.push_back({&def, scope, -1});
        if (!m_scopes[static_cast<std::size_t>(scope)].nodes.try_emplace(def.name(), index).second)
            return fail("{}: two nodes have the name \"{}\"; every node needs a name of its own.", m_origin,
                        printable(nameOf(index)));
        for (const std::string& held : heldFunctions(def))
            m_called[held] = true;
        const Callee called = callee(def);
        if (called.function == nullptr || !mayInline(scope, *called.function, def, depth))
            continue;
        noteControlFlow(index);
        const tf::FunctionDef& function = *called.function->def;
        const int body = openScope(scope, index, called);
        m_nodes[static_cast<std::size_t>(index)].body = body;
        if (auto expanded = expand(body, function.node_def(), depth + 1); !expanded)
            return expanded;
    }
    return {};
}

TfProgram::Callee TfProgram::callee(const tf::NodeDef& node) const {
    Callee callee;
    const auto consider = [&](const std::string& name, const tf::NameAttrList& held) {
        const auto found = m_functions.find(name);
        if (found != m_functions.end() && (callee.function == nullptr || found->second.def->node_def_size() >
                                                                             callee.function->def->node_def_size())) {
            callee.function = &found->second;
            callee.held = held;
        }
    };
    const Runner* runner = runnerOf(node);
    if (runner == nullptr) {
        consider(node.op(), {});
        return callee;
    }
    callee.firstInput = runner->firstInput;
    for (const std::string_view attribute : runner->attributes) {
        const auto value = attribute.empty() ? std::nullopt : findAttribute(node.attr(), attribute);
        if (value && value->value_case() == tf::AttrValue::kFunc)
            consider(value->func().name(), value->func());
        for (int i = 0; value && i < value->list().func_size(); ++i)
            consider(value->list().func(i).name(), value->list().func(i));
    }
    return callee;
}

/// What opening a loop or a conditional leaves out.
void TfProgram::noteControlFlow(int index) {
    const std::string& type = node(index).def->op();
    if (type.ends_with("While"))
        m_diagnostics->add(Severity::Warning, "loop-once",
                           "Loops whose body is shown, and costed, as it runs once; what decides on a further round is "
                           "left out",
                           nameOf(index));
    else if (type.ends_with("If") || type.ends_with("Case"))
        m_diagnostics->add(Severity::Warning, "one-branch",
                           "Conditionals of which the branch with most nodes is shown, and costed; it does not wait "
                           "for the condition",
                           nameOf(index));
}

bool TfProgram::mayInline(int scope, const Function& called, const tf::NodeDef& node, int depth) {
    const tf::FunctionDef& function = *called.def;
    m_called[function.signature().name()] = true;
    for (int outer = scope; outer >= 0; outer = m_scopes[static_cast<std::size_t>(outer)].parent) {
        if (m_scopes[static_cast<std::size_t>(outer)].function == &function) {
            m_diagnostics->add(Severity::Warning, "recursive-call",
                               "Calls of a function from within itself, one op each",
                               fmt::format("{} calls {}", toUtf8(node.name()), toUtf8(function.signature().name())));
            return false;
        }
    }
    const std::size_t nodes = static_cast<std::size_t>(function.node_def_size()) + 1; // so that empty ones count, too
    const std::size_t prefix = m_scopes[static_cast<std::size_t>(scope)].prefix.size() + node.name().size();
    const std::size_t bytes = called.bytes + nodes * prefix;
    if (depth >= kDeepestCall || m_inlinedNodes + nodes > kMostInlinedNodes ||
        m_inlinedBytes + bytes > kMostInlinedBytes) {
        m_diagnostics->add(Severity::Warning, "call-not-opened",
                           fmt::format("Calls of functions deeper than {} or beyond {} nodes in all, one op each",
                                       kDeepestCall, kMostInlinedNodes),
                           fmt::format("{} calls {}", toUtf8(node.name()), toUtf8(function.signature().name())));
        return false;
    }
    m_inlinedNodes += nodes;
    m_inlinedBytes += bytes;
    return true;
}

int TfProgram::openScope(int parent, int call, const Callee& called) {
    const tf::FunctionDef& function = *called.function->def;
    const tf::NodeDef& node = *m_nodes[static_cast<std::size_t>(call)].def;
    TfScope scope;
    scope.prefix = m_scopes[static_cast<std::size_t>(parent)].prefix + toUtf8(node.name()) + "/";
    scope.parent = parent;
    scope.call = call;
    scope.function = &function;
    scope.arguments = &node.attr();
    if (runnerOf(node) != nullptr) {
        scope.ownArguments = std::make_unique<TfAttributes>();
        for (const tf::AttrEntry& entry : called.held.attr())
            *scope.ownArguments->Add() = entry.SerializeAsString();
        scope.arguments = scope.ownArguments.get();
    }
    std::size_t input = called.firstInput;
    for (const auto& arg : function.signature().input_arg()) {
        scope.inputs.try_emplace(arg.name(), static_cast<int>(input));
        input += widthOf(arg, *scope.arguments);
    }
    m_scopes.push_back(std::move(scope));
    return static_cast<int>(m_scopes.size()) - 1;
}

void TfProgram::noteUncalled(const tf::GraphDef& graph) {
    for (const auto& function : graph.library().function()) {
        if (!m_called.contains(function.signature().name()))
            m_diagnostics->add(Severity::Info, "uncalled-function",
                               "Functions in the file that nothing calls, left out",
                               toUtf8(function.signature().name()));
    }
}

std::string TfProgram::nameOf(int index) const {
    return scope(node(index).scope).prefix + toUtf8(node(index).def->name());
}

const tf::OpDef* TfProgram::definitionOf(const tf::NodeDef& def) const {
    const auto found = m_definitions.find(def.op());
    return found != m_definitions.end() ? found->second : nullptr;
}

std::size_t TfProgram::portOf(int index, std::string_view output) {
    const tf::NodeDef& def = *node(index).def;
    const auto [name, number] = partsOf(output);
    if (name.empty())
        return number;
    if (const tf::OpDef* definition = definitionOf(def))
        return portIn(*definition, def.attr(), output);
    std::vector<std::string_view>& names = m_outputNames[index];
    const auto met = std::ranges::find(names, name);
    const auto before = static_cast<std::size_t>(met - names.begin());
    if (met == names.end())
        names.push_back(name);
    return before + number;
}

int TfProgram::findNode(int index, std::string_view name) const {
    const auto found = scope(index).nodes.find(name);
    return found != scope(index).nodes.end() ? found->second : -1;
}

bool TfProgram::isInside(int index, const TfReference& reference) const {
    return scope(index).nodes.contains(reference.name);
}

Result<TfSource> TfProgram::sourceOf(int at, TfReference reference) {
    constexpr int kMostSteps = 1000; // far more than calls can be deep, even with arguments handed straight on
    for (int step = 0; step < kMostSteps; ++step) {
        const int found = findNode(at, reference.name);
        if (found >= 0 && node(found).body < 0)
            return TfSource{found, portOf(found, reference.output)};
        if (found >= 0) { // what the call gives back
            const int body = node(found).body;
            const tf::FunctionDef& function = *scope(body).function;
            const auto& outputs = function.signature().output_arg();
            const auto [name, number] = partsOf(reference.output);
            auto output = std::ranges::find_if(outputs, [name = name](const auto& arg) { return arg.name() == name; });
            if (output == outputs.end()) {
                const bool isNumbered = name.empty() || (name == "output" && runnerOf(*node(found).def) != nullptr);
                if (!isNumbered || number >= static_cast<std::size_t>(outputs.size()))
                    return TfSource{};
                output = outputs.begin() + static_cast<std::ptrdiff_t>(number);
            }
            const auto ret = std::ranges::find_if(
                function.ret(), [&output](const auto& entry) { return entry.key() == output->name(); });
            if (ret == function.ret().end())
                return TfSource{};
            reference = parseReference(ret->value());
            at = body;
            continue;
        }
        const auto argument = scope(at).inputs.find(reference.name);
        if (argument == scope(at).inputs.end())
            return TfSource{};
        // Arguments stand for the inputs of the call, before which no control input stands.
        const tf::NodeDef& call = *node(scope(at).call).def;
        const std::size_t input = static_cast<std::size_t>(argument->second) + partsOf(reference.output).second;
        if (input >= static_cast<std::size_t>(call.input_size()))
            return TfSource{};
        reference = parseReference(call.input(static_cast<int>(input)));
        at = scope(at).parent;
        if (reference.isControl)
            return TfSource{};
    }
    return fail("{}: the input \"{}\" leads from call to call without an end; a computation graph must be acyclic.",
                m_origin, printable(reference.name));
}

} // namespace opscape
