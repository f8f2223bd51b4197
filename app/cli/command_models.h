// SPDX-License-Identifier: MIT
// Commands about the models that a person keeps: list, show, import, export, delete, choose the default.
#pragma once

#include "commands.h"

#include <CLI/CLI.hpp>

#include <functional>

namespace opscape {

struct ModelsArgs {
    std::string model; ///< name, file or "default"
    std::string name;  ///< under which it is imported; empty: that of the file
    std::filesystem::path file;
};

void addModels(CLI::App& app, const GlobalArgs& global, ModelsArgs& args, std::function<Result<int>()>& action);

} // namespace opscape
