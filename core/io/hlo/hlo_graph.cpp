// SPDX-License-Identifier: MIT
// HLO module -> Graph. What an instruction hands on is a row of arrays, one per leaf of its shape, so that tuples and
// get-tuple-element are no work: what reads them reads the arrays. Fusions and calls are opened where they stand, as
// long as the whole stays within limits; what is not opened, and loops and conditionals, is one op whose work is that
// of the computations it runs: all instructions added up, times the rounds of a loop where the file tells them, of
// conditionals the branch with most.
#include <opscape/cost/op_cost.h>
#include <opscape/graph/graph_builder.h>
#include <opscape/io/constant_kind.h>
#include <opscape/io/hlo/hlo_module.h>
#include <opscape/io/make_room.h>
#include <opscape/io/text.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>

namespace opscape {
namespace {

constexpr std::size_t kMostOpened = 1'000'000; ///< instructions of computations opened in place
constexpr std::size_t kMostOpenedBytes = std::size_t{1} << 28;
constexpr std::size_t kMostInputs = 50'000'000;
constexpr double kMostWork = 9e18; ///< flops or bytes, what an op can say

bool runs(std::string_view opcode) {
    constexpr std::array<std::string_view, 5> kRunning{"async-start", "call", "conditional", "fusion", "while"};
    return std::ranges::find(kRunning, opcode) != kRunning.end();
}
bool isOpened(const HloInstruction& at) {
    return (at.opcode == "fusion" || at.opcode == "call") && at.calledCount == 1;
}
bool communicates(std::string_view opcode) {
    constexpr std::array<std::string_view, 9> kSending{"all-gather",           "all-reduce",         "all-to-all",
                                                       "collective-broadcast", "collective-permute", "recv",
                                                       "ragged-all-to-all",    "reduce-scatter",     "send"};
    if (opcode.ends_with("-start"))
        opcode.remove_suffix(6);
    return std::ranges::find(kSending, opcode) != kSending.end();
}

/// The element of what a start hands on that is its result, which its done gives; all of it where it is negative.
int resultOfStart(std::string_view start) { return start == "all-reduce-start" ? -1 : start == "copy-start" ? 0 : 1; }

/// Of an attribute; empty where it is not there.
std::string textOf(const std::vector<Attribute>& attributes, std::string_view name) {
    const auto it = std::ranges::find(attributes, name, &Attribute::name);
    const auto* text = it != attributes.end() ? std::get_if<std::string>(&it->value) : nullptr;
    return text != nullptr ? *text : std::string();
}

/// "known_trip_count":{"n":"10"} in a loop's configuration; none where it does not say so.
std::optional<double> tripCount(const HloInstruction& loop) {
    const std::string text = textOf(attributesOf(loop), "backend_config");
    std::size_t at = text.find("known_trip_count");
    at = at == std::string::npos ? at : text.find_first_of("0123456789", at);
    if (at == std::string::npos)
        return std::nullopt;
    double count = 0;
    for (; at < text.size() && text[at] >= '0' && text[at] <= '9' && count < kMostWork; ++at)
        count = 10 * count + (text[at] - '0');
    return count;
}

struct Work {
    double flops = 0, bytes = 0;
    Work& operator+=(const Work& other) {
        flops += other.flops;
        bytes += other.bytes;
        return *this;
    }
};

std::int64_t whole(double amount) { return static_cast<std::int64_t>(std::min(amount, kMostWork)); }

/// Fails where computations call one another in a circle or too deep; depth-first, with a stack of its own.
Result<> checkCalls(const HloModule& module, const std::string& origin) {
    enum : int { kNew = -1, kOpen = -2 };
    std::vector<int> depth(module.computations.size(), kNew);
    const auto calledBy = [&module](std::size_t c) {
        std::vector<std::size_t> called;
        const HloComputation& computation = module.computations[c];
        for (const HloInstruction& at : computation.instructions) {
            if (runs(at.opcode))
                std::ranges::copy(computation.calledBy(at), std::back_inserter(called));
        }
        std::ranges::sort(called);
        called.erase(std::unique(called.begin(), called.end()), called.end());
        return called;
    };
    struct Visit {
        std::size_t computation;
        std::vector<std::size_t> open;
    };
    std::vector<Visit> stack;
    for (std::size_t c = 0; c < depth.size(); ++c) {
        if (depth[c] != kNew)
            continue;
        depth[c] = kOpen;
        stack.push_back({c, calledBy(c)});
        while (!stack.empty()) {
            Visit& top = stack.back();
            if (!top.open.empty()) {
                const std::size_t next = top.open.back();
                if (depth[next] == kOpen)
                    return fail("{}: computation {} runs itself, through others or at once; XLA has no recursion.",
                                origin, printable(module.computations[next].name));
                top.open.pop_back();
                if (depth[next] == kNew) {
                    depth[next] = kOpen;
                    stack.push_back({next, calledBy(next)});
                }
                continue;
            }
            int deepest = 0;
            for (const std::size_t called : calledBy(top.computation))
                deepest = std::max(deepest, depth[called] + 1);
            if (deepest > kDeepestHlo)
                return fail("{}: computations call one another more than {} deep, from {} on.", origin, kDeepestHlo,
                            printable(module.computations[top.computation].name));
            depth[top.computation] = deepest;
            stack.pop_back();
        }
    }
    return {};
}

/// What the instructions of a computation hand on, one after the other.
class Values {
public:
    void reserve(std::size_t instructions) {
        m_arrays.reserve(instructions);
        m_first.reserve(instructions + 1);
    }
    /// By leaf of the instruction's shape.
    [[nodiscard]] std::span<const TensorId> of(std::size_t instruction) const {
        return std::span(m_arrays).subspan(m_first[instruction], size(instruction));
    }
    [[nodiscard]] std::size_t size(std::size_t instruction) const {
        return m_first[instruction + 1] - m_first[instruction];
    }
    /// To what the next instruction hands on.
    void add(std::span<const TensorId> arrays) { m_arrays.insert(m_arrays.end(), arrays.begin(), arrays.end()); }
    /// The same, of what an earlier one does.
    void addOf(std::size_t instruction, std::size_t begin, std::size_t end) {
        for (std::size_t array = m_first[instruction] + begin; array < m_first[instruction] + end; ++array)
            m_arrays.push_back(TensorId(m_arrays[array]));
    }
    /// What is said of a value's shape is what it is: its arrays are as many, whatever was added.
    void close(const HloShape& shape) {
        m_arrays.resize(m_first.back() + shape.leaves());
        m_first.push_back(static_cast<std::uint32_t>(m_arrays.size()));
    }
    [[nodiscard]] std::size_t open() const { return m_arrays.size() - m_first.back(); } ///< how many were added

private:
    std::vector<TensorId> m_arrays;
    std::vector<std::uint32_t> m_first{0}; ///< by instruction, and one more
};

class Costs;

/// One computation, or all that is opened from it, put into a builder.
class Emitter {
public:
    using Value = std::vector<TensorId>; ///< by leaf of the shape
    using Arguments = std::vector<std::span<const TensorId>>;

    Emitter(const HloModule& module, GraphBuilder& builder, Costs& costs, GraphFile* file)
        : m_module(module),
          m_builder(builder),
          m_costs(costs),
          m_file(file) {}

    /// `arguments` null: the parameters are inputs.
    Value emit(std::size_t computation, const Arguments* arguments, const std::string& prefix, int group);
    /// The graph is not whole: ops that read long tuples would have read too much in all.
    [[nodiscard]] bool isTooLarge() const { return m_inputs > kMostInputs; }

private:
    struct Body {
        const HloComputation* computation = nullptr;
        const Arguments* arguments = nullptr;
        const std::string& prefix;
        int group = 0;
        Values values;
        std::vector<OpId> ops;                                    ///< by instruction; invalid for what is no op
        std::map<std::size_t, std::vector<std::size_t>> elements; ///< by tuple: where its elements begin
    };

    [[nodiscard]] bool isWhole() const { return m_file != nullptr; } ///< the graph that is shown, no costing of a part
    void instruction(Body& body, std::size_t i);
    void element(Body& body, std::size_t i);
    bool done(Body& body, std::size_t i);
    bool open(Body& body, std::size_t i);
    void op(Body& body, std::size_t i);
    void work(Op& op, const HloComputation& computation, const HloInstruction& at);
    Value residents(const HloInstruction& at, const std::string& name, TensorKind kind);
    Value outputs(Body& body, const HloInstruction& at, OpId op);
    const std::vector<std::size_t>& elementsOf(Body& body, std::size_t tuple);
    void controls(Body& body);
    static Tensor tensorOf(const HloShape& leaf, const std::string& name, std::size_t number);
    void note(Severity severity, std::string_view code, std::string_view summary, const std::string& example) {
        if (isWhole())
            m_file->diagnostics.add(severity, code, summary, example);
    }

    const HloModule& m_module;
    GraphBuilder& m_builder;
    Costs& m_costs;
    GraphFile* m_file;
    std::size_t m_opened = 0, m_openedBytes = 0, m_inputs = 0;
    std::uint32_t m_groups = 0;
};

/// What running a computation once is, worked out when it is first asked for.
class Costs {
public:
    explicit Costs(const HloModule& module) : m_module(module), m_known(module.computations.size()) {}

    const Work& of(std::size_t computation) {
        std::optional<Work>& known = m_known[computation];
        if (!known) {
            GraphBuilder builder{std::string()};
            Emitter(m_module, builder, *this, nullptr).emit(computation, nullptr, {}, -1);
            Diagnostics ignored;
            Work sum;
            if (const auto graph = std::move(builder).build(ignored)) { // without control edges there is no cycle
                for (std::size_t i = 0; i < graph->opCount(); ++i) {
                    const OpCost cost = opCost(*graph, OpId(i));
                    sum += Work{cost.flops, cost.bytesMoved};
                }
            }
            known = sum;
        }
        return *known;
    }

private:
    const HloModule& m_module;
    std::vector<std::optional<Work>> m_known;
};

template <class Visit>
void forEachLeaf(const HloShape& shape, Visit visit) { // no deeper than kDeepestHlo, or than protobuf allows
    if (!shape.isTuple)
        visit(shape);
    for (const HloShape& element : shape.elements)
        forEachLeaf(element, visit);
}

Tensor Emitter::tensorOf(const HloShape& leaf, const std::string& name, std::size_t number) {
    Tensor tensor;
    tensor.name = number == 0 ? name : fmt::format("{}:{}", name, number);
    tensor.dtype = leaf.dtype;
    tensor.shape = leaf.dims;
    tensor.shapeKnown = leaf.isData;
    tensor.bytes = leaf.isData ? -1 : 0;
    return tensor;
}

/// Scopes that the framework above XLA gave, then the name of the instruction.
std::string nameOf(const HloInstruction& at, std::string_view opName) {
    const std::string_view scopes = opName.substr(0, opName.find('['));
    const std::size_t slash = scopes.rfind('/');
    return slash == std::string_view::npos ? toUtf8(at.name)
                                           : std::string(scopes.substr(0, slash + 1)) + toUtf8(at.name);
}

Emitter::Value Emitter::emit(std::size_t computation, const Arguments* arguments, const std::string& prefix,
                             int group) {
    Body body{&m_module.computations[computation], arguments, prefix, group, {}, {}, {}};
    const std::size_t instructions = body.computation->instructions.size();
    body.values.reserve(instructions);
    body.ops.resize(instructions);
    for (std::size_t i = 0; i < instructions; ++i) {
        instruction(body, i);
        body.values.close(*body.computation->instructions[i].shape);
    }
    if (isWhole())
        controls(body);
    const auto result = body.values.of(body.computation->root);
    return {result.begin(), result.end()};
}

void Emitter::instruction(Body& body, std::size_t i) {
    const HloInstruction& at = body.computation->instructions[i];
    const bool isEntry = body.arguments == nullptr;
    if (at.opcode == "parameter") {
        const auto number = static_cast<std::size_t>(at.number);
        if (!isEntry && at.number >= 0 && number < body.arguments->size())
            body.values.add((*body.arguments)[number]);
        else
            body.values.add(residents(at, body.prefix + toUtf8(at.name), TensorKind::Input));
    } else if (at.opcode == "constant") {
        body.values.add(residents(at, body.prefix + toUtf8(at.name), TensorKind::Constant));
    } else if (at.opcode == "get-tuple-element") {
        element(body, i);
    } else if (at.opcode == "tuple" && !(isEntry && i == body.computation->root)) {
        const std::size_t most = at.shape->leaves();
        for (const std::uint32_t from : body.computation->operandsOf(at)) {
            if (body.values.open() >= most)
                break;
            body.values.addOf(from, 0, body.values.size(from));
        }
    } else if (!done(body, i)) {
        if (!open(body, i))
            op(body, i);
        return;
    }
    if (isWhole() && isEntry)
        ++m_file->folded;
}

const std::vector<std::size_t>& Emitter::elementsOf(Body& body, std::size_t tuple) {
    std::vector<std::size_t>& begins = body.elements[tuple];
    if (begins.empty()) {
        begins.push_back(0);
        for (const HloShape& element : body.computation->instructions[tuple].shape->elements)
            begins.push_back(begins.back() + element.leaves());
    }
    return begins;
}

void Emitter::element(Body& body, std::size_t i) {
    const HloInstruction& at = body.computation->instructions[i];
    const std::uint32_t operand = body.computation->operandsOf(at)[0];
    const std::vector<std::size_t>& begins = elementsOf(body, operand);
    const auto number = static_cast<std::size_t>(at.number);
    body.values.addOf(operand, begins[number], begins[number + 1]);
    body.ops[i] = body.ops[operand];
}

/// The end of what a start began: it is there when the start is.
bool Emitter::done(Body& body, std::size_t i) {
    const HloInstruction& at = body.computation->instructions[i];
    if (!at.opcode.ends_with("-done") || at.operandCount != 1)
        return false;
    const std::uint32_t operand = body.computation->operandsOf(at)[0];
    const HloInstruction& start = body.computation->instructions[operand];
    if (!start.opcode.ends_with("-start"))
        return false;
    const int element = resultOfStart(start.opcode);
    std::size_t first = 0, last = start.shape->leaves();
    if (element >= 0) {
        const std::vector<std::size_t>& begins = elementsOf(body, operand);
        if (static_cast<std::size_t>(element) + 1 >= begins.size())
            return false;
        first = begins[static_cast<std::size_t>(element)];
        last = begins[static_cast<std::size_t>(element) + 1];
    }
    if (last - first != at.shape->leaves())
        return false;
    body.values.addOf(operand, first, last);
    body.ops[i] = body.ops[operand];
    return true;
}

bool Emitter::open(Body& body, std::size_t i) {
    const HloInstruction& at = body.computation->instructions[i];
    if (!isWhole() || !isOpened(at))
        return false;
    const HloComputation& called = m_module.computations[body.computation->calledBy(at)[0]];
    const std::string name =
        body.prefix + (body.arguments == nullptr ? nameOf(at, textOf(attributesOf(at), kHloOpName)) : toUtf8(at.name));
    const std::size_t bytes = called.bytes + called.instructions.size() * name.size();
    if (m_opened + called.instructions.size() > kMostOpened || m_openedBytes + bytes > kMostOpenedBytes) {
        note(Severity::Warning, "call-not-opened",
             "Fusions and calls beyond the limit on the size of a graph, one op each", name);
        return false;
    }
    m_opened += called.instructions.size();
    m_openedBytes += bytes;
    Arguments arguments;
    for (const std::uint32_t operand : body.computation->operandsOf(at))
        arguments.push_back(body.values.of(operand));
    const bool isOuter = at.opcode == "fusion" && body.group < 0;
    const std::size_t before = m_builder.opCount();
    body.values.add(emit(body.computation->calledBy(at)[0], &arguments, name + "/",
                         isOuter ? static_cast<int>(m_groups++) : body.group));
    if (m_builder.opCount() > before) // stands for it where control edges begin and end
        body.ops[i] = OpId(m_builder.opCount() - 1);
    return true;
}

void Emitter::op(Body& body, std::size_t i) {
    const HloInstruction& at = body.computation->instructions[i];
    Op op;
    op.attributes = attributesOf(at);
    const std::string opName = textOf(op.attributes, kHloOpName);
    op.name = body.prefix + (body.arguments == nullptr ? nameOf(at, opName) : toUtf8(at.name));
    op.type = toUtf8(at.opcode);
    if (opName.find("transpose(jvp(") != std::string::npos) // how JAX names what it differentiates
        op.phase = Phase::Backward;
    work(op, *body.computation, at);
    if (communicates(at.opcode)) {
        std::int64_t bytes = 0;
        const auto add = [&bytes](const HloShape& leaf) {
            bytes += std::min(byteSize(leaf.dtype, leaf.dims).value_or(0), std::int64_t{1} << 60);
            bytes = std::min(bytes, std::int64_t{1} << 60);
        };
        for (const std::uint32_t operand : body.computation->operandsOf(at))
            forEachLeaf(*body.computation->instructions[operand].shape, add);
        if (at.operandCount == 0 || at.opcode == "recv")
            forEachLeaf(*at.shape, add);
        op.attributes.push_back({"communication_bytes", bytes});
    }
    op.attributes.shrink_to_fit();
    body.ops[i] = m_builder.addOp(std::move(op));
    if (isWhole())
        m_file->fusionGroup.push_back(body.group < 0 ? Plan::kNotFused : static_cast<std::uint32_t>(body.group));
    for (const std::uint32_t operand : body.computation->operandsOf(at)) {
        const auto value = body.values.of(operand);
        m_inputs += value.size();
        for (std::size_t t = 0; t < value.size() && !isTooLarge(); ++t)
            m_builder.addInput(body.ops[i], value[t]);
    }
    if (at.opcode != "tuple") // all that the module gives; its arrays are there already
        body.values.add(outputs(body, at, body.ops[i]));
}

/// Of what an op runs that is not opened.
void Emitter::work(Op& op, const HloComputation& computation, const HloInstruction& at) {
    if (!runs(at.opcode) || at.calledCount == 0)
        return;
    Work sum;
    if (at.opcode == "conditional") {
        for (const std::uint32_t branch : computation.calledBy(at)) {
            const Work& one = m_costs.of(branch);
            sum = Work{std::max(sum.flops, one.flops), std::max(sum.bytes, one.bytes)};
        }
    } else {
        for (const std::uint32_t called : computation.calledBy(at))
            sum += m_costs.of(called);
    }
    if (at.opcode == "while") {
        const auto count = tripCount(at);
        if (!count)
            note(Severity::Warning, "rounds-unknown",
                 "Loops whose number of rounds the file does not tell, costed as one", op.name);
        sum = Work{sum.flops * count.value_or(1), sum.bytes * count.value_or(1)};
    }
    op.flops = whole(sum.flops);
    if (at.opcode != "fusion") // which keeps what is between its instructions to itself
        op.bytesMoved = whole(sum.bytes);
}

Emitter::Value Emitter::residents(const HloInstruction& at, const std::string& name, TensorKind kind) {
    Value value;
    forEachLeaf(*at.shape, [&](const HloShape& leaf) {
        Tensor tensor = tensorOf(leaf, name, value.size());
        tensor.kind = kind == TensorKind::Constant ? kindOfConstant(leaf.dtype, leaf.dims.size()) : kind;
        value.push_back(m_builder.addResident(std::move(tensor)));
    });
    return value;
}

/// New arrays; of what is begun, the operands among them stay what they are.
Emitter::Value Emitter::outputs(Body& body, const HloInstruction& at, OpId op) {
    Value value, operands;
    const bool handsOn = at.opcode.ends_with("-start") && at.shape->isTuple && at.opcode != "all-reduce-start";
    const std::size_t handed = at.opcode == "copy-start" ? 1 : 0; // the element that holds the operands
    if (handsOn) {
        for (const std::uint32_t operand : body.computation->operandsOf(at))
            std::ranges::copy(body.values.of(operand), std::back_inserter(operands));
    }
    const std::string& name = m_builder.op(op).name;
    const auto add = [&](const HloShape& leaf) {
        value.push_back(m_builder.addOutput(op, tensorOf(leaf, name, value.size())));
    };
    for (std::size_t e = 0; e < at.shape->elements.size(); ++e) {
        if (handsOn && e == handed && at.shape->elements[e].leaves() == operands.size())
            value.insert(value.end(), operands.begin(), operands.end());
        else
            forEachLeaf(at.shape->elements[e], add);
    }
    if (!at.shape->isTuple)
        add(*at.shape);
    return value;
}

void Emitter::controls(Body& body) {
    for (const auto& [after, before] : body.computation->controls) {
        if (body.ops[after].valid() && body.ops[before].valid())
            m_builder.addControl(body.ops[before], body.ops[after]);
        else
            note(Severity::Info, "control-of-state",
                 "Control edges from or to nodes that became state, which is there at any time, left out",
                 fmt::format("{} after {}", toUtf8(body.computation->instructions[after].name),
                             toUtf8(body.computation->instructions[before].name)));
    }
}

} // namespace

Result<> convertHlo(HloModule module, const std::string& origin, GraphFile& file) {
    if (auto checked = checkCalls(module, origin); !checked)
        return checked;
    const HloComputation& entry = module.computations[module.entry];
    file.fileNodes = entry.instructions.size();
    for (const HloInstruction& at : entry.instructions)
        file.fileEdges += at.operandCount;
    file.fileEdges += entry.controls.size();
    file.isScheduled = module.isScheduled;
    GraphBuilder builder(module.name.empty() ? stemOf(origin) : toUtf8(module.name));
    builder.reserve(entry.instructions.size(), entry.instructions.size());
    {
        Costs costs(module);
        Emitter emitter(module, builder, costs, &file);
        emitter.emit(module.entry, nullptr, {}, -1);
        if (emitter.isTooLarge())
            return fail(
                "{}: the ops of the module read more than {} arrays, through tuples; that is more than can be shown.",
                origin, kMostInputs);
    }
    makeRoom(module);
    auto graph = std::move(builder).build(file.diagnostics);
    if (!graph)
        return fail("{}: {}", origin, graph.error().message);
    file.graph = std::move(*graph);
    if (std::ranges::all_of(file.fusionGroup, [](std::uint32_t group) { return group == Plan::kNotFused; }))
        file.fusionGroup.clear();
    return {};
}

} // namespace opscape
