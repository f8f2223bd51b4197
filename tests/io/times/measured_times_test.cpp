// SPDX-License-Identifier: MIT
// Each format as its program writes it, and what becomes of the graph.
#include "support/sentence.h"
#include "support/small_graph.h"
#include "support/temporary_folder.h"

#include <opscape/base/random.h>
#include <opscape/io/times/measured_times.h>
#include <opscape/io/times/step_stats.pb.h>

#include <gmock/gmock.h>
#include <zlib.h>

namespace opscape {
namespace {

using testing::ElementsAre;
using testing::UnorderedElementsAre;

/// "op kind ns/runs"
std::vector<std::string> rowsOf(std::string_view bytes) {
    const auto times = readMeasuredTimes(bytes, "times");
    if (!times)
        return {times.error().message};
    std::vector<std::string> rows;
    for (const MeasuredTime& row : times->rows)
        rows.push_back(fmt::format("{} {} {}/{}", row.op, row.kind, row.ns, row.runs));
    return rows;
}

std::string errorOf(std::string_view bytes) {
    const auto times = readMeasuredTimes(bytes, "times");
    if (times)
        return "no error";
    EXPECT_THAT(times.error().message, test::IsOneSentence());
    return times.error().message;
}

std::string gzip(const std::string& text) {
    z_stream stream{};
    if (deflateInit2(&stream, 9, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        throw std::runtime_error("deflate");
    std::string out(deflateBound(&stream, text.size()) + 64, '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
    stream.avail_in = static_cast<uInt>(text.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    deflate(&stream, Z_FINISH);
    out.resize(stream.total_out);
    deflateEnd(&stream);
    return out;
}

TEST(MeasuredTimes, AKindOfDeviceIsToldFromTheNameOfOne) {
    for (const char* name : {"", "gpu", "GPU:1", "/device:GPU:0/stream:all", "cuda:0"})
        EXPECT_EQ(kindOfDevice(name), "gpu") << name;
    for (const char* name : {"CPU", "/job:w/replica:0/task:0/device:CPU:0"})
        EXPECT_EQ(kindOfDevice(name), "cpu") << name;
    EXPECT_EQ(kindOfDevice("P100"), "P100");
}

TEST(MeasuredTimes, ReadsATable) {
    EXPECT_THAT(rowsOf("op,device,time_us\nbody/in,gpu:0,1.5\r\n\"a,\"\"b\"\"\",CPU,2\n\nlast,P100,0"),
                ElementsAre("body/in gpu 1500/1", "a,\"b\" cpu 2000/1", "last P100 0/1"));
    EXPECT_THAT(rowsOf("\xef\xbb\xbfTime_us, note, Op\n3,x,a\n"), ElementsAre("a gpu 3000/1"));
    EXPECT_EQ(errorOf("op,device,time_us\na,gpu,fast\n"),
              "times: line 2: time_us is \"fast\"; it must be a number from 0 to 1000000000000000.");
    EXPECT_EQ(errorOf("op,device,time_us\na,gpu,-1\n"),
              "times: line 2: time_us is \"-1\"; it must be a number from 0 to 1000000000000000.");
    EXPECT_EQ(errorOf("op,device,time_us\na,gpu\n"), "times: line 2: there are 2 fields, but the first line has 3.");
    EXPECT_EQ(errorOf("op,device,time_us\n,gpu,1\n"), "times: line 2: the op has no name.");
    EXPECT_EQ(errorOf("op,device,time_us\n"), "times: the file holds no time of an op.");
    EXPECT_EQ(errorOf(""), "times: the file is empty.");
    EXPECT_EQ(errorOf("plain text"),
              "times: neither a TensorFlow StepStats nor a Chrome trace, and no table of times: its "
              "first line must read op,device,time_us.");
}

TEST(MeasuredTimes, ReadsATraceOfChromesFormat) {
    constexpr std::string_view kTensorflow = R"({"traceEvents": [
 {"ph": "M", "pid": 1, "name": "process_name", "args": {"name": "/device:CPU:0 Compute"}},
 {"ph": "M", "pid": 3, "name": "process_name", "args": {"name": "/device:GPU:0/stream:all Compute"}},
 {"ph": "X", "pid": 1, "tid": 0, "ts": 5, "dur": 2, "cat": "Op", "name": "MatMul", "args": {"name": "body/in", "op": "MatMul"}},
 {"ph": "X", "pid": 3, "tid": 0, "ts": 5, "dur": 1.25, "cat": "Op", "name": "MatMul", "args": {"name": "body/in"}},
 {"ph": "b", "pid": 3, "name": "open"}, {"ph": "C", "name": "bytes", "args": {"x": 1}}, 7]})";
    EXPECT_THAT(rowsOf(kTensorflow), ElementsAre("body/in cpu 2000/1", "body/in gpu 1250/1"));
    EXPECT_EQ(readMeasuredTimes(kTensorflow, "times")->diagnostics.count("asynchronous-event"), 1u);
    constexpr std::string_view kKineto = R"([
 {"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 9, "tid": 9, "ts": 1, "dur": 100},
 {"ph": "X", "cat": "kernel", "name": "sgemm", "pid": 0, "tid": 7, "ts": 2, "dur": 40, "args": {"device": 0}},
 {"ph": "X", "cat": "transfer", "name": "x", "pid": 0, "tid": 7, "ts": 2, "dur": 40}])";
    EXPECT_THAT(rowsOf(kKineto), ElementsAre("aten::mm cpu 100000/1", "sgemm gpu 40000/1"));
    EXPECT_EQ(rowsOf(gzip(std::string(kKineto))), rowsOf(kKineto));
    EXPECT_EQ(errorOf(R"({"x": 1})"), "times: the file lacks the key \"traceEvents\".");
    EXPECT_EQ(errorOf(R"([{"ph": "X", "name": "a"}])"), "times: [0] lacks the key \"dur\".");
    EXPECT_EQ(errorOf(R"([{"ph": "X", "name": "a", "dur": -1}])"),
              "times: [0].dur must be between 0 and 1000000000000000 us.");
    EXPECT_EQ(errorOf(R"([{"ph": "X", "name": "a", )"),
              "times: line 1: the JSON ends before it is complete; the file seems to be cut off.");
    EXPECT_EQ(errorOf("[]"), "times: the file holds no time of an op.");
}

TEST(MeasuredTimes, BeginsAndEndsOfATraceAreJoinedInEachThread) {
    constexpr std::string_view kTrace = R"([
 {"ph": "E", "pid": 1, "tid": 1, "ts": 9.5},
 {"ph": "B", "pid": 1, "tid": 1, "ts": 1, "name": "outer", "cat": "cpu_op"},
 {"ph": "B", "pid": 1, "tid": 1, "ts": 2, "name": "inner", "args": {"name": "scope/inner", "device": "/device:GPU:0"}},
 {"ph": "B", "pid": 1, "tid": 2, "ts": 3, "name": "other"},
 {"ph": "E", "pid": 1, "tid": 1, "ts": 4.25},
 {"ph": "E", "pid": 1, "tid": 2, "ts": 4},
 {"ph": "E", "pid": 1, "tid": 2, "ts": 5},
 {"ph": "B", "pid": 1, "tid": 2, "ts": 6, "name": "never ends"}])";
    EXPECT_THAT(rowsOf(kTrace), ElementsAre("scope/inner gpu 2250/1", "outer cpu 8500/1", "other gpu 1000/1"));
    EXPECT_EQ(readMeasuredTimes(kTrace, "times")->diagnostics.count("half-an-event"), 2u);
    EXPECT_EQ(errorOf(R"([{"ph": "B", "name": "a"}])"), "times: [0] lacks the key \"ts\".");
}

step_stats::RunMetadata tensorflowStep() {
    step_stats::RunMetadata metadata;
    const auto device = [&](const char* name) {
        auto* added = metadata.mutable_step_stats()->add_dev_stats();
        added->set_device(name);
        return added;
    };
    const auto node = [](step_stats::DeviceStepStats* on, const char* name) {
        auto* added = on->add_node_stats();
        added->set_node_name(name);
        return added;
    };
    auto* cpu = device("/job:localhost/replica:0/task:0/device:CPU:0");
    node(cpu, "join")->set_op_end_rel_micros(9);
    auto* gpu = device("/job:localhost/replica:0/task:0/device:GPU:0");
    auto* launched = node(gpu, "body/in"); // twice, with two kernels each
    launched->set_op_start_rel_micros(1);
    launched->set_op_end_rel_micros(3);
    node(gpu, "body/in")->set_op_end_rel_micros(2);
    auto* exact = node(gpu, "body/left");
    exact->set_op_start_rel_nanos(100);
    exact->set_op_end_rel_nanos(350);
    node(gpu, "")->set_op_end_rel_micros(1);
    auto* all = device("/device:GPU:0/stream:all");
    for (const int us : {10, 20, 30, 40})
        node(all, "body/in:MatMul")->set_all_end_rel_micros(us);
    node(device("/device:GPU:0/stream:7"), "body/in:MatMul")->set_all_end_rel_micros(1000);
    return metadata;
}

TEST(MeasuredTimes, ReadsTheStatisticsOfATensorflowStep) {
    const step_stats::RunMetadata metadata = tensorflowStep();
    const auto expected = UnorderedElementsAre("join cpu 9000/1", "body/in gpu 100000/2", "body/left gpu 250/1");
    EXPECT_THAT(rowsOf(metadata.SerializeAsString()), expected);
    EXPECT_THAT(rowsOf(metadata.step_stats().SerializeAsString()), expected);
    EXPECT_THAT(rowsOf("step_stats { dev_stats { device: \"/cpu:0\" node_stats { node_name: \"a\" "
                       "all_end_rel_micros: 3 thread_id: 1 } } }"),
                ElementsAre("a cpu 3000/1"));
    EXPECT_EQ(readMeasuredTimes(metadata.SerializeAsString(), "times")->diagnostics.count("time-unreadable"), 1u);
}

TEST(MeasuredTimes, AGraphGetsTheMeanOfEachKindAndWhatFitsNothingIsCounted) {
    const Graph graph = test::smallGraph();
    const auto times = readMeasuredTimes("op,device,time_us\nbody/in,gpu,1\nbody/in,gpu,2\nbody/in,cpu,9\njoin,gpu,4\n"
                                         "gone,gpu,1\ngone,gpu,1\n",
                                         "times");
    ASSERT_TRUE(times.has_value()) << times.error().message;
    const auto timed = withTimes(graph, *times, "times");
    ASSERT_TRUE(timed.has_value()) << timed.error().message;
    EXPECT_EQ(timed->graph.op(graph.findOp("body/in")).timeNs, (TimesByKind{{"cpu", 9000}, {"gpu", 1500}}));
    EXPECT_EQ(timed->graph.op(graph.findOp("join")).timeNs, (TimesByKind{{"gpu", 4000}}));
    EXPECT_EQ(timed->sentence(),
              "2 ops got a time from 4 measurements, 2 ops got none, 1 measured name is no op of the graph.");
    EXPECT_EQ(timed->diagnostics.count("time-unmatched"), 1u);
    EXPECT_EQ(timed->diagnostics.count("op-not-timed"), 2u);

    // Nothing else of the graph is another.
    auto without = withTimes(timed->graph, *times, "times");
    ASSERT_TRUE(without.has_value());
    EXPECT_EQ(without->graph, timed->graph);
    EXPECT_NE(timed->graph.hash(), graph.hash());
    EXPECT_EQ(timed->graph.edgeCount(), graph.edgeCount());
    EXPECT_EQ(timed->graph.tensorCount(), graph.tensorCount());
}

TEST(MeasuredTimes, TimesOfAnotherGraphAreRefused) {
    const auto times = readMeasuredTimes("op,device,time_us\na,gpu,1\nb,gpu,2\n", "times");
    const auto timed = withTimes(test::smallGraph(), *times, "times.csv");
    ASSERT_FALSE(timed.has_value());
    EXPECT_EQ(timed.error().message,
              "times.csv: none of the 2 names that it times is an op of small; the first is \"a\", "
              "and names must be the same.");
    EXPECT_THAT(timed.error().message, test::IsOneSentence());
}

TEST(MeasuredTimes, CutOffOrChangedFilesGiveRowsOrASentence) {
    const std::string trace = R"([{"ph": "X", "cat": "kernel", "name": "a", "pid": 9, "tid": 9, "ts": 1, "dur": 1.5}])";
    Random random(3);
    for (const std::string& file : {trace, gzip(trace), tensorflowStep().SerializeAsString(),
                                    std::string("op,device,time_us\n\"a\",gpu,1\nb,cpu,2\n")}) {
        for (std::size_t size = 0; size < file.size(); ++size) {
            if (const auto times = readMeasuredTimes(std::string_view(file).substr(0, size), "times"); !times) {
                EXPECT_THAT(times.error().message, test::IsOneSentence());
            }
        }
        for (int i = 0; i < 2000; ++i) {
            std::string changed = file;
            changed[random.below(static_cast<std::uint32_t>(changed.size()))] = static_cast<char>(random.below(256));
            if (const auto times = readMeasuredTimes(changed, "times"); !times) {
                EXPECT_THAT(times.error().message, test::IsOneSentence());
            }
        }
    }
    EXPECT_EQ(errorOf(gzip(trace).substr(0, 30)), "times: the compressed file is cut off.");
}

TEST(MeasuredTimes, AFileIsReadByItsPath) {
    const test::TemporaryFolder folder;
    const auto path = folder.file("times.csv", "op,device,time_us\na,gpu,1\n");
    const auto times = readMeasuredTimes(path);
    ASSERT_TRUE(times.has_value()) << times.error().message;
    EXPECT_EQ(times->format, "csv");
    EXPECT_FALSE(readMeasuredTimes(folder / "none.csv").has_value());
}

} // namespace
} // namespace opscape
