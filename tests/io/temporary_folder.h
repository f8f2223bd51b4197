// SPDX-License-Identifier: MIT
// A folder of its own for one test, gone with its contents at the end.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace opscape {

class TemporaryFolder {
public:
    TemporaryFolder() {
        std::string name = testing::TempDir() + "opscape_XXXXXX";
        m_path = ::mkdtemp(name.data());
    }
    ~TemporaryFolder() {
        std::error_code ec;
        std::filesystem::remove_all(m_path, ec);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    [[nodiscard]] std::filesystem::path operator/(const std::string& name) const { return m_path / name; }
    [[nodiscard]] std::filesystem::path file(const std::string& name, std::string_view bytes) const {
        std::ofstream(m_path / name, std::ios::binary) << bytes;
        return m_path / name;
    }

private:
    std::filesystem::path m_path;
};

} // namespace opscape
