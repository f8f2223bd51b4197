// SPDX-License-Identifier: MIT
#include "support/temporary_folder.h"

#include <opscape/base/paths.h>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <thread>

namespace opscape {
namespace {

namespace fs = std::filesystem;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

std::vector<std::string> namesIn(const fs::path& folder) {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder))
        names.push_back(entry.path().filename());
    return names;
}

std::string contentOf(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

TEST(ReadFile, GivesEveryByte) {
    const test::TemporaryFolder folder;
    std::string bytes;
    for (int i = 0; i < 200'000; ++i)
        bytes += static_cast<char>(i * 7);
    std::ofstream(folder / "f", std::ios::binary) << bytes;
    const auto read = readFile(folder / "f");
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(*read, bytes);
    std::ofstream(folder / "empty");
    EXPECT_EQ(readFile(folder / "empty").value(), "");
}

TEST(ReadFile, ReadsAPipeToItsEnd) {
    const test::TemporaryFolder folder;
    const fs::path pipe = folder / "pipe";
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    std::jthread writer([&] { std::ofstream(pipe) << "through the pipe"; });
    EXPECT_EQ(readFile(pipe).value(), "through the pipe");
}

TEST(ReadFile, SaysWhatIsWrongWithAFile) {
    const test::TemporaryFolder folder;
    const fs::path missing = folder / "missing";
    EXPECT_EQ(readFile(missing).error().message, missing.string() + ": cannot be opened: No such file or directory.");
    EXPECT_EQ(readFile(folder.path()).error().message,
              folder.path().string() + ": this is a folder; name a file in it.");
    EXPECT_EQ(readFile("/dev/zero").error().message, "/dev/zero: this is a device; name a file.");
}

TEST(WriteFile, CreatesAndReplaces) {
    const test::TemporaryFolder folder;
    ASSERT_TRUE(writeFile(folder / "f", "one"));
    EXPECT_EQ(contentOf(folder / "f"), "one");
    ASSERT_TRUE(writeFile(folder / "f", std::string(100'000, 'x')));
    EXPECT_EQ(contentOf(folder / "f"), std::string(100'000, 'x'));
    ASSERT_TRUE(writeFile(folder / "f", ""));
    EXPECT_EQ(contentOf(folder / "f"), "");
    EXPECT_THAT(namesIn(folder.path()), UnorderedElementsAre("f")) << "a temporary file was left behind";
}

TEST(WriteFile, NeverShowsHalfAFileToAReader) {
    const test::TemporaryFolder folder;
    const fs::path path = folder / "f";
    ASSERT_TRUE(writeFile(path, "old content"));
    std::ifstream reader(path); // opened before, read after the file is replaced
    ASSERT_TRUE(writeFile(path, "new content"));
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(reader), {}), "old content");
    EXPECT_EQ(contentOf(path), "new content");
}

TEST(WriteFile, ManyWritersLeaveTheFileOfOne) {
    const test::TemporaryFolder folder;
    {
        std::vector<std::jthread> writers;
        for (char c = 'a'; c < 'e'; ++c)
            writers.emplace_back([&folder, c] {
                for (int i = 0; i < 20; ++i)
                    EXPECT_TRUE(writeFile(folder / "f", std::string(50'000, c)));
            });
    }
    const std::string content = contentOf(folder / "f");
    EXPECT_EQ(content, std::string(50'000, content.at(0)));
    EXPECT_THAT(namesIn(folder.path()), UnorderedElementsAre("f"));
}

TEST(WriteFile, KeepsThePermissionsOfTheFileItReplaces) {
    const test::TemporaryFolder folder;
    const fs::path path = folder / "f";
    ASSERT_TRUE(writeFile(path, "one"));
    fs::permissions(path, fs::perms::owner_read | fs::perms::owner_write | fs::perms::owner_exec);
    ASSERT_TRUE(writeFile(path, "two"));
    EXPECT_EQ(fs::status(path).permissions(), fs::perms::owner_all);
}

TEST(WriteFile, WritesToTheTargetOfALink) {
    const test::TemporaryFolder folder;
    ASSERT_TRUE(writeFile(folder / "target", "one"));
    fs::create_symlink("target", folder / "link");
    ASSERT_TRUE(writeFile(folder / "link", "two"));
    EXPECT_TRUE(fs::is_symlink(folder / "link"));
    EXPECT_EQ(contentOf(folder / "target"), "two");
    fs::create_symlink("later", folder / "dangling");
    ASSERT_TRUE(writeFile(folder / "dangling", "three"));
    EXPECT_TRUE(fs::is_symlink(folder / "dangling"));
    EXPECT_EQ(contentOf(folder / "later"), "three");
}

TEST(WriteFile, WritesIntoAPipeInsteadOfReplacingIt) {
    const test::TemporaryFolder folder;
    const fs::path pipe = folder / "pipe";
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    std::string read;
    std::jthread reader([&] { read = contentOf(pipe); });
    EXPECT_TRUE(writeFile(pipe, std::string(300'000, 'p'))) << "more than a pipe holds at once";
    reader.join();
    EXPECT_EQ(read, std::string(300'000, 'p'));
    EXPECT_TRUE(fs::is_fifo(pipe));
}

TEST(WriteFile, WritesToADevice) {
    ASSERT_TRUE(writeFile("/dev/null", "gone"));
    EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST(WriteFile, SaysThatTheDiskIsFull) {
    if (!fs::exists("/dev/full"))
        GTEST_SKIP() << "skipped: no /dev/full";
    const auto written = writeFile("/dev/full", "x");
    ASSERT_FALSE(written);
    EXPECT_EQ(written.error().message, "/dev/full: cannot be written: No space left on device.");
    EXPECT_TRUE(fs::is_character_file("/dev/full"));
}

TEST(WriteFile, SaysWhyItCannot) {
    const test::TemporaryFolder folder;
    EXPECT_EQ(writeFile(folder.path(), "x").error().message,
              folder.path().string() + ": this is a folder; name a file in it.");
    const fs::path nowhere = folder / "nowhere/f";
    EXPECT_EQ(writeFile(nowhere, "x").error().message,
              nowhere.string() + ": cannot be written: No such file or directory.");
    const fs::path tooLong = folder / std::string(300, 'n');
    EXPECT_EQ(writeFile(tooLong, "x").error().message, tooLong.string() + ": cannot be written: File name too long.");
    EXPECT_THAT(namesIn(folder.path()), IsEmpty()) << "a temporary file was left behind";
}

/// Sets a variable of the environment for the duration of a test.
class Variable {
public:
    Variable(const char* name, const char* value) : m_name(name) {
        if (const char* old = std::getenv(name))
            m_old = old;
        value != nullptr ? ::setenv(name, value, 1) : ::unsetenv(name);
    }
    ~Variable() { m_old ? ::setenv(m_name, m_old->c_str(), 1) : ::unsetenv(m_name); }
    Variable(const Variable&) = delete;
    Variable& operator=(const Variable&) = delete;

private:
    const char* m_name;
    std::optional<std::string> m_old;
};

TEST(Folders, LieBesideTheProgram) {
    const Variable data("OPSCAPE_DATA", nullptr), plugins("OPSCAPE_PLUGINS", "");
    EXPECT_TRUE(fs::exists(programFolder() / "test_base"));
    EXPECT_EQ(dataFolder(), fs::weakly_canonical(programFolder() / "../share/opscape"));
    EXPECT_EQ(pluginFolder(), fs::weakly_canonical(programFolder() / "../lib/opscape/plugins"));
}

TEST(Folders, CanBeSetFromOutside) {
    const Variable data("OPSCAPE_DATA", "/d"), plugins("OPSCAPE_PLUGINS", "/p");
    EXPECT_EQ(dataFolder(), "/d");
    EXPECT_EQ(pluginFolder(), "/p");
}

TEST(Folders, KeepThePersonsFilesWhereTheDesktopSays) {
    const Variable home("HOME", "/somebody");
    {
        const Variable xdg("XDG_DATA_HOME", "/x");
        EXPECT_EQ(userDataFolder(), "/x/opscape");
    }
    const Variable xdg("XDG_DATA_HOME", nullptr);
    EXPECT_EQ(userDataFolder(), "/somebody/.local/share/opscape");
}

} // namespace
} // namespace opscape
