// SPDX-License-Identifier: MIT
// The whole numbers that TensorFlow's graphs compute shapes from, and what a rule may know of a node. Included by the
// TensorFlow reader's own files only.
#pragma once

#include <opscape/io/tensorflow/tensorflow_values.h>

#include <limits>
#include <optional>

namespace opscape {

/// A few whole numbers; kOpenNumber where one is not known.
using TfNumbers = std::vector<std::int64_t>;
inline constexpr std::int64_t kOpenNumber = std::numeric_limits<std::int64_t>::min();
inline constexpr std::size_t kMostTfNumbers = 64;

/// What a rule may know of a node.
struct TfNodeView {
    const tensorflow::NodeDef& def;
    std::size_t port = 0;
    std::vector<const Shape*> shapes;     ///< by input; null where not known
    std::vector<const TfNumbers*> values; ///< by input; null where not known

    [[nodiscard]] std::size_t inputs() const { return shapes.size(); }
    [[nodiscard]] const Shape* shape(std::size_t input) const {
        return input < shapes.size() ? shapes[input] : nullptr;
    }
    [[nodiscard]] const TfNumbers* value(std::size_t input) const {
        return input < values.size() ? values[input] : nullptr;
    }
    [[nodiscard]] std::int64_t integer(std::string_view attribute, std::int64_t otherwise) const;
    [[nodiscard]] bool flag(std::string_view attribute) const;
    [[nodiscard]] std::string text(std::string_view attribute) const;
    [[nodiscard]] TfNumbers integers(std::string_view attribute) const;
};

/// Whether the first output is the first input, as far as shape and values go.
[[nodiscard]] bool handsOn(std::string_view type);
/// Of the first output, where it is no more than a few whole numbers.
[[nodiscard]] std::optional<TfNumbers> inferredValue(const TfNodeView& node);

/// Of a constant of whole numbers; nothing where there are more than kMostTfNumbers.
[[nodiscard]] std::optional<TfNumbers> constantValue(const tensorflow::TensorProto& tensor);

/// An axis counted from the end, too; nothing where there is no such axis.
[[nodiscard]] std::optional<std::size_t> axisOf(std::int64_t axis, std::size_t rank);
[[nodiscard]] std::optional<std::int64_t> numberOf(const TfNumbers* value);
/// Of dimensions; kUnknownDim where one is or where it is too large.
[[nodiscard]] std::int64_t dimProduct(std::int64_t a, std::int64_t b);
[[nodiscard]] std::int64_t dimSum(std::int64_t a, std::int64_t b);

/// One axis of a StridedSlice: from where, how many, how far apart.
struct TfStride {
    std::int64_t begin = 0, count = kUnknownDim, step = 1;
};
/// Without axes that are added or left to guess, and of known numbers.
[[nodiscard]] bool isPlainSlice(const TfNodeView& node);
/// As in Python: what lies behind the end is cut off, negative numbers count from the end.
[[nodiscard]] TfStride strideOf(const TfNodeView& node, std::size_t d, std::int64_t size);

} // namespace opscape
