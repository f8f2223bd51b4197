// SPDX-License-Identifier: MIT
// Small XLA modules as text and as protobuf, the real ones where they are there, and modules that are wrong, with the
// sentence a person reads.
#include "io/graph_facts.h"
#include "io/malformed.h"
#include "support/sentence.h"

#include <opscape/cost/op_cost.h>
#include <opscape/io/hlo/hlo.pb.h>
#include <opscape/io/hlo/hlo_reader.h>

#include <gmock/gmock.h>

namespace opscape {
namespace {

using test::attributeOf;
using test::controlNames;
using test::errorOf;
using test::inputNames;
using test::opNamed;
using test::opNames;
using test::tensorNamed;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::string_view kSound =
    R"(HloModule step.7, is_scheduled=true, entry_computation_layout={(f32[8,4]{1,0})->f32[8]{0}}

%fused_computation (p: f32[8,6], q: f32[]) -> f32[8,6] {
  %p = f32[8,6]{1,0} parameter(0)
  %q = f32[] parameter(1)
  %wide = f32[8,6]{1,0} broadcast(f32[] %q), dimensions={}
  ROOT %mul = f32[8,6]{1,0} multiply(f32[8,6]{1,0} %p, f32[8,6]{1,0} %wide)
}

%add_reducer (a: f32[], b: f32[]) -> f32[] {
  %a = f32[] parameter(0)
  %b = f32[] parameter(1)
  ROOT %add.1 = f32[] add(f32[] %a, f32[] %b)
}

// what runs
ENTRY %main (x: f32[8,4], w: f32[4,6]) -> (f32[8], f32[8,6]) {
  %x = f32[8,4]{1,0} parameter(0)
  %w = f32[4,6]{1,0} parameter(1), sharding={replicated}
  %half = f32[] constant(0.5)
  %dot.2 = f32[8,6]{1,0} dot(f32[8,4]{1,0} %x, f32[4,6]{1,0} %w), lhs_contracting_dims={1}, rhs_contracting_dims={0}, metadata={op_type="dot_general" op_name="jit(step)/dense/dot_general" source_file="model.py" source_line=12}
  %fusion.3 = f32[8,6]{1,0} fusion(f32[8,6]{1,0} %dot.2, f32[] %half), kind=kLoop, calls=%fused_computation
  %ar = (f32[8,6]{1,0}, f32[]) all-reduce(%fusion.3, /*index=1*/%half), replica_groups={{0,1}}, to_apply=%add_reducer
  %get = f32[8,6]{1,0} get-tuple-element((f32[8,6]{1,0}, f32[]) %ar), index=0
  %reduce.5 = f32[8]{0} reduce(f32[8,6]{1,0} %get, f32[] %half), dimensions={1}, to_apply=%add_reducer, control-predecessors={%dot.2}
  ROOT %out = (f32[8]{0}, f32[8,6]{1,0}) tuple(f32[8]{0} %reduce.5, f32[8,6]{1,0} %get)
}
)";

GraphFile read(std::string_view text) {
    auto file = readGraph(text, "dir/step.hlo.txt");
    EXPECT_TRUE(file.has_value()) << errorOf(file);
    return file ? std::move(*file) : GraphFile();
}

/// A module with one computation more than what the test is about.
std::string entry(std::string_view instructions, std::string_view computations = {}) {
    return fmt::format("HloModule m\n{}\nENTRY e {{\n{}\n}}\n", computations, instructions);
}

TEST(HloReader, InstructionsOfTheEntryBecomeOpsAndTuplesFallAway) {
    const GraphFile file = read(kSound);
    EXPECT_EQ(file.format, "hlo");
    EXPECT_EQ(file.fileNodes, 9u);
    EXPECT_EQ(file.fileEdges, 12u);
    EXPECT_EQ(file.folded, 4u) << "two parameters, a constant and get-tuple-element";
    const Graph& graph = file.graph;
    EXPECT_EQ(graph.name(), "step.7");
    EXPECT_THAT(opNames(graph),
                ElementsAre("jit(step)/dense/dot.2", "fusion.3/wide", "fusion.3/mul", "ar", "reduce.5", "out"));
    EXPECT_THAT(inputNames(graph, "jit(step)/dense/dot.2"), ElementsAre("x", "w"));
    EXPECT_THAT(inputNames(graph, "fusion.3/mul"), ElementsAre("jit(step)/dense/dot.2", "fusion.3/wide"));
    EXPECT_THAT(inputNames(graph, "ar"), ElementsAre("fusion.3/mul", "half"));
    EXPECT_THAT(inputNames(graph, "reduce.5"), ElementsAre("ar", "half"));
    EXPECT_THAT(inputNames(graph, "out"), ElementsAre("reduce.5", "ar"));
    EXPECT_THAT(controlNames(graph, "reduce.5"), ElementsAre("jit(step)/dense/dot.2"));
    EXPECT_EQ(tensorNamed(graph, "x").kind, TensorKind::Input);
    EXPECT_EQ(tensorNamed(graph, "half").kind, TensorKind::Constant);
    EXPECT_EQ(tensorNamed(graph, "reduce.5").shape, Shape{8});
}

TEST(HloReader, AFusionIsOneFusedGroupAndAScheduleTheOrderOfTheOps) {
    const GraphFile file = read(kSound);
    EXPECT_TRUE(file.isScheduled);
    constexpr std::uint32_t kAlone = Plan::kNotFused;
    EXPECT_THAT(file.fusionGroup, ElementsAre(kAlone, 0u, 0u, kAlone, kAlone, kAlone));
}

TEST(HloReader, OpsKeepTheirAttributesAndHaveTheWorkOfTheirRules) {
    const Graph graph = read(kSound).graph;
    const std::string dot = "jit(step)/dense/dot.2";
    EXPECT_EQ(attributeOf(graph, dot, "lhs_contracting_dims"), AttributeValue(std::vector<std::int64_t>{1}));
    EXPECT_EQ(attributeOf(graph, dot, "source"), AttributeValue(std::string("model.py:12")));
    EXPECT_EQ(attributeOf(graph, dot, "op_name"), AttributeValue(std::string("jit(step)/dense/dot_general")));
    EXPECT_EQ(attributeOf(graph, "ar", "communication_bytes"), AttributeValue(std::int64_t{8 * 6 * 4 + 4}));
    const OpCost cost = opCost(graph, graph.findOp(dot));
    EXPECT_EQ(cost.flops, 2 * 8 * 4 * 6);
    EXPECT_EQ(cost.opClass, OpClass::Matrix);
    EXPECT_EQ(opCost(graph, graph.findOp("reduce.5")).flops, 8 * 6);
    EXPECT_FALSE(opCost(graph, graph.findOp("out")).launches);
}

TEST(HloReader, AConvolutionFindsItsDimensionsByTheirLabels) {
    const Graph graph = read(entry(R"(
  x = bf16[2,8,8,3] parameter(0)
  k = bf16[3,3,3,16] parameter(1)
  ROOT conv = bf16[2,8,8,16] convolution(x, k), window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f)"))
                            .graph;
    const OpCost cost = opCost(graph, OpId(0));
    EXPECT_EQ(cost.flops, 2.0 * (2 * 8 * 8 * 16) * (3 * 3 * 3));
    EXPECT_EQ(cost.opClass, OpClass::Convolution);
    EXPECT_EQ(cost.computeType, DType::BF16);
}

constexpr std::string_view kBody = R"(
body { s = (s32[], f32[10]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  v = f32[10] get-tuple-element(s), index=1
  w = f32[10] multiply(v, v)
  ROOT t = (s32[], f32[10]) tuple(i, w) }
cond { s = (s32[], f32[10]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  ROOT c = pred[] compare(i, i), direction=LT })";

TEST(HloReader, ALoopIsOneOpWithTheWorkOfAllItsRounds) {
    const GraphFile file = read(entry(R"(
  i = s32[] constant(0)
  v = f32[10] parameter(0)
  t = (s32[], f32[10]) tuple(i, v)
  ROOT loop = (s32[], f32[10]) while(t), condition=cond, body=body, backend_config={"known_trip_count":{"n":"7"}})",
                                      kBody));
    EXPECT_THAT(opNames(file.graph), ElementsAre("loop"));
    EXPECT_THAT(inputNames(file.graph, "loop"), ElementsAre("i", "v"));
    EXPECT_EQ(opNamed(file.graph, "loop").flops, 7 * (10 + 1));
    EXPECT_EQ(opNamed(file.graph, "loop").bytesMoved, 7 * (2 * 40 + 4 + 1));
    EXPECT_EQ(file.graph.outputs(OpId(0)).size(), 2u);
    EXPECT_EQ(file.diagnostics.count("rounds-unknown"), 0u);
}

TEST(HloReader, OfAConditionalTheBranchWithMostWorkCounts) {
    const GraphFile file = read(entry(R"(
  p = pred[] parameter(0)
  v = f32[10] parameter(1)
  c = f32[10] conditional(p, v, v), true_computation=small, false_computation=large
  ROOT d = f32[10] call(c), to_apply=large)",
                                      R"(
small { ROOT v = f32[10] parameter(0) }
large { v = f32[10] parameter(0)
  u = f32[10] multiply(v, v)
  ROOT w = f32[10] add(u, v) })"));
    EXPECT_THAT(opNames(file.graph), ElementsAre("c", "d/u", "d/w")) << "and a call is a scope";
    EXPECT_EQ(opNamed(file.graph, "c").flops, 20);
    EXPECT_THAT(inputNames(file.graph, "d/w"), ElementsAre("d/u", "c"));
}

TEST(HloReader, WhatIsBegunIsThereForThoseThatWaitForItsEnd) {
    const GraphFile file = read(entry(R"(
  v = f32[4] parameter(0)
  n = f32[4] negate(v)
  g = (f32[4], f32[8]) all-gather-start(n), dimensions={0}
  gd = f32[8] all-gather-done(g)
  r = f32[8] all-reduce-start(gd), to_apply=large
  rd = f32[8] all-reduce-done(r)
  s = (f32[8], token[]) send(rd, v), channel_id=1
  sd = token[] send-done(s), channel_id=1
  ROOT z = f32[8] abs(rd), control-predecessors={gd})",
                                      "large { a = f32[] parameter(0)\nROOT b = f32[] add(a, a) }"));
    EXPECT_THAT(opNames(file.graph), ElementsAre("n", "g", "r", "s", "sd", "z"));
    EXPECT_THAT(inputNames(file.graph, "r"), ElementsAre("g:1"));
    EXPECT_EQ(file.graph.outputs(file.graph.findOp("g")).size(), 1u) << "the operand is no new array";
    EXPECT_THAT(controlNames(file.graph, "z"), ElementsAre("g"));
    EXPECT_EQ(attributeOf(file.graph, "g", "communication_bytes"), AttributeValue(std::int64_t{16}));
    EXPECT_EQ(file.graph.tensorBytes(file.graph.outputs(file.graph.findOp("sd"))[0]), 0) << "a token";
}

/// kSound's computations, as far as they differ in kind, as a message.
xla::HloModuleProto proto() {
    xla::HloModuleProto module;
    module.set_name("step.7");
    module.set_entry_computation_name("main");
    module.set_entry_computation_id(2);
    const auto add = [](xla::HloComputationProto& to, int id, const char* name, const char* opcode,
                        const std::vector<std::int64_t>& dims, const std::vector<std::int64_t>& operands) {
        auto& made = *to.add_instructions();
        made.set_id(id);
        made.set_name(name);
        made.set_opcode(opcode);
        made.mutable_shape()->set_element_type(11);
        made.mutable_shape()->mutable_dimensions()->Add(dims.begin(), dims.end());
        made.mutable_operand_ids()->Add(operands.begin(), operands.end());
        return &made;
    };
    auto& fused = *module.add_computations();
    fused.set_name("fused");
    fused.set_id(1);
    fused.set_root_id(12);
    add(fused, 11, "p", "parameter", {8, 6}, {});
    add(fused, 12, "neg", "negate", {8, 6}, {11});
    auto& main = *module.add_computations();
    main.set_name("main");
    main.set_id(2);
    main.set_root_id(25);
    add(main, 21, "x", "parameter", {8, 4}, {});
    add(main, 22, "w", "parameter", {4, 6}, {})->set_parameter_number(1);
    auto* dot = add(main, 23, "dot", "dot", {8, 6}, {21, 22});
    dot->mutable_dot_dimension_numbers()->add_lhs_contracting_dimensions(1);
    dot->mutable_metadata()->set_op_name("net/dense/dot_general");
    add(main, 24, "fusion", "fusion", {8, 6}, {23})->add_called_computation_ids(1);
    auto* abs = add(main, 25, "abs", "abs", {8, 6}, {24});
    abs->add_control_predecessor_ids(23);
    return module;
}

TEST(HloReader, AModuleAsProtobufIsReadTheSameWay) {
    xla::HloProto wrapped;
    *wrapped.mutable_hlo_module() = proto();
    for (const std::string& bytes : {wrapped.SerializeAsString(), proto().SerializeAsString()}) {
        ASSERT_TRUE(isHloProto(bytes));
        const auto file = readGraph(bytes, "m.pb");
        ASSERT_TRUE(file.has_value()) << errorOf(file);
        EXPECT_EQ(file->format, "hlo-proto");
        EXPECT_THAT(opNames(file->graph), ElementsAre("net/dense/dot", "fusion/neg", "abs"));
        EXPECT_THAT(controlNames(file->graph, "abs"), ElementsAre("net/dense/dot"));
        EXPECT_EQ(opCost(file->graph, OpId(0)).flops, 2 * 8 * 4 * 6);
        EXPECT_THAT(file->fusionGroup, ElementsAre(Plan::kNotFused, 0u, Plan::kNotFused));
        EXPECT_EQ(file->fileNodes, 5u);
        EXPECT_FALSE(file->isScheduled);
    }
}

TEST(HloReader, AScheduleSetsTheOrder) {
    xla::HloModuleProto module = proto();
    auto& main = *module.mutable_computations(1);
    main.mutable_instructions(4)->mutable_operand_ids()->Set(0, 23); // so that abs can come before the fusion
    auto& entry = *module.mutable_schedule()->add_sequences();
    entry.set_key(2);
    for (const int id : {22, 21, 23, 25, 24})
        entry.mutable_value()->add_instruction_ids(id);
    const auto file = readGraph(module.SerializeAsString(), "m.pb");
    ASSERT_TRUE(file.has_value()) << errorOf(file);
    EXPECT_TRUE(file->isScheduled);
    EXPECT_THAT(opNames(file->graph), ElementsAre("net/dense/dot", "abs", "fusion/neg"));
}

TEST(HloReader, AProtobufThatNamesWhatIsNotThereIsRefused) {
    xla::HloModuleProto module = proto();
    module.mutable_computations(1)->mutable_instructions(4)->set_operand_ids(0, 99);
    EXPECT_EQ(errorOf(readHloProto(module.SerializeAsString(), "m")),
              "m: abs reads the instruction of id 99, which does not come before it in its computation.");
    module = proto();
    module.mutable_computations(1)->mutable_instructions(3)->set_called_computation_ids(0, 2);
    EXPECT_EQ(errorOf(readHloProto(module.SerializeAsString(), "m")),
              "m: computation main runs itself, through others or at once; XLA has no recursion.");
    module.mutable_computations(1)->mutable_instructions(3)->set_called_computation_ids(0, 3);
    EXPECT_EQ(errorOf(readHloProto(module.SerializeAsString(), "m")),
              "m: fusion runs the computation of id 3, which the module does not have.");
    module = proto();
    module.set_entry_computation_id(7);
    EXPECT_EQ(errorOf(readHloProto(module.SerializeAsString(), "m")),
              "m: the module does not have its entry computation main.");
}

TEST(HloReader, ReadsTheRealModules) {
    const std::filesystem::path folder = std::string(OPSCAPE_SHARED_DATA) + "/hlo";
    if (!std::filesystem::exists(folder))
        GTEST_SKIP() << "skipped: no shared/data";
    struct Real {
        const char* name;
        std::size_t nodes, edges, allReduces;
    };
    for (const Real& real : {Real{"gpt2_tp1", 176, 194, 0}, Real{"gpt2_tp8", 178, 196, 2},
                             Real{"bert_dp_graph_3", 1127, 1556, 2}, Real{"mlp_single_final", 156, 198, 0}}) {
        SCOPED_TRACE(real.name);
        const auto file = readGraph(folder / (std::string(real.name) + ".hlo.txt"));
        ASSERT_TRUE(file.has_value()) << errorOf(file);
        EXPECT_EQ(file->fileNodes, real.nodes);
        EXPECT_EQ(file->fileEdges, real.edges);
        std::size_t allReduces = 0;
        for (std::size_t i = 0; i < file->graph.opCount(); ++i)
            allReduces += file->graph.op(OpId(i)).type == "all-reduce" ? 1u : 0u;
        EXPECT_EQ(allReduces, real.allReduces);
        EXPECT_EQ(file->graph.opCount() + file->folded, file->fileNodes);
        EXPECT_TRUE(file->diagnostics.empty());
    }
    const std::string broken = (folder / "test.hlo.txt").string();
    EXPECT_EQ(errorOf(readGraph(folder / "test.hlo.txt")),
              broken +
                  ": line 4, column 174: get-tuple-element.328 reads all-reduce.307, which is not defined before it "
                  "in its computation.");
}

TEST(HloReader, AModuleCutOffAnywhereGetsOneSentence) {
    for (std::size_t length = 1; length + 3 < kSound.size(); ++length) {
        const auto file = readHloText(kSound.substr(0, length), "net");
        ASSERT_FALSE(file.has_value()) << length;
        EXPECT_THAT(file.error().message, test::IsOneSentence()) << length;
    }
    const std::string bytes = proto().SerializeAsString();
    for (std::size_t length = 1; length < bytes.size(); ++length) {
        const auto file = readHloProto(std::string_view(bytes).substr(0, length), "net");
        if (!file) {
            EXPECT_THAT(file.error().message, test::IsOneSentence()) << length;
        }
    }
}

TEST(HloReader, DamagedBytesDoNoHarm) {
    const std::string sound = proto().SerializeAsString();
    for (std::size_t at = 0; at < sound.size(); ++at) {
        for (const char changed : {'\0', '\x7f', '\xff', '\x0a'}) {
            std::string bytes = sound;
            bytes[at] = changed;
            const auto file = readHloProto(bytes, "net");
            if (!file) {
                EXPECT_THAT(file.error().message, test::IsOneSentence()) << at;
            }
        }
    }
    for (std::size_t at = 0; at < kSound.size(); ++at) {
        for (const char changed : {'{', ')', '"', '%', '\0', '\xff'}) {
            std::string text(kSound);
            text[at] = changed;
            const auto file = readHloText(text, "net");
            if (!file) {
                EXPECT_THAT(file.error().message, test::IsOneSentence()) << at << file.error().message;
            }
        }
    }
}

TEST(HloReader, LongNamesDeepChainsAndWideFansAreRead) {
    constexpr int kDeep = 100'000, kWide = 50'000;
    std::string text = "HloModule m\nENTRY e {\n%n0 = f32[2] parameter(0)\n";
    for (int i = 1; i < kDeep; ++i)
        text += fmt::format("%n{} = f32[2] negate(f32[2] %n{})\n", i, i - 1);
    for (int i = 0; i < kWide; ++i)
        text += fmt::format("%fan{} = f32[2] abs(f32[2] %n1)\n", i);
    text += fmt::format("{} = f32[2] abs(n1)\n}}\n", std::string(10'000, 'n'));
    const GraphFile file = read(text);
    EXPECT_EQ(file.graph.opCount(), kDeep - 1 + kWide + 1u);
}

TEST(HloReader, WhatIsDeepGetsOneSentence) {
    const std::string deep(100'000, '(');
    EXPECT_EQ(errorOf(readHloText(entry("a = " + deep), "net")),
              "net: line 4, column 70: a shape has tuples within tuples, more than 64 deep.");
    EXPECT_THAT(errorOf(readHloText(entry("a = f32[] add(), x=" + deep), "net")), test::IsOneSentence());
    std::string calls = "c0 { ROOT p = f32[] parameter(0) }\n";
    for (int i = 1; i < 10'000; ++i)
        calls += fmt::format("c{} {{ p = f32[] parameter(0)\nROOT r = f32[] call(p), to_apply=c{} }}\n", i, i - 1);
    EXPECT_EQ(errorOf(readHloText(entry("p = f32[] parameter(0)", calls), "net")),
              "net: computations call one another more than 64 deep, from c65 on.");
}

TEST(HloReader, WhatWouldMultiplyStaysWithinLimits) {
    const std::string name(2000, 'n'); // long, so that the limit comes soon
    std::string calls = "c0 { p = f32[] parameter(0)\nROOT a = f32[] abs(p) }\n";
    for (int i = 1; i < 60; ++i)
        calls += fmt::format("c{0} {{ p = f32[] parameter(0)\na{2} = f32[] call(p), to_apply=c{1}\nROOT b{2} = f32[] "
                             "call(a{2}), to_apply=c{1} }}\n",
                             i, i - 1, name);
    const GraphFile file = read(entry("p = f32[] parameter(0)\nROOT r = f32[] call(p), to_apply=c59", calls));
    EXPECT_GT(file.diagnostics.count("call-not-opened"), 0u);
    EXPECT_LT(file.graph.opCount(), 100'000u);

    std::string tuples = "t0 = f32[] parameter(0)\n"; // each of twice as many arrays, if it were for its operands
    for (int i = 1; i < 60; ++i)
        tuples += fmt::format("t{0} = (f32[], f32[]) tuple(t{1}, t{1})\n", i, i - 1);
    EXPECT_EQ(read(entry(tuples + "ROOT a = f32[] abs(t59)")).graph.tensorCount(), 2u);
}

constexpr test::Malformed kCases[] = {
    {"ReadsWhatIsNotThere", "reduce(f32[8,6]{1,0} %get", "reduce(f32[8,6]{1,0} %got",
     "net: line 25, column 46: reduce.5 reads got, which is not defined before it in its computation."},
    {"TwoOfOneName", "%get = f32", "%ar = f32",
     "net: line 24, column 3: there is an instruction ar already; each must have a name of its own."},
    {"TwoComputationsOfOneName", "%add_reducer (a", "%fused_computation (a",
     "net: line 10, column 1: there is a computation fused_computation already; each must have a name of its own."},
    {"RunsWhatIsNotThere", "calls=%fused_computation", "calls=%fused",
     "net: line 22, column 91: fusion.3 runs the computation fused, which the module does not have."},
    {"ElementThatIsNotThere", "index=0", "index=2", "net: line 24, column 3: get gets element 2 of ar, which has 2."},
    {"ShapeWithoutDimensions", "%half = f32[]", "%half = f32",
     "net: line 20, column 11: there must be a shape such as f32[2,3], but \"f32\" stands here."},
    {"DimensionOfLetters", "%x = f32[8,4]", "%x = f32[8,n]",
     "net: line 18, column 14: a dimension must be a number, but \"n]{1,0} parameter(0)\" stands here."},
    {"DimensionNegative", "%x = f32[8,4]", "%x = f32[8,-4]",
     "net: line 18, column 14: a dimension is -4; it cannot be negative."},
    {"NoEquals", "%half = f32", "%half f32",
     "net: line 20, column 9: there must be '=' after the name of an instruction, but \"f32[] constant(0.5)\" stands "
     "here."},
    {"NoEntry", "ENTRY %main", "%main", "net: line 28, column 1: no computation of the module is marked ENTRY."},
    {"TwoRoots", "%reduce.5 = f32", "ROOT %reduce.5 = f32",
     "net: line 26, column 3: computation main has a second ROOT; it has one."},
    {"BracketOpen", "sharding={replicated}", "sharding={replicated",
     "net: line 28, column 1: there must be '=' after the name of an instruction, but the file ends here."},
    {"QuoteOpen", "source_file=\"model.py\"", "source_file=\"model.py",
     "net: line 21, column 201: the text in quotes that begins here has no end."},
    {"Cycle", "metadata={op_type=\"dot_general\"",
     "control-predecessors={%reduce.5}, metadata={op_type=\"dot_general\"",
     "net: the graph has a cycle of 2 ops: jit(step)/dense/dot.2 -> reduce.5 -> jit(step)/dense/dot.2; a computation "
     "graph must be acyclic."},
};

class HloErrors : public testing::TestWithParam<test::Malformed> {};

TEST_P(HloErrors, NamesFileAndPlace) { test::expectRefused(kSound, GetParam(), readHloText, "net"); }

INSTANTIATE_TEST_SUITE_P(Malformed, HloErrors, testing::ValuesIn(kCases),
                         [](const auto& test) { return std::string(test.param.what); });

TEST(HloReader, WhatIsNoModuleIsRefused) {
    EXPECT_EQ(errorOf(readGraph(std::string_view("ENTRY"), "m.hlo")),
              "m.hlo: this is not an XLA module as text; it would begin with \"HloModule\".");
    EXPECT_EQ(errorOf(readHloText("HloModule m", "m")), "m: line 1, column 12: the module has no computations.");
    EXPECT_EQ(errorOf(readHloProto("m", "m")),
              "m: this is not an XLA module, neither a HloProto nor a HloModuleProto.");
}

} // namespace
} // namespace opscape
