// SPDX-License-Identifier: MIT
// From a graph in memory to where its boxes lie: the first picture, opening and closing one group, everything open.
// Prints a table, or JSON with --json.
#include "bench/bench_case.h"
#include "bench/bench_table.h"

#include <opscape/layout/graph_layout.h>
#include <opscape/zoo/zoo.h>
