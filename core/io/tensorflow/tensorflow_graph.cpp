// SPDX-License-Identifier: MIT
// TensorFlow's nodes -> Graph. Nodes that hold or name state fall away, and with them what depends on constants alone;
// the others become ops in the order of the file. Where a control edge begins or ends at the call of a function whose
// body stands in its place, a NoOp stands for the beginning or the end of that body, as in TensorFlow's own inlining.
#include <opscape/graph/graph_builder.h>
#include <opscape/io/constant_kind.h>
#include <opscape/io/tensorflow/tensorflow_functions.h>
#include <opscape/io/tensorflow/tensorflow_graph.h>
#include <opscape/io/tensorflow/tensorflow_shapes.h>
#include <opscape/io/text.h>

#include <algorithm>
#include <map>
#include <set>

namespace opscape {
namespace {

namespace tf = tensorflow;

/// Groups of names that are to share a device.
class Colocations {
public:
    void unite(const std::string& a, const std::string& b) {
        const std::size_t rootA = find(indexOf(a)), rootB = find(indexOf(b));
        if (rootA != rootB)
            m_parent[rootA] = rootB;
    }
    /// Empty where the name is in no group.
    [[nodiscard]] std::string groupOf(const std::string& name) {
        const auto found = m_index.find(name);
        return found != m_index.end() ? m_names[find(found->second)] : std::string();
    }

private:
    std::size_t indexOf(const std::string& name) {
        const auto [it, isNew] = m_index.try_emplace(name, m_parent.size());
        if (isNew) {
            m_parent.push_back(m_parent.size());
            m_names.push_back(name);
        }
        return it->second;
    }
    std::size_t find(std::size_t at) {
        for (; m_parent[at] != at; at = m_parent[at])
            m_parent[at] = m_parent[m_parent[at]];
        return at;
    }
    std::unordered_map<std::string, std::size_t> m_index;
    std::vector<std::size_t> m_parent;
    std::vector<std::string> m_names;
};

class Converter {
public:
    Converter(TfProgram& program, const std::string& origin, GraphFile& file)
        : m_program(program),
          m_file(file),
          m_diagnostics(file.diagnostics),
          m_isState(program.nodes().size()),
          m_sources(program.nodes().size()),
          m_ports(program.nodes().size()),
          m_tensors(program.nodes().size()),
          m_ops(program.nodes().size()),
          m_begins(program.scopes().size()),
          m_ends(program.scopes().size()),
          m_builder(stemOf(origin)) {}

    Result<GraphBuilder> convert() {
        if (auto resolved = resolve(); !resolved)
            return fail(std::move(resolved.error()));
        completeShapes();
        markState();
        countFile();
        colocate();
        m_builder.reserve(m_ops.size(), m_ops.size());
        for (std::size_t n = 0; n < m_ops.size(); ++n) {
            if (isOp(n))
                addOp(n);
            else if (isLeaf(n) && roleOf(*node(n).def) == TfRole::Input)
                resident({static_cast<int>(n), 0});
        }
        addEnds();
        for (std::size_t n = 0; n < m_ops.size(); ++n) {
            if (isOp(n))
                addInputs(n);
            addControls(n);
        }
        return std::move(m_builder);
    }

private:
    static constexpr int kLoopEnd = -2; ///< in place of a source: the edge is left out
    static constexpr std::size_t kMostUnread = 64;

    [[nodiscard]] const TfNode& node(std::size_t n) const { return m_program.nodes()[n]; }
    [[nodiscard]] bool isLeaf(std::size_t n) const { return node(n).body < 0; }
    [[nodiscard]] bool isOp(std::size_t n) const { return isLeaf(n) && m_isState[n] == 0; }

    /// Who writes each input. What is read of each node is noted.
    Result<> resolve() {
        for (std::size_t n = 0; n < m_sources.size(); ++n) {
            if (!isLeaf(n))
                continue;
            for (const std::string& input : node(n).def->input()) {
                const TfReference reference = parseReference(input);
                if (reference.isControl)
                    continue;
                auto source = m_program.sourceOf(node(n).scope, reference);
                if (!source)
                    return fail(std::move(source.error()));
                if (isBackEdge(n, *source)) {
                    m_diagnostics.add(
                        Severity::Warning, "loop-back-edge",
                        "Edges from the end of a loop to its beginning, left out: a loop is shown, and "
                        "costed, as it runs once",
                        fmt::format("{} -> {}", m_program.nameOf(source->node), m_program.nameOf(static_cast<int>(n))));
                    source->node = kLoopEnd;
                } else if (source->node >= 0) {
                    m_ports[static_cast<std::size_t>(source->node)].push_back(source->port);
                }
                m_sources[n].push_back(*source);
            }
            const std::size_t states = optimizerStates(node(n).def->op());
            for (std::size_t slot = 1; slot <= states && slot < m_sources[n].size(); ++slot)
                m_states.insert(m_sources[n][slot].node);
        }
        return {};
    }

    void completeShapes() {
        m_shapes.emplace(m_program, m_sources);
        m_saysOutputs =
            std::ranges::any_of(m_program.nodes(), [](const TfNode& node) { return shapedOutputs(*node.def) > 0; });
        for (const auto& [n, shape] : m_shapes->opened()) {
            if (isLeaf(n))
                m_diagnostics.add(Severity::Warning, "open-dimension",
                                  "Tensors with a dimension that nothing tells, such as the size of a batch, which is "
                                  "taken as 1",
                                  fmt::format("{}: {}", m_program.nameOf(static_cast<int>(n)), toString(shape)));
        }
    }

    [[nodiscard]] bool isBackEdge(std::size_t n, const TfSource& source) const {
        return source.node >= 0 && node(n).def->op().ends_with("Merge") &&
               m_program.node(source.node).def->op().ends_with("NextIteration");
    }

    /// Constants, variables and inputs; and, with Kahn's algorithm, what is computed from constants alone.
    void markState() {
        std::vector<std::vector<std::size_t>> readers(m_sources.size());
        std::vector<std::size_t> waiting(m_sources.size()); // inputs not known to be constant
        std::vector<std::size_t> ready;
        for (std::size_t n = 0; n < m_sources.size(); ++n) {
            if (!isLeaf(n))
                continue;
            const TfRole role = roleOf(*node(n).def);
            m_isState[n] = role != TfRole::Op;
            if (role == TfRole::Constant) {
                ready.push_back(n);
                continue;
            }
            waiting[n] = m_sources[n].size();
            for (const TfSource& source : m_sources[n]) {
                if (source.node >= 0)
                    readers[static_cast<std::size_t>(source.node)].push_back(n);
            }
        }
        while (!ready.empty()) {
            const std::size_t n = ready.back();
            ready.pop_back();
            for (const std::size_t reader : readers[n]) {
                const tf::NodeDef& def = *node(reader).def;
                const bool waitsForMore =
                    --waiting[reader] > 0 || m_sources[reader].size() < static_cast<std::size_t>(def.input_size());
                if (waitsForMore || m_isState[reader] != 0 || !isPure(def))
                    continue;
                m_isState[reader] = 1;
                ready.push_back(reader);
            }
        }
    }

    void countFile() {
        for (std::size_t n = 0; n < m_sources.size(); ++n) {
            if (!isLeaf(n))
                continue;
            ++m_file.fileNodes;
            m_file.folded += m_isState[n];
            std::set<TfSource> distinct(m_sources[n].begin(), m_sources[n].end());
            std::erase_if(distinct, [](const TfSource& source) { return source.node == TfSource::kNobody; });
            std::set<int> controls;
            for (const std::string& input : node(n).def->input()) {
                const TfReference reference = parseReference(input);
                if (reference.isControl)
                    controls.insert(m_program.findNode(node(n).scope, reference.name));
            }
            controls.erase(TfSource::kNobody);
            m_file.fileEdges += distinct.size() + controls.size();
        }
    }

    void colocate() {
        constexpr std::string_view kPrefix = "loc:@";
        for (std::size_t n = 0; n < m_sources.size(); ++n) {
            const auto classes = findAttribute(node(n).def->attr(), "_class");
            if (!classes)
                continue;
            for (const std::string& text : classes->list().s()) {
                if (text.starts_with(kPrefix))
                    m_colocations.unite(m_program.nameOf(static_cast<int>(n)),
                                        m_program.scope(node(n).scope).prefix + toUtf8(text.substr(kPrefix.size())));
            }
        }
    }

    void addOp(std::size_t n) {
        const tf::NodeDef& def = *node(n).def;
        Op op;
        op.name = m_program.nameOf(static_cast<int>(n));
        op.type = toUtf8(def.op());
        op.phase = phaseOf(op.name, op.type);
        op.requestedDevice = toUtf8(def.device());
        op.colocation = m_colocations.groupOf(op.name);
        op.attributes = attributesOf(def, m_diagnostics);
        for (const std::string& attribute : def.attr()) {
            const tf::AttrEntry entry = parseAttribute(attribute);
            if (entry.value().value_case() == tf::AttrValue::kFunc || !entry.value().list().func().empty())
                m_diagnostics.add(Severity::Info, "held-function",
                                  "Ops that run functions of their own (branches, loops), shown as one op each",
                                  fmt::format("{} ({})", op.name, op.type));
        }
        m_ops[n] = m_builder.addOp(std::move(op));
        std::vector<std::size_t>& ports = m_ports[n];
        for (std::size_t port = 0; port < std::min(shapedOutputs(def), kMostUnread); ++port)
            ports.push_back(port);
        if (ports.empty() && !m_saysOutputs && m_shapes->output(n, 0).shapeKnown) // nobody reads it, but it is made
            ports.push_back(0);
        std::ranges::sort(ports);
        ports.erase(std::unique(ports.begin(), ports.end()), ports.end());
        for (const std::size_t port : ports)
            m_tensors[n].push_back(m_builder.addOutput(m_ops[n], outputTensor(n, port)));
        m_shapes->forget(n);
    }

    Tensor outputTensor(std::size_t n, std::size_t port) {
        Tensor tensor = m_shapes->output(n, port);
        tensor.name = m_program.nameOf(static_cast<int>(n));
        if (port > 0)
            tensor.name += fmt::format(":{}", port);
        noteShape(tensor);
        return tensor;
    }

    void noteShape(const Tensor& tensor) {
        if (!tensor.shapeKnown || !elementCount(tensor.shape))
            m_diagnostics.add(
                Severity::Warning, "unknown-shape",
                "Tensors whose shape neither the file tells nor what they are made from",
                fmt::format("{}: {}", tensor.name, tensor.shapeKnown ? toString(tensor.shape) : "no shape"));
    }

    /// The tensor of a node that became state. What only hands a constant on is that constant.
    TensorId resident(TfSource source) {
        for (;;) {
            const auto n = static_cast<std::size_t>(source.node);
            if (node(n).def->op() != "Identity" || m_sources[n].size() != 1)
                break;
            source = m_sources[n][0];
        }
        const auto [it, isNew] = m_residents.try_emplace(source);
        if (!isNew)
            return it->second;
        const auto n = static_cast<std::size_t>(source.node);
        Tensor tensor = outputTensor(n, source.port);
        switch (roleOf(*node(n).def)) {
        case TfRole::Variable:
            tensor.kind = m_states.contains(source.node) ? TensorKind::OptimizerState : TensorKind::Weight;
            break;
        case TfRole::Input:
            tensor.kind = TensorKind::Input;
            break;
        default:
            tensor.kind = kindOfConstant(tensor.dtype, tensor.shape.size());
        }
        return it->second = m_builder.addResident(std::move(tensor));
    }

    void addInputs(std::size_t n) {
        for (std::size_t slot = 0; slot < m_sources[n].size(); ++slot) {
            const TfSource& source = m_sources[n][slot];
            TensorId tensor; // of a loop's end none
            if (source.node == TfSource::kNobody)
                tensor = danglingInput(n, node(n).def->input(static_cast<int>(slot)));
            else if (source.node >= 0)
                tensor = isOp(static_cast<std::size_t>(source.node)) ? output(source) : resident(source);
            m_builder.addInput(m_ops[n], tensor);
        }
    }

    [[nodiscard]] TensorId output(const TfSource& source) const {
        const auto n = static_cast<std::size_t>(source.node);
        const auto at = std::ranges::lower_bound(m_ports[n], source.port) - m_ports[n].begin();
        return m_tensors[n][static_cast<std::size_t>(at)];
    }

    TensorId danglingInput(std::size_t n, const std::string& input) {
        const std::string name = m_program.scope(node(n).scope).prefix + toUtf8(input);
        m_diagnostics.add(Severity::Warning, "dangling-input",
                          "Tensors that ops read but nothing in the file produces, taken as inputs",
                          fmt::format("\"{}\", read by {}", name, m_program.nameOf(static_cast<int>(n))));
        const auto [it, isNew] = m_dangling.try_emplace(name);
        if (isNew) {
            Tensor tensor;
            tensor.name = name;
            tensor.kind = TensorKind::Input;
            noteShape(tensor);
            it->second = m_builder.addResident(std::move(tensor));
        }
        return it->second;
    }

    /// Ops for the beginning and the end of the calls that control edges need them of.
    void addEnds() {
        for (std::size_t n = 0; n < m_ops.size(); ++n) {
            for (const std::string& input : node(n).def->input()) {
                const TfReference reference = parseReference(input);
                const int before = reference.isControl ? m_program.findNode(node(n).scope, reference.name) : -1;
                if (before >= 0 && m_program.node(before).body >= 0)
                    needEnd(m_ends, m_program.node(before).body, "output_control_node");
                if (reference.isControl && !isLeaf(n))
                    needEnd(m_begins, node(n).body, "input_control_node");
            }
        }
        // A call at the edge of a body that has an end needs one itself. Scopes stand behind those around them.
        for (std::size_t s = 1; s < m_begins.size(); ++s) {
            for (const int inner : edgeOf(static_cast<int>(s), true)) {
                if (m_program.node(inner).body >= 0)
                    needEnd(m_begins, m_program.node(inner).body, "input_control_node");
            }
            for (const int inner : edgeOf(static_cast<int>(s), false)) {
                if (m_program.node(inner).body >= 0)
                    needEnd(m_ends, m_program.node(inner).body, "output_control_node");
            }
        }
        const auto connect = [this](OpId before, OpId after) {
            if (before.valid() && after.valid())
                m_builder.addControl(before, after);
        };
        for (std::size_t s = 1; s < m_begins.size(); ++s) {
            for (const int first : edgeOf(static_cast<int>(s), true))
                connect(m_begins[s], entryOf(first));
            for (const int last : edgeOf(static_cast<int>(s), false))
                connect(exitOf(last), m_ends[s]);
        }
    }

    void needEnd(std::vector<OpId>& ends, int scope, std::string_view name) {
        OpId& end = ends[static_cast<std::size_t>(scope)];
        if (end.valid())
            return;
        Op op;
        op.name = m_program.scope(scope).prefix + std::string(name);
        op.type = "NoOp";
        end = m_builder.addOp(std::move(op));
    }

    /// Of a body whose beginning or end is needed: the nodes that read arguments at most, or those that give its
    /// results; all, where it gives none.
    [[nodiscard]] std::vector<int> edgeOf(int scope, bool first) const {
        std::vector<int> edge, all;
        if (!(first ? m_begins : m_ends)[static_cast<std::size_t>(scope)].valid())
            return edge;
        const TfScope& body = m_program.scope(scope);
        for (const auto& def : body.function->node_def()) {
            all.push_back(m_program.findNode(scope, def.name()));
            const bool readsBody = std::ranges::any_of(def.input(), [&](const std::string& input) {
                return m_program.isInside(scope, parseReference(input));
            });
            if (first && !readsBody)
                edge.push_back(all.back());
        }
        if (first)
            return edge;
        for (const auto* list : {&body.function->ret(), &body.function->control_ret()}) {
            for (const auto& entry : *list)
                edge.push_back(m_program.findNode(scope, parseReference(entry.value()).name));
        }
        std::erase(edge, TfSource::kNobody);
        return edge.empty() ? all : edge;
    }

    /// The op where a control edge to a node arrives, and the one where an edge from it leaves; may be invalid.
    [[nodiscard]] OpId entryOf(int n) const {
        const int body = m_program.node(n).body;
        return body >= 0 ? m_begins[static_cast<std::size_t>(body)] : m_ops[static_cast<std::size_t>(n)];
    }
    [[nodiscard]] OpId exitOf(int n) const {
        const int body = m_program.node(n).body;
        return body >= 0 ? m_ends[static_cast<std::size_t>(body)] : m_ops[static_cast<std::size_t>(n)];
    }

    void addControls(std::size_t n) {
        for (const std::string& input : node(n).def->input()) {
            const TfReference reference = parseReference(input);
            if (!reference.isControl)
                continue;
            const int before = m_program.findNode(node(n).scope, reference.name);
            const OpId from = before >= 0 ? exitOf(before) : OpId(), to = entryOf(static_cast<int>(n));
            if (from.valid() && to.valid())
                m_builder.addControl(from, to);
            else if (before >= 0 || m_program.scope(node(n).scope).inputs.contains(reference.name))
                m_diagnostics.add(
                    Severity::Info, "control-of-state",
                    "Control edges from or to nodes that became state, which is there at any time, left "
                    "out",
                    fmt::format("{} after {}", m_program.nameOf(static_cast<int>(n)), toUtf8(reference.name)));
            else
                m_diagnostics.add(Severity::Warning, "dangling-control",
                                  "Control inputs that name no node of the file, left out",
                                  fmt::format("\"{}\" of {}", toUtf8(input), m_program.nameOf(static_cast<int>(n))));
        }
    }

    TfProgram& m_program;
    GraphFile& m_file;
    Diagnostics& m_diagnostics;
    std::vector<std::uint8_t> m_isState;           ///< by node
    std::vector<std::vector<TfSource>> m_sources;  ///< by node, one per input that is no control input
    std::vector<std::vector<std::size_t>> m_ports; ///< by node, what is read of it
    std::vector<std::vector<TensorId>> m_tensors;  ///< by node, for each of its ports; empty for state
    std::map<TfSource, TensorId> m_residents;
    bool m_saysOutputs = false;       ///< the file does, by their shapes
    std::optional<TfShapes> m_shapes; ///< once it is known who writes each input
    std::set<int> m_states;           ///< variables of an optimizer
    std::map<std::string, TensorId> m_dangling;
    std::vector<OpId> m_ops;            ///< by node; invalid for state and calls
    std::vector<OpId> m_begins, m_ends; ///< by scope; mostly invalid
    Colocations m_colocations;
    GraphBuilder m_builder;
};

} // namespace

Result<GraphBuilder> convertTensorflow(const tf::MetaGraphDef& model, const std::string& origin, GraphFile& file) {
    auto program =
        TfProgram::make(model.graph_def(), model.meta_info_def().stripped_op_list(), origin, file.diagnostics);
    if (!program)
        return fail(program.error());
    return Converter(*program, origin, file).convert();
}

} // namespace opscape
