// SPDX-License-Identifier: MIT
// What a file holds. A reader that has made something else of it lets go of it, so that a large text and what is made
// of it do not lie in memory both.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace opscape {

class FileText {
public:
    /// Somebody else's, who keeps it until the reader has returned.
    FileText(std::string_view text) : m_view(text) {}   // NOLINT(google-explicit-constructor): a text is one
    FileText(const std::string& text) : m_view(text) {} // NOLINT(google-explicit-constructor)
    FileText(const char* text) : m_view(text) {}        // NOLINT(google-explicit-constructor)
    FileText(std::string&& text) : m_own(std::make_unique<std::string>(std::move(text))), m_view(*m_own) {}

    [[nodiscard]] std::string_view view() const { return m_view; }
    /// Nothing may look into the text any more.
    void release() {
        m_view = {};
        m_own.reset();
    }

private:
    std::unique_ptr<std::string> m_own;
    std::string_view m_view;
};

} // namespace opscape
