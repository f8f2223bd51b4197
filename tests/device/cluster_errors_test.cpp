// SPDX-License-Identifier: MIT
// One malformed file per thing that can be wrong with a cluster, and the sentence that a person reads then.
#include <opscape/device/cluster.h>

#include <gmock/gmock.h>

namespace opscape {
namespace {

constexpr std::string_view kSound = R"({
  "link_model": "fifo",
  "blocking_send": false,
  "sources": {"DS": "A document"},
  "kinds": {"G": {"memory_bytes": 16e9, "memory_bandwidth": 9e11, "launch_ns": 5000, "overlap": 0.9, "type": "gpu",
                  "peak_flops": {"f32": 1e12}, "sources": {"memory_bytes": "DS"}}},
  "devices": [{"name": "gpu:{i}", "kind": "G", "count": 2, "first": 0}],
  "channels": [{"name": "link", "bandwidth": 1e9, "latency_ns": 10, "sources": {"bandwidth": "DS"}},
               {"name": "{from}>{to}", "links": [["gpu:0", "gpu:1"]], "bandwidth": 1e9, "latency_ns": 10}],
  "routes": [{"from": "gpu:*", "to": "gpu:*", "via": ["link"]}]
})";

constexpr std::string_view kKinds = [] {
    const std::size_t begin = kSound.find(R"({"G")");
    return kSound.substr(begin, kSound.find(",\n  \"devices\"") - begin);
}();

struct Case {
    std::string_view what; ///< the name of the test
    std::string_view old, changed;
    std::string_view sentence;
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.what; }

constexpr Case kCases[] = {
    {"NotJson", R"("kinds": {)", R"("kinds": [)", "c.json: not valid JSON at line 5, column 16."},
    {"Empty", kSound, "", "c.json: not valid JSON at line 1, column 1."},
    {"NotAnObject", kSound, "[]", "c.json: the cluster must be an object."},
    {"NotUtf8", "fifo", "\xff", "c.json: not valid JSON at line 2, column 18."},
    {"NumberTooLarge", "16e9", "16e999", "c.json: a number in it is too large."},
    {"RepeatedKey", R"("launch_ns": 5000)", R"("launch_ns": 5000, "launch_ns": 1)",
     "c.json: the key \"launch_ns\" is given twice in one object."},
    {"UnknownKey", R"("blocking_send")", R"("blocking")",
     "c.json: the cluster has an unknown key \"blocking\"; known are: id, title, about, units, link_model, "
     "blocking_send, "
     "kinds, devices, channels, routes, sources."},
    {"UnknownLinkModel", R"("fifo")", R"("lifo")", "c.json: link_model is \"lifo\"; it must be none, fifo or fair."},
    {"UnknownLinkModelOfTwoLines", R"("fifo")", R"("li\nfo")",
     "c.json: link_model is \"li\\nfo\"; it must be none, fifo or fair."},
    {"LinkModelNotAText", R"("fifo")", "1", "c.json: the cluster.link_model must be a text."},
    {"FlagNotABoolean", "false", "0", "c.json: the cluster.blocking_send must be true or false."},
    {"DocumentsNotAnObject", R"({"DS": "A document"})", "[]", "c.json: sources must be an object."},
    {"DocumentNotAText", R"("A document")", "7", "c.json: sources.DS must be a text."},

    {"NoKinds", kKinds, "{}", "c.json: kinds must name at least one kind of device."},
    {"KindsNotAnObject", kKinds, "[]", "c.json: kinds must name at least one kind of device."},
    {"KindNotAnObject", kKinds, R"({"G": 1})", "c.json: kinds.G must be an object."},
    {"UnknownKindKey", R"("launch_ns")", R"("launch_us")",
     "c.json: kinds.G has an unknown key \"launch_us\"; known are: type, memory_bytes, memory_bandwidth, overlap, "
     "launch_ns, "
     "peak_flops, efficiency, sources."},
    {"FigureMissing", R"("memory_bandwidth": 9e11, )", "", "c.json: kinds.G.memory_bandwidth is missing."},
    {"FigureNotANumber", "9e11", R"("9e11")", "c.json: kinds.G.memory_bandwidth must be a number of at least 1."},
    {"FigureTooSmall", "9e11", "0", "c.json: kinds.G.memory_bandwidth must be a number of at least 1."},
    {"MemoryNegative", "16e9", "-1", "c.json: kinds.G.memory_bytes must be a number of at least 0."},
    {"MemoryNotWhole", "16e9", "1.5", "c.json: kinds.G.memory_bytes must be a whole number below 2^53."},
    {"MemoryTooLarge", "16e9", "1e17", "c.json: kinds.G.memory_bytes must be a whole number below 2^53."},
    {"OverlapAboveOne", "0.9,", "1.1,", "c.json: kinds.G.overlap must be between 0 and 1."},
    {"NoPeaks", R"("peak_flops": {"f32": 1e12}, )", "",
     "c.json: kinds.G.peak_flops must give FLOP per second by element type, f32 at least."},
    {"PeaksWithoutF32", R"("f32")", R"("f16")", "c.json: kinds.G.peak_flops.f32 is missing."},
    {"PeakOfUnknownType", R"({"f32")", R"({"f33")", "c.json: kinds.G.peak_flops: \"f33\" is not an element type."},
    {"PeakZero", "1e12", "0", "c.json: kinds.G.peak_flops.f32 must be a number of at least 1."},
    {"EfficiencyNotAnObject", R"("peak_flops")", R"("efficiency": 0.9, "peak_flops")",
     "c.json: kinds.G.efficiency must be an object."},
    {"EfficiencyOfAnUnknownClass", R"("peak_flops")", R"("efficiency": {"gemm": {}}, "peak_flops")",
     "c.json: kinds.G.efficiency has an unknown class of ops \"gemm\"; known are: all, matrix, convolution, "
     "grouped_convolution, recurrent, attention, reduction, elementwise, movement."},
    {"EfficiencyEntryNotAnObject", R"("peak_flops")", R"("efficiency": {"matrix": 0.9}, "peak_flops")",
     "c.json: kinds.G.efficiency.matrix must be an object."},
    {"UnknownEfficiencyKey", R"("peak_flops")", R"("efficiency": {"all": {"flops": 0.9}}, "peak_flops")",
     "c.json: kinds.G.efficiency.all has an unknown key \"flops\"; known are: compute, memory, half_flops, half_bytes, "
     "source."},
    {"EfficiencyZero", R"("peak_flops")", R"("efficiency": {"all": {"compute": 0}}, "peak_flops")",
     "c.json: kinds.G.efficiency.all.compute must be above 0 and at most 4."},
    {"EfficiencyInPercent", R"("peak_flops")", R"("efficiency": {"all": {"memory": 89}}, "peak_flops")",
     "c.json: kinds.G.efficiency.all.memory must be above 0 and at most 4."},
    {"HalfSizeNegative", R"("peak_flops")", R"("efficiency": {"matrix": {"half_flops": -1}}, "peak_flops")",
     "c.json: kinds.G.efficiency.matrix.half_flops must be a number of at least 0."},
    {"EfficiencyOfAnUnknownType", R"("peak_flops")", R"("efficiency": {"matrix": {"f33": {}}}, "peak_flops")",
     "c.json: kinds.G.efficiency.matrix: \"f33\" is not an element type."},
    {"UnknownEfficiencyKeyOfAType", R"("peak_flops")",
     R"("efficiency": {"matrix": {"f16": {"source": "DS"}}}, "peak_flops")",
     "c.json: kinds.G.efficiency.matrix.f16 has an unknown key \"source\"; known are: compute, memory, half_flops, "
     "half_bytes."},
    {"EfficiencySourceNotAText", R"("peak_flops")", R"("efficiency": {"all": {"source": 7}}, "peak_flops")",
     "c.json: kinds.G.efficiency.all.source must be a text."},
    {"KindSourcesNotAnObject", R"({"memory_bytes": "DS"})", R"("DS")", "c.json: kinds.G.sources must be an object."},
    {"SourceNotAText", R"("memory_bytes": "DS")", R"("memory_bytes": 1)",
     "c.json: kinds.G.sources.memory_bytes must be a text."},
    {"SourceOfAnAbsentFigure", R"("memory_bytes": "DS")", R"("memory": "DS")",
     "c.json: kinds.G.sources.memory is the source of a figure that is not given."},

    {"DevicesNotAList", R"([{"name": "gpu:{i}", "kind": "G", "count": 2, "first": 0}])", "{}",
     "c.json: the cluster.devices must be a list."},
    {"NoDevices", R"([{"name": "gpu:{i}", "kind": "G", "count": 2, "first": 0}])", "[]",
     "c.json: devices must list at least one device."},
    {"UnknownDeviceKey", R"("first")", R"("from")",
     "c.json: devices[0] has an unknown key \"from\"; known are: name, kind, count, first, host, switch."},
    {"DeviceWithoutName", R"("name": "gpu:{i}", )", "", "c.json: devices[0].name must be a text."},
    {"DeviceOfUnknownKind", R"("kind": "G")", R"("kind": "H")",
     "c.json: devices[0].kind \"H\" is not among the kinds."},
    {"CountZero", R"("count": 2)", R"("count": 0)", "c.json: devices[0].count must be a number of at least 1."},
    {"TooManyDevices", R"("count": 2)", R"("count": 257)", "c.json: devices[0]: more than 256 devices."},
    {"DeviceTwice", "gpu:{i}", "gpu", "c.json: devices[0]: a device named \"gpu\" is there already."},

    {"UnknownChannelKey", R"("latency_ns": 10, "sources")", R"("latency_us": 10, "sources")",
     "c.json: channels[0] has an unknown key \"latency_us\"; known are: name, per_device, per_switch, per_host, "
     "per_pair, "
     "same, different, links, bandwidth, latency_ns, sources."},
    {"ChannelWithoutBandwidth", R"("link", "bandwidth": 1e9, "latency_ns": 10, "sources": {"bandwidth": "DS"})",
     R"("link", "latency_ns": 10)", "c.json: channels[0].bandwidth is missing."},
    {"ChannelWithoutName", R"("name": "link", )", "", "c.json: channels[0].name must be a text."},
    {"ChannelNamesEmpty", R"("name": "link")", R"("name": [])", "c.json: channels[0].name is an empty list."},
    {"ChannelNamesNotTexts", R"("name": "link")", R"("name": [1])",
     "c.json: channels[0].name must be a text or a list of texts."},
    {"ChannelTwice", R"("name": "link")", R"("name": ["link", "link"])",
     "c.json: channels[0]: a channel named \"link\" is there already."},
    {"ChannelFamilyWithOneName", R"("name": "link")", R"("name": "link", "per_device": "*")",
     "c.json: channels[0]: a channel named \"link\" is there already."},
    {"ChannelFamilyOfNobody", R"("name": "link")", R"("name": "link", "per_device": "cpu:*")",
     "c.json: channels[0] makes no channel: nothing has that name."},
    {"ChannelFamilyOfNoSwitch", R"("name": "link")", R"("name": "link", "per_switch": "*")",
     "c.json: channels[0] makes no channel: nothing has that name."},
    {"PatternNotAText", R"("name": "link")", R"("name": "link", "per_device": 1)",
     "c.json: channels[0].per_device must be a text."},
    {"TwoFamilies", R"("name": "link")", R"("name": "{device}{host}", "per_device": "*", "per_host": "*")",
     "c.json: channels[0] has more than one of per_device, per_switch, per_host, per_pair and links."},
    {"SameWithoutPair", R"("name": "link")", R"("name": "link", "same": "host")",
     "c.json: channels[0]: same and different go with per_pair only."},
    {"PairNotAPair", R"("name": "link")", R"("name": "link", "per_pair": ["*"])",
     "c.json: channels[0] must be given pairs of names, e.g. [\"gpu:0\", \"gpu:1\"]."},
    {"PairOfNobody", R"("name": "link")", R"("name": "link", "per_pair": ["*", "cpu"])",
     "c.json: channels[0]: no device is named \"cpu\"."},
    {"LinksNotAList", R"([["gpu:0", "gpu:1"]])", R"("gpu:0")", "c.json: channels[1].links must be a list."},
    {"LinkToNobody", R"(["gpu:0", "gpu:1"])", R"(["gpu:0", "gpu:2"])",
     "c.json: channels[1].links: there is no device \"gpu:2\"."},
    {"LinkToItself", R"(["gpu:0", "gpu:1"])", R"(["gpu:0", "gpu:0"])",
     "c.json: channels[1].links: \"gpu:0\" is linked to itself."},
    {"SourceOfAnAbsentChannelFigure", R"({"bandwidth": "DS"})", R"({"bandwith": "DS"})",
     "c.json: channels[0].sources.bandwith is the source of a figure that is not given."},

    {"UnknownRouteKey", R"("via")", R"("through")",
     "c.json: routes[0] has an unknown key \"through\"; known are: from, to, same, different, via, where_present."},
    {"RouteWithoutFrom", R"("from": "gpu:*", )", "", "c.json: routes[0].from must be a text."},
    {"RouteWithoutVia", R"(, "via": ["link"])", "", "c.json: routes[0].via must list the channels of the route."},
    {"RouteViaNothing", R"(["link"])", "[]", "c.json: routes[0].via must list the channels of the route."},
    {"RouteViaNumbers", R"(["link"])", "[1]", "c.json: routes[0].via must be a list of channel names."},
    {"RouteViaUnknownChannel", R"(["link"])", R"(["lnik"])", "c.json: routes[0].via: there is no channel \"lnik\"."},
    {"RouteViaUnfilledName", R"(["link"])", R"(["{form}>{to}"])",
     "c.json: routes[0].via: there is no channel \"{form}>gpu:1\"."},
    {"RouteViaOneChannelTwice", R"(["link"])", R"(["link", "link"])",
     "c.json: routes[0].via: the channel \"link\" is there twice from gpu:0 to gpu:1."},
    {"RouteFromNobody", R"("from": "gpu:*")", R"("from": "cpu:*")", "c.json: routes[0]: no device is named \"cpu:*\"."},
    {"RouteOfUnknownGroup", R"("via")", R"("same": "rack", "via")",
     "c.json: routes[0]: same and different must be host or switch, not \"rack\"."},
    {"RouteMissing", R"("to": "gpu:*")", R"("to": "gpu:1")", "c.json: there is no route from gpu:1 to gpu:0."},
    {"RoutesMissing", R"("routes": [{"from": "gpu:*", "to": "gpu:*", "via": ["link"]}])", R"("routes": [])",
     "c.json: there is no route from gpu:0 to gpu:1."},
    {"RouteOnlyWherePresent", R"(["link"])", R"(["other"], "where_present": true)",
     "c.json: there is no route from gpu:0 to gpu:1."},
};

class ClusterError : public testing::TestWithParam<Case> {};

TEST_P(ClusterError, IsOneSentenceThatNamesFileAndPlace) {
    std::string json(kSound);
    const std::size_t at = json.find(GetParam().old);
    ASSERT_NE(at, std::string::npos) << "the case does not change the sound file";
    json.replace(at, GetParam().old.size(), GetParam().changed);
    const auto cluster = Cluster::parse(json, "c.json");
    ASSERT_FALSE(cluster);
    EXPECT_EQ(cluster.error().message, GetParam().sentence);
}

INSTANTIATE_TEST_SUITE_P(Cluster, ClusterError, testing::ValuesIn(kCases),
                         [](const auto& test) { return std::string(test.param.what); });

TEST(ClusterErrors, AnErrorAtTheEndOfAFileIsOnItsLastLine) {
    const auto cluster = Cluster::parse("{\n\"id\": \"x\",\n\n", "c.json");
    ASSERT_FALSE(cluster);
    EXPECT_EQ(cluster.error().message, "c.json: not valid JSON at line 4, column 1.");
}

TEST(ClusterErrors, TheFileThatTheCasesChangeIsSound) {
    const auto cluster = Cluster::parse(kSound, "c.json");
    EXPECT_TRUE(cluster) << cluster.error().message;
}

TEST(ClusterErrors, DeepNestingIsAnErrorAndNotACrash) {
    const std::string deep = R"({"about": )" + std::string(200'000, '[') + std::string(200'000, ']') + "}";
    const auto cluster = Cluster::parse(deep, "c.json");
    ASSERT_FALSE(cluster);
    EXPECT_EQ(cluster.error().message, "c.json: the cluster.about must be a text.");
}

} // namespace
} // namespace opscape
