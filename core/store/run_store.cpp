// SPDX-License-Identifier: MIT
#include <opscape/store/run_store.h>
