// SPDX-License-Identifier: MIT
// HLO text -> module. An instruction may read only what is defined before it in its computation, so there is no cycle;
// computations may come in any order.
#include <opscape/base/shown_name.h>
#include <opscape/io/hlo/hlo_text.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <unordered_map>

namespace opscape {
namespace {

/// A name that can be looked up only when all of its surroundings are known.
struct Pending {
    std::string_view name;
    std::size_t at = 0;
    std::size_t computation = 0, instruction = 0;
    std::size_t called = 0; ///< of a call: its place among those of the computation
};

std::string unquoted(std::string_view text) {
    if (text.size() < 2 || !text.starts_with('"') || !text.ends_with('"'))
        return toUtf8(text);
    text = text.substr(1, text.size() - 2);
    std::string plain;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '\\' && i + 1 < text.size())
            ++i;
        plain += text[i];
    }
    return toUtf8(plain);
}

/// {1,2} is a list of integers, 3 an integer, all else text.
AttributeValue valueOf(std::string_view text) {
    const bool isList = text.starts_with('{') && text.ends_with('}');
    std::string_view rest = isList ? text.substr(1, text.size() - 2) : text;
    std::vector<std::int64_t> numbers;
    while (!rest.empty()) {
        std::int64_t number = 0;
        const auto [end, ec] = std::from_chars(rest.data(), rest.data() + rest.size(), number);
        rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
        if (ec != std::errc() || (!rest.empty() && rest.front() != ','))
            return unquoted(text);
        numbers.push_back(number);
        rest.remove_prefix(rest.empty() ? 0 : 1);
    }
    if (isList)
        return numbers;
    return numbers.size() == 1 ? AttributeValue(numbers[0]) : AttributeValue(unquoted(text));
}

/// Of {op_type="dot" op_name="a/b/dot" source_file="m.py" source_line=3}; empty where it is not there.
std::string_view partOf(std::string_view metadata, std::string_view key) {
    const std::string start = std::string(key) + "=";
    std::size_t at = metadata.find(start);
    while (at != std::string_view::npos && at > 0 && metadata[at - 1] != ' ' && metadata[at - 1] != '{')
        at = metadata.find(start, at + 1);
    const std::string_view value =
        at == std::string_view::npos ? std::string_view() : metadata.substr(at + start.size());
    return value.starts_with('"') ? value.substr(1, value.find('"', 1) - 1)
                                  : value.substr(0, value.find_first_of(" }"));
}

class Parser {
public:
    Parser(std::string_view text, const std::string& origin) : m_in(text, origin) {}

    Result<HloModule> parse() {
        if (m_in.takeWord("HloModule")) {
            m_module.name = m_in.word();
            if (auto read = header(); !read)
                return fail(std::move(read.error()));
        }
        bool hasEntry = false;
        for (m_in.skipBlanks(); !m_in.atEnd(); m_in.skipBlanks()) {
            if (skippedTable())
                continue;
            const std::size_t begin = m_in.at();
            if (m_in.takeWord("ENTRY")) {
                if (hasEntry)
                    return m_in.failAt(begin, "there is a second ENTRY; a module has one");
                hasEntry = true;
                m_module.entry = m_module.computations.size();
            }
            if (auto read = computation(); !read)
                return fail(std::move(read.error()));
            m_module.computations.back().bytes = m_in.at() - begin;
        }
        if (m_module.computations.empty())
            return m_in.failAt(m_in.at(), "the module has no computations");
        if (!hasEntry)
            return m_in.failAt(m_in.at(), "no computation of the module is marked ENTRY");
        if (auto linked = linkCalls(); !linked)
            return fail(std::move(linked.error()));
        return std::move(m_module);
    }

private:
    Result<> header() {
        while (m_in.take(",")) {
            const std::string_view key = m_in.word();
            if (auto equals = m_in.expect('=', "the name of an attribute"); !equals)
                return equals;
            const auto value = m_in.value();
            if (!value)
                return fail(value.error());
            if (key == "is_scheduled")
                m_module.isScheduled = *value == "true";
        }
        return {};
    }

    /// Where instructions come from, in tables of numbered lines.
    bool skippedTable() {
        constexpr std::array<std::string_view, 4> kTables{"FileLocations", "FileNames", "FunctionNames", "StackFrames"};
        if (std::ranges::none_of(kTables, [this](std::string_view table) { return m_in.takeWord(table); }))
            return false;
        for (m_in.skipBlanks(); m_in.peek() >= '0' && m_in.peek() <= '9'; m_in.skipBlanks())
            m_in.skipLine();
        return true;
    }

    Result<> computation() {
        const std::size_t nameAt = m_in.at();
        m_module.computations.emplace_back();
        m_byName.clear();
        HloComputation& made = m_module.computations.back();
        made.name = m_in.word();
        if (!m_computations.try_emplace(made.name, m_module.computations.size() - 1).second)
            return m_in.failAt(nameAt, "there is a computation {} already; each must have a name of its own",
                               shown(made.name));
        m_in.skipBlanks();
        if (m_in.peek() == '(') { // parameters and result, which the instructions say again
            if (auto skipped = m_in.skipBrackets(); !skipped)
                return skipped;
            if (m_in.take("->")) {
                if (auto shape = m_in.shape(); !shape)
                    return fail(shape.error());
            }
        }
        if (auto open = m_in.expect('{', "the name of a computation"); !open)
            return open;
        bool hasRoot = false;
        while (!m_in.take("}")) {
            const std::size_t begin = m_in.at();
            if (m_in.takeWord("ROOT")) {
                if (hasRoot)
                    return m_in.failAt(begin, "computation {} has a second ROOT; it has one", shown(made.name));
                hasRoot = true;
                made.root = made.instructions.size();
            }
            if (auto read = instruction(made); !read)
                return read;
        }
        if (made.instructions.empty())
            return m_in.failAt(nameAt, "computation {} has no instructions", shown(made.name));
        if (!hasRoot)
            made.root = made.instructions.size() - 1;
        for (const Pending& control : m_controls) {
            const auto found = m_byName.find(control.name);
            if (found == m_byName.end())
                return m_in.failAt(control.at, "{} comes after {}, which its computation does not have",
                                   shown(made.instructions[control.instruction].name), shown(control.name));
            made.controls.emplace_back(static_cast<std::uint32_t>(control.instruction), found->second);
        }
        m_controls.clear();
        while (m_in.take(",")) { // e.g. execution_thread="host"
            m_in.word();
            if (auto equals = m_in.expect('=', "the name of an attribute"); !equals)
                return equals;
            if (const auto value = m_in.value(); !value)
                return fail(value.error());
        }
        return {};
    }

    Result<> instruction(HloComputation& computation) {
        m_in.skipBlanks();
        const std::size_t nameAt = m_in.at();
        HloInstruction made;
        made.name = m_in.word();
        if (auto equals = m_in.expect('=', "the name of an instruction"); !equals)
            return equals;
        auto shape = sharedShape();
        if (!shape)
            return fail(shape.error());
        made.shape = *shape;
        made.firstOperand = static_cast<std::uint32_t>(computation.operands.size());
        made.firstCalled = static_cast<std::uint32_t>(computation.called.size());
        made.opcode = m_in.word();
        if (auto open = m_in.expect('(', made.opcode.empty() ? "a shape" : "an opcode"); !open)
            return open;
        if (auto read = operands(made, computation); !read)
            return read;
        made.operandCount = static_cast<std::uint32_t>(computation.operands.size()) - made.firstOperand;
        const std::size_t written = m_in.at();
        while (m_in.take(",")) {
            if (auto read = attribute(made, computation); !read)
                return read;
        }
        made.calledCount = static_cast<std::uint32_t>(computation.called.size()) - made.firstCalled;
        made.written = m_in.between(written, m_in.at());
        if (auto checked = check(made, computation, nameAt); !checked)
            return checked;
        if (!m_byName.try_emplace(made.name, static_cast<std::uint32_t>(computation.instructions.size())).second)
            return m_in.failAt(nameAt, "there is an instruction {} already; each must have a name of its own",
                               shown(made.name));
        computation.instructions.push_back(std::move(made));
        return {};
    }

    /// Shapes that are written alike are one.
    Result<const HloShape*> sharedShape() {
        m_in.skipBlanks();
        const std::size_t begin = m_in.at();
        auto shape = m_in.shape();
        if (!shape)
            return fail(std::move(shape.error()));
        const auto [known, isNew] = m_shapes.try_emplace(m_in.between(begin, m_in.at()), nullptr);
        if (isNew)
            known->second = &m_module.shapes.emplace_back(std::move(*shape));
        return known->second;
    }

    /// What stands between the parentheses behind the opcode, and the closing one.
    Result<> operands(HloInstruction& made, HloComputation& computation) {
        if (made.opcode == "parameter") {
            const auto number = m_in.integer("the number of a parameter");
            if (!number)
                return fail(number.error());
            made.number = *number;
            return m_in.expect(')', "the number of a parameter");
        }
        if (made.opcode == "constant") { // the value, which is not read
            while (!m_in.take(")")) {
                if (m_in.atEnd())
                    return m_in.expect(')', "a constant");
                if (const auto value = m_in.value(); !value)
                    return fail(value.error());
                if (!m_in.take(",") && m_in.peek() != ')')
                    return m_in.expect(')', "a constant");
            }
            return {};
        }
        for (bool isFirst = true; !m_in.take(")"); isFirst = false) {
            if (!isFirst) {
                if (auto comma = m_in.expect(',', "an operand"); !comma)
                    return comma;
            }
            if (auto read = operand(made, computation); !read)
                return read;
        }
        return {};
    }

    /// A name, before which its shape may stand.
    Result<> operand(const HloInstruction& made, HloComputation& computation) {
        m_in.skipBlanks();
        const std::size_t begin = m_in.at();
        const char first = m_in.peek();
        m_in.word();
        const bool hasShape = first == '(' || (first != '%' && m_in.peek() == '[');
        m_in.backTo(begin);
        if (hasShape) {
            if (auto shape = m_in.shape(); !shape)
                return fail(shape.error());
            m_in.skipBlanks();
        }
        const std::size_t nameAt = m_in.at();
        const std::string_view name = m_in.word();
        if (name.empty())
            return m_in.failAt(nameAt, "an operand of {} has no name", shown(made.name));
        const auto found = m_byName.find(name);
        if (found == m_byName.end())
            return m_in.failAt(nameAt, "{} reads {}, which is not defined before it in its computation",
                               shown(made.name), shown(name));
        computation.operands.push_back(found->second);
        return {};
    }

    Result<> attribute(HloInstruction& made, HloComputation& computation) {
        const std::string_view key = m_in.word();
        if (auto equals = m_in.expect('=', "the name of an attribute"); !equals)
            return equals;
        m_in.skipBlanks();
        const std::size_t at = m_in.at();
        const auto value = m_in.value();
        if (!value)
            return fail(value.error());
        constexpr std::array<std::string_view, 7> kRun{
            "body",      "branch_computations", "called_computations", "calls",
            "condition", "false_computation",   "true_computation"};
        constexpr std::array<std::string_view, 4> kApplied{"comparator", "scatter", "select", "to_apply"};
        const std::size_t here = m_module.computations.size() - 1;
        if (key == "control-predecessors") {
            forEachName(*value, at, [&](std::string_view name, std::size_t where) {
                m_controls.push_back({name, where, here, computation.instructions.size(), 0});
            });
            return {};
        }
        const bool isApplied = std::ranges::find(kApplied, key) != kApplied.end();
        if (std::ranges::find(kRun, key) != kRun.end() || (isApplied && made.opcode == "call")) {
            forEachName(*value, at, [&](std::string_view name, std::size_t where) {
                m_calls.push_back({name, where, here, computation.instructions.size(), computation.called.size()});
                computation.called.push_back(0); // linkCalls() knows which
            });
        }
        if (key == "index" && made.opcode == "get-tuple-element") {
            const AttributeValue number = valueOf(*value);
            made.number = std::holds_alternative<std::int64_t>(number) ? std::get<std::int64_t>(number) : -1;
        }
        return {};
    }

    template <class Visit>
    void forEachName(std::string_view list, std::size_t at, Visit visit) {
        for (std::size_t i = 0; i < list.size();) {
            const std::size_t begin = list.find_first_not_of("{}%, \t\r\n", i);
            if (begin == std::string_view::npos)
                return;
            i = std::min(list.find_first_of("{}%, \t\r\n", begin), list.size());
            visit(list.substr(begin, i - begin), at + begin);
        }
    }

    /// What the graph relies on.
    Result<> check(const HloInstruction& made, const HloComputation& computation, std::size_t at) {
        if (made.opcode != "get-tuple-element")
            return {};
        if (made.operandCount != 1)
            return m_in.failAt(at, "{} must have one operand, a tuple", shown(made.name));
        const HloShape& tuple = computation.shapeOfOperand(made, 0);
        if (!tuple.isTuple || made.number < 0 || made.number >= static_cast<std::int64_t>(tuple.elements.size()))
            return m_in.failAt(at, "{} gets element {} of {}, which has {}", shown(made.name), made.number,
                               shown(computation.instructions[computation.operandsOf(made)[0]].name),
                               tuple.elements.size());
        return {};
    }

    Result<> linkCalls() {
        for (const Pending& call : m_calls) {
            const auto found = m_computations.find(call.name);
            HloComputation& caller = m_module.computations[call.computation];
            if (found == m_computations.end())
                return m_in.failAt(call.at, "{} runs the computation {}, which the module does not have",
                                   shown(caller.instructions[call.instruction].name), shown(call.name));
            caller.called[call.called] = static_cast<std::uint32_t>(found->second);
        }
        return {};
    }

    HloText m_in;
    HloModule m_module;
    std::unordered_map<std::string_view, std::size_t> m_computations;
    std::unordered_map<std::string_view, std::uint32_t> m_byName;   ///< instructions of the computation being read
    std::unordered_map<std::string_view, const HloShape*> m_shapes; ///< by how they are written
    std::vector<Pending> m_calls, m_controls;
};

} // namespace

Result<HloModule> parseHloText(std::string_view text, const std::string& origin) {
    return Parser(text, origin).parse();
}

std::vector<Attribute> attributesOf(const HloInstruction& instruction) {
    if (instruction.proto != nullptr)
        return attributesOf(*instruction.proto);
    std::vector<Attribute> attributes;
    HloText in(instruction.written, {});
    while (in.take(",")) {
        const std::string_view key = in.word();
        in.take("=");
        in.skipBlanks();
        const auto value = in.value();
        if (!value || key == "control-predecessors")
            continue;
        if (key != "metadata") {
            attributes.push_back({toUtf8(key), valueOf(*value)});
            continue;
        }
        if (const std::string_view name = partOf(*value, kHloOpName); !name.empty())
            attributes.push_back({std::string(kHloOpName), toUtf8(name)});
        if (const std::string_view file = partOf(*value, "source_file"); !file.empty())
            attributes.push_back({"source", toUtf8(file) + ":" + toUtf8(partOf(*value, "source_line"))});
    }
    return attributes;
}

} // namespace opscape
