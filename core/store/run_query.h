// SPDX-License-Identifier: MIT
// Which runs are asked for and in what order, as a value: what the store turns into SQL. Texts are compared without
// regard to case (of ASCII letters).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace opscape {

enum class RunField : std::uint8_t {
    Id,
    Graph,
    Cluster,
    Links,
    Optimizer,
    Objective,
    StepTime, ///< ns
    Bound,    ///< ns
    Gap,      ///< a part of the bound: 0.25 is 25 % above it
    Peak,     ///< bytes
    Moved,    ///< bytes
    Status,
    Took,    ///< ms
    Started, ///< Unix time, ms
    Tags,
    Notes,
    Version,
    Revision,
    Seed,
    Ops,
    Edges,
    Option, ///< "name=value" of any option
    Pinned, ///< 1 or 0
    Learns, ///< 1 or 0
    Fits,   ///< 1 or 0
    Any     ///< any of the texts, or the number of the run
};

struct RunCondition {
    enum class Kind : std::uint8_t { All, Any, Not, Text, Number };
    enum class Compare : std::uint8_t { Has, Equal, Less, LessEqual, Greater, GreaterEqual };
    Kind kind = Kind::All;
    std::vector<RunCondition> parts{}; ///< of All (none: every run), Any and Not (one)
    RunField field = RunField::Any;    ///< of Text and Number
    Compare compare = Compare::Has;    ///< Has and Equal of a text, all but Has of a number
    std::string text{};
    double number = 0;
    std::int64_t whole = 0; ///< taken in place of the number where isWhole
    bool isWhole = false;
};

struct RunQuery {
    std::string graphHash{};  ///< empty: of all graphs
    RunCondition condition{}; ///< as it is: every run
    RunField sort = RunField::Id;
    bool ascending = false;
    bool pinnedFirst = true;
};

} // namespace opscape
