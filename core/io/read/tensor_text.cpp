// SPDX-License-Identifier: MIT
#include <opscape/base/text.h>
#include <opscape/io/read/tensor_text.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace opscape {
namespace {

std::string_view trimmed(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(" \t");
    if (begin == std::string_view::npos)
        return {};
    return text.substr(begin, text.find_last_not_of(" \t") + 1 - begin);
}

} // namespace

DType dtypeOf(std::string_view name) {
    static constexpr std::array<std::pair<std::string_view, DType>, 30> kNames{{
        {"float", DType::F32},        {"float32", DType::F32},     {"float16", DType::F16},
        {"half", DType::F16},         {"bfloat16", DType::BF16},   {"float64", DType::F64},
        {"double", DType::F64},       {"float8", DType::F8},       {"int4", DType::I4},
        {"int8", DType::I8},          {"signed char", DType::I8},  {"char", DType::I8},
        {"int16", DType::I16},        {"short", DType::I16},       {"short int", DType::I16},
        {"int32", DType::I32},        {"int", DType::I32},         {"int64", DType::I64},
        {"long", DType::I64},         {"long int", DType::I64},    {"uint8", DType::U8},
        {"unsigned char", DType::U8}, {"uint16", DType::U16},      {"uint32", DType::U32},
        {"uint64", DType::U64},       {"bool", DType::Bool},       {"boolean", DType::Bool},
        {"complex64", DType::C64},    {"complex128", DType::C128}, {"string", DType::String},
    }};
    const std::string lower = lowerCase(trimmed(name));
    if (const auto own = parseDType(lower))
        return *own;
    const auto it = std::ranges::find(kNames, lower, &std::pair<std::string_view, DType>::first);
    return it == kNames.end() ? DType::Unknown : it->second;
}

void parseTensorText(std::string_view text, Tensor& tensor) {
    const std::size_t open = text.find('[');
    if (const DType type = dtypeOf(text.substr(0, open)); type != DType::Unknown)
        tensor.dtype = type;
    if (open == std::string_view::npos)
        return;
    std::string_view rest = text.substr(open + 1);
    rest = trimmed(rest.substr(0, rest.find(']')));
    tensor.shapeKnown = true;
    tensor.shape.clear();
    while (!rest.empty()) {
        const std::size_t comma = std::min(rest.find(','), rest.size());
        const std::string_view part = trimmed(rest.substr(0, comma));
        std::int64_t dim = kUnknownDim;
        const auto [end, ec] = std::from_chars(part.data(), part.data() + part.size(), dim);
        tensor.shape.push_back(ec == std::errc() && end == part.data() + part.size() && dim >= 0 ? dim : kUnknownDim);
        rest.remove_prefix(std::min(comma + 1, rest.size()));
    }
}

} // namespace opscape
