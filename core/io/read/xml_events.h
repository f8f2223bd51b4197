// SPDX-License-Identifier: MIT
// An XML file as a stream of elements and texts. A document type declaration is refused, and with it every entity but
// the five that XML itself has; nothing outside the file is ever opened. The parser is Expat: small, streaming, kept
// safe for decades.
#pragma once

#include <opscape/base/result.h>

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace opscape {

/// What a handler throws to end with: a sentence without file, place and full stop. It never leaves core/io.
struct XmlError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// Names and values in turn, as they stand in the tag.
class XmlAttributes {
public:
    explicit XmlAttributes(const char* const* list) : m_list(list) {}
    [[nodiscard]] std::optional<std::string_view> find(std::string_view name) const;
    /// Throws where it is missing.
    [[nodiscard]] std::string_view at(std::string_view name) const;

private:
    const char* const* m_list;
};

/// Names of elements come without a prefix.
class XmlHandler {
public:
    virtual ~XmlHandler() = default;
    virtual void start(std::string_view name, const XmlAttributes& attributes) = 0;
    virtual void end(std::string_view name) = 0;
    /// A text may come in several pieces.
    virtual void text(std::string_view piece) = 0;

    std::size_t line = 0; ///< of what is handled
};

/// The error names the origin, line and column.
[[nodiscard]] Result<> parseXml(std::string_view bytes, const std::string& origin, XmlHandler& handler);

} // namespace opscape
