// SPDX-License-Identifier: MIT
#include <opscape/base/random.h>
#include <opscape/zoo/graph_sketch.h>
#include <opscape/zoo/random_graphs.h>

#include <algorithm>
#include <cmath>

namespace opscape {
namespace {

using Node = GraphSketch::Node;
using Variable = GraphSketch::Variable;

constexpr std::array<std::string_view, 3> kNames{"grid", "layered", "series-parallel"};

constexpr SketchKernel kProduct{"MatMul", "MatMul", "MatMul"}, kConvolution{"Conv", "ConvGradInput", "ConvGradFilter"};
constexpr SketchKernel kLookup{"Gather", "GatherGrad", "GatherGrad"}, kJoin{"Concat", "Split"}, kPart{"Slice", "Pad"};
constexpr SketchKernel kAttention{"Softmax", "SoftmaxGrad"};
constexpr std::array kLight{SketchKernel{"Sigmoid", "SigmoidGrad"},
                            SketchKernel{"Tanh", "TanhGrad"},
                            SketchKernel{"Relu", "ReluGrad"},
                            SketchKernel{"Gelu", "GeluGrad"},
                            SketchKernel{"Add", "Identity"},
                            SketchKernel{"Mul", "Mul"},
                            SketchKernel{"LayerNormalization", "LayerNormalizationGrad"},
                            SketchKernel{"Softmax", "SoftmaxGrad"},
                            SketchKernel{"MaxPool", "MaxPoolGrad"},
                            SketchKernel{"Transpose", "Transpose"},
                            SketchKernel{"Dropout", "DropoutGrad"}};

constexpr int kTries = 200; ///< to meet the bounds; one in two or three does

class Generator {
public:
    Generator(const RandomGraphOptions& options, Random& random) : m_options(options), m_random(random) {}

    /// About as many ops as `target`.
    GraphSketch make(std::size_t target) {
        m_target = target;
        m_convolutional = chance(.5);
        m_heavyShare = between(.25, .7);
        switch (m_options.family) {
        case RandomFamily::Grid:
            grid();
            break;
        case RandomFamily::Layered:
            layered();
            break;
        case RandomFamily::SeriesParallel:
            seriesParallel();
            break;
        }
        return std::move(m_sketch);
    }

    SketchSizes sizes() {
        SketchSizes sizes;
        sizes.activationBytes = evenly(1e5, 4e6);
        sizes.ratio = m_options.ratio > 0 ? m_options.ratio : evenly(kLeastRatio, kMostRatio);
        sizes.update = static_cast<UpdateRule>(m_random.below(3));
        return sizes;
    }

    /// Evenly over orders of magnitude.
    double evenly(double least, double most) { return least * std::exp(m_random.uniform() * std::log(most / least)); }

private:
    bool chance(double probability) { return m_random.uniform() < probability; }
    double between(double least, double most) { return least + (most - least) * m_random.uniform(); }
    int count(int least, int most) {
        return least + static_cast<int>(m_random.below(static_cast<std::uint32_t>(most - least + 1)));
    }
    template <class T>
    const T& any(const std::vector<T>& values) {
        return values[m_random.below(static_cast<std::uint32_t>(values.size()))];
    }
    Variable newVariable(const std::string& scope) {
        return m_sketch.variable(scope, static_cast<std::int64_t>(evenly(1 << 12, 1 << 22)));
    }
    /// A few kernels one after the other, the first with weights or joining its inputs. `weights` are those of an
    /// earlier run of the same cell, or are made here.
    struct Cell {
        std::vector<const SketchKernel*> kernels;
        std::vector<bool> readsInput; ///< also what the cell itself reads
        std::vector<double> work;     ///< relative to its output
        std::vector<Variable> weights;
    };
    Cell newCell(int length, double heavyShare) {
        Cell cell;
        for (int k = 0; k < length; ++k) {
            const bool heavy = k == 0 || chance(heavyShare);
            cell.kernels.push_back(heavy ? (m_convolutional && chance(.8) ? &kConvolution : &kProduct)
                                         : &kLight[m_random.below(kLight.size())]);
            cell.readsInput.push_back(k > 0 && chance(.3));
            cell.work.push_back(evenly(.3, 3));
            cell.weights.push_back(GraphSketch::kNone);
        }
        return cell;
    }
    Node run(Cell& cell, const std::string& scope, const std::string& weightScope, std::span<const Node> inputs,
             double elements) {
        Node last = 0;
        for (std::size_t k = 0; k < cell.kernels.size(); ++k) {
            const bool heavy = !cell.kernels[k]->weightGradient.empty();
            if (heavy && cell.weights[k] == GraphSketch::kNone)
                cell.weights[k] = newVariable(weightScope);
            std::vector<Node> reads;
            if (k > 0)
                reads.push_back(last);
            if (k == 0)
                reads.assign(inputs.begin(), inputs.end());
            else if (cell.readsInput[k])
                reads.push_back(inputs.front());
            last = m_sketch.add(scope, *cell.kernels[k], reads, elements, elements * cell.work[k], cell.weights[k]);
        }
        return last;
    }
    Node source(const std::string& scope, double elements) {
        const Variable table = newVariable(scope);
        return m_sketch.add(scope, kLookup, {}, elements, .1 * elements, table);
    }

    // --- Recurrent grids
    struct Net {
        std::string prefix;
        int layers, steps;
    };
    /// The outputs of the last layer. `context` is read by the first layer, step by step; may be empty.
    std::vector<Node> gridNet(const Net& net, int cellLength, std::span<const Node> context) {
        const bool sameCell = chance(.5), residual = chance(.3), twoWays = context.empty() && chance(.3);
        const double input = 1;
        const Node table = source(net.prefix + "embedding", input * net.steps);
        std::vector<Node> below;
        for (int s = 0; s < net.steps; ++s) {
            const Node reads[] = {table};
            below.push_back(m_sketch.add(fmt::format("{}embedding/step_{}", net.prefix, s), kPart, reads, input));
        }
        const Cell first = newCell(cellLength, m_heavyShare);
        double elements = evenly(.5, 2);
        for (int l = 0; l < net.layers; ++l) {
            const std::string layer = fmt::format("{}layer_{}", net.prefix, l);
            Cell cell = sameCell ? first : newCell(cellLength, m_heavyShare);
            if (!sameCell)
                elements = evenly(.5, 2);
            const bool backwards = twoWays && l % 2 == 1;
            std::vector<Node> outputs(below.size());
            Node beside = 0;
            for (int i = 0; i < net.steps; ++i) {
                const int s = backwards ? net.steps - 1 - i : i;
                const auto at = static_cast<std::size_t>(s);
                std::vector<Node> reads{below[at]};
                if (i > 0)
                    reads.push_back(beside);
                const std::string scope = fmt::format("{}/step_{}", layer, s);
                if (l == 0 && !context.empty()) {
                    std::vector<Node> seen(context.begin(), context.end());
                    if (i > 0)
                        seen.push_back(beside);
                    reads.push_back(m_sketch.add(scope + "/attention", kAttention, seen, elements));
                }
                beside = run(cell, scope, layer, reads, elements);
                outputs[at] = beside;
                if (residual && l > 0) {
                    const Node both[] = {beside, below[at]};
                    outputs[at] = m_sketch.add(scope, kLight[4], both, elements);
                }
            }
            below = std::move(outputs);
        }
        return below;
    }
    void grid() {
        const bool translates = chance(.3);
        int layers = count(2, 8), cellLength = count(1, 6);
        const double perKernel = 2 + m_heavyShare;
        const auto opsOfStep = [&] { return layers * cellLength * perKernel; };
        constexpr double kLeastSteps = 4;
        while (opsOfStep() * kLeastSteps > static_cast<double>(m_target) && (layers > 2 || cellLength > 1))
            (cellLength > 1 && (layers == 2 || chance(.5)) ? cellLength : layers) -= 1;
        const int steps = std::max(2, static_cast<int>(static_cast<double>(m_target) / opsOfStep()));
        std::vector<Node> last;
        if (translates && layers >= 2 && steps >= 2) {
            const int ofEncoder = std::max(1, layers / 2);
            const std::vector<Node> seen = gridNet({"encoder/", ofEncoder, steps}, cellLength, {});
            last = gridNet({"decoder/", std::max(1, layers - ofEncoder), steps}, cellLength, seen);
        } else {
            last = gridNet({"", layers, steps}, cellLength, {});
        }
        if (!chance(.6))
            return;
        Cell head = newCell(1, 1);
        const double elements = evenly(1, 6);
        for (std::size_t s = 0; s < last.size(); ++s) {
            const Node reads[] = {last[s]};
            run(head, fmt::format("softmax/step_{}", s), "softmax", reads, elements);
        }
    }

    // --- Layers of random widths
    void layered() {
        const int widest = count(2, 10), mostInputs = count(1, 4), longest = count(1, 3);
        const double far = between(0, .3), shrinking = between(.85, 1.05);
        double elements = 1;
        std::vector<std::vector<Node>> layers{{source("input", elements)}};
        while (m_sketch.opCount() < m_target) {
            const std::string layer = fmt::format("layer_{}", layers.size() - 1);
            const int width = count(1, widest);
            std::vector<std::vector<Node>> reads(static_cast<std::size_t>(width));
            for (std::vector<Node>& inputs : reads) {
                for (int i = count(1, mostInputs); i > 0; --i) {
                    const std::size_t back = chance(far) ? 1 + m_random.below(3) : 1;
                    inputs.push_back(any(layers[layers.size() - std::min(back, layers.size())]));
                }
            }
            for (const Node node : layers.back()) { // nothing is left lying about
                const bool isRead =
                    std::ranges::any_of(reads, [node](const auto& all) { return std::ranges::count(all, node) > 0; });
                if (!isRead)
                    reads[m_random.below(static_cast<std::uint32_t>(width))].push_back(node);
            }
            elements *= shrinking;
            std::vector<Node> outputs;
            for (std::size_t b = 0; b < reads.size(); ++b) {
                const std::string scope = width == 1 ? layer : fmt::format("{}/branch_{}", layer, b);
                Cell cell = newCell(count(1, longest), m_heavyShare);
                outputs.push_back(run(cell, scope, scope, reads[b], elements * evenly(.5, 2)));
            }
            layers.push_back(std::move(outputs));
        }
    }

    // --- Nested chains and branches
    Node nest(const std::string& scope, Node input, std::size_t ops, double elements, int depth) {
        constexpr std::size_t kLeaf = 12;
        constexpr int kDeepest = 4;
        if (ops < 2 * kLeaf || depth == kDeepest) {
            Cell cell = newCell(std::max(1, static_cast<int>(static_cast<double>(ops) / 3)), m_heavyShare);
            const Node reads[] = {input};
            return run(cell, scope, scope, reads, elements);
        }
        const int parts = count(2, 4);
        const std::size_t each = ops / static_cast<std::size_t>(parts);
        if (depth > 0 && chance(.4)) { // a chain
            for (int i = 0; i < parts; ++i)
                input = nest(fmt::format("{}/part_{}", scope, i), input, each, elements, depth + 1);
            return input;
        }
        std::vector<Node> ends;
        for (int i = 0; i < parts; ++i) {
            const auto share = static_cast<std::size_t>(static_cast<double>(each) * between(.5, 1.5));
            ends.push_back(
                nest(fmt::format("{}/branch_{}", scope, i), input, share, elements * evenly(.4, 1.5), depth + 1));
        }
        if (chance(.3))
            ends.push_back(input); // a way around
        return m_sketch.add(scope, chance(.5) ? kJoin : kLight[4], ends, elements);
    }
    void seriesParallel() {
        const std::size_t ofCell = std::max<std::size_t>(20, m_target / static_cast<std::size_t>(count(3, 12)));
        double elements = 1;
        const double shrinking = between(.7, 1.05);
        Node last = source("input", elements);
        for (int i = 0; m_sketch.opCount() < m_target; ++i, elements *= shrinking)
            last = nest(fmt::format("cell_{}", i), last, ofCell, elements, 0);
    }

    const RandomGraphOptions& m_options;
    Random& m_random;
    GraphSketch m_sketch;
    std::size_t m_target = 0;
    bool m_convolutional = false;
    double m_heavyShare = .5; ///< of kernels that have weights
};

} // namespace

std::string_view toString(RandomFamily family) { return kNames[static_cast<std::size_t>(family)]; }

std::optional<RandomFamily> parseRandomFamily(std::string_view name) {
    const auto found = std::ranges::find(kNames, name);
    return found == kNames.end() ? std::nullopt : std::optional(static_cast<RandomFamily>(found - kNames.begin()));
}

Result<Graph> randomGraph(const RandomGraphOptions& options) {
    Random random(options.seed * kRandomFamilies.size() + static_cast<std::uint64_t>(options.family));
    const std::string name = fmt::format("{}-{}", toString(options.family), options.seed);
    const auto least = static_cast<double>(options.leastOps), most = static_cast<double>(options.mostOps);
    for (int i = 0; i < kTries && options.leastOps >= kLeastRandomOps && options.mostOps > options.leastOps; ++i) {
        Generator generator(options, random);
        GraphSketch sketch = generator.make(static_cast<std::size_t>(generator.evenly(least, most)));
        constexpr std::size_t kOpsOfLoss = 8; // and of the sums before it
        if (sketch.opCount() < options.leastOps || sketch.opCount() + kOpsOfLoss > options.mostOps)
            continue;
        const SketchSizes sizes = generator.sizes();
        return std::move(sketch).build(name, sizes);
    }
    return fail("{}: no such graph has {} to {} ops; ask for at least {} and for a wider range.", name,
                options.leastOps, options.mostOps, kLeastRandomOps);
}

} // namespace opscape
