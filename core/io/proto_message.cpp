// SPDX-License-Identifier: MIT
#include <opscape/base/text.h>
#include <opscape/base/units.h>
#include <opscape/io/proto_message.h>
#include <opscape/io/wire.h>

#include <google/protobuf/io/tokenizer.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <google/protobuf/text_format.h>

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
        return fail("{}: the {} is damaged: it starts as one, but its bytes break the format further inside.", origin,
                    what);
    return {};
}

Result<> parseText(std::string_view text, const std::string& origin, google::protobuf::Message& message) {
    constexpr int kDeepest = 100;
    google::protobuf::io::ArrayInputStream stream(text.data(), static_cast<int>(text.size()));
    FirstError error;
    google::protobuf::TextFormat::Parser parser;
    parser.AllowUnknownField(true);
    parser.SetRecursionLimit(kDeepest);
    parser.RecordErrorsTo(&error);
    if (parser.Parse(&stream, &message))
        return {};
    return fail("{}: line {}, column {}: {}.", origin, error.line(), error.column(), error.message());
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
