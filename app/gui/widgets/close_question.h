// SPDX-License-Identifier: MIT
// What becomes of trainings when their window is closed: a person decides.
#pragma once

class QWidget;

namespace opscape {

class Session;

/// Asks where trainings of the window go on, and tells the session what was answered. False: the window stays.
[[nodiscard]] bool mayClose(Session& session, QWidget* window);

} // namespace opscape
