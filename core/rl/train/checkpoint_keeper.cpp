// SPDX-License-Identifier: MIT
#include <opscape/rl/train/checkpoint_keeper.h>

namespace opscape::rl {
namespace {

constexpr auto kWriteEvery = std::chrono::seconds(10); ///< where updates take long

} // namespace

Result<> CheckpointKeeper::begin(Checkpoint checkpoint) {
    m_unwritten = std::move(checkpoint);
    write();
    return m_failure.empty() ? Result<>() : fail("{}", m_failure);
}

void CheckpointKeeper::add(Checkpoint checkpoint) {
    m_unwritten = std::move(checkpoint);
    if (m_unwritten->update % m_everyUpdates == 0 || std::chrono::steady_clock::now() - m_written >= kWriteEvery)
        write();
}

void CheckpointKeeper::end() { write(); }

void CheckpointKeeper::write() {
    if (!m_unwritten)
        return;
    m_written = std::chrono::steady_clock::now();
    const auto written = writeCheckpoint(*m_unwritten, m_file);
    m_failure = written ? "" : written.error().message;
    if (written)
        m_unwritten.reset();
}

} // namespace opscape::rl
