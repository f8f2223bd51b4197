// SPDX-License-Identifier: MIT
// PipeDream profiles (text): layers with measured forward and backward times in ms on one GPU, activation and parameter
// bytes. Each layer becomes a forward op and, where it takes time backward or a gradient passes through it, a backward
// op colocated with it; the measured times hold for every kind of device of type "gpu". Input layers, whose time is
// data loading, become inputs.
//
//     node1 -- Conv2d(3, 64, kernel_size=(7, 7)) -- forward_compute_time=1.1, backward_compute_time=2.2,
//                                                    activation_size=102760448.0, parameter_size=37632.0
//     <TAB>node1 -- node2
#pragma once

#include <opscape/io/format.h>

namespace opscape {

[[nodiscard]] bool looksLikePipedream(std::string_view bytes);
[[nodiscard]] Result<GraphFile> readPipedream(std::string_view bytes, const std::string& origin);

} // namespace opscape
