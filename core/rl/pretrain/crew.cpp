// SPDX-License-Identifier: MIT
// Sums over LibTorch's Gloo process group, which is made through a TCPStore at the first process. An elastic crew that
// lost one of its processes makes another group through the same store: each of those that are left gives up the old
// group, whose closed connections tell the rest, draws a number at the store, and the first process says after a short
// time how many have come.
#include <opscape/rl/network/parameters.h>
#include <opscape/rl/pretrain/crew.h>

#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <thread>
#include <tuple>

namespace opscape::rl {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds kLookEvery(50);
constexpr milliseconds kSettle(1000); ///< for more to come, once as many are there as there can be when one is lost

milliseconds inMs(double seconds) { return milliseconds(static_cast<std::int64_t>(seconds * 1000)); }

std::shared_ptr<gloo::transport::Device> device(const std::string& host) {
    if (const char* interface = std::getenv("GLOO_SOCKET_IFNAME")) // NOLINT: nothing sets the environment
        return c10d::ProcessGroupGloo::createDeviceForInterface(interface);
    if (host == "localhost" || host.starts_with("127."))
        return c10d::ProcessGroupGloo::createDeviceForHostname(host);
    return c10d::ProcessGroupGloo::createDefaultDevice();
}

/// Where the processes meet, at first and again.
class Meeting : public std::enable_shared_from_this<Meeting> {
public:
    /// May throw, as all of LibTorch.
    explicit Meeting(const CrewPlace& place) : m_place(place) {
        c10d::TCPStoreOptions options;
        options.port = place.port;
        options.isServer = place.rank == 0;
        options.numWorkers = static_cast<std::size_t>(place.size);
        options.timeout = inMs(place.timeoutSeconds);
        m_store = c10::make_intrusive<c10d::TCPStore>(place.host, options);
    }

    Crew form(int rank, int size) {
        if (size == 1)
            return {};
        auto how = c10d::ProcessGroupGloo::Options::create(inMs(m_place.timeoutSeconds));
        how->devices.push_back(device(m_place.host));
        how->threads = 1;
        auto prefixed = c10::make_intrusive<c10d::PrefixStore>(fmt::format("crew{}", m_crews), m_store);
        m_group = c10::make_intrusive<c10d::ProcessGroupGloo>(prefixed, rank, size, how);
        Crew crew{rank, size, [self = shared_from_this()](std::span<float> values) { return self->sum(values); }};
        if (m_place.elastic)
            crew.regroup = [self = shared_from_this(), size] { return self->regroup(size); };
        return crew;
    }

private:
    bool sum(std::span<float> values) {
        try {
            std::vector<torch::Tensor> all{
                torch::from_blob(values.data(), {static_cast<std::int64_t>(values.size())}, torch::kFloat32)};
            m_group->allreduce(all)->wait();
            return true;
        } catch (const std::exception&) { // a connection was closed, or nobody answered in time
            return false;
        }
    }

    Result<Crew> regroup(int sizeBefore) {
        m_group.reset();
        const std::string arrived = fmt::format("arrived{}", m_crews), size = fmt::format("size{}", m_crews);
        ++m_crews;
        try {
            if (m_place.rank == 0) {
                const int left = 1 + othersThatCame(arrived, sizeBefore - 2);
                m_store->add(size, left);
                return form(0, left);
            }
            const auto number = static_cast<int>(m_store->add(arrived, 1));
            m_store->wait({size}, inMs(m_place.timeoutSeconds));
            const int left = static_cast<int>(m_store->add(size, 0));
            if (number >= left)
                return fail("the training went on without this process, which came too late; start it anew with the "
                            "next one.");
            return form(number, left);
        } catch (const std::exception&) {
            return fail("the first process of the training, where the others meet, is gone; start all of them again "
                        "with --resume and the last state.");
        }
    }

    /// `enough`: as many as can come when one is lost.
    int othersThatCame(const std::string& key, int enough) {
        const auto begin = Clock::now();
        auto until = begin + inMs(m_place.regroupSeconds);
        int came = 0;
        bool isEnough = false;
        while (Clock::now() < until) {
            came = static_cast<int>(m_store->add(key, 0));
            if (came >= enough && !std::exchange(isEnough, true))
                until = std::min(until, Clock::now() + kSettle);
            std::this_thread::sleep_for(kLookEvery);
        }
        return came;
    }

    CrewPlace m_place;
    int m_crews = 0; ///< that were lost
    c10::intrusive_ptr<c10d::TCPStore> m_store;
    c10::intrusive_ptr<c10d::ProcessGroupGloo> m_group;
};

} // namespace

Result<Crew> joinCrew(const CrewPlace& place) {
    prepareProcess();
    // Gloo writes to sockets as they come, and one whose process was killed a moment ago would end this one, too,
    // without a word; ignored, the signal becomes an error of the write, which ends the sum.
    struct sigaction pipe {};
    if (::sigaction(SIGPIPE, nullptr, &pipe) == 0 && pipe.sa_handler == SIG_DFL) // NOLINT: as signals are
        std::ignore = std::signal(SIGPIPE, SIG_IGN);                             // NOLINT
    try {
        return std::make_shared<Meeting>(place)->form(place.rank, place.size);
    } catch (const std::exception& error) {
        const std::string_view said = error.what();
        return fail("process {} of {} does not find the others at {}:{} ({}); see that all run, and that MASTER_ADDR "
                    "and MASTER_PORT are those of the first.",
                    place.rank, place.size, place.host, place.port, said.substr(0, said.find('\n')));
    }
}

} // namespace opscape::rl
