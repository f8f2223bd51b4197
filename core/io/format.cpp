// SPDX-License-Identifier: MIT
#include <opscape/io/format.h>
