// SPDX-License-Identifier: MIT
// Content hash, 128 bits (XXH3), written as 32 hex digits: names a graph or a cluster by what it holds. Not for
// secrets.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

namespace opscape {

class Hasher {
public:
    Hasher();
    ~Hasher();
    Hasher(const Hasher&) = delete;
    Hasher& operator=(const Hasher&) = delete;

    void bytes(const void* data, std::size_t size);
    /// Length first, so that ("ab", "c") and ("a", "bc") differ.
    void text(std::string_view s);
    template <class T>
    requires std::is_arithmetic_v<T> || std::is_enum_v<T>
    void value(T v) { bytes(&v, sizeof v); }

    [[nodiscard]] std::string hex() const;

private:
    struct State;
    std::unique_ptr<State> m_state;
};

[[nodiscard]] std::string contentHash(std::string_view bytes);

} // namespace opscape
