// SPDX-License-Identifier: MIT
// What the tests of the command line share: the program with a graph, a database and plugins of its own.
#pragma once

#include "support/program.h"
#include "support/sentence.h"
#include "support/small_graph.h"

#include <opscape/store/run_store.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace opscape::test {

class CliTest : public testing::Test {
protected:
    CliTest() : m_graph(writeSmallGraph(m_folder.path())) {
        ::setenv("OPSCAPE_PLUGINS", OPSCAPE_BINARY_DIR "/tests/plugins", 1);
        ::setenv("XDG_DATA_HOME", (m_folder / "data").c_str(), 1);
    }
    ~CliTest() override {
        ::unsetenv("OPSCAPE_PLUGINS");
        ::unsetenv("XDG_DATA_HOME");
    }

    [[nodiscard]] std::string graph() const { return m_graph.string(); }
    [[nodiscard]] std::string in(const char* name) const { return (m_folder / name).string(); }
    [[nodiscard]] std::string database() const { return in("runs.sqlite"); }
    [[nodiscard]] std::vector<std::string> command(const std::vector<std::string>& arguments) const {
        std::vector<std::string> words{OPSCAPE_BINARY_DIR "/bin/opscape-cli", "--db", database()};
        words.insert(words.end(), arguments.begin(), arguments.end());
        return words;
    }
    [[nodiscard]] ProgramEnd run(const std::vector<std::string>& arguments) const {
        return Program(command(arguments)).wait();
    }
    /// The JSON that a command prints, which has to end well.
    [[nodiscard]] nlohmann::json json(std::vector<std::string> arguments) const {
        arguments.emplace_back("--json");
        const ProgramEnd end = run(arguments);
        EXPECT_EQ(end.status, 0) << end.err;
        auto parsed = nlohmann::json::parse(end.out, nullptr, false);
        EXPECT_FALSE(parsed.is_discarded()) << end.out;
        return parsed;
    }
    /// Nothing on stdout, and on stderr one sentence under the program's name.
    static void expectRefused(const ProgramEnd& end, int status) {
        EXPECT_EQ(end.status, status) << end.err;
        EXPECT_EQ(end.out, "");
        ASSERT_THAT(end.err, testing::StartsWith("opscape-cli: "));
        EXPECT_EQ(end.err.back(), '\n');
        EXPECT_THAT(end.err.substr(13, end.err.size() - 14), IsOneSentence());
    }
    [[nodiscard]] RunStore store() const {
        auto opened = RunStore::open(database());
        if (!opened)
            throw std::runtime_error(opened.error().message);
        return std::move(*opened);
    }

private:
    TemporaryFolder m_folder;
    std::filesystem::path m_graph;
};

} // namespace opscape::test
