// SPDX-License-Identifier: MIT
#include <opscape/layout/graph_layout.h>
