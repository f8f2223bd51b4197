// SPDX-License-Identifier: MIT
// Balanced minimum cut by METIS (Karypis and Kumar, "A fast and high quality multilevel scheme for partitioning
// irregular graphs", SIAM J. Sci. Comput. 1998): vertices weigh their mean time, edges their bytes; a part per device,
// as large as the device is fast. Direction, and with it the order of the step, is invisible to it; memory too, unless
// balanced as a second constraint. Colocation groups are one vertex. Parts are named after devices so that pinned ops
// lie well, and pinned ops go where they are pinned in any case.
#include <opscape/base/guarded_call.h>
#include <opscape/search/partition.h>
#include <opscape/search/partition_graph.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

namespace opscape {
namespace {

constexpr std::chrono::hours kLimit{1}; ///< as good as none: it is the stop that ends a call

/// Per part and constraint the share of the weight it should get: the device's speed over the speed of all.
std::vector<real_t> speedShares(const Problem& problem, idx_t constraints) {
    std::vector<double> speed;
    double sum = 0;
    for (std::size_t d = 0; d < problem.cluster->deviceCount(); ++d) {
        double ns = 1;
        for (std::size_t i = 0; i < problem.graph->opCount(); ++i)
            ns += static_cast<double>(problem.opNs(OpId(i), DeviceId(d)));
        speed.push_back(1 / ns);
        sum += speed.back();
    }
    std::vector<double> room;
    double rooms = 0;
    for (std::size_t d = 0; d < speed.size(); ++d) {
        room.push_back(static_cast<double>(problem.cluster->kindOf(DeviceId(d)).memoryBytes));
        rooms += room.back();
    }
    const bool roomKnown = std::ranges::all_of(room, [](double bytes) { return bytes > 0; });
    std::vector<real_t> shares;
    for (std::size_t d = 0; d < speed.size(); ++d) {
        shares.push_back(static_cast<real_t>(speed[d] / sum));
        if (constraints == 2)
            shares.push_back(static_cast<real_t>(roomKnown ? room[d] / rooms : 1.0 / static_cast<double>(room.size())));
    }
    return shares;
}

/// METIS may leave a part empty; it gets the heaviest vertex of the heaviest part that can spare one.
void fillEmptyParts(const PartitionGraph& graph, idx_t parts, std::vector<idx_t>& part) {
    const auto weight = [&graph](std::size_t v) {
        return static_cast<std::int64_t>(graph.vertexWeights[v * static_cast<std::size_t>(graph.constraints)]);
    };
    std::vector<std::int64_t> load(static_cast<std::size_t>(parts), 0), size(load);
    for (std::size_t v = 0; v < part.size(); ++v) {
        load[static_cast<std::size_t>(part[v])] += weight(v);
        ++size[static_cast<std::size_t>(part[v])];
    }
    for (std::size_t empty = 0; empty < size.size(); ++empty) {
        if (size[empty] > 0)
            continue;
        std::size_t donor = empty;
        for (std::size_t p = 0; p < size.size(); ++p) {
            if (size[p] > 1 && (donor == empty || load[p] > load[donor]))
                donor = p;
        }
        std::size_t heaviest = part.size();
        for (std::size_t v = 0; v < part.size(); ++v) {
            if (static_cast<std::size_t>(part[v]) == donor && (heaviest == part.size() || weight(v) > weight(heaviest)))
                heaviest = v;
        }
        part[heaviest] = static_cast<idx_t>(empty);
        load[donor] -= weight(heaviest);
        load[empty] = weight(heaviest);
        --size[donor];
        size[empty] = 1;
    }
}

/// Device of each part. Among devices of a kind parts may trade places: most pinned ops first.
std::vector<std::size_t> nameParts(const Problem& problem, std::span<const std::size_t> parts,
                                   std::span<const DeviceId> fixed) {
    const std::size_t count = problem.cluster->deviceCount();
    std::vector<std::size_t> pinned(count * count, 0); // [part][device]
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (fixed[i].valid())
            ++pinned[parts[i] * count + fixed[i].index()];
    }
    std::vector<std::size_t> deviceOf(count, count);
    std::vector<std::uint8_t> taken(count, 0);
    for (std::size_t round = 0; round < count; ++round) {
        std::size_t bestPart = count, bestDevice = count, best = 0;
        for (std::size_t p = 0; p < count; ++p) {
            for (std::size_t d = 0; d < count && deviceOf[p] == count; ++d) {
                const bool sameKind =
                    problem.cluster->device(DeviceId(p)).kind == problem.cluster->device(DeviceId(d)).kind;
                if (taken[d] == 0 && sameKind && pinned[p * count + d] > best) {
                    bestPart = p;
                    bestDevice = d;
                    best = pinned[p * count + d];
                }
            }
        }
        if (best == 0)
            break;
        deviceOf[bestPart] = bestDevice;
        taken[bestDevice] = 1;
    }
    for (std::size_t p = 0; p < count; ++p) { // the rest keep their own device, or the lowest one left of the kind
        if (deviceOf[p] != count)
            continue;
        std::size_t d = taken[p] == 0 ? p : 0;
        while (taken[d] != 0 || problem.cluster->device(DeviceId(d)).kind != problem.cluster->device(DeviceId(p)).kind)
            ++d;
        deviceOf[p] = d;
        taken[d] = 1;
    }
    return deviceOf;
}

/// The part of every op.
Result<std::vector<std::size_t>> partition(const Problem& problem, const PartitionOptions& options,
                                           const std::stop_token& stop) {
    PartitionGraph graph(problem, options.balanceMemory);
    idx_t vertices = graph.vertexCount();
    auto parts = static_cast<idx_t>(problem.cluster->deviceCount());
    std::vector<idx_t> part(static_cast<std::size_t>(vertices));
    if (vertices <= parts) { // one each; METIS is not made for this, nor for a single part
        for (idx_t v = 0; v < vertices; ++v)
            part[static_cast<std::size_t>(v)] = v;
    } else if (parts > 1) {
        std::vector<real_t> shares = speedShares(problem, graph.constraints);
        std::array<idx_t, METIS_NOPTIONS> settings{};
        METIS_SetDefaultOptions(settings.data());
        settings[METIS_OPTION_SEED] = static_cast<idx_t>(options.seed & 0x7fffffff);
        settings[METIS_OPTION_UFACTOR] = static_cast<idx_t>(std::lround(options.imbalance * 1000));
        settings[METIS_OPTION_NUMBERING] = 0;
        // METIS hears no stop, draws from the one generator of the C library, and prints remarks to standard output: a
        // process of its own spares us all three.
        const auto answer = guardedCall(
            [&] {
                idx_t cut = 0;
                const int status =
                    METIS_PartGraphKway(&vertices, &graph.constraints, graph.first.data(), graph.neighbors.data(),
                                        graph.vertexWeights.data(), nullptr, graph.edgeWeights.data(), &parts,
                                        shares.data(), nullptr, settings.data(), &cut, part.data());
                const auto* bytes = reinterpret_cast<const char*>(part.data());
                return status == METIS_OK ? std::string(bytes, part.size() * sizeof(idx_t))
                                          : std::string(status == METIS_ERROR_MEMORY ? "m" : "e");
            },
            kLimit, stop);
        if (!answer)
            return fail("METIS could not cut the graph: {}.", answer.error().message);
        if (answer->size() != part.size() * sizeof(idx_t))
            return fail("METIS could not cut the graph: {}.", *answer == "m" ? "out of memory" : "it found an error");
        std::memcpy(part.data(), answer->data(), answer->size());
        fillEmptyParts(graph, parts, part);
    }
    std::vector<std::size_t> ofOp;
    for (const idx_t vertex : graph.vertexOf)
        ofOp.push_back(static_cast<std::size_t>(part[static_cast<std::size_t>(vertex)]));
    return ofOp;
}

} // namespace

Result<std::vector<DeviceId>> leastCutPlacement(const Problem& problem, std::span<const DeviceId> fixed,
                                                const PartitionOptions& options, const std::stop_token& stop) {
    const auto parts = partition(problem, options, stop);
    if (!parts)
        return fail(parts.error());
    const std::vector<std::size_t> deviceOf = nameParts(problem, *parts, fixed);
    std::vector<DeviceId> device;
    for (std::size_t i = 0; i < parts->size(); ++i)
        device.push_back(fixed[i].valid() ? fixed[i] : DeviceId(deviceOf[(*parts)[i]]));
    return device;
}

} // namespace opscape
