// SPDX-License-Identifier: MIT
// Training and the transfer study around an engine that stands in for the real one and learns nothing.
#include "study/graph_families.h"
#include "study/training.h"
#include "study/transfer.h"
#include "support/sentence.h"
#include "support/temporary_folder.h"

#include <opscape/base/paths.h>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>

namespace opscape::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class Trainings : public testing::Test {
protected:
    Trainings() {
        m_engine.join = [](bool) { return rl::Crew(); };
        m_engine.hash = [](const std::filesystem::path& file) -> Result<std::string> {
            auto text = readFile(file);
            return text ? Result<std::string>(std::move(*text)) : fail(text.error());
        };
        m_engine.pretrain = [this](auto lessons, auto heldOut, auto tasks, const rl::PretrainOptions& options,
                                   const std::filesystem::path& model, const rl::Crew&, const auto& told,
                                   const RunContext& context) -> Result<rl::PretrainResult> {
            ++m_trained;
            m_options = options;
            m_seed = context.seed;
            m_families.clear();
            for (const rl::Lesson& lesson : lessons)
                m_families.insert(lesson.family);
            m_watched = heldOut.size();
            EXPECT_FALSE(tasks.empty());
            if (told)
                told({.update = 1,
                      .seconds = .5,
                      .simulations = 128,
                      .reward = -1.25,
                      .heldOut = rl::HeldOut{.9, .8, 4}});
            if (m_stopsWithin)
                m_stop.request_stop();
            if (auto written = writeFile(model, fmt::format("policy {}", m_trained)); !written)
                return fail(written.error());
            return rl::PretrainResult{1, 128, .5, rl::HeldOut{.9, .8, 4}};
        };
        m_request.recipe.lessons = 12;
        m_request.recipe.validationLessons = 2;
        m_request.recipe.mostOps = 400;
        m_request.recipe.families = {"vgg", "alexnet", "rnnlm"};
        m_request.recipe.validation = std::vector<std::string>{"vgg"};
    }

    TemporaryFolder m_folder;
    Workbench m_workbench{m_folder / "runs.sqlite"};
    TrainingEngine m_engine;
    TrainingRequest m_request;
    std::stop_source m_stop;
    bool m_stopsWithin = false;
    // What the engine was told.
    int m_trained = 0;
    rl::PretrainOptions m_options;
    std::uint64_t m_seed = 0;
    std::set<std::string> m_families;
    std::size_t m_watched = 0;
};

TEST_F(Trainings, GiveTheEngineTheLessonsAndTheModelItsRecipe) {
    m_request.seed = 7;
    m_request.recipe.holdOut = {"rnnlm"};
    std::string hash, line;
    TrainingWatcher watcher;
    watcher.begins = [&hash](const LessonSet& set) { hash = set.hash; };
    watcher.learned = [&line](const rl::PretrainPoint& point) { line = curveLine(point); };
    const auto trained = trainModel(m_workbench.registry(), m_request, m_folder / "a.model", m_engine, watcher, {});
    ASSERT_TRUE(trained) << trained.error().message;
    EXPECT_TRUE(trained->writes);
    EXPECT_EQ(trained->result.simulations, 128);
    EXPECT_EQ(m_seed, 7u);
    EXPECT_THAT(m_families, ElementsAre("alexnet", "grid", "layered", "series-parallel"));
    EXPECT_EQ(m_watched, 2u);
    EXPECT_EQ(line, "1,0.500,128,-1.25,0,0,0,0.9,0.8,4");
    const auto commas = [](std::string_view text) { return std::ranges::count(text, ','); };
    EXPECT_EQ(commas(line), commas(kTrainingColumns));
    EXPECT_EQ(commas(curveLine({})), commas(kTrainingColumns));
    const auto recipe = nlohmann::json::parse(m_options.recipe);
    EXPECT_EQ(recipe["lessons_hash"], hash);
    EXPECT_EQ(recipe["recipe"]["hold_out"], std::vector<std::string>{"rnnlm"});
    EXPECT_EQ(recipe["training"]["seed"], 7);
}

TEST_F(Trainings, FollowThePaperByTheNameOfItsProtocols) {
    TrainingRequest batch;
    batch.recipe.holdOut = {"branching"};
    ASSERT_TRUE(applyProtocol("go-batch", batch));
    EXPECT_EQ(batch.recipe.lessons, 0u);
    EXPECT_THAT(batch.recipe.workloads, testing::AllOf(testing::Contains("rnnlm2"), testing::Contains("txl8"),
                                                       testing::Not(testing::Contains("wavenet2"))));
    EXPECT_EQ(batch.options.draw, rl::LessonDraw::Uniform);
    for (const char* name : {"go-generalization+finetune", "go-generalization-zeroshot"}) {
        TrainingRequest request;
        ASSERT_TRUE(applyProtocol(name, request));
        EXPECT_EQ(request.options.draw, rl::LessonDraw::InTurn);
        EXPECT_EQ(request.options.curriculum, 0);
        EXPECT_EQ(request.recipe, LessonRecipe());
        EXPECT_EQ(request.protocol, name);
    }
    TrainingRequest request;
    const auto refused = applyProtocol("go-one", request);
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().message, IsOneSentence());
    for (const auto draw : {rl::LessonDraw::ByFamily, rl::LessonDraw::Uniform, rl::LessonDraw::InTurn})
        EXPECT_EQ(parseLessonDraw(toString(draw)), draw);
}

TEST_F(Trainings, BeginAgainFromTheirStateWithTheProcessesThatAreLeft) {
    std::vector<std::filesystem::path> loads;
    std::vector<int> sizes;
    const auto gone = [](std::span<float>) { return false; };
    m_engine.join = [&gone](bool elastic) {
        rl::Crew crew{0, 3, gone};
        if (elastic)
            crew.regroup = [&gone]() -> Result<rl::Crew> { return rl::Crew{0, 2, gone, [] { return rl::Crew(); }}; };
        return crew;
    };
    m_engine.pretrain = [&](auto, auto, auto, const rl::PretrainOptions& options, const auto&, const rl::Crew& crew,
                            const auto&, const RunContext&) -> Result<rl::PretrainResult> {
        loads.push_back(options.load);
        sizes.push_back(crew.size);
        if (crew.size > 1 && !crew.sum({}))
            return fail("another process of the training is gone.");
        return rl::PretrainResult{};
    };
    m_request.options.save = m_folder / "state";
    TrainingWatcher watcher;
    watcher.begins = [](const LessonSet&) {};
    std::vector<int> left;
    watcher.regrouped = [&left](int size) { left.push_back(size); };
    const auto refused = trainModel(m_workbench.registry(), m_request, m_folder / "m", m_engine, watcher, {});
    EXPECT_FALSE(refused) << "unless they are elastic";
    loads.clear();
    sizes.clear();
    m_request.elastic = true;
    const auto trained = trainModel(m_workbench.registry(), m_request, m_folder / "m", m_engine, watcher, {});
    ASSERT_TRUE(trained) << trained.error().message;
    EXPECT_THAT(sizes, ElementsAre(3, 2, 1));
    EXPECT_THAT(left, ElementsAre(2, 1));
    EXPECT_EQ(loads.front(), "");
    EXPECT_EQ(loads.back(), m_request.options.save);
}

class Transfers : public Trainings {
protected:
    Transfers() {
        m_transfer.heldOut = {"alexnet"};
        m_transfer.seeds = {1};
        m_transfer.budgetS = .05;
        m_transfer.training = m_request;
    }
    [[nodiscard]] std::vector<TransferRun> runs() const {
        auto planned = transferRuns(m_workbench.registry(), m_transfer);
        EXPECT_TRUE(planned) << planned.error().message;
        return planned ? std::move(*planned) : std::vector<TransferRun>();
    }
    Result<> make() {
        auto table = TransferTable::open(m_file);
        if (!table)
            return fail(table.error());
        TransferWatcher watcher;
        watcher.begins = [this](const std::string& what) { m_begun.push_back(what); };
        watcher.progress = [](const Progress&) {};
        watcher.said = [this](const std::string& sentence) { m_said.push_back(sentence); };
        watcher.made = [this](const std::vector<TransferRow>& made) { m_rows += made.size(); };
        return runTransfer(m_workbench.registry(), m_transfer, runs(), *table, m_file, m_engine, {"test", "m", "c"},
                           watcher, m_stop.get_token());
    }
    [[nodiscard]] std::vector<TransferRow> rows() const { return TransferTable::open(m_file)->rows(); }

    TransferRequest m_transfer;
    std::filesystem::path m_file = m_folder / "transfer.csv";
    std::filesystem::path m_model = m_folder / "transfer_models" / "alexnet-1.opscape-model";
    std::vector<std::string> m_begun, m_said;
    std::size_t m_rows = 0; ///< that were told of as they were made
};

TEST_F(Transfers, HoldOutEveryFamilyAndSuperFamilyUntilToldOtherwise) {
    m_transfer.heldOut.clear();
    m_transfer.seeds = {1, 2};
    std::set<std::string> heldOut, workloads;
    std::map<std::string, std::size_t> expert, fineTuned;
    for (const TransferRun& run : runs()) {
        EXPECT_EQ(run.takesModel, run.heldOut != TransferRow::kNothing);
        if (run.takesModel)
            heldOut.insert(run.heldOut);
        workloads.insert(run.run.workload);
        if (run.run.method.name == "expert")
            ++expert[run.run.workload];
        if (run.run.method.name == "go-fine-tuned")
            ++fineTuned[run.run.workload];
    }
    EXPECT_EQ(heldOut.size(), graphFamilies().size() + superFamilies().size());
    EXPECT_EQ(workloads.size(), 19u) << "of every family, also those that were published on one device";
    for (const std::string& workload : workloads) {
        EXPECT_EQ(expert[workload], 1u) << "whatever is held out, it is the same";
        EXPECT_EQ(fineTuned[workload], 4u) << "two seeds, without its family and without its super-family";
    }
}

TEST_F(Transfers, MakeRowsOfWhatTakesNoPolicyOnceAndNothingTwice) {
    m_transfer.methods = {"expert", "anneal"};
    ASSERT_TRUE(make());
    EXPECT_EQ(m_trained, 0);
    const auto first = rows();
    ASSERT_FALSE(first.empty());
    EXPECT_EQ(m_rows, first.size());
    for (const TransferRow& row : first) {
        EXPECT_EQ(row.heldOut, "-");
        EXPECT_EQ(row.model, "-");
        EXPECT_EQ(row.devices, 4) << "the default cluster, since it was published on one device";
        EXPECT_GT(row.stepTimeNs, 0);
    }
    m_begun.clear();
    m_transfer.heldOut = {"alexnet", "plain"};
    m_transfer.methods = {"expert"};
    ASSERT_TRUE(make());
    EXPECT_THAT(m_begun, ElementsAre("resnet50 small, expert", "vgg19 small, expert"));
    EXPECT_EQ(rows().front(), first.front());
}

TEST_F(Transfers, TrainAPolicyOnceAndKeepIt) {
    m_transfer.methods = {"go-zero-shot"};
    ASSERT_TRUE(make());
    EXPECT_EQ(m_trained, 1);
    EXPECT_FALSE(m_families.contains("alexnet"));
    EXPECT_EQ(*readFile(m_model), "policy 1");
    EXPECT_THAT(m_said, ElementsAre(HasSubstr("alexnet-1.opscape-model"))) << "which is no policy";
    EXPECT_THAT(rows(), testing::IsEmpty());
    ASSERT_TRUE(make());
    EXPECT_EQ(m_trained, 1) << "only the row is tried again";
}

TEST_F(Transfers, TakeNoPolicyThatWasStoppedHalfWay) {
    m_transfer.methods = {"go-zero-shot"};
    m_stopsWithin = true;
    ASSERT_TRUE(make());
    EXPECT_FALSE(std::filesystem::exists(m_model));
    EXPECT_TRUE(m_options.load.empty());
    ASSERT_TRUE(writeFile(m_options.save, "state")); // as the engine would have
    m_stop = {};
    m_stopsWithin = false;
    ASSERT_TRUE(make());
    EXPECT_EQ(m_options.load, m_options.save) << "the training goes on";
    EXPECT_TRUE(std::filesystem::exists(m_model));
    EXPECT_FALSE(std::filesystem::exists(m_options.save));
}

TEST_F(Transfers, RefuseToMixRowsOfTwoPolicies) {
    m_transfer.methods = {"go-zero-shot"};
    const auto planned = runs();
    auto table = TransferTable::open(m_file);
    TransferRow row = planned.front().row(planned.front().run.cells.front());
    row.model = "another";
    ASSERT_TRUE(table->add(row, {"test", "m", "c"}));
    const auto made = make();
    ASSERT_FALSE(made);
    EXPECT_THAT(made.error().message, testing::AllOf(IsOneSentence(), HasSubstr("alexnet"), HasSubstr("seed 1")));
}

TEST_F(Transfers, CompareAMethodAtEveryBudgetWithPoliciesThatTakeNone) {
    m_transfer.methods = {"go-fine-tuned", "anneal", "expert"};
    m_transfer.heldOut = {"alexnet", "plain"};
    m_transfer.seeds = {1, 2};
    m_transfer.budgetS = 60;
    const auto planned = runs();
    TransferTable table;
    for (const TransferRun& run : planned) {
        for (const ResultRow& cell : run.run.cells) {
            TransferRow row = run.row(cell);
            row.feasible = true;
            row.stepTimeNs = row.optimizer == "expert" ? 300 : row.optimizer == "anneal" ? 200 - cell.budgetS : 100;
            if (row.heldOut == "plain")
                row.stepTimeNs = 120;
            ASSERT_TRUE(table.add(row, {}));
        }
    }
    const auto ratio = [&](TransferPart part, const std::string& other) {
        for (const Standing& s : standings(transferRows(planned, table, part), {"go-fine-tuned", {other}})) {
            if (s.scheduler == kBestScheduler)
                return s.ratio;
        }
        return 0.;
    };
    EXPECT_DOUBLE_EQ(ratio(TransferPart::Families, "expert"), 3);
    EXPECT_DOUBLE_EQ(ratio(TransferPart::SuperFamilies, "expert"), 2.5);
    EXPECT_DOUBLE_EQ(ratio(TransferPart::Families, "anneal 10 s"), 1.9);
    EXPECT_DOUBLE_EQ(ratio(TransferPart::Families, "anneal 60 s"), 1.4);
    EXPECT_TRUE(transferRows(planned, table, TransferPart::Files).rows.empty());
}

TEST_F(Transfers, JudgePoliciesOfEveryFamilyOnGraphsFromFiles) {
    const std::filesystem::path file = std::filesystem::path(OPSCAPE_SOURCE_DIR) / "data/graphs/textbook_a.json";
    m_transfer.heldOut.clear();
    m_transfer.graphs = {file.string()};
    m_transfer.methods = {"go-zero-shot", "expert"};
    const auto planned = runs();
    ASSERT_EQ(planned.size(), 2u);
    EXPECT_EQ(planned[0].heldOut, kFromFiles);
    ASSERT_TRUE(make());
    ASSERT_FALSE(rows().empty());
    EXPECT_EQ(rows()[0].workload, "textbook_a.json");
    EXPECT_TRUE(m_families.contains("alexnet")) << "nothing is held out";
    EXPECT_FALSE(transferRows(planned, *TransferTable::open(m_file), TransferPart::Files).rows.empty());
}

TEST_F(Transfers, RefuseWhatIsNotThere) {
    const auto refused = [this](const TransferRequest& request) {
        const auto planned = transferRuns(m_workbench.registry(), request);
        EXPECT_FALSE(planned);
        return planned ? std::string() : planned.error().message;
    };
    EXPECT_THAT(refused({.heldOut = {"gnmt8"}}), IsOneSentence());
    EXPECT_THAT(refused({.methods = {"cpop"}}), IsOneSentence());
    EXPECT_THAT(refused({.graphs = {"none.onnx"}}), IsOneSentence());
}

} // namespace
} // namespace opscape::test
