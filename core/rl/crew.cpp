// SPDX-License-Identifier: MIT
#include <opscape/rl/crew.h>
#include <opscape/rl/parameters.h>

#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>

#include <chrono>
#include <cstdlib>

namespace opscape::rl {
namespace {

std::shared_ptr<gloo::transport::Device> device(const std::string& host) {
    if (const char* interface = std::getenv("GLOO_SOCKET_IFNAME")) // NOLINT: nothing sets the environment
        return c10d::ProcessGroupGloo::createDeviceForInterface(interface);
    if (host == "localhost" || host.starts_with("127."))
        return c10d::ProcessGroupGloo::createDeviceForHostname(host);
    return c10d::ProcessGroupGloo::createDefaultDevice();
}

} // namespace

Result<Crew> joinCrew(const CrewPlace& place) {
    prepareProcess();
    try {
        const std::chrono::milliseconds patience(static_cast<std::int64_t>(place.timeoutSeconds * 1000));
        c10d::TCPStoreOptions options;
        options.port = place.port;
        options.isServer = place.rank == 0;
        options.numWorkers = static_cast<std::size_t>(place.size);
        options.timeout = patience;
        auto store = c10::make_intrusive<c10d::TCPStore>(place.host, options);
        auto how = c10d::ProcessGroupGloo::Options::create(patience);
        how->devices.push_back(device(place.host));
        how->threads = 1;
        auto group = c10::make_intrusive<c10d::ProcessGroupGloo>(store, place.rank, place.size, how);
        const auto sum = [store, group](std::span<float> values) {
            try {
                std::vector<torch::Tensor> all{
                    torch::from_blob(values.data(), {static_cast<std::int64_t>(values.size())}, torch::kFloat32)};
                group->allreduce(all)->wait();
                return true;
            } catch (const std::exception&) { // a connection was closed, or nobody answered in time
                return false;
            }
        };
        return Crew{place.rank, place.size, sum};
    } catch (const std::exception& error) {
        const std::string_view said = error.what();
        return fail("process {} of {} does not find the others at {}:{} ({}); see that all run, and that MASTER_ADDR "
                    "and MASTER_PORT are those of the first.",
                    place.rank, place.size, place.host, place.port, said.substr(0, said.find('\n')));
    }
}

} // namespace opscape::rl
