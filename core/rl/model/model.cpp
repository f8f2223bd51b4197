// SPDX-License-Identifier: MIT
#include <opscape/base/hash.h>
#include <opscape/rl/model/model.h>
#include <opscape/rl/pretrain/pretrain_state.h>

namespace opscape::rl {
namespace {

constexpr std::uint32_t kWithRows = 2; ///< format that began to have lessons one by one, and the curve
constexpr StateFile kModelFile{"OPSCAPMO", kWithRows, "model", "train one anew", 1};

} // namespace

template <class File>
void visit(File& file, JudgedLesson& lesson) {
    visit(file, lesson.graph);
    visit(file, lesson.cluster);
    visit(file, lesson.family);
    visit(file, lesson.ops);
    visit(file, lesson.greedyNs);
    visit(file, lesson.bestOf64Ns);
    visit(file, lesson.simpleNs);
}

template <class File>
void visit(File& file, Model& m) {
    visit(file, m.version);
    visit(file, m.network);
    visit(file, m.revisions);
    visit(file, m.recipe);
    visit(file, m.updates);
    visit(file, m.simulations);
    visit(file, m.seconds);
    visit(file, m.heldOutLessons);
    visit(file, m.heldOutGreedy);
    visit(file, m.heldOutBestOf64);
    visit(file, m.parameters);
    if (!file.has(kWithRows))
        return;
    visit(file, m.judged);
    visit(file, m.curve);
}

Result<> writeModel(const Model& model, const std::filesystem::path& file) {
    return writeState(kModelFile, model, file);
}

Result<Model> readModel(const std::filesystem::path& file) { return readState<Model>(kModelFile, file); }

std::string modelHash(const Model& model) {
    Hasher hash;
    for (const auto& [name, value] : model.network) {
        hash.text(name);
        hash.text(value);
    }
    for (const float parameter : model.parameters)
        hash.value(parameter);
    return hash.hex();
}

Result<> checkModel(const Model& model, const std::map<std::string, std::string>& network,
                    const std::map<std::string, int>& revisions, const std::filesystem::path& file) {
    for (const auto& [name, value] : network) {
        const auto its = model.network.find(name);
        if (its == model.network.end())
            return fail("{}: the model was not trained for {}; choose other tasks, another model, or none.",
                        file.string(), name);
        if (its->second != value)
            return fail("{}: the model has {} {}, here it is {}; choose the same policy and sizes, another model, or "
                        "none.",
                        file.string(), name, its->second, value);
    }
    for (const auto& [name, value] : model.network) {
        if (!network.contains(name))
            return fail("{}: the model was also trained for {}; choose the same tasks, another model, or none.",
                        file.string(), name);
    }
    for (const auto& [task, revision] : revisions) {
        const auto its = model.revisions.find(task);
        if (its == model.revisions.end() || its->second != revision)
            return fail("{}: the model was trained with another version of the task {}; train one anew or choose none.",
                        file.string(), task);
    }
    return {};
}

} // namespace opscape::rl
