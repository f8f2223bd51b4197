// SPDX-License-Identifier: MIT
// XLA's HLO modules, as text and as HloProto. The instructions of the entry computation become ops; parameters and
// constants become state of the ops that read them; tuples and get-tuple-element fall away, since what reads them reads
// the array itself. The instructions of a fusion become ops of one fusion group, those of a call ops in its scope;
// loops and conditionals stay one op with the work of what they run. Computations given to reduce, sort, scatter and
// the like are part of the rule of those.
#pragma once

#include <opscape/io/format.h>

namespace opscape {

[[nodiscard]] bool isHloText(std::string_view bytes);
[[nodiscard]] Result<GraphFile> readHloText(std::string_view bytes, const std::string& origin);

/// HloProto or HloModuleProto; may be cut off.
[[nodiscard]] bool isHloProto(std::string_view bytes);
[[nodiscard]] Result<GraphFile> readHloProto(FileText text, const std::string& origin);

} // namespace opscape
