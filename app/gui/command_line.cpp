// SPDX-License-Identifier: MIT
#include "gui/command_line.h"

#include "service/workbench.h"

#include <CLI/CLI.hpp>

#include <charconv>

namespace opscape {
namespace {

constexpr int kLeastSide = 320, kMostSide = 8192;

/// "1280x800"; false when it is not of that form or out of bounds.
bool parseSize(const std::string& text, int& width, int& height) {
    const char* end = text.data() + text.size();
    const auto w = std::from_chars(text.data(), end, width);
    if (w.ec != std::errc() || w.ptr == end || *w.ptr != 'x')
        return false;
    const auto h = std::from_chars(w.ptr + 1, end, height);
    const auto sound = [](int side) { return side >= kLeastSide && side <= kMostSide; };
    return h.ec == std::errc() && h.ptr == end && sound(width) && sound(height);
}

} // namespace

std::variant<GuiOptions, int> parseCommandLine(int argc, char** argv) {
    GuiOptions options;
    std::string size;
    CLI::App app("Opscape: explore a computation graph, its placement and its schedule.", "opscape");
    app.set_version_flag("--version", "opscape " OPSCAPE_VERSION);
    app.add_option("file", options.file, "Graph to open");
    app.add_option("--db", options.database, "File the runs are kept in")->type_name("FILE");
    app.add_option("--cluster", options.cluster,
                   fmt::format("Bundled cluster or cluster file to place the graph on; else the graph's own or {}",
                               kDefaultCluster))
        ->type_name("NAME");
    app.add_option("--optimizer", options.optimizer, "Optimizer to place the graph with; its plan is kept as a run")
        ->type_name("NAME");
    app.add_option("--run", options.run, "Kept run to show")->type_name("N")->check([](const std::string& text) {
        std::int64_t number = 0;
        const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
        const bool sound = read.ec == std::errc() && read.ptr == text.data() + text.size() && number > 0;
        return sound ? std::string() : "\"" + text + "\" is not the number of a run; they count from 1";
    });
    CLI::Option* compare =
        app.add_option("--compare", options.compare, "Kept runs of one graph to compare: two to four")
            ->type_name("N,N,..")
            ->delimiter(',')
            ->check(CLI::PositiveNumber);
    app.add_option("--compare-view", options.compareView, "What of the compared plans to show")
        ->check(CLI::IsMember({"graphs", "schedules", "delta", "memory", "ops"}))
        ->needs(compare);
    app.add_option("--screenshot", options.screenshot,
                   "Write the window to this PNG, and what it says to a text file beside it, then quit")
        ->type_name("PNG");
    app.add_option("--size", size, "Size of the window in pixels")->type_name("WxH");
    app.add_option("--pane", options.pane, "Pane to bring to the front")
        ->check(CLI::IsMember({"schedule", "runs", "compare", "training", "problems", "models"}));
    app.add_option("--theme", options.theme, "light or dark; the system's when not given")
        ->check(CLI::IsMember({"light", "dark"}));
    try {
        app.parse(argc, argv);
        if (!size.empty() && !parseSize(size, options.width, options.height))
            throw CLI::ValidationError("--size", "\"" + size + "\" is not a size such as 1280x800");
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : 2;
    }
    return options;
}

} // namespace opscape
