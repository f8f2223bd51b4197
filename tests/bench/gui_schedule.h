// SPDX-License-Identifier: MIT
// The schedule pane at the size of a screen: how long from a finished schedule to its first picture, and for a frame,
// fitted, at five zooms and along a pan at each.
#pragma once

#include <string>

namespace opscape::bench {

/// A simulated schedule of some 200,000 bars: an unrolled network scattered over eight devices. Prints one "key value"
/// a line. `pictures`: folder for what was drawn, or empty.
int measureSchedule(int argc, char** argv, const std::string& pictures);

} // namespace opscape::bench
