// SPDX-License-Identifier: MIT
#include <opscape/base/hash.h>

#include <fmt/format.h>
#include <xxhash.h>

#include <new>

namespace opscape {

struct Hasher::State {
    XXH3_state_t* xxh = XXH3_createState();
    ~State() { XXH3_freeState(xxh); }
};

Hasher::Hasher() : m_state(std::make_unique<State>()) {
    if (m_state->xxh == nullptr)
        throw std::bad_alloc();
    XXH3_128bits_reset(m_state->xxh);
}

Hasher::~Hasher() = default;

void Hasher::bytes(const void* data, std::size_t size) { XXH3_128bits_update(m_state->xxh, data, size); }

void Hasher::text(std::string_view s) {
    value(static_cast<std::uint64_t>(s.size()));
    bytes(s.data(), s.size());
}

std::string Hasher::hex() const {
    const XXH128_hash_t h = XXH3_128bits_digest(m_state->xxh);
    return fmt::format("{:016x}{:016x}", h.high64, h.low64);
}

std::string contentHash(std::string_view data) {
    Hasher hasher;
    hasher.bytes(data.data(), data.size());
    return hasher.hex();
}

} // namespace opscape
