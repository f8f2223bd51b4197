// SPDX-License-Identifier: MIT
// Several processes, on one machine or many, that train one policy: each sums its gradients with the others. Made of
// LibTorch's own c10d: the processes find one another at a TCPStore that the first one serves, and sum over a Gloo
// process group. They are started by whatever sets the usual environment (mpirun, Slurm, Kubernetes, a shell).
#pragma once

#include <opscape/base/result.h>
#include <opscape/rl/pretrain/pretrain.h>

#include <optional>

namespace opscape::rl {

struct CrewPlace {
    int rank = 0, size = 1;
    std::string host; ///< of rank 0
    std::uint16_t port = 29500;
    double timeoutSeconds = 300; ///< how long a process may keep the others waiting
    bool elastic = false;        ///< those that are left go on when one is lost
    double regroupSeconds = 60;  ///< how long the first process waits for them, at most: some may be busy
};

/// From RANK, WORLD_SIZE, MASTER_ADDR and MASTER_PORT, or what OpenMPI (OMPI_COMM_WORLD_RANK, ..._SIZE) or Slurm
/// (SLURM_PROCID, SLURM_NTASKS) set in their place. None where no number of processes is set or it is one. The error
/// names the variable.
[[nodiscard]] Result<std::optional<CrewPlace>> crewPlace();

/// Waits for all the others. The first one serves the store that they meet at: when an elastic crew loses another, the
/// rest meet there again; when it loses the first, the error of regroup() says so. GLOO_SOCKET_IFNAME names the network
/// interface where the host's name does not lead to it. SIGPIPE is ignored from then on, unless it is handled already.
[[nodiscard]] Result<Crew> joinCrew(const CrewPlace& place);

} // namespace opscape::rl
