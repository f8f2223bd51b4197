// SPDX-License-Identifier: MIT
// JSON as our readers want it: members in the order of the file, integers apart from reals, and for any value the place
// it stands at ("ops[12].inputs[0]"), so that an error can name it. The values lie in one array in the order of the
// text; nothing is allocated per value, which keeps files of a million values quick to read.
//
// The accessors throw JsonError, a sentence without file and full stop; the reader that owns the document catches it
// and returns an Error, which readJson() does for it. It never leaves core/io.
#pragma once

#include <opscape/base/result.h>
#include <opscape/io/file_text.h>

#include <cstdint>
#include <initializer_list>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace opscape {

struct JsonError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

class JsonDocument;

/// A value within a document, which must outlive it.
class JsonValue {
public:
    enum class Kind : std::uint8_t { Null, Bool, Integer, Real, Text, List, Object };

    class Items;
    class Members;

    JsonValue(const JsonDocument& document, std::uint32_t index) : m_document(&document), m_index(index) {}

    [[nodiscard]] Kind kind() const;
    [[nodiscard]] bool is(Kind wanted) const { return kind() == wanted; }

    /// Whole number within the bounds; else an error that says so.
    [[nodiscard]] std::int64_t integer(std::int64_t least = std::numeric_limits<std::int64_t>::min(),
                                       std::int64_t most = std::numeric_limits<std::int64_t>::max()) const;
    [[nodiscard]] bool boolean() const;
    /// Any number.
    [[nodiscard]] double real() const;
    [[nodiscard]] std::string_view text() const;
    [[nodiscard]] Items items() const;
    [[nodiscard]] Members members() const;
    /// How many items or members; 0 where it is neither a list nor an object.
    [[nodiscard]] std::size_t size() const;
    /// The members, none of whose keys may repeat.
    [[nodiscard]] Members uniqueMembers() const;
    /// The value of a key, if it is there; at() refuses an object without it.
    [[nodiscard]] std::optional<JsonValue> find(std::string_view key) const;
    [[nodiscard]] JsonValue at(std::string_view key) const;

    /// "ops[12].inputs[0]"; "the file" for the outermost value.
    [[nodiscard]] std::string place() const;
    /// Throws "<place> <what>".
    [[noreturn]] void bad(std::string_view what) const;
    /// Throws for a member whose key is none of those known.
    [[noreturn]] void unknownKey(std::initializer_list<std::string_view> known) const;

private:
    const JsonDocument* m_document;
    std::uint32_t m_index;
};

class JsonDocument {
public:
    /// The error names the origin, line and column.
    [[nodiscard]] static Result<JsonDocument> parse(std::string_view text, const std::string& origin);

    [[nodiscard]] JsonValue root() const { return {*this, 0}; }

private:
    friend class JsonValue;
    friend class JsonBuilder;

    struct Text {
        std::uint32_t offset, length;
    };
    struct Inside {
        std::uint32_t end;   ///< index after the last node inside
        std::uint32_t count; ///< of what a list or object holds
    };
    union Payload {
        std::int64_t integer;
        double real;
        Text text;
        Inside inside;
    };

    [[nodiscard]] bool holds(std::uint32_t index) const { return m_kinds[index] >= JsonValue::Kind::List; }
    /// Index after the value and all inside.
    [[nodiscard]] std::uint32_t endOf(std::uint32_t index) const {
        return holds(index) ? m_payloads[index].inside.end : index + 1;
    }
    [[nodiscard]] std::string_view textAt(std::uint32_t index) const {
        const Text& text = m_payloads[index].text;
        return std::string_view(m_text).substr(text.offset, text.length);
    }
    [[nodiscard]] std::string place(std::uint32_t index) const;

    /// By node; in an object every value follows its key, a text.
    std::vector<JsonValue::Kind> m_kinds;
    std::vector<Payload> m_payloads;
    std::string m_text; ///< texts one after the other, and keys, most of them once
};

/// What `read` makes of the outermost value; what the text or a value of it has wrong becomes an error that names the
/// origin. The text is gone when `read` is called, the document when this returns.
template <class Read>
std::invoke_result_t<Read, JsonValue> readJson(FileText text, const std::string& origin, Read&& read) {
    const auto document = JsonDocument::parse(text.view(), origin);
    if (!document)
        return fail(document.error());
    text.release();
    try {
        return read(document->root());
    } catch (const JsonError& error) {
        return fail("{}: {}.", origin, error.what());
    }
}

/// What a reader makes in two steps: read() of the outermost value, then finish(), once the document has made room.
template <class Reader>
auto readJsonBy(Reader reader, FileText text, const std::string& origin) -> decltype(std::move(reader).finish()) {
    const auto read = readJson(std::move(text), origin, [&reader](JsonValue root) -> Result<> {
        reader.read(root);
        return {};
    });
    if (!read)
        return fail(read.error());
    return std::move(reader).finish();
}

/// The first character behind blanks and a byte order mark: '{' or '[' where this may be JSON; 0 where there is none.
[[nodiscard]] char jsonStart(std::string_view text);

class JsonValue::Items {
public:
    struct Iterator {
        const JsonDocument* document;
        std::uint32_t index;
        JsonValue operator*() const { return {*document, index}; }
        Iterator& operator++();
        bool operator==(const Iterator& other) const { return index == other.index; }
    };
    Items(Iterator from, Iterator to) : m_from(from), m_to(to) {}
    [[nodiscard]] Iterator begin() const { return m_from; }
    [[nodiscard]] Iterator end() const { return m_to; }

private:
    Iterator m_from, m_to;
};

class JsonValue::Members {
public:
    struct Member {
        std::string_view key;
        JsonValue value;
    };
    struct Iterator {
        const JsonDocument* document;
        std::uint32_t index; ///< of the key
        Member operator*() const { return {JsonValue(*document, index).text(), {*document, index + 1}}; }
        Iterator& operator++();
        bool operator==(const Iterator& other) const { return index == other.index; }
    };
    Members(Iterator from, Iterator to) : m_from(from), m_to(to) {}
    [[nodiscard]] Iterator begin() const { return m_from; }
    [[nodiscard]] Iterator end() const { return m_to; }

private:
    Iterator m_from, m_to;
};

} // namespace opscape
