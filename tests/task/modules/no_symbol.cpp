// SPDX-License-Identifier: MIT
// A library that has nothing to do with Opscape.
extern "C" int answer() { return 42; }
