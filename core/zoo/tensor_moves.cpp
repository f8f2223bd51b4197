// SPDX-License-Identifier: MIT
// Operations that move values without computing. A reshape to the shape that is there already, and the like, adds no
// op.
#include <opscape/zoo/tensor_program.h>

#include <algorithm>
#include <numeric>
#include <utility>

namespace opscape {

Value TensorProgram::gather(Value table, Value indices, std::string_view name) {
    require(!shape(table).empty(), "Gather from a scalar");
    Shape result = shape(indices);
    result.insert(result.end(), shape(table).begin() + 1, shape(table).end());
    return one("Gather", {table, indices}, std::move(result), name, {{"axis", std::int64_t{0}}});
}

Value TensorProgram::concat(std::span<const Value> values, std::int64_t axis, std::string_view name) {
    require(!values.empty(), "a Concat of nothing");
    if (values.size() == 1)
        return values[0];
    const std::size_t at = axisOf(values[0], axis);
    Shape result = shape(values[0]);
    result[at] = 0;
    for (const Value value : values) {
        Shape rest = shape(value);
        require(rest.size() == result.size(), "Concat of {} and {}", toString(shape(values[0])), toString(rest));
        const std::int64_t added = std::exchange(rest[at], result[at]);
        require(rest == result, "Concat of {} and {} along axis {}", toString(shape(values[0])), toString(shape(value)),
                at);
        result[at] += added;
    }
    const OpId id = addOp("Concat", values, {{"axis", static_cast<std::int64_t>(at)}}, name);
    return addOutput(id, dtype(values[0]), std::move(result));
}

std::vector<Value> TensorProgram::split(Value x, std::int64_t axis, const Sizes& sizes, std::string_view name) {
    const std::size_t at = axisOf(x, axis);
    require(!sizes.empty() && std::reduce(sizes.begin(), sizes.end()) == shape(x)[at],
            "Split of {} along axis {} into {}", toString(shape(x)), at, toString(sizes));
    if (sizes.size() == 1)
        return {x};
    const OpId id = addOp("Split", {&x, 1}, {{"axis", static_cast<std::int64_t>(at)}, {"split", sizes}}, name);
    std::vector<Value> parts;
    for (const std::int64_t size : sizes) {
        Shape part = shape(x);
        part[at] = size;
        parts.push_back(addOutput(id, dtype(x), std::move(part)));
    }
    return parts;
}

std::vector<Value> TensorProgram::split(Value x, std::int64_t axis, std::int64_t parts, std::string_view name) {
    require(parts > 0 && dim(x, axis) % parts == 0, "Split of {} along axis {} into {} equal parts", toString(shape(x)),
            axis, parts);
    return split(x, axis, Sizes(static_cast<std::size_t>(parts), dim(x, axis) / parts), name);
}

Value TensorProgram::slice(Value x, std::int64_t axis, std::int64_t begin, std::int64_t end, std::string_view name) {
    const std::size_t at = axisOf(x, axis);
    require(begin >= 0 && begin < end && end <= shape(x)[at], "Slice [{}, {}) of axis {} of {}", begin, end, at,
            toString(shape(x)));
    Shape result = shape(x);
    if (result[at] == end - begin)
        return x;
    result[at] = end - begin;
    return one("Slice", {x}, std::move(result), name,
               {{"axes", Sizes{static_cast<std::int64_t>(at)}}, {"starts", Sizes{begin}}, {"ends", Sizes{end}}});
}

Value TensorProgram::pad(Value x, std::int64_t axis, std::int64_t before, std::int64_t after, std::string_view name) {
    const std::size_t at = axisOf(x, axis);
    require(before >= 0 && after >= 0, "Pad by {} and {}", before, after);
    if (before + after == 0)
        return x;
    Shape result = shape(x);
    Sizes pads(2 * result.size(), 0);
    pads[at] = before;
    pads[at + result.size()] = after;
    result[at] += before + after;
    return one("Pad", {x}, std::move(result), name, {{"pads", std::move(pads)}});
}

Value TensorProgram::transpose(Value x, Sizes permutation, std::string_view name) {
    Sizes sorted = permutation, identical(shape(x).size());
    std::iota(identical.begin(), identical.end(), 0);
    std::ranges::sort(sorted);
    require(sorted == identical, "Transpose of {} by {}", toString(shape(x)), toString(permutation));
    Shape result;
    for (const std::int64_t from : permutation)
        result.push_back(shape(x)[static_cast<std::size_t>(from)]);
    return one("Transpose", {x}, std::move(result), name, {{"perm", std::move(permutation)}});
}

Value TensorProgram::reshape(Value x, Shape wanted, std::string_view name) {
    const std::int64_t elements = elementCount(shape(x)).value_or(0);
    const auto open = std::ranges::find(wanted, -1);
    if (open != wanted.end()) {
        *open = 1;
        const std::int64_t others = elementCount(wanted).value_or(0);
        *open = others > 0 ? elements / others : 0;
    }
    require(elementCount(wanted) == elements, "Reshape of {} to {}", toString(shape(x)), toString(wanted));
    return wanted == shape(x) ? x : one("Reshape", {x}, std::move(wanted), name);
}

Value TensorProgram::expand(Value x, Shape wanted, std::string_view name) {
    require(broadcastShape(shape(x), wanted) == wanted, "Expand of {} to {}", toString(shape(x)), toString(wanted));
    return wanted == shape(x) ? x : one("Expand", {x}, std::move(wanted), name);
}

Value TensorProgram::zeros(Shape wanted, std::string_view name) {
    const OpId id = addOp("ConstantOfShape", {}, {}, name);
    return addOutput(id, m_dtype, std::move(wanted));
}

Value TensorProgram::identity(Value x, std::string_view name) { return unary("Identity", x, name); }

Value TensorProgram::stopGradient(Value x, std::string_view name) { return unary("StopGradient", x, name); }

} // namespace opscape
