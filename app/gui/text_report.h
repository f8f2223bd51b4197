// SPDX-License-Identifier: MIT
// What the window shows, in words: the summary, the problems and the first ops. Written beside a picture of the window.
#pragma once

#include "gui/session.h"

namespace opscape {

[[nodiscard]] QString textReport(const Session& session, const QString& message);

} // namespace opscape
