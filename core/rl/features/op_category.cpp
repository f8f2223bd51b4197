// SPDX-License-Identifier: MIT
#include <opscape/base/text.h>
#include <opscape/rl/features/op_category.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace opscape::rl {
namespace {

using enum OpCategory;

/// The first part that the lower-case name contains decides.
constexpr std::array<std::pair<std::string_view, OpCategory>, 61> kParts{{
    {"conv", Convolution},      {"lstm", Recurrent},      {"gru", Recurrent},        {"rnn", Recurrent},
    {"adam", Update},           {"sgd", Update},          {"momentum", Update},      {"adagrad", Update},
    {"apply", Update},          {"assign", Update},       {"norm", Normalization},   {"softmax", Normalization},
    {"entropy", Normalization}, {"loss", Normalization},  {"lrn", Normalization},    {"matmul", MatrixProduct},
    {"gemm", MatrixProduct},    {"dense", MatrixProduct}, {"einsum", MatrixProduct}, {"attention", MatrixProduct},
    {"dot", MatrixProduct},     {"pool", Reduction},      {"reduce", Reduction},     {"argm", Reduction},
    {"topk", Reduction},        {"cumsum", Reduction},    {"gather", Lookup},        {"embed", Lookup},
    {"lookup", Lookup},         {"scatter", Lookup},      {"onehot", Lookup},        {"concat", Movement},
    {"slice", Movement},        {"split", Movement},      {"reshape", Movement},     {"transpose", Movement},
    {"squeeze", Movement},      {"flatten", Movement},    {"pad", Movement},         {"expand", Movement},
    {"tile", Movement},         {"stack", Movement},      {"cast", Movement},        {"identity", Movement},
    {"copy", Movement},         {"shape", Movement},      {"add", Elementwise},      {"mul", Elementwise},
    {"sub", Elementwise},       {"div", Elementwise},     {"relu", Elementwise},     {"sigmoid", Elementwise},
    {"tanh", Elementwise},      {"elu", Elementwise},     {"exp", Elementwise},      {"sqrt", Elementwise},
    {"pow", Elementwise},       {"clip", Elementwise},    {"dropout", Elementwise},  {"sum", Elementwise},
    {"bias", Elementwise},
}};

} // namespace

OpCategory categoryOf(std::string_view opType) {
    const std::string name = lowerCase(opType);
    const auto found =
        std::ranges::find_if(kParts, [&name](const auto& part) { return name.find(part.first) != std::string::npos; });
    return found != kParts.end() ? found->second : Other;
}

} // namespace opscape::rl
