// SPDX-License-Identifier: MIT
#include "sim/test_problem.h"

#include <opscape/search/memory_estimate.h>

namespace opscape::test {
namespace {

/// A weight of 1000 bytes is handed out, and used by an op that writes 10 bytes.
Problem handedOut(const char* type, std::int64_t memoryBytes) {
    TinyGraph g;
    const OpId read = g.op("read", 5, {}, 1000);
    g.op("use", 100, {read}, 10);
    g.edit(read).type = type;
    g.weight("w", 1000, {read});
    return makeTestProblem(g.build(), {.devices = 2, .memoryBytes = memoryBytes});
}

TEST(MemoryEstimate, AWeightThatIsHandedOutCountsOnce) {
    EXPECT_FALSE(MemoryEstimate(handedOut("ReadVariable", 1010)).matters());
    EXPECT_TRUE(MemoryEstimate(handedOut("ReadVariable", 1009)).matters());
    EXPECT_TRUE(MemoryEstimate(handedOut("Test", 1010)).matters());

    const std::vector<OpId> all{OpId(0), OpId(1)};
    EXPECT_EQ(MemoryEstimate(handedOut("ReadVariable", 1009)).roomAfter(all, DeviceId(0)), -1);
    EXPECT_EQ(MemoryEstimate(handedOut("Test", 1009)).roomAfter(all, DeviceId(0)), -1001);
}

} // namespace
} // namespace opscape::test
