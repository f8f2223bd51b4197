// SPDX-License-Identifier: MIT
// What the benchmark of the window measures in one process: a graph from its file to the last frame, or the start of
// the empty window.
#pragma once

#include "bench/bench_case.h"

#include <QString>

namespace opscape::bench {

struct GuiSubject {
    QString name;
    QString file; ///< empty: it is made by us and written to a file first
    [[nodiscard]] bool there() const;
};

[[nodiscard]] std::vector<GuiSubject> guiSubjects();

/// Opens the window and ends with its first picture.
int showEmptyWindow(int argc, char** argv);
/// Prints one "key value" a line. `pictures`: folder for what was drawn, or empty.
int measureGraph(int argc, char** argv, const char* name, const char* pictures);

} // namespace opscape::bench
