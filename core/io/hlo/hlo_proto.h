// SPDX-License-Identifier: MIT
// The step of the HLO reader that sees protobuf's types; included by its own files only.
#pragma once

#include <opscape/io/hlo/hlo.pb.h>
#include <opscape/io/hlo/hlo_module.h>

namespace opscape {

/// The module holds views into the message.
[[nodiscard]] Result<HloModule> moduleOf(const xla::HloModuleProto& proto, const std::string& origin);

} // namespace opscape
