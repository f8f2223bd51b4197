// SPDX-License-Identifier: MIT
#include "commands.h"
#include "report.h"

namespace opscape {
namespace {

/// "Run 3 is", "Runs 3 and 5 are"
std::string theRuns(const std::vector<std::int64_t>& runs) {
    std::string text = runs.size() == 1 ? "Run " : "Runs ";
    for (std::size_t i = 0; i < runs.size(); ++i)
        text += (i == 0 ? "" : i + 1 == runs.size() ? " and " : ", ") + std::to_string(runs[i]);
    return text + (runs.size() == 1 ? " is" : " are");
}

/// Changes the runs that were named, and says so.
Result<int> changed(const GlobalArgs& global, const RunsArgs& args, const char* key, const std::string& what,
                    const auto& change) {
    auto store = openStore(global);
    if (!store)
        return fail(store.error());
    if (const Result<> done = change(*store); !done)
        return fail(done.error());
    if (global.json)
        printJson({{"runs", args.runs}, {key, true}});
    else
        fmt::print("{} {}.\n", theRuns(args.runs), what);
    return kFine;
}

std::vector<std::string> tagsOf(const RunsArgs& args) {
    return parseTags(fmt::format("{}", fmt::join(args.tags, ",")));
}

Result<int> noTag() {
    printError("a tag is a word; there is none in what was given.");
    return kWrongUsage;
}

} // namespace

Result<int> tagCommand(const GlobalArgs& global, const RunsArgs& args) {
    const auto tags = tagsOf(args);
    if (tags.empty())
        return noTag();
    return changed(global, args, "tagged", fmt::format("tagged {}", fmt::join(tags, ", ")),
                   [&](RunStore& store) { return store.changeTags(args.runs, tags, {}); });
}

Result<int> untagCommand(const GlobalArgs& global, const RunsArgs& args) {
    const auto tags = tagsOf(args);
    if (tags.empty())
        return noTag();
    return changed(global, args, "untagged", fmt::format("no longer tagged {}", fmt::join(tags, ", ")),
                   [&](RunStore& store) { return store.changeTags(args.runs, {}, tags); });
}

Result<int> noteCommand(const GlobalArgs& global, const RunsArgs& args) {
    return changed(global, args, "noted", args.note.empty() ? "without notes now" : "noted",
                   [&](RunStore& store) { return store.setNotes(args.run(), args.note); });
}

Result<int> pinCommand(const GlobalArgs& global, const RunsArgs& args) {
    return changed(global, args, "pinned", "pinned", [&](RunStore& store) { return store.setPinned(args.runs, true); });
}

Result<int> unpinCommand(const GlobalArgs& global, const RunsArgs& args) {
    return changed(global, args, "unpinned", "no longer pinned",
                   [&](RunStore& store) { return store.setPinned(args.runs, false); });
}

Result<int> deleteRunsCommand(const GlobalArgs& global, const RunsArgs& args) {
    return changed(global, args, "deleted", "deleted; runs bring-back undoes it for a week, runs purge ends that",
                   [&](RunStore& store) { return store.discard(args.runs); });
}

Result<int> bringBackCommand(const GlobalArgs& global, const RunsArgs& args) {
    return changed(global, args, "brought_back", "back", [&](RunStore& store) { return store.bringBack(args.runs); });
}

Result<int> purgeCommand(const GlobalArgs& global, const RunsArgs&) {
    auto store = openStore(global);
    if (!store)
        return fail(store.error());
    const auto bin = store->bin();
    if (!bin)
        return fail(bin.error());
    const auto gone = store->purge(*bin);
    if (!gone)
        return fail(gone.error());
    if (global.json)
        printJson({{"purged", *gone}});
    else
        fmt::print("{} {} for good.\n", *gone, *gone == 1 ? "run is gone" : "runs are gone");
    return kFine;
}

} // namespace opscape
