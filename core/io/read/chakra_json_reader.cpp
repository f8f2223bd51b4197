// SPDX-License-Identifier: MIT
#include <opscape/base/text.h>
#include <opscape/io/json_document.h>
#include <opscape/io/make_room.h>
#include <opscape/io/read/chakra_graph.h>
#include <opscape/io/read/chakra_reader.h>

#include <algorithm>
#include <charconv>
#include <unordered_map>

namespace opscape {
namespace {

using Kind = JsonValue::Kind;

/// "datadeps" of dataDeps, data_deps and DataDeps: all of them are written.
std::string plainKey(std::string_view key) {
    std::string plain = lowerCase(key);
    std::erase(plain, '_');
    return plain;
}

/// Numbers of 64 bits are also written as text.
std::uint64_t idOf(JsonValue json) {
    if (!json.is(Kind::Text))
        return static_cast<std::uint64_t>(json.integer(0));
    const std::string_view text = json.text();
    std::uint64_t id = 0;
    const auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), id);
    if (ec != std::errc() || end != text.data() + text.size())
        json.bad("must be a whole number");
    return id;
}

std::vector<std::uint64_t> idsOf(JsonValue json) {
    if (!json.is(Kind::List))
        return {idOf(json)};
    std::vector<std::uint64_t> ids;
    for (const JsonValue item : json.items())
        ids.push_back(idOf(item));
    return ids;
}

/// [tensor, storage, offset, elements, bytes of one, device], as PyTorch writes a tensor.
struct TensorRecord {
    std::int64_t id = 0, bytes = 0;
    std::string_view device;
};

void collectTensors(JsonValue json, std::vector<TensorRecord>& found) {
    if (!json.is(Kind::List))
        return;
    constexpr std::size_t kParts = 6;
    constexpr std::int64_t kMost = std::int64_t{1} << 40; // elements
    if (json.size() == kParts) {
        std::vector<JsonValue> parts;
        for (const JsonValue item : json.items())
            parts.push_back(item);
        const bool isRecord =
            parts[5].is(Kind::Text) &&
            std::ranges::all_of(parts.begin(), parts.begin() + 5, [](JsonValue p) { return p.is(Kind::Integer); });
        if (isRecord) {
            found.push_back(
                {parts[0].integer(), parts[3].integer(0, kMost) * parts[4].integer(0, 64), parts[5].text()});
            return;
        }
    }
    for (const JsonValue item : json.items())
        collectTensors(item, found);
}

class ChakraJsonReader {
public:
    explicit ChakraJsonReader(const std::string& origin) : m_graph(origin) {}

    void read(JsonValue root) {
        const auto workload = root.find("workload_graph");
        const JsonValue nodes = workload ? *workload : root.at("nodes");
        m_graph.reserve(nodes.size());
        for (const JsonValue json : nodes.items())
            addNode(json);
        followTensors();
        makeRoom(m_flows); // they refer to the document
    }

    Result<GraphFile> finish() && { return std::move(m_graph).finish("chakra-json"); }

private:
    struct Flow {
        std::uint64_t id = 0;
        std::vector<TensorRecord> reads, writes;
    };

    void addNode(JsonValue json) {
        ChakraNode node;
        Flow flow;
        std::optional<JsonValue> id;
        for (const auto [key, value] : json.members()) {
            const std::string plain = plainKey(key);
            if (plain == "id") {
                id = value;
            } else if (plain == "name") {
                node.name = value.text();
            } else if (plain == "nodetype" || plain == "type") {
                node.type = value.is(Kind::Integer) ? chakraNodeType(static_cast<std::uint64_t>(value.integer(0)))
                                                    : std::string(value.text());
            } else if (plain == "ctrldeps") {
                node.control = idsOf(value);
            } else if (plain == "datadeps") {
                node.data = idsOf(value);
            } else if (plain == "runtime" || plain == "durationmicros") {
                node.durationUs = value.is(Kind::Text) ? static_cast<std::int64_t>(idOf(value)) : value.integer(0);
            } else if (plain == "iscpuop") {
                node.device = isTrue(value) ? "cpu" : "gpu";
            } else if (plain == "inputs" || plain == "outputs") {
                if (const auto values = value.is(Kind::Object) ? value.find("values") : std::nullopt)
                    collectTensors(*values, plain == "inputs" ? flow.reads : flow.writes);
            } else if (plain == "attr" || plain == "attrs") {
                for (const JsonValue attribute : value.items())
                    addAttribute(node, attribute);
            } else {
                addValue(node, key, value);
            }
        }
        if (!id)
            json.bad("lacks the key \"id\"");
        node.id = flow.id = idOf(*id);
        if (!flow.writes.empty()) {
            if (node.device.empty())
                node.device = deviceTypeOf(flow.writes.front().device);
            node.outputBytes = 0;
            for (const TensorRecord& tensor : flow.writes)
                node.outputBytes += tensor.bytes;
        }
        if (!m_graph.add(std::move(node)))
            id->bad(fmt::format("is {}, which another node has already", flow.id));
        if (!flow.reads.empty() || !flow.writes.empty())
            m_flows.push_back(std::move(flow));
    }

    static bool isTrue(JsonValue value) {
        return value.is(Kind::Bool)   ? value.boolean()
               : value.is(Kind::Text) ? value.text() == "true"
                                      : value.integer() != 0;
    }

    /// {"name": ..., "value": ...}, or with a key that says the type: {"name": ..., "boolVal": true}.
    void addAttribute(ChakraNode& node, JsonValue json) {
        const std::string_view name = json.at("name").text();
        for (const auto [key, value] : json.members()) {
            if (key == "name" || key == "type" || key == "docString")
                continue;
            if (name == "is_cpu_op")
                node.device = isTrue(value) ? "cpu" : "gpu";
            else
                addValue(node, name, value);
        }
    }

    void addValue(ChakraNode& node, std::string_view name, JsonValue value) {
        if (value.is(Kind::Integer))
            node.attributes.push_back({std::string(name), value.integer()});
        else if (value.is(Kind::Real))
            node.attributes.push_back({std::string(name), value.real()});
        else if (value.is(Kind::Bool))
            node.attributes.push_back({std::string(name), std::int64_t{value.boolean() ? 1 : 0}});
        else if (value.is(Kind::Text))
            node.attributes.push_back({std::string(name), std::string(value.text())});
        else
            m_graph.diagnostics().add(Severity::Info, "list-attribute", "Attributes that are lists, left out",
                                      value.place());
    }

    /// Ids are given as calls begin: what reads a tensor waits for the last call before it that wrote it.
    void followTensors() {
        std::ranges::stable_sort(m_flows, {}, &Flow::id);
        std::unordered_map<std::int64_t, std::pair<std::uint64_t, std::int64_t>> writer; // and the tensor's bytes
        for (const Flow& flow : m_flows) {
            for (const TensorRecord& tensor : flow.reads) {
                if (const auto from = writer.find(tensor.id); from != writer.end())
                    m_graph.edge(from->second.first, flow.id, from->second.second);
            }
            for (const TensorRecord& tensor : flow.writes)
                writer[tensor.id] = {flow.id, tensor.bytes};
        }
    }

    ChakraGraph m_graph;
    std::vector<Flow> m_flows;
};

} // namespace

bool looksLikeChakraJson(std::string_view bytes) {
    constexpr std::size_t kNear = 65536;
    bytes = bytes.substr(0, kNear);
    const auto has = [&](std::string_view key) { return bytes.find(key) != std::string_view::npos; };
    return jsonStart(bytes) == '{' &&
           (has("\"workload_graph\"") ||
            (has("\"nodes\"") && (has("\"ctrl_deps\"") || has("\"ctrlDeps\"") || has("\"data_deps\""))));
}

Result<GraphFile> readChakraJson(FileText text, const std::string& origin) {
    return readJsonBy(ChakraJsonReader(origin), std::move(text), origin);
}

} // namespace opscape
