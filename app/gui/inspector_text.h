// SPDX-License-Identifier: MIT
// What the inspector says of the selection, as HTML with links: "op:12" selects that op.
#pragma once

#include "gui/look.h"
#include "gui/session.h"

namespace opscape {

/// `run` may be null.
[[nodiscard]] QString inspectorHtml(const OpenedGraph& opened, const ShownRun* run, const Selection& selection,
                                    const Look& look);

} // namespace opscape
