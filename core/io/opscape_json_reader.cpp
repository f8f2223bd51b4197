// SPDX-License-Identifier: MIT
#include <opscape/graph/graph_builder.h>
#include <opscape/io/json_document.h>
#include <opscape/io/opscape_json.h>
#include <opscape/io/text.h>

#include <algorithm>
#include <cmath>

namespace opscape {
namespace {

using Kind = JsonValue::Kind;

constexpr std::int64_t kVersion = 1;

double specialReal(JsonValue json) {
    if (!json.is(Kind::Text))
        return json.real();
    const std::string_view text = json.text();
    if (text == "inf" || text == "-inf")
        return text == "inf" ? HUGE_VAL : -HUGE_VAL;
    if (text != "nan")
        json.bad("must be a number, \"inf\", \"-inf\" or \"nan\"");
    return std::nan("");
}

std::vector<double> reals(JsonValue json) {
    std::vector<double> values;
    for (const JsonValue item : json.items())
        values.push_back(specialReal(item));
    return values;
}

AttributeValue attributeValue(JsonValue json) {
    switch (json.kind()) {
    case Kind::Integer:
        return json.integer();
    case Kind::Real:
        return json.real();
    case Kind::Text:
        return std::string(json.text());
    case Kind::List: {
        std::vector<std::int64_t> values;
        for (const JsonValue item : json.items()) {
            if (item.is(Kind::Real))
                return reals(json);
            values.push_back(item.integer());
        }
        return values;
    }
    case Kind::Object:
        if (json.size() == 1) {
            const auto [key, value] = *json.members().begin();
            if (key == "real")
                return specialReal(value);
            if (key == "reals")
                return reals(value);
        }
        break;
    case Kind::Null:
    case Kind::Bool:
        break;
    }
    json.bad("must be a number, a text, a list of numbers, {\"real\": ...} or {\"reals\": [...]}");
}

/// One of a fixed set of names, e.g. a phase.
template <class Parse>
auto named(JsonValue json, Parse parse, std::string_view what) {
    const auto value = parse(json.text());
    if (!value)
        json.bad(fmt::format("\"{}\" is not {}", json.text(), what));
    return *value;
}

class Reader {
public:
    explicit Reader(const std::string& origin) : m_origin(origin) {}

    void read(JsonValue root) {
        if (!root.find("opscape_graph"))
            root.bad("is not an Opscape graph: it lacks the key \"opscape_graph\"");
        std::string name = stemOf(m_origin);
        std::optional<JsonValue> ops, tensors;
        for (const auto [key, value] : root.uniqueMembers()) {
            if (key == "opscape_graph") {
                if (value.integer() != kVersion)
                    value.bad(fmt::format("is {}, but this program reads version {}", value.integer(), kVersion));
            } else if (key == "name") {
                name = value.text();
            } else if (key == "ops") {
                ops = value;
            } else if (key == "tensors") {
                tensors = value;
            } else {
                value.unknownKey({"opscape_graph", "name", "ops", "tensors"});
            }
        }
        if (!ops || !tensors)
            root.bad(fmt::format("lacks the key \"{}\"", !ops ? "ops" : "tensors"));

        m_builder = GraphBuilder(std::move(name));
        m_opCount = ops->size();
        m_tensorCount = tensors->size();
        m_builder.reserve(m_opCount, m_tensorCount);
        for (const JsonValue json : ops->items())
            addOp(json);
        for (const JsonValue json : tensors->items())
            addTensor(json);
        std::size_t op = 0;
        for (const JsonValue json : ops->items()) // tensors are known now
            addEdges(OpId(op++), json);
    }

    Result<GraphFile> finish() && {
        GraphFile file;
        auto graph = std::move(m_builder).build(file.diagnostics);
        if (!graph)
            return fail("{}: {}", m_origin, graph.error().message);
        file.graph = std::move(*graph);
        file.format = "opscape-json";
        file.fileNodes = file.graph.opCount();
        file.fileEdges = file.graph.edgeCount();
        return file;
    }

private:
    void addOp(JsonValue json) {
        Op op;
        for (const auto [key, value] : json.uniqueMembers()) {
            if (key == "name") {
                op.name = value.text();
            } else if (key == "type") {
                op.type = value.text();
            } else if (key == "phase") {
                op.phase = named(value, parsePhase, "a phase: forward, backward or update");
            } else if (key == "colocation") {
                op.colocation = value.text();
            } else if (key == "device") {
                op.requestedDevice = value.text();
            } else if (key == "flops") {
                op.flops = value.integer(0);
            } else if (key == "bytes_moved") {
                op.bytesMoved = value.integer(0);
            } else if (key == "workspace_bytes") {
                op.workspaceBytes = value.integer(0);
            } else if (key == "time_ns") {
                for (const auto [kind, ns] : value.uniqueMembers())
                    op.timeNs[kind] = ns.integer(0);
            } else if (key == "attributes") {
                for (const auto [attribute, v] : value.members())
                    op.attributes.push_back({std::string(attribute), attributeValue(v)});
            } else if (key != "inputs" && key != "after") { // addEdges()
                value.unknownKey({"name", "type", "phase", "colocation", "device", "flops", "bytes_moved",
                                  "workspace_bytes", "time_ns", "attributes", "inputs", "after"});
            }
        }
        m_builder.addOp(std::move(op));
    }

    void addEdges(OpId op, JsonValue json) {
        for (const auto [key, value] : json.members()) {
            if (key == "inputs") {
                for (const JsonValue input : value.items())
                    m_builder.addInput(op, input.is(Kind::Null) ? TensorId()
                                                                : reference<TensorId>(input, m_tensorCount, "tensor"));
            } else if (key == "after") {
                for (const JsonValue before : value.items())
                    m_builder.addControl(reference<OpId>(before, m_opCount, "op"), op);
            }
        }
    }

    void addTensor(JsonValue json) {
        Tensor tensor;
        OpId producer;
        for (const auto [key, value] : json.uniqueMembers()) {
            if (key == "name") {
                tensor.name = value.text();
            } else if (key == "kind") {
                tensor.kind = named(value, parseTensorKind, "a kind: input, weight, constant or optimizer-state");
            } else if (key == "producer") {
                producer = reference<OpId>(value, m_opCount, "op");
            } else if (key == "dtype") {
                tensor.dtype = named(value, parseDType, "an element type such as f32 or i64");
            } else if (key == "shape") {
                tensor.shapeKnown = true;
                for (const JsonValue dim : value.items())
                    tensor.shape.push_back(dim.integer(kUnknownDim));
            } else if (key == "bytes") {
                tensor.bytes = value.integer(0);
            } else {
                value.unknownKey({"name", "kind", "producer", "dtype", "shape", "bytes"});
            }
        }
        if (producer.valid() != (tensor.kind == TensorKind::Activation))
            json.bad("must have either a producer or a kind: input, weight, constant or optimizer-state");
        if (producer.valid())
            m_builder.addOutput(producer, std::move(tensor));
        else
            m_builder.addResident(std::move(tensor));
    }

    template <class Id>
    static Id reference(JsonValue json, std::size_t count, std::string_view what) {
        const std::int64_t index = json.integer(0);
        if (static_cast<std::size_t>(index) >= count)
            json.bad(fmt::format("names {} {}, but there are only {}, counted from 0", what, index, count));
        return Id(static_cast<std::size_t>(index));
    }

    const std::string& m_origin;
    std::size_t m_opCount = 0, m_tensorCount = 0;
    GraphBuilder m_builder{std::string()};
};

} // namespace

bool isOpscapeJson(std::string_view bytes) {
    constexpr std::size_t kNear = 4096;
    bytes = bytes.substr(0, kNear);
    return jsonStart(bytes) == '{' && bytes.find("\"opscape_graph\"") != std::string_view::npos;
}

Result<GraphFile> readOpscapeJson(FileText text, const std::string& origin) {
    return readJsonBy(Reader(origin), std::move(text), origin);
}

} // namespace opscape
