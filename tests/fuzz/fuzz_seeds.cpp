// SPDX-License-Identifier: MIT
// Files to begin fuzzing from: small graphs in every format that is written and read, DIR/FORMAT/N. Formats that are
// only read begin from what lies in tests/fuzz/seeds, as do parts of the others that no writer makes, and those that
// are no text from messages made here.
#include "io/random_graph.h"
#include "support/small_graph.h"

#include <opscape/base/paths.h>
#include <opscape/io/hlo/hlo.pb.h>
#include <opscape/io/read/chakra.pb.h>
#include <opscape/io/tensorflow/tensorflow.pb.h>

#include <google/protobuf/stubs/logging.h>
#include <google/protobuf/text_format.h>

#include <cstdio>

namespace {

using namespace opscape;

bool write(const std::filesystem::path& file, const std::string& bytes) {
    std::filesystem::create_directories(file.parent_path());
    const auto done = writeFile(file, bytes);
    if (!done)
        std::fprintf(stderr, "fuzz_seeds: %s\n", done.error().message.c_str());
    return done.has_value();
}

bool writeGraphs(const std::filesystem::path& folder) {
    constexpr std::size_t kGraphs = 24;
    for (const GraphFormat& format : graphFormats()) {
        for (std::size_t i = 0; format.read != nullptr && format.write != nullptr && i < kGraphs; ++i) {
            const Graph graph = i == 0 ? test::smallGraph() : RandomGraph(i).make(i);
            const auto written = format.write({graph});
            if (!written)
                std::fprintf(stderr, "fuzz_seeds: %s\n", written.error().message.c_str());
            if (!written || !write(folder / format.id / fmt::format("seed{}", i), written->bytes))
                return false;
        }
    }
    return true;
}

/// The texts there are, as messages.
bool writeTensorflow(const std::filesystem::path& folder) {
    const google::protobuf::LogSilencer silencer; // about fields that are not read
    for (const auto& entry : std::filesystem::directory_iterator(folder / "tensorflow-text")) {
        const auto text = readFile(entry.path());
        tensorflow::TextGraphDef graph;
        google::protobuf::TextFormat::Parser parser;
        parser.AllowUnknownField(true);
        if (text && parser.ParseFromString(*text, &graph) &&
            !write(folder / "tensorflow" / entry.path().filename(), graph.SerializeAsString()))
            return false;
    }
    return true;
}

/// y = f(p, q) + p, where f is a fusion of a product.
std::string hloModule() {
    constexpr int kF32 = 11;
    xla::HloProto proto;
    auto& module = *proto.mutable_hlo_module();
    module.set_name("m");
    module.set_entry_computation_id(2);
    std::int64_t id = 0;
    const auto add = [&id](xla::HloComputationProto& to, const std::string& opcode,
                           std::initializer_list<std::int64_t> operands) -> xla::HloInstructionProto& {
        auto& made = *to.add_instructions();
        made.set_id(++id);
        made.set_name(fmt::format("{}.{}", opcode, id));
        made.set_opcode(opcode);
        made.mutable_shape()->set_element_type(kF32);
        made.mutable_shape()->add_dimensions(8);
        made.mutable_metadata()->set_op_name("net/" + opcode);
        for (const std::int64_t operand : operands)
            made.add_operand_ids(operand);
        to.set_root_id(id);
        return made;
    };
    for (const char* name : {"fused", "entry"}) {
        auto& computation = *module.add_computations();
        computation.set_id(module.computations_size());
        computation.set_name(name);
        const std::int64_t p = add(computation, "parameter", {}).id();
        auto& second = add(computation, "parameter", {});
        second.set_parameter_number(1);
        if (module.computations_size() == 1) {
            add(computation, "multiply", {p, second.id()});
            continue;
        }
        auto& fusion = add(computation, "fusion", {p, second.id()});
        fusion.set_fusion_kind("kLoop");
        fusion.add_called_computation_ids(1);
        auto& sum = add(computation, "add", {fusion.id(), p});
        sum.add_control_predecessor_ids(fusion.id());
        sum.add_replica_groups()->add_replica_ids(0);
    }
    return proto.SerializeAsString();
}

std::string chakraTrace() {
    std::string bytes("\x07\x0a\x05", 3); // the metadata: its version
    bytes += "0.0.4";
    for (std::uint64_t id = 1; id <= 3; ++id) {
        chakra::Node node;
        node.set_id(id);
        node.set_name(fmt::format("aten::mm({})", id));
        node.set_type(4);
        node.set_duration_us(10 * id);
        if (id > 1)
            node.add_data(id - 1);
        node.add_control(id == 3 ? 1 : 9);
        node.mutable_outputs()->set_values("[[1, 2, 0, 64, 4, 'cuda:0']]");
        auto& attribute = *node.add_attributes();
        attribute.set_name("is_cpu_op");
        attribute.set_bool_value(id == 1);
        const std::string message = node.SerializeAsString();
        bytes += static_cast<char>(message.size()); // below 128
        bytes += message;
    }
    return bytes;
}

} // namespace

int main(int argc, char** argv) {
    if (argc != 2) {
        std::fprintf(stderr, "usage: fuzz_seeds DIR\n");
        return 2;
    }
    const std::filesystem::path folder = argv[1];
    std::filesystem::create_directories(folder);
    std::filesystem::copy(OPSCAPE_SOURCE_DIR "/tests/fuzz/seeds", folder,
                          std::filesystem::copy_options::recursive | std::filesystem::copy_options::overwrite_existing);
    const bool done = writeGraphs(folder) && writeTensorflow(folder) &&
                      write(folder / "hlo-proto" / "fusion", hloModule()) &&
                      write(folder / "chakra" / "three", chakraTrace());
    return done ? 0 : 1;
}
