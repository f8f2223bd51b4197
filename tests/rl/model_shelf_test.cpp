// SPDX-License-Identifier: MIT
// Which models there are and which is the default, in folders of the test's own.
#include "support/sentence.h"
#include "support/temporary_folder.h"

#include <opscape/rl/model/model.h>
#include <opscape/rl/model/model_shelf.h>

#include <gmock/gmock.h>

namespace opscape::rl {
namespace {

using test::IsOneSentence;
using testing::ElementsAre;
using testing::HasSubstr;

class ModelShelf : public testing::Test {
protected:
    ModelShelf() {
        ::setenv("XDG_DATA_HOME", (m_folder / "user").c_str(), 1);
        ::setenv("OPSCAPE_DATA", (m_folder / "data").c_str(), 1);
    }
    ~ModelShelf() override {
        ::unsetenv("XDG_DATA_HOME");
        ::unsetenv("OPSCAPE_DATA");
    }
    void add(const std::filesystem::path& file) const {
        std::filesystem::create_directories(file.parent_path());
        ASSERT_TRUE(writeModel({}, file));
    }
    void addBundled() const { add(m_folder / "data/models/default.opscape-model"); }
    void addMine(const std::string& name) const { add(*userModelFile(name)); }
    static std::vector<std::string> names() {
        std::vector<std::string> all;
        for (const ShelvedModel& model : shelvedModels())
            all.push_back(model.name);
        return all;
    }
    test::TemporaryFolder m_folder;
};

TEST_F(ModelShelf, IsEmptyAtFirstAndThereIsNoDefault) {
    EXPECT_THAT(names(), ElementsAre());
    EXPECT_EQ(defaultModel(), kNoModel);
    EXPECT_TRUE(defaultModelFile().empty());
    const auto none = findModel(kDefaultModel);
    ASSERT_FALSE(none);
    EXPECT_THAT(none.error().message, IsOneSentence());
}

TEST_F(ModelShelf, TheBundledModelIsTheDefaultUntilAnotherIsChosen) {
    addBundled();
    addMine("b");
    addMine("a");
    EXPECT_THAT(names(), ElementsAre("bundled/default", "a", "b"));
    EXPECT_EQ(defaultModel(), "bundled/default");
    EXPECT_EQ(defaultModelFile(), m_folder / "data/models/default.opscape-model");
    ASSERT_TRUE(chooseDefaultModel("a"));
    EXPECT_EQ(findModel(kDefaultModel)->name, "a");
    EXPECT_EQ(defaultModelFile(), *userModelFile("a"));
    ASSERT_TRUE(chooseDefaultModel(kNoModel));
    EXPECT_TRUE(defaultModelFile().empty());
    ASSERT_TRUE(chooseDefaultModel({}));
    EXPECT_EQ(defaultModel(), "bundled/default");
}

TEST_F(ModelShelf, ADefaultThatIsGoneIsNamedRatherThanPassedOver) {
    addMine("a");
    ASSERT_TRUE(chooseDefaultModel("a"));
    std::filesystem::remove(*userModelFile("a"));
    EXPECT_EQ(defaultModelFile(), *userModelFile("a"));
}

TEST_F(ModelShelf, FindsByNameOrByFileAndElseSaysWhatThereIs) {
    addMine("a");
    const auto file = m_folder / "elsewhere.opscape-model";
    add(file);
    EXPECT_EQ(findModel("a")->file, *userModelFile("a"));
    EXPECT_EQ(findModel(file.string())->file, file);
    const auto missing = findModel("c");
    ASSERT_FALSE(missing);
    EXPECT_THAT(missing.error().message, testing::AllOf(IsOneSentence(), HasSubstr("there is a.")));
    EXPECT_FALSE(chooseDefaultModel("c"));
}

TEST_F(ModelShelf, RefusesWhatIsNoName) {
    for (const char* name : {"", "default", "none", "../a", "a/b", ".a", "-a", "a b"})
        EXPECT_FALSE(userModelFile(name)) << name;
    EXPECT_FALSE(userModelFile(std::string(65, 'a')));
    EXPECT_TRUE(userModelFile("my-model_2.1"));
}

} // namespace
} // namespace opscape::rl
