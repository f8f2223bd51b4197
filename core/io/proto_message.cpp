// SPDX-License-Identifier: MIT
#include <opscape/base/text.h>
#include <opscape/base/units.h>
#include <opscape/io/proto_message.h>
#include <opscape/io/wire.h>

#include <google/protobuf/io/tokenizer.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <google/protobuf/text_format.h>

#include <algorithm>
#include <cctype>
#include <optional>

namespace opscape {
namespace {

/// The first error of the parser, with its place counted from 1.
class FirstError : public google::protobuf::io::ErrorCollector {
public:
    void AddError(int line, int column, const std::string& message) override {
        if (!m_message.empty())
            return;
        m_line = line + 1;
        m_column = column + 1;
        constexpr std::size_t kLongest = 200;
        m_message = asClause(elide(printable(message), kLongest));
    }
    [[nodiscard]] int line() const { return m_line; }
    [[nodiscard]] int column() const { return m_column; }
    [[nodiscard]] const std::string& message() const { return m_message; }

private:
    /// "Expected x, got: ." as what follows a colon and ends without a full stop.
    static std::string asClause(std::string text) {
        constexpr std::string_view kGot = ", got: ";
        while (text.ends_with('.'))
            text.pop_back();
        if (text.ends_with(kGot))
            text.replace(text.size() - kGot.size(), kGot.size(), ", but the text ends here");
        for (std::size_t at = text.find(". "); at != std::string::npos; at = text.find(". ", at))
            text[at] = ';';
        if (text.size() > 1 && std::islower(static_cast<unsigned char>(text[1])) != 0)
            text[0] = lowerCase(text[0]);
        return text;
    }

    int m_line = 0, m_column = 0;
    std::string m_message;
};

/// Where a piece of a text begins, from 0.
struct Place {
    int line = 0, column = 0;

    void pass(std::string_view text) {
        const std::size_t lineEnd = text.rfind('\n');
        line += static_cast<int>(std::ranges::count(text, '\n'));
        column = lineEnd == std::string_view::npos ? column + static_cast<int>(text.size())
                                                   : static_cast<int>(text.size() - lineEnd - 1);
    }
};

Result<> parsePiece(std::string_view text, Place place, const std::string& origin, google::protobuf::Message& message) {
    constexpr int kDeepest = 100;
    google::protobuf::io::ArrayInputStream stream(text.data(), static_cast<int>(text.size()));
    FirstError error;
    google::protobuf::TextFormat::Parser parser;
    parser.AllowUnknownField(true);
    parser.SetRecursionLimit(kDeepest);
    parser.RecordErrorsTo(&error);
    if (parser.Parse(&stream, &message))
        return {};
    return fail("{}: line {}, column {}: {}.", origin, place.line + error.line(),
                (error.line() == 1 ? place.column : 0) + error.column(), error.message());
}

/// How long a piece of whole outermost fields is, of some size or to the end of the text.
std::size_t pieceOf(std::string_view text) {
    constexpr std::size_t kEnough = 1 << 16;
    std::size_t depth = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char c = text[at];
        if (c == '#') {
            at = std::min(text.find('\n', at), text.size() - 1);
        } else if (c == '"' || c == '\'') {
            for (++at; at < text.size() && text[at] != c && text[at] != '\n'; ++at)
                at += text[at] == '\\' ? 1 : 0;
        } else if (c == '{' || c == '<' || c == '[') {
            ++depth;
        } else if (c == '}' || c == '>' || c == ']') {
            if (depth > 0 && --depth == 0 && at >= kEnough) { // what may stand between fields belongs to the first
                const std::size_t next = text.find_first_not_of(" \t\r\n", at + 1);
                const bool isSeparated = next != std::string_view::npos && (text[next] == ';' || text[next] == ',');
                return isSeparated ? next + 1 : at + 1;
            }
        }
    }
    return text.size();
}

} // namespace

Result<> parseBinary(std::string_view bytes, std::string_view what, const std::string& origin,
                     google::protobuf::Message& message) {
    WireReader outline(bytes);
    for (WireField field; outline.next(field);) {
        if (outline.isCut())
            return fail("{}: the file is cut off: the part at byte {} needs {} bytes, but only {} follow.", origin,
                        outline.fieldAt(), field.value, bytes.size() - outline.contentAt());
    }
    if (outline.isCut())
        return fail("{}: the file is cut off within the part at byte {}.", origin, outline.fieldAt());
    // protobuf's own limits: 2 GiB, and messages 100 deep.
    if (!message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())))
        return fail(damaged(what, origin));
    return {};
}

Error damaged(std::string_view what, const std::string& origin) {
    return {fmt::format("{}: the {} is damaged: it starts as one, but its bytes break the format further inside.",
                        origin, what)};
}

Result<> parseText(std::string_view text, const std::string& origin, google::protobuf::Message& message) {
    return parsePiece(text, Place(), origin, message);
}

Result<> parseTextInPieces(std::string_view text, const std::string& origin, google::protobuf::Message& message,
                           const std::function<bool()>& take) {
    for (Place place; !text.empty();) {
        const std::string_view piece = text.substr(0, pieceOf(text));
        message.Clear();
        if (auto parsed = parsePiece(piece, place, origin, message); !parsed)
            return parsed;
        if (!take())
            return fail("{}: line {}: what follows is more than a message can hold.", origin, place.line + 1);
        place.pass(piece);
        text.remove_prefix(piece.size());
    }
    return {};
}

std::string_view firstTextField(std::string_view text) {
    const auto isSpace = [](char c) { return c == ' ' || (c >= '\t' && c <= '\r'); };
    const auto isName = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
    const auto skip = [&text](const auto& is) {
        while (!text.empty() && is(text.front()))
            text.remove_prefix(1);
    };
    for (skip(isSpace); text.starts_with('#'); skip(isSpace))
        skip([](char c) { return c != '\n'; });
    const std::string_view begin = text;
    skip(isName);
    const std::string_view name = begin.substr(0, begin.size() - text.size());
    skip(isSpace);
    return text.starts_with('{') || text.starts_with('<') || text.starts_with(':') ? name : std::string_view();
}

} // namespace opscape
