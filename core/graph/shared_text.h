// SPDX-License-Identifier: MIT
// A text that many ops have in common, such as a type or a device: copies share it, and none where it is empty, so that
// a million ops of one type cost a million pointers. It reads like the std::string that it holds, and is never changed,
// only replaced.
#pragma once

#include <fmt/format.h>

#include <atomic>
#include <cstdint>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>

namespace opscape {

class SharedText {
public:
    SharedText() = default;
    SharedText(std::string text) // NOLINT(google-explicit-constructor): a text is one
        : m_held(text.empty() ? nullptr : new Held{std::move(text)}) {}
    SharedText(std::string_view text) : SharedText(std::string(text)) {} // NOLINT(google-explicit-constructor)
    SharedText(const char* text) : SharedText(std::string(text)) {}      // NOLINT(google-explicit-constructor)
    SharedText(const SharedText& other) noexcept : m_held(other.m_held) {
        if (m_held != nullptr)
            m_held->owners.fetch_add(1, std::memory_order_relaxed);
    }
    SharedText(SharedText&& other) noexcept : m_held(std::exchange(other.m_held, nullptr)) {}
    SharedText& operator=(SharedText other) noexcept {
        std::swap(m_held, other.m_held);
        return *this;
    }
    ~SharedText() {
        if (m_held != nullptr && m_held->owners.fetch_sub(1, std::memory_order_acq_rel) == 1)
            delete m_held;
    }

    [[nodiscard]] const std::string& str() const { return m_held != nullptr ? m_held->text : kEmpty; }
    operator const std::string&() const { return str(); } // NOLINT(google-explicit-constructor)
    operator std::string_view() const { return str(); }   // NOLINT(google-explicit-constructor)
    [[nodiscard]] bool empty() const { return m_held == nullptr; }

    friend bool operator==(const SharedText& a, const SharedText& b) {
        return a.m_held == b.m_held || a.str() == b.str();
    }
    friend bool operator==(const SharedText& a, std::string_view b) { return a.str() == b; }
    friend bool operator==(const SharedText& a, const std::string& b) { return a.str() == b; }
    friend bool operator==(const SharedText& a, const char* b) { return a.str() == b; }
    friend std::ostream& operator<<(std::ostream& out, const SharedText& text) { return out << text.str(); }

private:
    struct Held {
        std::string text;
        std::atomic<std::uint32_t> owners = 1;
    };

    static inline const std::string kEmpty;
    Held* m_held = nullptr; ///< null where it is empty; half of what a std::shared_ptr is, of which an op has three
};

} // namespace opscape

template <>
struct fmt::formatter<opscape::SharedText> : fmt::formatter<std::string_view> {
    auto format(const opscape::SharedText& text, fmt::format_context& context) const {
        return fmt::formatter<std::string_view>::format(text.str(), context);
    }
};
