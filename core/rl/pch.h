// SPDX-License-Identifier: MIT
// The precompiled header of the files that see torch, which takes seconds to read.
#pragma once

#include <ATen/Parallel.h>
#include <torch/csrc/autograd/autograd.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/types.h>
