// SPDX-License-Identifier: MIT
#include <opscape/graph/types.h>

#include <algorithm>
#include <array>
#include <bit>
#include <limits>

namespace opscape {
namespace {

struct DTypeRow {
    DType type;
    std::string_view name;
    int bits;
};

constexpr std::array kDTypes{
    DTypeRow{DType::Unknown, "unknown", 0}, DTypeRow{DType::F16, "f16", 16}, DTypeRow{DType::BF16, "bf16", 16},
    DTypeRow{DType::F32, "f32", 32},        DTypeRow{DType::F64, "f64", 64}, DTypeRow{DType::F8, "f8", 8},
    DTypeRow{DType::I4, "i4", 4},           DTypeRow{DType::I8, "i8", 8},    DTypeRow{DType::I16, "i16", 16},
    DTypeRow{DType::I32, "i32", 32},        DTypeRow{DType::I64, "i64", 64}, DTypeRow{DType::U8, "u8", 8},
    DTypeRow{DType::U16, "u16", 16},        DTypeRow{DType::U32, "u32", 32}, DTypeRow{DType::U64, "u64", 64},
    DTypeRow{DType::Bool, "bool", 8},       DTypeRow{DType::C64, "c64", 64}, DTypeRow{DType::C128, "c128", 128},
    DTypeRow{DType::String, "string", 0},
};

constexpr std::array<std::string_view, 5> kTensorKinds{"activation", "input", "weight", "constant", "optimizer-state"};
constexpr std::array<std::string_view, 3> kPhases{"forward", "backward", "update"};

template <class E, std::size_t N>
std::optional<E> parseName(const std::array<std::string_view, N>& names, std::string_view name) {
    for (std::size_t i = 0; i < N; ++i) {
        if (names[i] == name)
            return static_cast<E>(i);
    }
    return std::nullopt;
}

} // namespace

std::string_view toString(DType type) { return kDTypes[static_cast<std::size_t>(type)].name; }

std::optional<DType> parseDType(std::string_view name) {
    for (const DTypeRow& row : kDTypes) {
        if (row.name == name)
            return row.type;
    }
    return std::nullopt;
}

int bitsOf(DType type) { return kDTypes[static_cast<std::size_t>(type)].bits; }

bool isFloat(DType type) {
    switch (type) {
    case DType::F16:
    case DType::BF16:
    case DType::F32:
    case DType::F64:
    case DType::F8:
    case DType::C64:
    case DType::C128:
        return true;
    default:
        return false;
    }
}

std::optional<std::int64_t> elementCount(const Shape& shape) {
    if (std::ranges::any_of(shape, [](std::int64_t dim) { return dim < 0; }))
        return std::nullopt;
    if (std::ranges::count(shape, 0) > 0) // no elements, however large the other dimensions
        return 0;
    std::int64_t count = 1;
    for (const std::int64_t dim : shape) {
        if (count > std::numeric_limits<std::int64_t>::max() / dim)
            return std::nullopt;
        count *= dim;
    }
    return count;
}

std::optional<std::int64_t> byteSize(DType type, const Shape& shape) {
    const int bits = bitsOf(type);
    const auto count = elementCount(shape);
    if (bits == 0 || !count || *count > (std::numeric_limits<std::int64_t>::max() - 7) / bits)
        return std::nullopt;
    return (*count * bits + 7) / 8;
}

std::string toString(const Shape& shape) {
    if (shape.empty())
        return "scalar";
    std::string text;
    for (const std::int64_t dim : shape) {
        if (!text.empty())
            text += 'x';
        text += dim < 0 ? "?" : std::to_string(dim);
    }
    return text;
}

bool operator==(const Attribute& a, const Attribute& b) {
    const auto sameBits = [](double x, double y) {
        return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
    };
    if (a.name != b.name || a.value.index() != b.value.index())
        return false;
    if (const auto* x = std::get_if<double>(&a.value))
        return sameBits(*x, std::get<double>(b.value));
    if (const auto* x = std::get_if<std::vector<double>>(&a.value))
        return std::ranges::equal(*x, std::get<std::vector<double>>(b.value), sameBits);
    return a.value == b.value;
}

std::string_view toString(TensorKind kind) { return kTensorKinds[static_cast<std::size_t>(kind)]; }
std::optional<TensorKind> parseTensorKind(std::string_view name) { return parseName<TensorKind>(kTensorKinds, name); }
std::string_view toString(Phase phase) { return kPhases[static_cast<std::size_t>(phase)]; }
std::optional<Phase> parsePhase(std::string_view name) { return parseName<Phase>(kPhases, name); }

} // namespace opscape
