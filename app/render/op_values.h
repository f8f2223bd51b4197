// SPDX-License-Identifier: MIT
// A number for each op that the product does not work out itself: an attribute of the ops, or a CSV file of a person's
// own, one "name,value" a line.
#pragma once

#include <opscape/base/result.h>
#include <opscape/graph/graph.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace opscape {

struct OpValues {
    std::string title;
    std::vector<double> value; ///< per op; not a number where there is none
    std::size_t known = 0;     ///< ops that have one
    std::size_t strangers = 0; ///< lines that name no op of the graph
    std::string firstStranger;
};

/// Attributes that some op has as a number, by name.
[[nodiscard]] std::vector<std::string> numberAttributes(const Graph& graph);
[[nodiscard]] OpValues attributeValues(const Graph& graph, std::string_view attribute);

/// A first line without a number is taken for headings. Of several values of an op the last one counts.
[[nodiscard]] Result<OpValues> parseValues(std::string_view text, const std::string& origin, const Graph& graph);
[[nodiscard]] Result<OpValues> readValues(const std::filesystem::path& file, const Graph& graph);

} // namespace opscape
