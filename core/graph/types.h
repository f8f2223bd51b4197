// SPDX-License-Identifier: MIT
// What a tensor is made of (element type, shape) and what an op carries beside its tensors (attributes).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace opscape {

enum class DType : std::uint8_t {
    Unknown,
    F16,
    BF16,
    F32,
    F64,
    F8,
    I4,
    I8,
    I16,
    I32,
    I64,
    U8,
    U16,
    U32,
    U64,
    Bool,
    C64,
    C128,
    String
};

/// "f32", "i64", ...; the names used in every file and on the screen.
[[nodiscard]] std::string_view toString(DType type);
[[nodiscard]] std::optional<DType> parseDType(std::string_view name);
/// Bits of one element; 0 for Unknown and String, whose size is not known from the type.
[[nodiscard]] int bitsOf(DType type);
/// Real or complex, not whole.
[[nodiscard]] bool isFloat(DType type);

/// Dimensions, outermost first; kUnknownDim where the size is not known. No dimensions: a scalar.
using Shape = std::vector<std::int64_t>;
inline constexpr std::int64_t kUnknownDim = -1;

/// Number of elements; none when a dimension is unknown or the product does not fit 63 bits.
[[nodiscard]] std::optional<std::int64_t> elementCount(const Shape& shape);
/// Bytes of a dense tensor, rounded up to whole bytes; none when the shape or the type does not tell.
[[nodiscard]] std::optional<std::int64_t> byteSize(DType type, const Shape& shape);
/// "1x64x56x56"; "?" for an unknown dimension; "scalar".
[[nodiscard]] std::string toString(const Shape& shape);

using AttributeValue = std::variant<std::int64_t, double, std::string, std::vector<std::int64_t>, std::vector<double>>;

struct Attribute {
    std::string name;
    AttributeValue value;
    /// Numbers are compared by their bits, so that a NaN equals itself and what is equal has equal hashes.
    friend bool operator==(const Attribute& a, const Attribute& b);
};

/// Where a tensor comes from. Only activations have a producer; the others are state of the ops that read them,
/// resident on every device where one of those runs.
enum class TensorKind : std::uint8_t { Activation, Input, Weight, Constant, OptimizerState };

[[nodiscard]] std::string_view toString(TensorKind kind);
[[nodiscard]] std::optional<TensorKind> parseTensorKind(std::string_view name);

/// The part of a training step an op belongs to.
enum class Phase : std::uint8_t { Forward, Backward, Update };

[[nodiscard]] std::string_view toString(Phase phase);
[[nodiscard]] std::optional<Phase> parsePhase(std::string_view name);

} // namespace opscape
