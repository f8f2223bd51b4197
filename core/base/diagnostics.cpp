// SPDX-License-Identifier: MIT
#include <opscape/base/diagnostics.h>

#include <algorithm>

namespace opscape {

std::string_view toString(Severity severity) {
    switch (severity) {
    case Severity::Info:
        return "info";
    case Severity::Warning:
        return "warning";
    case Severity::Error:
        return "error";
    }
    return "";
}

Diagnostic& Diagnostics::entry(Severity severity, std::string_view code, std::string_view summary) {
    auto it = std::ranges::find(m_entries, code, &Diagnostic::code);
    if (it != m_entries.end())
        return *it;
    return m_entries.emplace_back(Diagnostic{severity, std::string(code), std::string(summary), 0, {}});
}

void Diagnostics::add(Severity severity, std::string_view code, std::string_view summary, std::string example) {
    Diagnostic& d = entry(severity, code, summary);
    ++d.count;
    if (d.examples.size() < kExamplesKept)
        d.examples.push_back(std::move(example));
}

void Diagnostics::merge(const Diagnostics& other) {
    for (const Diagnostic& from : other.m_entries) {
        Diagnostic& d = entry(from.severity, from.code, from.summary);
        d.count += from.count;
        for (const std::string& example : from.examples) {
            if (d.examples.size() < kExamplesKept)
                d.examples.push_back(example);
        }
    }
}

std::size_t Diagnostics::count(std::string_view code) const {
    auto it = std::ranges::find(m_entries, code, &Diagnostic::code);
    return it == m_entries.end() ? 0 : it->count;
}

} // namespace opscape
