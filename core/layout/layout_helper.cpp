// SPDX-License-Identifier: MIT
// The program opscape-layout: reads scopes from standard input, lays each out by Graphviz dot, writes where its boxes
// and edges lie to standard output (dot_protocol.h). Ends with its input. It limits its own memory; the application
// kills it when it takes too long, and an alarm does where there is nobody left to do so.
#include <opscape/layout/box_layout.h>
#include <opscape/layout/dot_protocol.h>

#include <graphviz/gvc.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdio>
#include <string>

namespace opscape {
namespace {

constexpr unsigned kAlarmSeconds = 10;
constexpr double kPointsPerInch = 72;

/// Graphviz takes texts that it does not change by pointers that it could.
char* text(const char* s) { return const_cast<char*>(s); }

template <class T>
bool read(T& v) {
    return std::fread(&v, sizeof v, 1, stdin) == 1;
}

template <class T>
void append(std::string& bytes, const T& v) {
    bytes.append(reinterpret_cast<const char*>(&v), sizeof v);
}

void set(void* object, Agsym_t* attribute, double inches) {
    char number[32];
    std::snprintf(number, sizeof number, "%.4f", inches);
    agxset(object, attribute, number);
}

/// Empty when dot fails.
std::string layout(GVC_t* context, const BoxProblem& problem) {
    Agraph_t* graph = agopen(text("scope"), Agstrictdirected, nullptr);
    agattr(graph, AGRAPH, text("nslimit"), text("1")); // the lever that keeps dot fast on tangled graphs
    agattr(graph, AGRAPH, text("nslimit1"), text("1"));
    agattr(graph, AGRAPH, text("splines"), text("true"));
    agattr(graph, AGRAPH, text("nodesep"), text("0.25"));
    agattr(graph, AGRAPH, text("ranksep"), text("0.38"));
    agattr(graph, AGRAPH, text("pad"), text("0"));
    agattr(graph, AGNODE, text("shape"), text("box"));
    agattr(graph, AGNODE, text("fixedsize"), text("true"));
    agattr(graph, AGNODE, text("label"), text(""));
    agattr(graph, AGEDGE, text("dir"), text("none"));
    Agsym_t* width = agattr(graph, AGNODE, text("width"), text("1"));
    Agsym_t* height = agattr(graph, AGNODE, text("height"), text("1"));
    std::vector<Agnode_t*> nodes;
    for (const BoxSize& box : problem.boxes) {
        nodes.push_back(agnode(graph, nullptr, 1));
        set(nodes.back(), width, box.width / kPointsPerInch);
        set(nodes.back(), height, box.height / kPointsPerInch);
    }
    std::vector<Agedge_t*> edges;
    for (const BoxEdge& edge : problem.edges)
        edges.push_back(agedge(graph, nodes[edge.from], nodes[edge.to], nullptr, 1));

    std::string answer;
    if (gvLayout(context, graph, "dot") == 0) {
        const boxf area = GD_bb(graph);
        const auto point = [&](pointf p) {
            append(answer, static_cast<float>(p.x - area.LL.x));
            append(answer, static_cast<float>(area.UR.y - p.y));
        };
        append(answer, static_cast<float>(area.UR.x - area.LL.x));
        append(answer, static_cast<float>(area.UR.y - area.LL.y));
        for (Agnode_t* node : nodes)
            point(ND_coord(node));
        for (Agedge_t* edge : edges) {
            const splines* spline = ED_spl(edge);
            const std::int32_t points = spline != nullptr && spline->size > 0 ? spline->list[0].size : 0;
            append(answer, points);
            for (std::int32_t i = 0; i < points; ++i)
                point(spline->list[0].list[i]);
        }
    }
    gvFreeLayout(context, graph);
    agclose(graph);
    return answer;
}

void limitResources() {
    const rlimit noCore{0, 0};
    setrlimit(RLIMIT_CORE, &noCore);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) // they reserve terabytes of addresses
    const rlimit memory{1UL << 30, 1UL << 30};
    setrlimit(RLIMIT_AS, &memory);
#endif
}

int serve() {
    limitResources();
    GVC_t* context = gvContext();
    agseterr(AGMAX);
    DotRequestHeader request;
    while (read(request)) {
        if (request.magic != DotRequestHeader::kMagic || request.boxes < 1 || request.boxes > kDotMaxBoxes ||
            request.edges < 0 || request.edges > kDotMaxEdges)
            return 1;
        BoxProblem problem;
        problem.boxes.resize(static_cast<std::size_t>(request.boxes));
        problem.edges.resize(static_cast<std::size_t>(request.edges));
        for (BoxSize& box : problem.boxes) {
            if (!read(box))
                return 1;
        }
        for (BoxEdge& edge : problem.edges) {
            if (!read(edge) || edge.from < 0 || edge.from >= request.boxes || edge.to < 0 || edge.to >= request.boxes)
                return 1;
        }
        alarm(kAlarmSeconds);
        const std::string answer = layout(context, problem);
        alarm(0);
        const DotAnswerHeader header{DotAnswerHeader::kMagic, answer.empty() ? 1 : 0,
                                     static_cast<std::int32_t>(answer.size())};
        std::fwrite(&header, sizeof header, 1, stdout);
        std::fwrite(answer.data(), 1, answer.size(), stdout);
        if (std::fflush(stdout) != 0)
            return 1;
    }
    return 0;
}

} // namespace
} // namespace opscape

int main() { return opscape::serve(); }
