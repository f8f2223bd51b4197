// SPDX-License-Identifier: MIT
#include <opscape/rl/train/checkpoint.h>
#include <opscape/rl/train/checkpoint_state.h>

namespace opscape::rl {

Result<> writeCheckpoint(const Checkpoint& checkpoint, const std::filesystem::path& file) {
    return writeState(kCheckpointFile, checkpoint, file);
}

Result<Checkpoint> readCheckpoint(const std::filesystem::path& file) {
    return readState<Checkpoint>(kCheckpointFile, file);
}

} // namespace opscape::rl
