// SPDX-License-Identifier: MIT
// An XLA HLO module as both of its forms are read, text and protobuf. Holds views into what it was read from, which
// must outlive it. Included by the HLO reader's own files only.
#pragma once

#include <opscape/io/format.h>

#include <cstdint>
#include <deque>
#include <span>
#include <string_view>
#include <vector>

namespace opscape {

namespace xla {
class HloInstructionProto;
}

/// Tuples within tuples, and computations that call computations, are read up to this depth.
inline constexpr int kDeepestHlo = 64;

struct HloShape {
    bool isTuple = false;
    bool isData = true; ///< false for tokens and opaque things, which are no bytes
    DType dtype = DType::Unknown;
    Shape dims;
    std::vector<HloShape> elements;

    /// How many arrays it has in all.
    [[nodiscard]] std::size_t leaves() const;
};
/// "f32", "pred", ...; the shape has no dimensions yet.
[[nodiscard]] HloShape hloElement(std::string_view type);

struct HloInstruction {
    std::string_view name, opcode;
    std::int64_t number = -1;                         ///< of a parameter, or the element that get-tuple-element gets
    const HloShape* shape = nullptr;                  ///< one of the module's
    std::uint32_t firstOperand = 0, operandCount = 0; ///< HloComputation::operandsOf()
    std::uint32_t firstCalled = 0, calledCount = 0;   ///< HloComputation::calledBy()
    // What holds its attributes, which are made when they are needed: they are several times as large.
    std::string_view written; ///< behind the operands, of a text
    const xla::HloInstructionProto* proto = nullptr;
};

struct HloComputation {
    std::string_view name;
    std::vector<HloInstruction> instructions;
    std::vector<std::uint32_t> operands, called; ///< of all instructions
    /// Instructions that come after others for other reasons than what they read: after, before.
    std::vector<std::pair<std::uint32_t, std::uint32_t>> controls;
    std::size_t root = 0;
    std::size_t bytes = 0; ///< in the file

    /// Earlier instructions, in the order of the operands.
    [[nodiscard]] std::span<const std::uint32_t> operandsOf(const HloInstruction& at) const {
        return std::span(operands).subspan(at.firstOperand, at.operandCount);
    }
    /// Computations that it runs.
    [[nodiscard]] std::span<const std::uint32_t> calledBy(const HloInstruction& at) const {
        return std::span(called).subspan(at.firstCalled, at.calledCount);
    }
    [[nodiscard]] const HloShape& shapeOfOperand(const HloInstruction& at, std::size_t number) const {
        return *instructions[operandsOf(at)[number]].shape;
    }
};

struct HloModule {
    std::string_view name;
    std::vector<HloComputation> computations;
    std::deque<HloShape> shapes; ///< of the instructions, many of which share one
    std::size_t entry = 0;
    bool isScheduled = false; ///< instructions stand in the order in which they run
};

[[nodiscard]] Result<HloModule> parseHloText(std::string_view text, const std::string& origin);
/// The attribute that holds what the framework above XLA calls an instruction; '/' separates its scopes.
inline constexpr std::string_view kHloOpName = "op_name";
/// Of an instruction in either form.
[[nodiscard]] std::vector<Attribute> attributesOf(const HloInstruction& instruction);
[[nodiscard]] std::vector<Attribute> attributesOf(const xla::HloInstructionProto& instruction);

/// Fills graph, counts and diagnostics.
[[nodiscard]] Result<> convertHlo(HloModule module, const std::string& origin, GraphFile& file);

} // namespace opscape
