// SPDX-License-Identifier: MIT
// Where processes on one machine can meet.
#pragma once

#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>

namespace opscape::rl {

/// A port of the loopback interface that is free now; 0 where there is none.
[[nodiscard]] inline std::uint16_t freePort() {
    const int fd = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* plain = reinterpret_cast<sockaddr*>(&address); // NOLINT: as sockets are
    const bool isBound = fd >= 0 && ::bind(fd, plain, size) == 0 && ::getsockname(fd, plain, &size) == 0;
    if (fd >= 0)
        ::close(fd);
    return isBound ? ntohs(address.sin_port) : 0;
}

} // namespace opscape::rl
