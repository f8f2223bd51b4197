// SPDX-License-Identifier: MIT
// The rules on the project itself.
#include "rules.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>

namespace opscape::arch {
namespace {

namespace fs = std::filesystem;

/// The files that git knows; none where there is no git, as in a released archive.
std::vector<std::string> trackedFiles() {
    const std::string command = fmt::format("git -C '{}' ls-files -z 2>/dev/null", OPSCAPE_SOURCE_DIR);
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> pipe(::popen(command.c_str(), "r"), &::pclose);
    std::vector<std::string> paths(1);
    for (int c; pipe && (c = std::fgetc(pipe.get())) != EOF;) {
        if (c != '\0')
            paths.back() += static_cast<char>(c);
        else
            paths.emplace_back();
    }
    paths.pop_back();
    return paths;
}

/// The sources as they lie in the tree, tracked or not.
std::vector<std::string> sourceFiles() {
    std::vector<std::string> paths;
    for (const char* folder : {"core", "plugins", "app", "tests"}) {
        for (const auto& entry : fs::recursive_directory_iterator(fs::path(OPSCAPE_SOURCE_DIR) / folder)) {
            const std::string path = fs::relative(entry.path(), OPSCAPE_SOURCE_DIR).string();
            if (isSource(path))
                paths.push_back(path);
        }
    }
    return paths;
}

/// Files with a NUL byte are not text and left out.
Tree read(const std::vector<std::string>& paths) {
    Tree tree;
    for (const std::string& path : paths) {
        std::ifstream in(fs::path(OPSCAPE_SOURCE_DIR) / path, std::ios::binary);
        std::string text(std::istreambuf_iterator<char>(in), {});
        if (text.find('\0') == std::string::npos)
            tree.emplace(path, std::move(text));
    }
    return tree;
}

void expectNone(const std::vector<Violation>& violations) {
    for (const Violation& violation : violations)
        ADD_FAILURE() << violation.text();
}

class Arch : public testing::Test {
protected:
    const Tree m_sources = read(sourceFiles());
};

TEST_F(Arch, FoldersOfCoreIncludeOnlyWhatIsBelowThem) {
    ASSERT_GT(m_sources.size(), 40u) << "the sources were not found";
    expectNone(checkLayers(m_sources));
}

TEST_F(Arch, LibrariesStayWhereTheyBelong) { expectNone(checkLibraries(m_sources)); }

TEST_F(Arch, RenderAndServiceDoNotKnowTheProgramsThatUseThem) { expectNone(checkApp(m_sources)); }

TEST_F(Arch, EverySourceHasALicenceAGuardAndAReadableLength) { expectNone(checkShape(m_sources)); }

TEST_F(Arch, NoTrackedFileNamesAFolderOfAMachine) {
    const std::vector<std::string> tracked = trackedFiles();
    expectNone(checkMachinePaths(tracked.empty() ? m_sources : read(tracked)));
}

} // namespace
} // namespace opscape::arch
