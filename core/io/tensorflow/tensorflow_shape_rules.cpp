// SPDX-License-Identifier: MIT
// Types are looked up as core/cost names them, so that what is one op there under several names is one here. Where a
// shape is an input (Reshape, Fill, axes), its numbers are followed through the ops that compute it; one that cannot be
// told is an open dimension.
#include <opscape/cost/op_aliases.h>
#include <opscape/cost/op_cost.h>
#include <opscape/io/tensorflow/tensorflow_shape_rules.h>

#include <algorithm>
#include <array>
#include <unordered_map>
#include <unordered_set>

namespace opscape {
namespace {

using Found = std::optional<Shape>;

Found copyOf(const Shape* shape) { return shape != nullptr ? Found(*shape) : Found(); }

Found broadcast(const Shape& a, const Shape& b) {
    Shape shape = a.size() > b.size() ? a : b;
    const Shape& other = a.size() > b.size() ? b : a;
    for (std::size_t i = 0; i < other.size(); ++i) {
        std::int64_t& dim = shape[shape.size() - other.size() + i];
        if (dim == 1 || (dim < 0 && other[i] > 1))
            dim = other[i];
    }
    return shape;
}

Found first(const TfNodeView& node) { return copyOf(node.shape(0)); }
Found second(const TfNodeView& node) { return copyOf(node.shape(1)); }
Found scalar(const TfNodeView&) { return Shape(); }

/// The first that is known.
Found anyKnown(const TfNodeView& node) {
    for (std::size_t i = 0; i < node.inputs(); ++i) {
        if (node.shape(i) != nullptr)
            return *node.shape(i);
    }
    return std::nullopt;
}

Found elementwise(const TfNodeView& node) {
    Found shape;
    for (std::size_t i = 0; i < node.inputs(); ++i) {
        if (node.shape(i) == nullptr)
            return std::nullopt;
        shape = shape ? broadcast(*shape, *node.shape(i)) : *node.shape(i);
    }
    return shape;
}

/// What the value of that input says, whole numbers or open.
Found shapeIn(const TfNodeView& node, std::size_t input) {
    if (node.value(input) != nullptr)
        return Shape(node.value(input)->begin(), node.value(input)->end());
    // As many dimensions as there are numbers.
    if (node.shape(input) == nullptr || node.shape(input)->size() != 1 || (*node.shape(input))[0] < 0 ||
        (*node.shape(input))[0] > static_cast<std::int64_t>(kMostTfNumbers))
        return std::nullopt;
    return Shape(static_cast<std::size_t>((*node.shape(input))[0]), kUnknownDim);
}
Found shapeInFirst(const TfNodeView& node) { return shapeIn(node, 0); }
Found shapeInSecond(const TfNodeView& node) { return shapeIn(node, 1); }

Found matMul(const TfNodeView& node) {
    const Shape *a = node.shape(0), *b = node.shape(1);
    if (a == nullptr || b == nullptr || a->size() < 2 || b->size() < 2)
        return std::nullopt;
    const bool flipA = node.flag("transpose_a") || node.flag("adj_x");
    const bool flipB = node.flag("transpose_b") || node.flag("adj_y");
    Found shape = broadcast(Shape(a->begin(), a->end() - 2), Shape(b->begin(), b->end() - 2));
    shape->push_back((*a)[a->size() - (flipA ? 1 : 2)]);
    shape->push_back((*b)[b->size() - (flipB ? 2 : 1)]);
    return shape;
}

/// Where in a shape of an image, or a list of strides, its height, width, ... and its channels stand.
struct ImageAxes {
    explicit ImageAxes(const TfNodeView& node) {
        const std::string format = node.text("data_format");
        channelsFirst = format.starts_with("NC");
    }
    bool channelsFirst = false;
    [[nodiscard]] std::size_t channels(std::size_t rank) const { return channelsFirst ? 1 : rank - 1; }
    [[nodiscard]] std::size_t spatial(std::size_t i) const { return channelsFirst ? i + 2 : i + 1; }
};

/// How far a window slides along one axis of an image.
std::int64_t slide(std::int64_t size, std::int64_t window, std::int64_t stride, std::string_view padding,
                   std::int64_t padded) {
    if (size < 0 || window <= 0 || stride <= 0)
        return kUnknownDim;
    const std::int64_t last = padding == "SAME" ? size - 1 : dimSum(size, padded) - window;
    return last < 0 ? 0 : last / stride + 1;
}

/// `window(i)`: its size along the i-th axis of the image.
Found slid(const TfNodeView& node, std::int64_t channels, const auto& window) {
    const Shape* image = node.shape(0);
    if (image == nullptr || image->size() < 3)
        return std::nullopt;
    const ImageAxes axes(node);
    const TfNumbers strides = node.integers("strides"), padding = node.integers("explicit_paddings");
    Shape shape = *image;
    shape[axes.channels(shape.size())] = channels >= 0 ? channels : shape[axes.channels(shape.size())];
    for (std::size_t i = 0; i + 2 < shape.size(); ++i) {
        const std::size_t at = axes.spatial(i);
        const std::int64_t padded = 2 * at + 1 < padding.size() ? dimSum(padding[2 * at], padding[2 * at + 1]) : 0;
        shape[at] =
            slide(shape[at], window(i, at), at < strides.size() ? strides[at] : 1, node.text("padding"), padded);
    }
    return shape;
}

Found convolution(const TfNodeView& node) {
    const Shape* filter = node.shape(1);
    if (filter == nullptr || filter->size() < 3)
        return std::nullopt;
    const TfNumbers dilations = node.integers("dilations");
    const bool isDepthwise = node.def.op().starts_with("Depthwise");
    const std::int64_t last = filter->back();
    return slid(node, isDepthwise ? dimProduct((*filter)[filter->size() - 2], last) : last,
                [&](std::size_t i, std::size_t at) -> std::int64_t {
                    const std::int64_t size = i < filter->size() ? (*filter)[i] : kUnknownDim;
                    const std::int64_t apart = at < dilations.size() ? dilations[at] : 1;
                    return size < 1 ? kUnknownDim : dimSum(dimProduct(size - 1, apart), 1);
                });
}

Found pool(const TfNodeView& node) {
    const TfNumbers window = node.integers("ksize");
    return slid(node, kUnknownDim, [&](std::size_t, std::size_t at) -> std::int64_t {
        return at < window.size() ? window[at] : kUnknownDim;
    });
}

Found reshape(const TfNodeView& node) {
    Found shape = shapeIn(node, 1);
    const auto open = shape ? std::ranges::count_if(*shape, [](std::int64_t dim) { return dim < 0; }) : 0;
    if (open != 1 || node.value(1) == nullptr || node.shape(0) == nullptr)
        return shape;
    std::int64_t all = 1, others = 1;
    for (const std::int64_t dim : *node.shape(0))
        all = dimProduct(all, dim);
    for (const std::int64_t dim : *shape)
        others = dim < 0 ? others : dimProduct(others, dim);
    if (all >= 0 && others > 0)
        *std::ranges::find_if(*shape, [](std::int64_t dim) { return dim < 0; }) = all / others;
    return shape;
}

Found expandDims(const TfNodeView& node) {
    Found shape = first(node);
    const auto axis = numberOf(node.value(1));
    const auto at = shape && axis ? axisOf(*axis, shape->size() + 1) : std::nullopt;
    if (!at)
        return std::nullopt;
    shape->insert(shape->begin() + static_cast<std::ptrdiff_t>(*at), 1);
    return shape;
}

Found squeeze(const TfNodeView& node) {
    const Shape* from = node.shape(0);
    if (from == nullptr)
        return std::nullopt;
    std::vector<bool> goes(from->size());
    const TfNumbers axes = node.integers("squeeze_dims");
    for (const std::int64_t axis : axes) {
        if (const auto at = axisOf(axis, from->size()))
            goes[*at] = true;
    }
    Shape shape;
    for (std::size_t i = 0; i < from->size(); ++i) {
        if (axes.empty() ? (*from)[i] != 1 : !goes[i])
            shape.push_back((*from)[i]);
    }
    return shape;
}

Found transpose(const TfNodeView& node) {
    const Shape* from = node.shape(0);
    const TfNumbers* order = node.value(1);
    if (from == nullptr || order == nullptr || order->size() != from->size())
        return from != nullptr ? Found(Shape(from->size(), kUnknownDim)) : std::nullopt;
    Shape shape;
    for (const std::int64_t axis : *order) {
        const auto at = axisOf(axis, from->size());
        if (!at)
            return std::nullopt;
        shape.push_back((*from)[*at]);
    }
    return shape;
}

/// The axis is an input, before the others or behind them.
Found concat(const TfNodeView& node) {
    const bool isFirst = node.def.op() == "Concat";
    if (node.inputs() < 2)
        return std::nullopt;
    const auto axis = numberOf(node.value(isFirst ? 0 : node.inputs() - 1));
    const std::size_t begin = isFirst ? 1 : 0, end = isFirst ? node.inputs() : node.inputs() - 1;
    Found shape = copyOf(node.shape(begin));
    const auto at = shape && axis ? axisOf(*axis, shape->size()) : std::nullopt;
    if (!at)
        return std::nullopt;
    for (std::size_t i = begin + 1; i < end; ++i) {
        const Shape* more = node.shape(i);
        if (more == nullptr || more->size() != shape->size())
            return std::nullopt;
        for (std::size_t d = 0; d < shape->size(); ++d) {
            if (d == *at)
                (*shape)[d] = dimSum((*shape)[d], (*more)[d]);
            else if ((*shape)[d] < 0)
                (*shape)[d] = (*more)[d];
        }
    }
    return shape;
}

Found split(const TfNodeView& node) {
    const bool hasSizes = node.def.op() == "SplitV";
    const Shape* from = node.shape(hasSizes ? 0 : 1);
    const auto axis = numberOf(node.value(hasSizes ? 2 : 0));
    const std::int64_t parts = node.integer("num_split", 0);
    if (from == nullptr || !axis || parts <= 0 || !axisOf(*axis, from->size()))
        return std::nullopt;
    Shape shape = *from;
    std::int64_t& size = shape[axisOf(*axis, from->size()).value_or(0)];
    if (hasSizes)
        size =
            node.value(1) != nullptr && node.port < node.value(1)->size() ? (*node.value(1))[node.port] : kUnknownDim;
    else
        size = size < 0 ? kUnknownDim : size / parts;
    return shape;
}

Found pack(const TfNodeView& node) {
    Found shape = anyKnown(node); // all have the same
    const auto at = shape ? axisOf(node.integer("axis", 0), shape->size() + 1) : std::nullopt;
    if (!at)
        return std::nullopt;
    shape->insert(shape->begin() + static_cast<std::ptrdiff_t>(*at), static_cast<std::int64_t>(node.inputs()));
    return shape;
}

Found unpack(const TfNodeView& node) {
    Found shape = first(node);
    const auto at = shape ? axisOf(node.integer("axis", 0), shape->size()) : std::nullopt;
    if (!at)
        return std::nullopt;
    shape->erase(shape->begin() + static_cast<std::ptrdiff_t>(*at));
    return shape;
}

Found rankOf(const TfNodeView& node) {
    const Shape* of = node.shape(0);
    return of != nullptr ? Found(Shape{static_cast<std::int64_t>(of->size())}) : std::nullopt;
}

Found slice(const TfNodeView& node) {
    const Shape* from = node.shape(0);
    const Found sizes = shapeIn(node, 2);
    if (from == nullptr || !sizes || sizes->size() != from->size())
        return from != nullptr ? Found(Shape(from->size(), kUnknownDim)) : std::nullopt;
    Shape shape = *sizes;
    for (std::size_t d = 0; d < shape.size(); ++d) { // -1: all that is left
        if (shape[d] < 0 && (*from)[d] >= 0 && node.value(1) != nullptr && node.value(1)->size() == shape.size() &&
            (*node.value(1))[d] >= 0)
            shape[d] = std::max<std::int64_t>((*from)[d] - (*node.value(1))[d], 0);
    }
    return shape;
}

Found stridedSlice(const TfNodeView& node) {
    const Shape* from = node.shape(0);
    if (from == nullptr || !isPlainSlice(node) || node.value(1)->size() > from->size())
        return std::nullopt;
    Shape shape;
    for (std::size_t d = 0; d < from->size(); ++d) {
        if (d >= node.value(1)->size())
            shape.push_back((*from)[d]);
        else if ((node.integer("shrink_axis_mask", 0) >> d & 1) == 0)
            shape.push_back(strideOf(node, d, (*from)[d]).count);
    }
    return shape;
}

Found gather(const TfNodeView& node) {
    const Shape *from = node.shape(0), *at = node.shape(1);
    if (from == nullptr || at == nullptr || from->empty())
        return std::nullopt;
    const auto axis = axisOf(numberOf(node.value(2)).value_or(0), from->size());
    if (!axis)
        return std::nullopt;
    Shape shape(from->begin(), from->begin() + static_cast<std::ptrdiff_t>(*axis));
    shape.insert(shape.end(), at->begin(), at->end());
    shape.insert(shape.end(), from->begin() + static_cast<std::ptrdiff_t>(*axis) + 1, from->end());
    return shape;
}

Found pad(const TfNodeView& node) {
    Found shape = first(node);
    const TfNumbers* pads = node.value(1);
    for (std::size_t d = 0; shape && d < shape->size(); ++d)
        (*shape)[d] = pads != nullptr && pads->size() == 2 * shape->size()
                          ? dimSum((*shape)[d], dimSum((*pads)[2 * d], (*pads)[2 * d + 1]))
                          : kUnknownDim;
    return shape;
}

Found tile(const TfNodeView& node) {
    Found shape = first(node);
    const TfNumbers* times = node.value(1);
    for (std::size_t d = 0; shape && d < shape->size(); ++d)
        (*shape)[d] =
            times != nullptr && times->size() == shape->size() ? dimProduct((*shape)[d], (*times)[d]) : kUnknownDim;
    return shape;
}

Found reduction(const TfNodeView& node) {
    const Shape* from = node.shape(0);
    const TfNumbers* axes = node.value(1);
    if (from == nullptr || axes == nullptr)
        return std::nullopt;
    std::vector<bool> goes(from->size());
    for (const std::int64_t axis : *axes) {
        if (const auto at = axisOf(axis, from->size()))
            goes[*at] = true;
    }
    Shape shape;
    for (std::size_t d = 0; d < from->size(); ++d) {
        if (!goes[d])
            shape.push_back((*from)[d]);
        else if (node.flag("keep_dims"))
            shape.push_back(1);
    }
    return shape;
}

Found argument(const TfNodeView& node) { // ArgMax, ArgMin
    Found shape = first(node);
    const auto at = shape && node.inputs() > 1 && numberOf(node.value(1))
                        ? axisOf(*numberOf(node.value(1)), shape->size())
                        : std::nullopt;
    if (!at)
        return std::nullopt;
    shape->erase(shape->begin() + static_cast<std::ptrdiff_t>(*at));
    return shape;
}

Found oneHot(const TfNodeView& node) {
    Found shape = first(node);
    const std::int64_t axis = node.integer("axis", -1);
    const auto at = shape ? axisOf(axis, shape->size() + 1) : std::nullopt;
    if (!at)
        return std::nullopt;
    shape->insert(shape->begin() + static_cast<std::ptrdiff_t>(*at), numberOf(node.value(1)).value_or(kUnknownDim));
    return shape;
}

Found crossEntropy(const TfNodeView& node) {
    Found shape = first(node);
    if (shape && node.port == 0 && !shape->empty())
        shape->pop_back();
    return shape;
}

Found batchNormalization(const TfNodeView& node) { return node.port == 0 ? first(node) : second(node); }

Found biasGradient(const TfNodeView& node) {
    const Shape* from = node.shape(0);
    if (from == nullptr || from->size() < 2)
        return std::nullopt;
    return Shape{(*from)[ImageAxes(node).channels(from->size())]};
}

/// Of those that may arrive; the second output tells which it was.
Found merge(const TfNodeView& node) { return node.port == 1 ? Found(Shape()) : anyKnown(node); }

Found each(const TfNodeView& node) { return copyOf(node.shape(node.port)); }

using Rule = Found (*)(const TfNodeView&);

const std::unordered_map<std::string_view, Rule>& rules() {
    static const std::unordered_map<std::string_view, Rule> kRules{
        {"All", reduction},
        {"Any", reduction},
        {"ArgMax", argument},
        {"ArgMin", argument},
        {"Assign", second},
        {"AvgPool", pool},
        {"AvgPool3D", pool},
        {"BatchMatMul", matMul},
        {"BatchMatMulV2", matMul},
        {"BatchMatMulV3", matMul},
        {"BiasAdd", first},
        {"BiasAddGrad", biasGradient},
        {"BiasAddV1", first},
        {"BroadcastTo", shapeInSecond},
        {"Concat", concat},
        {"ConcatV2", concat},
        {"Conv2D", convolution},
        {"Conv2DBackpropFilter", shapeInSecond},
        {"Conv2DBackpropInput", shapeInFirst},
        {"Conv3D", convolution},
        {"Cumprod", first},
        {"Cumsum", first},
        {"DepthwiseConv2dNative", convolution},
        {"ExpandDims", expandDims},
        {"Fill", shapeInFirst},
        {"FusedBatchNorm", batchNormalization},
        {"FusedBatchNormV2", batchNormalization},
        {"FusedBatchNormV3", batchNormalization},
        {"Gather", gather},
        {"GatherV2", gather},
        {"IdentityN", each},
        {"L2Loss", scalar},
        {"LRN", first},
        {"LogSoftmax", first},
        {"MatMul", matMul},
        {"Max", reduction},
        {"MaxPool", pool},
        {"MaxPool3D", pool},
        {"Mean", reduction},
        {"Merge", merge},
        {"Min", reduction},
        {"MirrorPad", pad},
        {"OneHot", oneHot},
        {"OnesLike", first},
        {"Pack", pack},
        {"Pad", pad},
        {"PadV2", pad},
        {"Prod", reduction},
        {"RandomStandardNormal", shapeInFirst},
        {"RandomUniform", shapeInFirst},
        {"RandomUniformInt", shapeInFirst},
        {"Rank", scalar},
        {"ReadVariableOp", first},
        {"RefMerge", merge},
        {"Relu6", elementwise},
        {"Reshape", reshape},
        {"ResourceGather", gather},
        {"Reverse", first},
        {"ReverseV2", first},
        {"Shape", rankOf},
        {"Size", scalar},
        {"Slice", slice},
        {"Softmax", first},
        {"SoftmaxCrossEntropyWithLogits", crossEntropy},
        {"SparseSoftmaxCrossEntropyWithLogits", crossEntropy},
        {"Split", split},
        {"SplitV", split},
        {"Squeeze", squeeze},
        {"StridedSlice", stridedSlice},
        {"Sum", reduction},
        {"Tile", tile},
        {"Transpose", transpose},
        {"TruncatedNormal", shapeInFirst},
        {"Unpack", unpack},
        {"ZerosLike", first}};
    return kRules;
}

/// What core/cost counts per output element, with broadcasting.
bool isElementwise(std::string_view type) {
    static const std::unordered_set<std::string_view> kTypes = [] {
        std::unordered_set<std::string_view> types;
        for (const OpRule& rule : opRules()) {
            if (rule.opClass == OpClass::Elementwise)
                types.insert(rule.type);
        }
        return types;
    }();
    constexpr std::array<std::string_view, 4> kGradients{"ReluGrad", "SigmoidGrad", "TanhGrad", "SoftplusGrad"};
    const std::string_view rule = ruleTypeOf(type);
    return std::ranges::find(kGradients, rule) != kGradients.end() ||
           (kTypes.contains(rule) && !rule.ends_with("Grad") && !type.starts_with("Apply") &&
            !type.starts_with("Resource"));
}

} // namespace

std::optional<Shape> inferredShape(const TfNodeView& node) {
    const std::string& type = node.def.op();
    if (type.starts_with("Assign") && type.ends_with("VariableOp"))
        return std::nullopt; // it has no output
    const auto rule = rules().find(type);
    Found shape = rule != rules().end() ? rule->second(node)
                  : handsOn(type)       ? first(node)
                  : isElementwise(type) ? elementwise(node)
                                        : std::nullopt;
    for (std::size_t d = 0; shape && d < shape->size(); ++d)
        (*shape)[d] = std::max((*shape)[d], kUnknownDim);
    return shape;
}

} // namespace opscape
