// SPDX-License-Identifier: MIT
// Nodes are named by number and carry their names as labels. In a quoted string of DOT only a quote ends it, but labels
// know escapes (\n, \N, ...) and HTML entities, so that backslashes and ampersands are escaped too; bytes that are no
// UTF-8 become the replacement character, since dot refuses them.
#include "graph_dot.h"

#include "graph_canvas.h"

#include <opscape/base/units.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace opscape {
namespace {

constexpr std::size_t kWatchEvery = 512; ///< nodes or edges

std::string dotString(std::string_view text) {
    const QByteArray sound = QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())).toUtf8();
    std::string out = "\"";
    for (const char c : sound) {
        switch (c) {
        case '"':
            out += "\\\"";
            break;
        case '\\':
            out += "\\\\";
            break;
        case '\n':
            out += "\\n";
            break;
        case '&':
            out += "&amp;";
            break;
        default:
            out += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? ' ' : c;
        }
    }
    return out + '"';
}

std::string hex(const QColor& colour) {
    return fmt::format("\"#{:02x}{:02x}{:02x}\"", colour.red(), colour.green(), colour.blue());
}

/// Tensors between two boxes that cross devices.
struct Link {
    std::uint32_t edges = 0;
    double bytes = 0;
    DeviceId from; ///< sender of the largest; invalid when nothing crosses
    double most = -1;
};

class DotWriter {
public:
    DotWriter(const QRectF& part, const GraphView& what, const Theme& theme, const DrawWatch& watch)
        : m_part(part),
          m_what(what),
          m_scene(*what.scene),
          m_theme(theme),
          m_watch(watch),
          m_meaning(what) {}

    std::string write() {
        m_out = fmt::format("digraph {} {{\n", dotString(m_what.graph->name()));
        m_out += "  graph [charset=\"UTF-8\", rankdir=TB, nslimit=2, fontname=\"sans-serif\", bgcolor=" +
                 hex(m_theme.background) + ", fontcolor=" + hex(m_theme.text) + "];\n";
        m_out += "  node [shape=box, style=\"rounded,filled\", fontname=\"sans-serif\", fontsize=12, color=" +
                 hex(m_theme.frame) + "];\n  edge [color=" + hex(m_theme.edge) + "];\n";
        if (!nodes() || !edges())
            return {};
        m_out += "}\n";
        return std::move(m_out);
    }

private:
    bool goOn(std::size_t done, std::size_t all, double from) {
        return !m_watch || done % kWatchEvery != 0 ||
               m_watch(from + 0.5 * static_cast<double>(done) / static_cast<double>(std::max<std::size_t>(1, all)));
    }
    [[nodiscard]] QColor fill(int of) const {
        const QColor colour = m_colours.colour(m_theme, of);
        return m_what.isolated >= 0 && of != m_what.isolated ? Theme::mix(colour, m_theme.background, 0.14) : colour;
    }
    [[nodiscard]] bool isIn(const SceneNode& node) const {
        return m_part.intersects(QRectF(node.rect.x, node.rect.y, node.rect.width, node.rect.height));
    }

    bool nodes() {
        m_there.assign(m_scene.nodes.size(), 0);
        std::vector<int> open; // ends of the clusters around
        const auto close = [&](int next) {
            for (; !open.empty() && open.back() <= next; open.pop_back())
                m_out += "  }\n";
        };
        const auto count = static_cast<int>(m_scene.nodes.size());
        for (int i = 0; i < count;) {
            if (!goOn(static_cast<std::size_t>(i), m_scene.nodes.size(), 0))
                return false;
            close(i);
            const SceneNode& node = m_scene.nodes[i];
            if (!isIn(node)) {
                i = node.end;
                continue;
            }
            if (node.expanded) {
                m_out += fmt::format("  subgraph cluster_{} {{\n  label={}; style=\"rounded,filled\"; fillcolor={}; "
                                     "color={}; fontcolor={};\n",
                                     i, dotString(node.label),
                                     hex(node.depth % 2 == 0 ? m_theme.frameFill : m_theme.background),
                                     hex(m_theme.frame), hex(m_theme.text));
                open.push_back(node.end);
            } else {
                m_there[i] = 1;
                node.op.valid() ? op(i) : group(i);
            }
            ++i;
        }
        close(count);
        return true;
    }

    void op(int i) {
        const SceneNode& node = m_scene.nodes[i];
        const Op& op = m_what.graph->op(node.op);
        const BoxText text = boxText(node.label, op.type);
        std::string label(text.first);
        if (!text.second.empty())
            label += fmt::format("\n{}", text.second);
        const int of = m_colours.classOf(node.op);
        const QColor colour = of >= 0 ? fill(of) : m_theme.unplaced;
        std::string tip = op.name;
        if (of >= 0)
            tip += "\n" + m_colours.classes()[static_cast<std::size_t>(of)].name;
        if (m_placement.pinned(i) > 0)
            tip += "\npinned";
        m_out += fmt::format("  n{} [label={}, fillcolor={}, fontcolor={}, tooltip={}{}];\n", i, dotString(label),
                             hex(colour), hex(of >= 0 ? Theme::textOn(colour) : m_theme.text), dotString(tip),
                             m_placement.pinned(i) > 0 ? ", penwidth=2.5, color=" + hex(m_theme.text) : "");
    }

    /// A closed group is striped by the shares of its colours.
    void group(int i) {
        const SceneNode& node = m_scene.nodes[i];
        const auto shares = m_placement.shares(i);
        std::string colours;
        int parts = 0;
        QColor last = m_theme.unplaced;
        double before = 0;
        for (std::size_t c = 0; c < shares.size(); ++c) {
            if (shares[c] < 0.004F)
                continue;
            if (parts++ > 0) // rounded down; the last part takes what is left
                colours += fmt::format(";{:.3f}:", std::floor(before * 1000) / 1000);
            last = Theme::mix(fill(static_cast<int>(c)), m_theme.background, 0.55);
            colours += fmt::format("#{:02x}{:02x}{:02x}", last.red(), last.green(), last.blue());
            before = shares[c];
        }
        const std::string ops = formatCount(m_what.scopes->scope(node.scope).opsBelow);
        m_out += fmt::format("  n{} [label={}, peripheries=2, style=\"{}\", fillcolor={}, fontcolor={}, tooltip={}];\n",
                             i, dotString(fmt::format("{}\n({})", node.label, ops)),
                             parts > 1 ? "striped" : "rounded,filled", parts > 1 ? '"' + colours + '"' : hex(last),
                             hex(m_theme.text), dotString(m_what.scopes->path(node.scope)));
    }

    /// Between the boxes that show the ops at the ends, wherever they lie; once for each pair.
    bool edges() {
        std::map<std::pair<int, int>, Link> links;
        std::vector<std::pair<int, DeviceId>> reached; // by the tensor at hand: one transfer for each device
        for (std::size_t e = 0; e < m_scene.edges.size(); ++e) {
            if (!goOn(e, m_scene.edges.size(), 0.5))
                return false;
            const SceneEdge& edge = m_scene.edges[e];
            for (std::size_t k = 0; k < edge.ends.size(); ++k) {
                const auto [producer, consumer] = edge.ends[k];
                const int from = m_scene.nodeOf(producer), to = m_scene.nodeOf(consumer);
                if (from < 0 || to < 0 || m_there[from] == 0 || m_there[to] == 0)
                    continue;
                Link& link = links[{from, to}];
                ++link.edges;
                if (k == 0 || edge.tensors[k] != edge.tensors[k - 1])
                    reached.clear();
                if (m_what.plan != nullptr)
                    cross(link, edge.tensors[k], m_what.plan->device[producer.index()],
                          m_what.plan->device[consumer.index()], to, reached);
            }
        }
        for (const auto& [ends, link] : links) {
            m_out += fmt::format("  n{} -> n{}", ends.first, ends.second);
            if (link.from.valid())
                m_out += fmt::format(" [color={}, penwidth={:.2f}, tooltip=\"{} between devices\"]",
                                     hex(Theme::mix(m_theme.device(link.from), m_theme.text, 0.88)),
                                     1.6 + std::min(std::log2(1 + link.bytes / 1024) * 0.22, 4.5),
                                     formatBytes(std::llround(link.bytes)));
            m_out += ";\n";
        }
        return true;
    }

    void cross(Link& link, TensorId tensor, DeviceId from, DeviceId to, int box,
               std::vector<std::pair<int, DeviceId>>& reached) const {
        if (from == to || !from.valid() || !to.valid())
            return;
        if (tensor.valid() && std::ranges::find(reached, std::pair(box, to)) != reached.end())
            return;
        reached.emplace_back(box, to);
        const double bytes = tensor.valid() ? static_cast<double>(m_what.graph->tensorBytes(tensor)) : 0;
        link.bytes += bytes;
        if (bytes > link.most) {
            link.most = bytes;
            link.from = from;
        }
    }

    const QRectF m_part;
    const GraphView& m_what;
    const GraphScene& m_scene;
    const Theme& m_theme;
    const DrawWatch& m_watch;
    const GraphMeaning m_meaning;
    const OpColours& m_colours = m_meaning.colours();
    const ScenePlacement& m_placement = m_meaning.placement();
    std::vector<std::uint8_t> m_there; ///< per node: written
    std::string m_out;
};

} // namespace

bool isDotFile(const std::filesystem::path& file) {
    std::string extension = file.extension().string();
    std::ranges::transform(extension, extension.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return extension == ".dot" || extension == ".gv";
}

std::string graphAsDot(const QRectF& part, const GraphView& what, const Theme& theme, const DrawWatch& watch) {
    return DotWriter(part, what, theme, watch).write();
}

} // namespace opscape
