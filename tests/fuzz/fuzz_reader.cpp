// SPDX-License-Identifier: MIT
// Fuzzes one reader, by libFuzzer: --reader=ID chooses it, --list names them all: the formats of graphs, and "times"
// for those of measured times. A reader ends with one sentence or with what it reads; what is a graph can be written as
// Opscape JSON and read back equal.
#include <opscape/base/text.h>
#include <opscape/io/format.h>
#include <opscape/io/opscape_json.h>
#include <opscape/io/times/measured_times.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace {

using namespace opscape;

constexpr std::string_view kTimes = "times";
const GraphFormat* g_reader = nullptr; ///< null: of times

[[noreturn]] void wrong(const std::string& what) {
    std::fprintf(stderr, "wrong: %s\n", what.c_str());
    std::abort();
}

void checkSentence(const std::string& message) {
    if (!message.starts_with("file: ") || !message.ends_with(".") || message.find('\n') != std::string::npos ||
        !isUtf8(message))
        wrong("this is not one sentence that names the file: " + message);
}

void checkGraph(const Graph& graph) {
    constexpr std::size_t kMostOps = 5000; // that are written again each time
    if (graph.opCount() > kMostOps)
        return;
    const auto again = readOpscapeJson(writeOpscapeJson(graph), "again");
    if (!again)
        wrong("what was read cannot be read again: " + again.error().message);
    if (!(again->graph == graph))
        wrong("what was read is another graph when it is written and read again");
}

} // namespace

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
    constexpr std::string_view kReader = "--reader=";
    std::string_view wanted;
    for (int i = 1; i < *argc; ++i) {
        const std::string_view word = (*argv)[i];
        if (word == "--list") {
            for (const GraphFormat& format : graphFormats()) {
                if (format.read != nullptr)
                    std::printf("%.*s\n", static_cast<int>(format.id.size()), format.id.data());
            }
            std::printf("%.*s\n", static_cast<int>(kTimes.size()), kTimes.data());
            std::exit(0);
        }
        if (word.starts_with(kReader))
            wanted = word.substr(kReader.size());
    }
    for (const GraphFormat& format : graphFormats()) {
        if (format.read != nullptr && format.id == wanted)
            g_reader = &format;
    }
    if (g_reader == nullptr && wanted != kTimes) {
        std::fprintf(stderr, "fuzz_reader: --reader=ID names the format that is read; --list names them.\n");
        std::exit(2);
    }
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    if (g_reader == nullptr) {
        if (const auto times = readMeasuredTimes(bytes, "file"); !times)
            checkSentence(times.error().message);
        return 0;
    }
    for (const GraphFormat& format : graphFormats()) {
        if (format.sniff != nullptr)
            static_cast<void>(format.sniff(bytes));
    }
    const auto file = g_reader->read(std::string(bytes), "file"); // its own, which is gone once it lets go of it
    if (file)
        checkGraph(file->graph);
    else
        checkSentence(file.error().message);
    return 0;
}
