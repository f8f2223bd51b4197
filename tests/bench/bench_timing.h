// SPDX-License-Identifier: MIT
// How benchmarks take time, and what they do when something that must succeed does not.
#pragma once

#include <opscape/base/result.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <vector>

namespace opscape::bench {

/// Of this process, all threads together: other programs that take the core meanwhile do not count.
inline double processorSeconds(const std::function<void()>& work) {
    const std::clock_t begin = std::clock();
    work();
    return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

inline double median(std::vector<double> values) {
    std::ranges::sort(values);
    return values[values.size() / 2];
}

/// Of processor time.
inline double medianMs(int repeats, const std::function<void()>& work) {
    std::vector<double> times;
    for (int i = 0; i < repeats; ++i)
        times.push_back(1e3 * processorSeconds(work));
    return median(std::move(times));
}

template <class T>
T orExit(Result<T> result) {
    if (!result) {
        std::fprintf(stderr, "bench: %s\n", result.error().message.c_str());
        std::exit(1);
    }
    return std::move(*result);
}

} // namespace opscape::bench
