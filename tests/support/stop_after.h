// SPDX-License-Identifier: MIT
// A run that is stopped after so many points of its curve.
#pragma once

#include <opscape/base/run_context.h>

namespace opscape::test {

struct StopAfter {
    explicit StopAfter(int after) {
        context.stop = source.get_token();
        context.curve = [this, after](const CurvePoint&) {
            if (++updates == after)
                source.request_stop();
        };
        if (after == 0)
            source.request_stop();
    }
    StopAfter(const StopAfter&) = delete;
    StopAfter& operator=(const StopAfter&) = delete;

    std::stop_source source;
    RunContext context;
    int updates = 0;
};

} // namespace opscape::test
