// SPDX-License-Identifier: MIT
#include <opscape/io/read/xml_events.h>

#include <expat.h>

#include <algorithm>
#include <exception>
#include <memory>

namespace opscape {
namespace {

constexpr int kDeepest = 200;
constexpr std::size_t kChunk = 1 << 20;

std::string_view withoutPrefix(std::string_view name) { return name.substr(name.rfind(':') + 1); } // npos + 1 is 0

struct Place {
    std::size_t line = 0, column = 0;
    Place() = default;
    explicit Place(XML_Parser parser)
        : line(XML_GetCurrentLineNumber(parser)),
          column(XML_GetCurrentColumnNumber(parser) + 1) {}
};

/// No exception may pass through the parser, which is C: it is kept, and thrown where the parser was called.
struct Events {
    XML_Parser parser;
    XmlHandler& handler;
    int depth = 0;
    std::exception_ptr thrown;
    Place thrownAt{};

    template <class Work>
    void guarded(const Work& work) {
        if (thrown)
            return;
        try {
            handler.line = XML_GetCurrentLineNumber(parser);
            work();
        } catch (...) {
            thrown = std::current_exception();
            thrownAt = Place(parser);
            XML_StopParser(parser, XML_FALSE);
        }
    }
};

void onStart(void* data, const XML_Char* name, const XML_Char** attributes) {
    auto& events = *static_cast<Events*>(data);
    events.guarded([&] {
        if (++events.depth > kDeepest)
            throw XmlError(fmt::format("elements are nested more than {} deep", kDeepest));
        events.handler.start(withoutPrefix(name), XmlAttributes(attributes));
    });
}

void onEnd(void* data, const XML_Char* name) {
    auto& events = *static_cast<Events*>(data);
    events.guarded([&] {
        --events.depth;
        events.handler.end(withoutPrefix(name));
    });
}

void onText(void* data, const XML_Char* text, int length) {
    auto& events = *static_cast<Events*>(data);
    events.guarded([&] { events.handler.text({text, static_cast<std::size_t>(length)}); });
}

void onDoctype(void* data, const XML_Char*, const XML_Char*, const XML_Char*, int) {
    auto& events = *static_cast<Events*>(data);
    events.guarded([] {
        throw XmlError("a document type declaration, with which entities could be defined, is not read; remove it");
    });
}

} // namespace

std::optional<std::string_view> XmlAttributes::find(std::string_view name) const {
    for (const char* const* entry = m_list; *entry != nullptr; entry += 2) {
        if (*entry == name)
            return entry[1];
    }
    return std::nullopt;
}

std::string_view XmlAttributes::at(std::string_view name) const {
    if (const auto value = find(name))
        return *value;
    throw XmlError(fmt::format("the element lacks the attribute \"{}\"", name));
}

Result<> parseXml(std::string_view bytes, const std::string& origin, XmlHandler& handler) {
    const std::unique_ptr<XML_ParserStruct, decltype(&XML_ParserFree)> parser(XML_ParserCreate(nullptr),
                                                                              XML_ParserFree);
    if (!parser)
        throw std::bad_alloc();
    Events events{parser.get(), handler, 0, nullptr};
    XML_SetUserData(parser.get(), &events);
    XML_SetElementHandler(parser.get(), onStart, onEnd);
    XML_SetCharacterDataHandler(parser.get(), onText);
    XML_SetStartDoctypeDeclHandler(parser.get(), onDoctype);
    for (std::size_t at = 0;;) {
        const std::size_t size = std::min(kChunk, bytes.size() - at);
        const bool isLast = at + size == bytes.size();
        const XML_Status status = XML_Parse(parser.get(), bytes.data() + at, static_cast<int>(size), isLast ? 1 : 0);
        at += size;
        if (status != XML_STATUS_OK) {
            const auto [line, column] = events.thrown ? events.thrownAt : Place(parser.get());
            if (events.thrown) {
                try {
                    std::rethrow_exception(events.thrown);
                } catch (const XmlError& error) {
                    return fail("{}: line {}, column {}: {}.", origin, line, column, error.what());
                }
            }
            const XML_Error code = XML_GetErrorCode(parser.get());
            if (code == XML_ERROR_NO_MEMORY)
                throw std::bad_alloc();
            if (code == XML_ERROR_NO_ELEMENTS || code == XML_ERROR_UNCLOSED_TOKEN || code == XML_ERROR_PARTIAL_CHAR ||
                code == XML_ERROR_UNCLOSED_CDATA_SECTION)
                return fail("{}: line {}: the XML ends before it is complete; the file seems to be cut off.", origin,
                            line);
            return fail("{}: line {}, column {}: not valid XML: {}.", origin, line, column, XML_ErrorString(code));
        }
        if (isLast)
            return {};
    }
}

} // namespace opscape
