// SPDX-License-Identifier: MIT
// What was dropped, guessed or refused while reading and costing a graph: counted by kind, the first ones kept in
// words, so that a file with a million oddities costs no memory and yet nothing is silently dropped.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace opscape {

enum class Severity { Info, Warning, Error };

[[nodiscard]] std::string_view toString(Severity severity);

/// One kind of problem, e.g. all ops of unknown type in one file.
struct Diagnostic {
    Severity severity = Severity::Warning;
    std::string code;      ///< stable name of the kind, e.g. "unknown-op"
    std::string summary;   ///< the sentence for the whole kind, e.g. "Ops of unknown type, costed by bytes moved"
    std::size_t count = 0; ///< how many there are in all
    std::vector<std::string> examples; ///< the first of them, in words
};

class Diagnostics {
public:
    static constexpr std::size_t kExamplesKept = 20;

    /// Counts one more `code`. The summary is that of the first call with the code.
    void add(Severity severity, std::string_view code, std::string_view summary, std::string example);
    void merge(const Diagnostics& other);

    [[nodiscard]] const std::vector<Diagnostic>& entries() const { return m_entries; }
    [[nodiscard]] bool empty() const { return m_entries.empty(); }
    /// How many of one kind; 0 when there are none.
    [[nodiscard]] std::size_t count(std::string_view code) const;

private:
    Diagnostic& entry(Severity severity, std::string_view code, std::string_view summary);

    std::vector<Diagnostic> m_entries;
};

} // namespace opscape
