// SPDX-License-Identifier: MIT
// Files of numbers that this folder writes: eight bytes that say what a file is, the version of its format, the hash of
// the rest, and the rest, number by number, little-endian as the machines we run on. One function visit() per type both
// writes and reads, so the two cannot disagree. Written beside the file, flushed and renamed, so that a file is whole
// or not there.
#pragma once

#include <opscape/base/ids.h>
#include <opscape/base/result.h>

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace opscape::rl {

class Writer {
public:
    static constexpr bool kReads = false;
    [[nodiscard]] static constexpr bool has(std::uint32_t) { return true; }
    std::string bytes;

    void raw(const void* data, std::size_t size) { bytes.append(static_cast<const char*>(data), size); }
    [[nodiscard]] bool size(std::size_t& count, std::size_t) {
        const std::uint64_t value = count;
        raw(&value, sizeof value);
        return true;
    }
};

class Reader {
public:
    static constexpr bool kReads = true;
    Reader(std::string_view bytes, std::uint32_t format) : m_left(bytes), m_format(format) {}
    /// Whether the file is of that format or a newer one.
    [[nodiscard]] bool has(std::uint32_t format) const { return m_format >= format; }

    void raw(void* data, std::size_t size) {
        if (m_left.size() < size) {
            m_isShort = true;
            return;
        }
        std::memcpy(data, m_left.data(), size);
        m_left.remove_prefix(size);
    }
    /// False when there cannot be as many.
    [[nodiscard]] bool size(std::size_t& count, std::size_t least) {
        std::uint64_t value = 0;
        raw(&value, sizeof value);
        m_isShort = m_isShort || value > m_left.size() / least;
        count = m_isShort ? 0 : value;
        return !m_isShort;
    }
    [[nodiscard]] bool isWhole() const { return !m_isShort && m_left.empty(); }

private:
    std::string_view m_left;
    std::uint32_t m_format;
    bool m_isShort = false;
};

template <class File, class T>
requires std::is_arithmetic_v<T> || std::is_enum_v<T>
void visit(File& file, T& value) { file.raw(&value, sizeof value); }

template <class File, class Tag>
void visit(File& file, Id<Tag>& id) {
    visit(file, id.value);
}

template <class File>
void visit(File& file, std::string& text) {
    std::size_t count = text.size();
    if (file.size(count, 1)) {
        text.resize(count);
        file.raw(text.data(), count);
    }
}

template <class File, class T>
void visit(File& file, std::vector<T>& values) {
    std::size_t count = values.size();
    if (!file.size(count, 1))
        return;
    values.resize(count);
    for (T& value : values)
        visit(file, value);
}

template <class File, class T>
void visit(File& file, std::optional<T>& value) {
    bool isThere = value.has_value();
    visit(file, isThere);
    if (isThere)
        visit(file, value ? *value : value.emplace());
}

template <class File, class T>
void visit(File& file, std::map<std::string, T>& values) {
    std::size_t count = values.size();
    if (!file.size(count, 1))
        return;
    if constexpr (File::kReads) {
        for (std::size_t i = 0; i < count; ++i) {
            std::string name;
            visit(file, name);
            visit(file, values[name]);
        }
    } else {
        for (auto& [name, value] : values) {
            std::string copy = name;
            visit(file, copy);
            visit(file, value);
        }
    }
}

/// A kind of file.
struct StateFile {
    std::string_view magic; ///< eight characters
    std::uint32_t format;
    std::string_view what;         ///< "checkpoint"
    std::string_view remedy;       ///< what to do in place of reading it: "train anew"
    std::uint32_t oldest = format; ///< format that is read still

    struct Body {
        std::uint32_t format = 0;
        std::string bytes; ///< as they were written
    };

    [[nodiscard]] Result<> write(const std::filesystem::path& file, std::string_view body) const;
    [[nodiscard]] Result<Body> read(const std::filesystem::path& file) const;
    [[nodiscard]] Error damaged(const std::filesystem::path& file) const;
};

template <class T>
[[nodiscard]] Result<> writeState(const StateFile& kind, const T& value, const std::filesystem::path& file) {
    Writer body;
    T copy = value;
    visit(body, copy);
    return kind.write(file, body.bytes);
}

template <class T>
[[nodiscard]] Result<T> readState(const StateFile& kind, const std::filesystem::path& file) {
    const auto body = kind.read(file);
    if (!body)
        return fail(body.error());
    T value;
    Reader reader(body->bytes, body->format);
    visit(reader, value);
    if (!reader.isWhole())
        return fail(kind.damaged(file));
    return value;
}

} // namespace opscape::rl
