// SPDX-License-Identifier: MIT
// HloModuleProto -> module. Attributes get the names and the form that they have in HLO's text.
#include <opscape/base/shown_name.h>
#include <opscape/io/hlo/hlo_proto.h>

#include <algorithm>
#include <array>
#include <unordered_map>

namespace opscape {
namespace {

/// By XLA's number of the type.
constexpr std::array<std::string_view, 34> kElementTypes{
    "",     "pred",   "s8",       "s16", "s32", "s64",           "u8",         "u16",        "u32",
    "u64",  "f16",    "f32",      "f64", "",    "opaque",        "c64",        "bf16",       "token",
    "c128", "f8e5m2", "f8e4m3fn", "s4",  "u4",  "f8e4m3b11fnuz", "f8e5m2fnuz", "f8e4m3fnuz", "s2",
    "u2",   "f8e4m3", "f8e3m4",   "s1",  "u1",  "f4e2m1fn",      "f8e8m0fnu"};
constexpr int kTuple = 13;

/// Protobuf's own limit keeps the depth small.
HloShape shapeOf(const xla::ShapeProto& proto) {
    HloShape shape;
    const auto type = static_cast<std::size_t>(proto.element_type());
    if (proto.element_type() == kTuple) {
        shape.isTuple = true;
        for (const auto& element : proto.tuple_shapes())
            shape.elements.push_back(shapeOf(element));
        return shape;
    }
    shape = hloElement(type < kElementTypes.size() ? kElementTypes[type] : std::string_view());
    for (const std::int64_t dim : proto.dimensions())
        shape.dims.push_back(std::max(dim, kUnknownDim));
    return shape;
}

template <class Numbers>
void addList(std::vector<Attribute>& made, std::string_view name, const Numbers& numbers) {
    if (!numbers.empty())
        made.push_back({std::string(name), std::vector<std::int64_t>(numbers.begin(), numbers.end())});
}

void addText(std::vector<Attribute>& made, std::string_view name, const std::string& text) {
    if (!text.empty())
        made.push_back({std::string(name), toUtf8(text)});
}

/// "b01f": a letter or number for each dimension.
template <class Spatial>
std::string labels(std::int64_t first, char firstLetter, std::int64_t second, char secondLetter,
                   const Spatial& spatial) {
    std::string text(static_cast<std::size_t>(spatial.size()) + 2, '?');
    const auto set = [&text](std::int64_t at, char letter) {
        if (at >= 0 && at < static_cast<std::int64_t>(text.size()))
            text[static_cast<std::size_t>(at)] = letter;
    };
    set(first, firstLetter);
    set(second, secondLetter);
    for (int i = 0; i < spatial.size() && i < 10; ++i)
        set(spatial[i], static_cast<char>('0' + i));
    return text;
}

void addConvolution(std::vector<Attribute>& made, const xla::ConvolutionDimensionNumbers& dims) {
    addText(made, "dim_labels",
            labels(dims.input_batch_dimension(), 'b', dims.input_feature_dimension(), 'f',
                   dims.input_spatial_dimensions()) +
                "_" +
                labels(dims.kernel_input_feature_dimension(), 'i', dims.kernel_output_feature_dimension(), 'o',
                       dims.kernel_spatial_dimensions()) +
                "->" +
                labels(dims.output_batch_dimension(), 'b', dims.output_feature_dimension(), 'f',
                       dims.output_spatial_dimensions()));
}

void addWindow(std::vector<Attribute>& made, const xla::Window& window) {
    if (window.dimensions().empty())
        return;
    std::string sizes, strides, pads;
    for (const auto& dim : window.dimensions()) {
        const std::string_view times = sizes.empty() ? "" : "x";
        sizes += fmt::format("{}{}", times, dim.size());
        strides += fmt::format("{}{}", times, dim.stride());
        pads += fmt::format("{}{}_{}", times, dim.padding_low(), dim.padding_high());
    }
    addText(made, "window", fmt::format("{{size={} stride={} pad={}}}", sizes, strides, pads));
}

} // namespace

std::vector<Attribute> attributesOf(const xla::HloInstructionProto& proto) {
    std::vector<Attribute> made;
    addList(made, "dimensions", proto.dimensions());
    addWindow(made, proto.window());
    if (proto.has_convolution_dimension_numbers())
        addConvolution(made, proto.convolution_dimension_numbers());
    const auto& dot = proto.dot_dimension_numbers();
    addList(made, "lhs_batch_dims", dot.lhs_batch_dimensions());
    addList(made, "lhs_contracting_dims", dot.lhs_contracting_dimensions());
    addList(made, "rhs_batch_dims", dot.rhs_batch_dimensions());
    addList(made, "rhs_contracting_dims", dot.rhs_contracting_dimensions());
    for (const auto& [name, value] :
         {std::pair{"channel_id", proto.channel_id()}, std::pair{"feature_group_count", proto.feature_group_count()}}) {
        if (value > 0)
            made.push_back({name, value});
    }
    std::string groups;
    for (const auto& group : proto.replica_groups())
        groups += fmt::format("{}{{{}}}", groups.empty() ? "" : ",", fmt::join(group.replica_ids(), ","));
    addText(made, "replica_groups", groups.empty() ? groups : "{" + groups + "}");
    addText(made, "custom_call_target", proto.custom_call_target());
    addText(made, "kind", proto.fusion_kind());
    addText(made, "direction", proto.comparison_direction());
    addText(made, "backend_config", proto.backend_config());
    addText(made, kHloOpName, proto.metadata().op_name());
    if (!proto.metadata().source_file().empty())
        addText(made, "source", fmt::format("{}:{}", proto.metadata().source_file(), proto.metadata().source_line()));
    return made;
}

namespace {

class Reader {
public:
    Reader(const xla::HloModuleProto& proto, const std::string& origin) : m_proto(proto), m_origin(origin) {}

    Result<HloModule> read() {
        m_module.name = m_proto.name();
        for (int i = 0; i < m_proto.computations_size(); ++i) {
            if (!m_computations.try_emplace(m_proto.computations(i).id(), static_cast<std::uint32_t>(i)).second)
                return fail("{}: two computations have the id {}; each must have an id of its own.", m_origin,
                            m_proto.computations(i).id());
        }
        for (const auto& entry : m_proto.schedule().sequences())
            m_order[entry.key()] = &entry.value();
        m_module.isScheduled = !m_order.empty();
        for (const auto& computation : m_proto.computations()) {
            if (auto added = add(computation); !added)
                return fail(std::move(added.error()));
        }
        auto entry = std::ranges::find_if(m_proto.computations(), [this](const auto& computation) {
            return m_proto.entry_computation_id() != 0 ? computation.id() == m_proto.entry_computation_id()
                                                       : computation.name() == m_proto.entry_computation_name();
        });
        if (entry == m_proto.computations().end())
            return fail("{}: the module does not have its entry computation {}.", m_origin,
                        shown(m_proto.entry_computation_name()));
        m_module.entry = static_cast<std::size_t>(entry - m_proto.computations().begin());
        return std::move(m_module);
    }

private:
    Result<> add(const xla::HloComputationProto& proto) {
        HloComputation& made = m_module.computations.emplace_back();
        made.name = proto.name();
        made.bytes = proto.ByteSizeLong();
        std::unordered_map<std::int64_t, std::uint32_t> byId;
        for (const auto* instruction : inOrder(proto)) {
            const auto index = static_cast<std::uint32_t>(made.instructions.size());
            auto read = this->instruction(*instruction, made, byId);
            if (!read)
                return fail(std::move(read.error()));
            made.instructions.push_back(std::move(*read));
            if (!byId.try_emplace(instruction->id(), index).second)
                return fail("{}: two instructions of computation {} have the id {}; each must have an id of its own.",
                            m_origin, shown(proto.name()), instruction->id());
        }
        if (made.instructions.empty())
            return fail("{}: computation {} has no instructions.", m_origin, shown(proto.name()));
        const auto root = byId.find(proto.root_id());
        made.root = root != byId.end() ? root->second : made.instructions.size() - 1;
        std::uint32_t index = 0;
        for (const auto* instruction : inOrder(proto)) {
            for (const std::int64_t before : instruction->control_predecessor_ids()) {
                const auto found = byId.find(before);
                if (found == byId.end())
                    return fail("{}: {} comes after the instruction of id {}, which its computation does not have.",
                                m_origin, shown(instruction->name()), before);
                made.controls.emplace_back(index, found->second);
            }
            ++index;
        }
        return {};
    }

    /// As scheduled, where all of the computation is; else as they stand.
    std::vector<const xla::HloInstructionProto*> inOrder(const xla::HloComputationProto& proto) const {
        std::vector<const xla::HloInstructionProto*> order;
        for (const auto& instruction : proto.instructions())
            order.push_back(&instruction);
        const auto scheduled = m_order.find(proto.id());
        if (scheduled == m_order.end() || scheduled->second->instruction_ids_size() != proto.instructions_size())
            return order;
        std::unordered_map<std::int64_t, int> place;
        for (int i = 0; i < scheduled->second->instruction_ids_size(); ++i)
            place.try_emplace(scheduled->second->instruction_ids(i), i);
        if (std::ranges::all_of(order, [&](const auto* instruction) { return place.contains(instruction->id()); }))
            std::ranges::stable_sort(order, {}, [&](const auto* instruction) { return place.at(instruction->id()); });
        return order;
    }

    Result<HloInstruction> instruction(const xla::HloInstructionProto& proto, HloComputation& computation,
                                       const std::unordered_map<std::int64_t, std::uint32_t>& byId) {
        HloInstruction made;
        made.firstOperand = static_cast<std::uint32_t>(computation.operands.size());
        made.operandCount = static_cast<std::uint32_t>(proto.operand_ids_size());
        made.firstCalled = static_cast<std::uint32_t>(computation.called.size());
        made.calledCount = static_cast<std::uint32_t>(proto.called_computation_ids_size());
        made.name = proto.name();
        made.opcode = proto.opcode();
        made.shape = &m_module.shapes.emplace_back(shapeOf(proto.shape()));
        made.number = proto.opcode() == "parameter" ? proto.parameter_number() : proto.tuple_index();
        made.proto = &proto;
        for (const std::int64_t operand : proto.operand_ids()) {
            const auto found = byId.find(operand);
            if (found == byId.end())
                return fail("{}: {} reads the instruction of id {}, which does not come before it in its computation.",
                            m_origin, shown(proto.name()), operand);
            computation.operands.push_back(found->second);
        }
        for (const std::int64_t called : proto.called_computation_ids()) {
            const auto found = m_computations.find(called);
            if (found == m_computations.end())
                return fail("{}: {} runs the computation of id {}, which the module does not have.", m_origin,
                            shown(proto.name()), called);
            computation.called.push_back(found->second);
        }
        if (made.opcode == "get-tuple-element") {
            const std::size_t elements =
                made.operandCount == 1 ? computation.shapeOfOperand(made, 0).elements.size() : std::size_t{0};
            if (made.number < 0 || made.number >= static_cast<std::int64_t>(elements))
                return fail("{}: {} gets element {} of a tuple that has {}.", m_origin, shown(proto.name()),
                            made.number, elements);
        }
        return made;
    }

    const xla::HloModuleProto& m_proto;
    std::string m_origin;
    HloModule m_module;
    std::unordered_map<std::int64_t, std::uint32_t> m_computations; ///< by id
    std::unordered_map<std::int64_t, const xla::HloScheduleProto::InstructionSequence*> m_order;
};

} // namespace

Result<HloModule> moduleOf(const xla::HloModuleProto& proto, const std::string& origin) {
    return Reader(proto, origin).read();
}

} // namespace opscape
