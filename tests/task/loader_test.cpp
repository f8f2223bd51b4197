// SPDX-License-Identifier: MIT
#include "support/temporary_folder.h"

#include <opscape/task/plugin.h>

#include <gtest/gtest.h>

#include <map>
#include <tuple>

namespace opscape {
namespace {

class Loader : public testing::Test {
protected:
    void use(const std::string& module) {
        std::filesystem::copy_file(std::filesystem::path(OPSCAPE_TEST_MODULES) / (module + ".so"),
                                   m_folder / (module + ".so"));
    }
    /// By file name.
    std::map<std::string, PluginStatus> load() {
        std::map<std::string, PluginStatus> byName;
        for (const PluginStatus& status : loadPlugins(m_folder / "", m_registry))
            byName[status.file.filename().string()] = status;
        return byName;
    }

    test::TemporaryFolder m_folder;
    Registry m_registry;
};

TEST_F(Loader, RegistersWhatAPluginOffers) {
    use("good");
    const auto statuses = load();
    ASSERT_EQ(statuses.size(), 1U);
    EXPECT_TRUE(statuses.at("good.so").loaded());
    EXPECT_EQ(statuses.at("good.so").id, "good");
    EXPECT_EQ(statuses.at("good.so").version, OPSCAPE_VERSION);
    EXPECT_TRUE(m_registry.makeOptimizer("good").has_value());
}

TEST_F(Loader, ListsEveryBrokenLibraryWithItsReasonAndLoadsTheRest) {
    for (const char* module : {"good", "no_symbol", "same_id", "throws", "wrong_abi"})
        use(module);
    std::ignore = m_folder.file("garbage.so", "this is not a library");
    std::ignore = m_folder.file("notes.txt", "nor is this, and nobody asks it to be");
    const auto statuses = load();
    ASSERT_EQ(statuses.size(), 6U) << "only .so files are looked at";
    EXPECT_TRUE(statuses.at("good.so").loaded());
    EXPECT_NE(statuses.at("garbage.so").error.find("cannot be loaded"), std::string::npos);
    EXPECT_NE(statuses.at("garbage.so").error.find("garbage.so"), std::string::npos);
    EXPECT_EQ(statuses.at("no_symbol.so").error, "is not an Opscape plugin: it has no symbol opscapePlugin.");
    EXPECT_EQ(
        statuses.at("wrong_abi.so").error,
        fmt::format("was built for plugin interface {}, this program has {}; rebuild it.", kPluginAbi + 1, kPluginAbi));
    EXPECT_EQ(statuses.at("throws.so").error, "failed while registering: no licence found.");
    EXPECT_EQ(statuses.at("same_id.so").error, "an optimizer \"good\" is registered already.");
    EXPECT_EQ(m_registry.optimizers().size(), 1U);
    EXPECT_EQ(m_registry.optimizers()[0]->title, "Good");
}

TEST_F(Loader, SaysThatAFolderIsMissing) {
    const auto statuses = loadPlugins(m_folder / "nowhere", m_registry);
    ASSERT_EQ(statuses.size(), 1U);
    EXPECT_FALSE(statuses[0].loaded());
    EXPECT_NE(statuses[0].error.find("cannot be read"), std::string::npos);
}

TEST_F(Loader, FindsNothingInAnEmptyFolder) { EXPECT_TRUE(load().empty()); }

} // namespace
} // namespace opscape
