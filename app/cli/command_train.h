// SPDX-License-Identifier: MIT
// Commands about policies that are carried from graph to graph: train makes one, bench transfer judges it, bench
// scaling tells what several processes are worth. Each adds itself to the command line, in learning_options.cpp.
#pragma once

#include "commands.h"
#include "study/scaling.h"
#include "study/training_options.h"
#include "study/transfer.h"

#include <CLI/CLI.hpp>

#include <functional>

namespace opscape {

struct TrainArgs {
    TrainingWords words; ///< study/training_options.h
    std::string name;    ///< under which it is kept among the person's models; empty: in files
    std::filesystem::path output, save, resume, curve;
    bool elastic = false;
};

struct TransferArgs {
    std::string typed; ///< the command as it was typed, for the table of results
    TransferRequest request;
    std::uint64_t seed = 1; ///< the first
    std::size_t seeds = 3;
    bool onlyReport = false;
    std::filesystem::path output;
};

struct ScalingArgs {
    ScalingRequest request;
    double gigabits = 10, latencyUs = 50; ///< of a link
};

[[nodiscard]] Result<int> trainCommand(const GlobalArgs& global, const TrainArgs& args);
[[nodiscard]] Result<int> benchTransferCommand(const GlobalArgs& global, const TransferArgs& args);
[[nodiscard]] Result<int> benchScalingCommand(const GlobalArgs& global, const ScalingArgs& args);

/// What the command line is to do, once it is read.
using CommandAction = std::function<Result<int>()>;
void addTrain(CLI::App& app, const GlobalArgs& global, TrainArgs& args, CommandAction& action);
void addTransfer(CLI::App& bench, const GlobalArgs& global, TransferArgs& args, CommandAction& action);
void addScaling(CLI::App& bench, const GlobalArgs& global, ScalingArgs& args, CommandAction& action);

} // namespace opscape
