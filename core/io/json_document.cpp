// SPDX-License-Identifier: MIT
#include <opscape/base/text.h>
#include <opscape/base/units.h>
#include <opscape/io/json_document.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <functional>

namespace opscape {

using Kind = JsonValue::Kind;

/// Receives the parser's events and appends nodes.
class JsonBuilder : public nlohmann::json_sax<nlohmann::json> {
public:
    explicit JsonBuilder(JsonDocument& document) : m_document(document) {}

    [[nodiscard]] const std::string& problem() const { return m_problem; } ///< our own reason to stop; may be empty
    [[nodiscard]] std::size_t errorByte() const { return m_errorByte; }    ///< where the parser stopped, from 1

    bool null() override { return add(Kind::Null); }
    bool boolean(bool value) override { return add(Kind::Bool, {.integer = value}); }
    bool number_integer(number_integer_t value) override { return add(Kind::Integer, {.integer = value}); }
    bool number_unsigned(number_unsigned_t value) override {
        if (value > static_cast<number_unsigned_t>(std::numeric_limits<std::int64_t>::max()))
            return add(Kind::Real, {.real = static_cast<double>(value)});
        return number_integer(static_cast<number_integer_t>(value));
    }
    bool number_float(number_float_t value, const string_t&) override { return add(Kind::Real, {.real = value}); }
    bool string(string_t& value) override { return addText(value); }
    bool binary(binary_t&) override { return false; } // not part of JSON text
    bool key(string_t& value) override {
        // Files repeat a few keys for every value: each of them is kept once.
        JsonDocument::Text& known = m_keys[std::hash<std::string_view>()(value) % m_keys.size()];
        const std::string_view text = std::string_view(m_document.m_text).substr(known.offset, known.length);
        if (text == value)
            return add(Kind::Text, {.text = known});
        addText(value);
        known = m_document.m_payloads.back().text;
        return true;
    }
    bool start_object(std::size_t) override { return open(Kind::Object); }
    bool start_array(std::size_t) override { return open(Kind::List); }
    bool end_object() override { return close(2); }
    bool end_array() override { return close(1); }
    bool parse_error(std::size_t byte, const std::string&, const nlohmann::detail::exception&) override {
        m_errorByte = byte;
        return false;
    }

private:
    /// What a person writes needs five levels; a bound keeps hostile files from costing memory.
    static constexpr std::size_t kDeepest = 32;

    bool add(Kind kind, JsonDocument::Payload payload = {.integer = 0}) {
        m_document.m_kinds.push_back(kind);
        m_document.m_payloads.push_back(payload);
        if (!m_open.empty())
            ++m_document.m_payloads[m_open.back()].inside.count;
        return true;
    }
    bool addText(const std::string& value) {
        std::string& all = m_document.m_text;
        add(Kind::Text, {.text = {static_cast<std::uint32_t>(all.size()), static_cast<std::uint32_t>(value.size())}});
        all += value;
        return true;
    }
    bool open(Kind kind) {
        if (m_open.size() >= kDeepest) {
            m_problem = fmt::format("{}: lists and objects are nested more than {} deep",
                                    elide(m_document.place(m_open.back()), 80), kDeepest);
            return false;
        }
        add(kind, {.inside = {std::numeric_limits<std::uint32_t>::max(), 0}}); // place() needs an end while it is open
        m_open.push_back(static_cast<std::uint32_t>(m_document.m_kinds.size() - 1));
        return true;
    }
    bool close(std::uint32_t nodesPerEntry) {
        JsonDocument::Inside& inside = m_document.m_payloads[m_open.back()].inside;
        inside.end = static_cast<std::uint32_t>(m_document.m_kinds.size());
        inside.count /= nodesPerEntry;
        m_open.pop_back();
        return true;
    }

    JsonDocument& m_document;
    std::array<JsonDocument::Text, 256> m_keys{}; ///< the last of each hash
    std::vector<std::uint32_t> m_open;
    std::string m_problem;
    std::size_t m_errorByte = 0;
};

char jsonStart(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(" \t\r\n\xef\xbb\xbf");
    return begin == std::string_view::npos ? '\0' : text[begin];
}

Result<JsonDocument> JsonDocument::parse(std::string_view text, const std::string& origin) {
    JsonDocument document;
    JsonBuilder builder(document);
    if (nlohmann::json::sax_parse(text, &builder))
        return document;
    if (!builder.problem().empty())
        return fail("{}: {}.", origin, builder.problem());
    const std::size_t byte = std::min(std::max<std::size_t>(builder.errorByte(), 1) - 1, text.size());
    const std::string_view before = text.substr(0, byte);
    const auto line = 1 + std::ranges::count(before, '\n');
    const std::size_t lineBegin = before.rfind('\n') + 1; // npos + 1 is 0
    if (byte == text.size())
        return fail("{}: line {}: the JSON ends before it is complete; the file seems to be cut off.", origin, line);
    return fail("{}: line {}, column {}: not valid JSON.", origin, line, byte - lineBegin + 1);
}

std::string JsonDocument::place(std::uint32_t index) const {
    std::string path;
    std::uint32_t at = 0;
    while (at != index) {
        const bool isObject = m_kinds[at] == Kind::Object;
        std::size_t number = 0;
        std::uint32_t key = at + 1;
        for (;; ++number) {
            const std::uint32_t value = key + (isObject ? 1 : 0);
            if (index < endOf(value)) {
                at = std::min(value, index); // a key has the place of its value
                break;
            }
            key = endOf(value);
        }
        if (isObject)
            path += (path.empty() ? "" : ".") + printable(textAt(key));
        else
            path += fmt::format("[{}]", number);
    }
    return path.empty() ? "the file" : path;
}

Kind JsonValue::kind() const { return m_document->m_kinds[m_index]; }

bool JsonValue::boolean() const {
    if (!is(Kind::Bool))
        bad("must be true or false");
    return m_document->m_payloads[m_index].integer != 0;
}

std::int64_t JsonValue::integer(std::int64_t least, std::int64_t most) const {
    const auto& payload = m_document->m_payloads[m_index];
    if (is(Kind::Integer) && payload.integer >= least && payload.integer <= most)
        return payload.integer;
    constexpr auto kNone = std::numeric_limits<std::int64_t>::max();
    if (least == std::numeric_limits<std::int64_t>::min())
        bad("must be a whole number");
    bad(most == kNone ? fmt::format("must be a whole number of at least {}", least)
                      : fmt::format("must be a whole number from {} to {}", least, most));
}

double JsonValue::real() const {
    if (is(Kind::Integer))
        return static_cast<double>(m_document->m_payloads[m_index].integer);
    if (!is(Kind::Real))
        bad("must be a number");
    return m_document->m_payloads[m_index].real;
}

std::string_view JsonValue::text() const {
    if (!is(Kind::Text))
        bad("must be a text");
    return m_document->textAt(m_index);
}

JsonValue::Items JsonValue::items() const {
    if (!is(Kind::List))
        bad("must be a list");
    return {{m_document, m_index + 1}, {m_document, m_document->endOf(m_index)}};
}

JsonValue::Members JsonValue::members() const {
    if (!is(Kind::Object))
        bad("must be an object");
    return {{m_document, m_index + 1}, {m_document, m_document->endOf(m_index)}};
}

std::size_t JsonValue::size() const {
    return m_document->holds(m_index) ? m_document->m_payloads[m_index].inside.count : 0;
}

JsonValue::Members JsonValue::uniqueMembers() const {
    const Members all = members();
    const auto refuse = [this](std::string_view key) { bad(fmt::format("has the key \"{}\" twice", key)); };
    if (size() <= 16) { // the common case, without allocating
        for (auto it = all.begin(); it != all.end(); ++it) {
            for (auto other = all.begin(); !(other == it); ++other) {
                if ((*other).key == (*it).key)
                    refuse((*it).key);
            }
        }
        return all;
    }
    std::vector<std::string_view> keys;
    for (const auto [key, value] : all)
        keys.push_back(key);
    std::ranges::sort(keys);
    if (const auto twice = std::ranges::adjacent_find(keys); twice != keys.end())
        refuse(*twice);
    return all;
}

std::optional<JsonValue> JsonValue::find(std::string_view key) const {
    for (const auto [name, value] : members()) {
        if (name == key)
            return value;
    }
    return std::nullopt;
}

JsonValue JsonValue::at(std::string_view key) const {
    if (const auto value = find(key))
        return *value;
    bad(fmt::format("lacks the key \"{}\"", key));
}

std::string JsonValue::place() const { return m_document->place(m_index); }

void JsonValue::bad(std::string_view what) const {
    throw JsonError(fmt::format("{} {}", elide(place(), 120), elide(printable(what), 400)));
}

void JsonValue::unknownKey(std::initializer_list<std::string_view> known) const {
    bad(fmt::format("is not a known key; known here are {}", fmt::join(known, ", ")));
}

JsonValue::Items::Iterator& JsonValue::Items::Iterator::operator++() {
    index = document->endOf(index);
    return *this;
}

JsonValue::Members::Iterator& JsonValue::Members::Iterator::operator++() {
    index = document->endOf(index + 1);
    return *this;
}

} // namespace opscape
