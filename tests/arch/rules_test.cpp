// SPDX-License-Identifier: MIT
// The rules can fail: each is broken once, on a tree of a few lines.
#include "rules.h"

#include <gmock/gmock.h>

namespace opscape::arch {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// A source that includes these; a name in quotes is included in quotes. Put together here, so that the includes are
/// none of this file.
std::string including(const std::vector<std::string>& names) {
    std::string text = "// SPDX-License-Identifier: MIT\n#pragma once\n";
    for (const std::string& name : names)
        text += std::string("#inc") + "lude " + (name[0] == '"' ? name : "<" + name + ">") + "\n";
    return text;
}

std::vector<std::string> texts(const std::vector<Violation>& violations) {
    std::vector<std::string> all;
    for (const Violation& v : violations)
        all.push_back(v.text());
    return all;
}

TEST(ArchRules, FoldersOfCoreIncludeWhatIsBelowThem) {
    EXPECT_THAT(texts(checkLayers({
                    {"core/graph/a.h", including({"vector", "opscape/graph/b.h", "opscape/base/hash.h"})},
                    {"core/sim/a.cpp", including({"opscape/plan/plan.h", "\"inner.h\""})},
                    {"core/sim/inner.h", including({})},
                    {"core/store/a.cpp", including({"opscape/base/result.h"})},
                    {"app/gui/a.cpp", including({"opscape/sim/simulator.h", "opscape/io/format.h"})},
                })),
                IsEmpty());
    EXPECT_THAT(texts(checkLayers({{"core/base/a.h", including({"opscape/graph/graph.h"})}})),
                ElementsAre("core/base/a.h:3: core/base must not include core/graph/graph.h, which is not below it"));
    EXPECT_THAT(
        texts(checkLayers({{"core/graph/a.h", including({"vector", "opscape/device/cluster.h"})}})),
        ElementsAre("core/graph/a.h:4: core/graph must not include core/device/cluster.h, which is not below it"));
    EXPECT_THAT(
        texts(checkLayers({{"core/plan/a.cpp", including({"opscape/sim/schedule.h"})}})),
        ElementsAre("core/plan/a.cpp:3: core/plan must not include core/sim/schedule.h, which is not below it"));
}

TEST(ArchRules, TheFoldersAtTheTopOfCoreDoNotIncludeEachOther) {
    for (const std::string mine : {"query", "search", "zoo", "io", "task", "layout", "store"}) {
        for (const std::string other : {"query", "search", "zoo", "io", "task", "layout", "rl", "store"}) {
            const Tree tree{{"core/" + mine + "/a.cpp", including({"opscape/" + other + "/b.h"})}};
            EXPECT_EQ(checkLayers(tree).size(), mine == other ? 0u : 1u) << mine << " includes " << other;
        }
    }
}

TEST(ArchRules, LearningStandsAboveSearchAndTasksOnly) {
    for (const std::string other : {"search", "task", "sim"})
        EXPECT_THAT(checkLayers({{"core/rl/a.cpp", including({"opscape/" + other + "/b.h"})}}), IsEmpty()) << other;
    for (const std::string other : {"io", "zoo", "layout", "store"})
        EXPECT_EQ(checkLayers({{"core/rl/a.cpp", including({"opscape/" + other + "/b.h"})}}).size(), 1u) << other;
}

TEST(ArchRules, CoreDoesNotReachIntoAppOrPluginsByARelativePath) {
    EXPECT_THAT(texts(checkLayers({{"core/io/a.cpp", including({"\"../../app/service/workbench.h\""})},
                                   {"app/service/workbench.h", including({})}})),
                ElementsAre("core/io/a.cpp:3: core must not include app/service/workbench.h"));
    EXPECT_THAT(
        texts(checkLayers({{"core/base/a.cpp", including({"\"../sim/b.h\""})}, {"core/sim/b.h", including({})}})),
        ElementsAre("core/base/a.cpp:3: core/base must not include core/sim/b.h, which is not below it"));
}

TEST(ArchRules, ANewFolderOfCoreHasToBePlaced) {
    EXPECT_THAT(texts(checkLayers({{"core/new/a.cpp", including({"opscape/base/hash.h"})}})),
                ElementsAre("core/new/a.cpp:3: core/new is not in the list of folders of core"));
}

TEST(ArchRules, QtStaysInTheApplication) {
    for (const std::string qt : {"QString", "QtCore/QString", "QtGlobal", "qcustomplot.h"}) {
        EXPECT_EQ(checkLibraries({{"core/graph/a.h", including({qt})}}).size(), 1u) << qt;
        EXPECT_EQ(checkLibraries({{"app/gui/a.h", including({qt})}}).size(), 0u) << qt;
    }
    EXPECT_THAT(texts(checkLibraries({{"app/service/a.h", including({"QString"})}})),
                ElementsAre("app/service/a.h:3: app/service must be free of Qt, but includes QString"));
    EXPECT_THAT(texts(checkLibraries({{"plugins/tasks/a.cpp", including({"QString"})}})),
                ElementsAre("plugins/tasks/a.cpp:3: plugins/tasks must be free of Qt, but includes QString"));
    EXPECT_THAT(checkLibraries({{"core/graph/a.h", including({"queue", "Queue.h"})}}), IsEmpty());
}

TEST(ArchRules, TorchStaysInTheSourcesOfRl) {
    EXPECT_THAT(checkLibraries({{"core/rl/a.cpp", including({"torch/torch.h", "ATen/ATen.h"})},
                                {"tests/rl/a.cpp", including({"torch/torch.h"})}}),
                IsEmpty());
    for (const std::string path : {"core/rl/a.h", "core/task/a.cpp", "plugins/optimizers/go.cpp", "tests/task/a.cpp"})
        EXPECT_EQ(checkLibraries({{path, including({"torch/torch.h"})}}).size(), 1u) << path;
    EXPECT_THAT(texts(checkLibraries({{"tests/rl/a.cpp", including({"torch/torch.h", "vector", "QObject"})}})),
                ElementsAre("tests/rl/a.cpp:5: torch and Qt in one file: torch/torch.h and QObject"));
}

TEST(ArchRules, GraphvizAndSqliteStayInTheirFolders) {
    EXPECT_THAT(checkLibraries({{"core/layout/a.cpp", including({"graphviz/cgraph.h", "graphviz/gvc.h"})},
                                {"core/store/a.cpp", including({"sqlite3.h"})},
                                {"tests/store/a.cpp", including({"sqlite3.h"})}}),
                IsEmpty());
    EXPECT_THAT(texts(checkLibraries({{"app/gui/a.cpp", including({"graphviz/gvc.h"})}})),
                ElementsAre("app/gui/a.cpp:3: Graphviz belongs in core/layout, but graphviz/gvc.h is included here"));
    EXPECT_THAT(texts(checkLibraries({{"app/cli/a.cpp", including({"sqlite3.h"})}})),
                ElementsAre("app/cli/a.cpp:3: SQLite belongs in core/store, but sqlite3.h is included here"));
}

TEST(ArchRules, APluginSeesCoreOnly) {
    const Tree tree{{"plugins/optimizers/heft.cpp",
                     including({"opscape/task/optimizer.h", "\"ranks.h\"", "metis.h", "\"service/workbench.h\""})},
                    {"plugins/optimizers/ranks.h", including({})},
                    {"app/service/workbench.h", including({})}};
    EXPECT_THAT(
        texts(checkLibraries(tree)),
        ElementsAre("plugins/optimizers/heft.cpp:6: a plugin sees core only, but includes app/service/workbench.h"));
}

TEST(ArchRules, RenderAndServiceDoNotKnowTheirUsers) {
    const Tree tree{{"app/render/a.cpp", including({"\"theme.h\"", "\"gui/window.h\""})},
                    {"app/render/theme.h", including({})},
                    {"app/service/b.cpp", including({"\"../cli/commands.h\""})},
                    {"app/gui/window.h", including({"\"render/theme.h\""})},
                    {"app/cli/commands.h", including({})}};
    EXPECT_THAT(texts(checkApp(tree)),
                ElementsAre("app/render/a.cpp:4: app/render must not include app/gui/window.h",
                            "app/service/b.cpp:3: app/service must not include app/cli/commands.h"));
}

TEST(ArchRules, EveryFileNamesItsLicenceAndEveryHeaderIsGuarded) {
    EXPECT_THAT(texts(checkShape({{"core/base/a.cpp", "int x;\n"}})),
                ElementsAre("core/base/a.cpp:1: the first line must be: // SPDX-License-Identifier: MIT"));
    EXPECT_THAT(texts(checkShape({{"core/base/a.h", "// SPDX-License-Identifier: MIT\nint x;\n"}})),
                ElementsAre("core/base/a.h:1: a header needs #pragma once"));
    EXPECT_THAT(checkShape({{"core/base/a.h", including({})}, {"README.md", "Opscape\n"}}), IsEmpty());
}

TEST(ArchRules, NoFileIsLong) {
    const std::string first = "// SPDX-License-Identifier: MIT\n";
    EXPECT_THAT(checkShape({{"app/gui/a.cpp", first + std::string(599, '\n')}}), IsEmpty());
    EXPECT_THAT(texts(checkShape({{"app/gui/a.cpp", first + std::string(600, '\n')}})),
                ElementsAre("app/gui/a.cpp:601: 601 lines; split it, 600 are the most"));
}

TEST(ArchRules, NoTextNamesAFolderOfAMachine) {
    const std::string mine = std::string("/ho") + "me/me/opscape", root = std::string("/ro") + "ot/x";
    EXPECT_THAT(texts(checkMachinePaths({{"dev", "a\nb\ncd " + mine + "\n"}, {"x.md", "(" + root + ")"}})),
                ElementsAre(std::string("dev:3: names a folder of a machine: /ho") + "me/",
                            std::string("x.md:1: names a folder of a machine: /ro") + "ot/"));
    EXPECT_THAT(
        checkMachinePaths({{"x.json", "\"net" + mine + "\" https://a.org" + mine + " ~" + mine + " ${X}" + mine}}),
        IsEmpty())
        << "parts of longer paths, names and addresses";
}

} // namespace
} // namespace opscape::arch
