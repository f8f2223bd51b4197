// SPDX-License-Identifier: MIT
// 10,000 kept runs: what the database needs to list, sort and filter them and to load a page, all of which the window
// leaves to a thread of its own; and what is left for the window's own thread: taking a listing, and drawing a page
// of a table of 1200x400 pixels while it scrolls. Offscreen. Prints a table, or JSON with --json.
#include "bench/bench_table.h"
#include "bench/bench_timing.h"
#include "gui/models/runs_model.h"
#include "service/run_filter.h"
#include "support/temporary_folder.h"

#include <QApplication>
#include <QHeaderView>
#include <QScrollBar>
#include <QTableView>

#include <algorithm>
#include <cstring>
#include <ctime>
#include <functional>

namespace opscape::bench {
namespace {

constexpr std::int64_t kRuns = 10'000;
constexpr int kRepeats = 11, kWidth = 1200, kHeight = 400;

RunBundle manyRuns() {
    RunBundle bundle;
    for (std::int64_t i = 0; i < kRuns; ++i) {
        RunRecord run;
        run.uid = std::to_string(i);
        run.status = RunStatus::Finished;
        run.graphName = "network " + std::to_string(i % 97);
        run.graphHash = std::to_string(i % 97);
        run.clusterId = run.clusterHash = i % 3 == 0 ? "p100x4" : "v100x8";
        run.linkModel = "fifo";
        run.optimizer = i % 5 == 0 ? "go" : i % 2 == 0 ? "heft" : "metis";
        run.options = {{"budget", "10"}, {"seconds", "30"}, {"updates", std::to_string(i)}};
        run.startedMs = 1'700'000'000'000 + i * 60'000;
        run.version = "0.1.0";
        run.notes = i % 7 == 0 ? "to be looked at" : "";
        run.tags = i % 11 == 0 ? std::vector<std::string>{"best", "paper"} : std::vector<std::string>{};
        run.result = RunResult{1'000'000 + i * 7919 % 9'999'991, 900'000, 1 << 30, 1 << 20, true};
        bundle.graphs[run.graphHash] = "{}";
        bundle.clusters[run.clusterHash] = "{}";
        bundle.runs.push_back({std::move(run), {}, {}});
    }
    return bundle;
}

int run(bool json) {
    const test::TemporaryFolder folder;
    auto store = orExit(RunStore::open(folder / "runs.sqlite"));
    orExit(store.keep(manyRuns()));
    std::vector<BenchRow> rows;
    const auto listing = [&store](RunField sort, const char* filter) {
        return medianMs(kRepeats, [&] {
            RunQuery query;
            query.sort = sort;
            query.condition = orExit(parseRunFilter(filter));
            orExit(store.find(query));
        });
    };
    rows.push_back({"open_ms", "database: list 10,000 runs, ms", listing(RunField::Id, ""), 2});
    rows.push_back({"sort_step_ms", "database: sorted by step time, ms", listing(RunField::StepTime, ""), 2});
    rows.push_back({"sort_graph_ms", "database: sorted by graph, ms", listing(RunField::Graph, ""), 2});
    rows.push_back({"sort_tags_ms", "database: sorted by tags, ms", listing(RunField::Tags, ""), 2});
    rows.push_back({"filter_word_ms", "database: filtered by a word, ms", listing(RunField::Id, "looked"), 2});
    rows.push_back({"filter_fields_ms", "database: filtered by three fields, ms",
                    listing(RunField::Id, "tag:best step<4ms optimizer:heft"), 2});

    RunListing all;
    all.ids = orExit(store.find({}));
    all.total = kRuns;
    const auto page = [&all, &store](std::size_t first) {
        return orExit(store.get(std::span(all.ids).subspan(first, RunsModel::kPage)));
    };
    std::size_t at = 0;
    rows.push_back({"page_ms", "database: load a page of 64, ms",
                    medianMs(kRepeats, [&] { page(at = (at + 640) % (kRuns - RunsModel::kPage)); }), 2});

    RunsModel model;
    QTableView table;
    table.setModel(&model);
    table.verticalHeader()->hide();
    table.resize(kWidth, kHeight);
    table.show();
    QObject::connect(&model, &RunsModel::needed, &model, [&](const std::vector<qint64>& runs) {
        model.addRecords(orExit(store.get(std::vector<std::int64_t>(runs.begin(), runs.end()))));
    });
    all.inView = page(0);
    const RunListing turned = [&] {
        RunListing other = all;
        std::ranges::reverse(other.ids);
        return other;
    }();
    bool forth = false;
    rows.push_back({"listing_ms", "window: take a listing in another order, ms",
                    medianMs(kRepeats,
                             [&] {
                                 model.setListing((forth = !forth) ? all : turned);
                                 QCoreApplication::processEvents();
                             }),
                    2});
    QImage picture(kWidth, kHeight, QImage::Format_RGB32);
    int row = 0;
    rows.push_back({"scroll_ms", "window: scroll by a page, load it and draw it, ms",
                    medianMs(kRepeats,
                             [&] {
                                 row = (row + 1'000) % static_cast<int>(kRuns - 100);
                                 table.verticalScrollBar()->setValue(row);
                                 table.render(&picture);
                                 QCoreApplication::processEvents();
                                 table.render(&picture);
                             }),
                    2});
    printRows(rows, json);
    return 0;
}

} // namespace
} // namespace opscape::bench

int main(int argc, char** argv) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication app(argc, argv);
    return opscape::bench::run(argc > 1 && std::strcmp(argv[1], "--json") == 0);
}
