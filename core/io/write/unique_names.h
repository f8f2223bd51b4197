// SPDX-License-Identifier: MIT
// Names that a format wants to be unique: the later of two gets "#2", "#3" or what else is free behind it.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>

namespace opscape {

class UniqueNames {
public:
    explicit UniqueNames(std::string_view mark = "#") : m_mark(mark) {}

    /// The name itself where it is free and not empty, else one made of it, or of `otherwise`.
    std::string add(std::string_view name, std::string_view otherwise) {
        const std::string wanted(name.empty() ? otherwise : name);
        std::size_t& last = m_taken.try_emplace(wanted, 0).first->second;
        if (++last == 1)
            return wanted;
        for (;; ++last) {
            std::string made = fmt::format("{}{}{}", wanted, m_mark, last);
            if (m_taken.try_emplace(made, 1).second)
                return made;
        }
    }

private:
    std::string m_mark;
    std::unordered_map<std::string, std::size_t> m_taken; ///< with how often it was wanted
};

} // namespace opscape
