// SPDX-License-Identifier: MIT
#include "sim/simgrid_peer.h"

#include <simgrid/s4u.hpp>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <set>

namespace opscape::test {
namespace {

namespace sg = simgrid::s4u;

/// One time unit of SimGrid is a nanosecond: hosts compute 1 flop per unit, links carry bytes per unit.
struct Platform {
    std::vector<sg::Host*> hosts;
    explicit Platform(const Cluster& cluster) {
        auto* zone = sg::create_full_zone("cluster");
        const std::size_t n = cluster.deviceCount();
        for (std::size_t d = 0; d < n; ++d)
            hosts.push_back(zone->create_host("d" + std::to_string(d), 1.0)->seal());
        const bool fair = cluster.linkModel() == LinkModel::Fair;
        std::vector<sg::Link*> channels;
        for (std::size_t c = 0; fair && c < cluster.channelCount(); ++c) {
            const Channel& channel = cluster.channel(ChannelId(c));
            channels.push_back(zone->create_link("c" + std::to_string(c), channel.bandwidth / 1e9)
                                   ->set_latency(static_cast<double>(channel.latencyNs))
                                   ->set_sharing_policy(sg::Link::SharingPolicy::SHARED)
                                   ->seal());
        }
        for (std::size_t f = 0; f < n; ++f) {
            for (std::size_t t = 0; t < n; ++t) {
                if (f == t)
                    continue;
                const DeviceId from(f), to(t);
                std::vector<sg::LinkInRoute> route;
                if (fair) {
                    for (const ChannelId c : cluster.route(from, to))
                        route.emplace_back(channels[c.index()]);
                } else { // contention is in the chains, so every pair has a link of its own
                    route.emplace_back(zone->create_link("l" + std::to_string(f) + "_" + std::to_string(t),
                                                         cluster.routeBandwidth(from, to) / 1e9)
                                           ->set_latency(static_cast<double>(cluster.routeLatencyNs(from, to)))
                                           ->set_sharing_policy(sg::Link::SharingPolicy::FATPIPE)
                                           ->seal());
                }
                zone->add_route(hosts[f]->get_netpoint(), hosts[t]->get_netpoint(), nullptr, nullptr, route, false);
            }
        }
        zone->seal();
    }
};

void simulateInChild(const Problem& problem, const Plan& plan, const Schedule& schedule, PeerPrecision precision,
                     PeerTimes& times) {
    std::string name = "peer", quiet = "--log=root.thresh:critical";
    int argc = 2;
    char* argv[] = {name.data(), quiet.data(), nullptr};
    sg::Engine engine(&argc, argv);
    for (const char* setting : {"network/model:CM02", "network/bandwidth-factor:1", "network/latency-factor:1",
                                "network/TCP-gamma:0", "network/weight-S:0", "network/crosstraffic:0"})
        sg::Engine::set_config(setting);
    if (precision == PeerPrecision::Tight) {
        sg::Engine::set_config("surf/precision:1e-12");
        sg::Engine::set_config("maxmin/precision:1e-12");
    }
    if (problem.cluster->linkModel() == LinkModel::Fair)
        sg::Engine::set_config("network/optim:Full");
    const Graph& graph = *problem.graph;
    const Platform platform(*problem.cluster);

    std::vector<sg::ExecPtr> execs(graph.opCount());
    for (std::size_t i = 0; i < execs.size(); ++i) {
        execs[i] = sg::Exec::init();
        execs[i]->set_flops_amount(static_cast<double>(problem.opNs(OpId(i), plan.device[i])));
        execs[i]->set_host(platform.hosts[plan.device[i].index()]);
    }
    std::vector<std::set<OpId>> after(execs.size()); // SimGrid refuses a dependency given twice
    std::vector<std::vector<OpId>> order(problem.cluster->deviceCount());
    for (std::size_t i = 0; i < execs.size(); ++i)
        order[plan.device[i].index()].push_back(OpId(i));
    for (auto& ops : order) {
        std::ranges::stable_sort(ops, {}, [&](OpId op) {
            return std::pair(schedule.ops[op.index()].startNs, schedule.ops[op.index()].endNs);
        });
        for (std::size_t k = 1; k < ops.size(); ++k)
            after[ops[k - 1].index()].insert(ops[k]);
    }
    for (std::size_t i = 0; i < execs.size(); ++i) {
        for (const OpId to : graph.successors(OpId(i))) {
            if (plan.device[i] == plan.device[to.index()])
                after[i].insert(to);
        }
        for (const OpId to : after[i])
            execs[i]->add_successor(execs[to.index()]);
    }
    std::vector<sg::CommPtr> comms;
    std::vector<std::uint32_t> lastOn(problem.cluster->channelCount(), 0xffffffffu);
    for (const Transfer& transfer : schedule.transfers) {
        auto comm = sg::Comm::sendto_init(platform.hosts[transfer.from.index()], platform.hosts[transfer.to.index()]);
        comm->set_payload_size(static_cast<double>(transfer.bytes));
        execs[transfer.producer.index()]->add_successor(comm);
        const auto readers =
            transfer.tensor.valid() ? graph.consumers(transfer.tensor) : graph.controlSuccessors(transfer.producer);
        for (const OpId to : readers) {
            if (plan.device[to.index()] == transfer.to)
                comm->add_successor(execs[to.index()]);
        }
        if (transfer.tensor.valid() && problem.cluster->linkModel() == LinkModel::Fifo) {
            std::vector<std::uint32_t> before;
            for (const ChannelId channel : problem.cluster->route(transfer.from, transfer.to)) {
                before.push_back(lastOn[channel.index()]);
                lastOn[channel.index()] = static_cast<std::uint32_t>(comms.size());
            }
            std::ranges::sort(before);
            before.erase(std::unique(before.begin(), before.end()), before.end());
            for (const std::uint32_t earlier : before) {
                if (earlier != 0xffffffffu)
                    comms[earlier]->add_successor(comm);
            }
        }
        comms.push_back(std::move(comm));
    }
    for (const auto& comm : comms)
        comm->vetoable_start();
    for (const auto& exec : execs)
        exec->vetoable_start();
    const std::clock_t begin = std::clock();
    engine.run();
    times.runSeconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    for (std::size_t i = 0; i < execs.size(); ++i) {
        times.opStartNs[i] = execs[i]->get_start_time();
        times.opEndNs[i] = execs[i]->get_finish_time();
    }
    for (std::size_t t = 0; t < comms.size(); ++t) {
        times.transferStartNs[t] = comms[t]->get_start_time();
        times.transferEndNs[t] = comms[t]->get_finish_time();
    }
}

void writeAll(int fd, const void* data, std::size_t size) {
    const auto* at = static_cast<const char*>(data);
    while (size > 0) {
        const ssize_t n = ::write(fd, at, size);
        if (n <= 0)
            ::_exit(3);
        at += n;
        size -= static_cast<std::size_t>(n);
    }
}

bool readAll(int fd, void* data, std::size_t size) {
    auto* at = static_cast<char*>(data);
    while (size > 0) {
        const ssize_t n = ::read(fd, at, size);
        if (n <= 0)
            return false;
        at += n;
        size -= static_cast<std::size_t>(n);
    }
    return true;
}

} // namespace

PeerTimes runSimGrid(const Problem& problem, const Plan& plan, const Schedule& schedule, PeerPrecision precision) {
    PeerTimes times;
    times.opStartNs.resize(problem.graph->opCount());
    times.opEndNs.resize(problem.graph->opCount());
    times.transferStartNs.resize(schedule.transfers.size());
    times.transferEndNs.resize(schedule.transfers.size());
    const auto columns = [&times] {
        return std::array{&times.opStartNs, &times.opEndNs, &times.transferStartNs, &times.transferEndNs};
    };
    int pipe[2];
    if (::pipe(pipe) != 0) {
        times.error = "no pipe";
        return times;
    }
    const pid_t child = ::fork();
    if (child == 0) {
        ::close(pipe[0]);
        try {
            simulateInChild(problem, plan, schedule, precision, times);
        } catch (const std::exception& error) {
            std::fputs(error.what(), stderr);
            ::_exit(2);
        }
        for (const auto* column : columns())
            writeAll(pipe[1], column->data(), column->size() * sizeof(double));
        writeAll(pipe[1], &times.runSeconds, sizeof times.runSeconds);
        ::_exit(0);
    }
    ::close(pipe[1]);
    bool whole = child > 0;
    for (auto* column : columns())
        whole = whole && readAll(pipe[0], column->data(), column->size() * sizeof(double));
    whole = whole && readAll(pipe[0], &times.runSeconds, sizeof times.runSeconds);
    ::close(pipe[0]);
    int status = 0;
    if (child > 0)
        ::waitpid(child, &status, 0);
    if (!whole)
        times.error = fmt::format("SimGrid ended with status {} before it gave all times", status);
    return times;
}

} // namespace opscape::test
