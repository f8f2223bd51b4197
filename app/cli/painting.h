// SPDX-License-Identifier: MIT
// Only what paints needs Qt, which is started for it without a display.
#pragma once

#include <memory>

class QGuiApplication;

namespace opscape {

/// While one exists pictures can be painted.
class Painting {
public:
    Painting();
    Painting(const Painting&) = delete;
    Painting& operator=(const Painting&) = delete;
    ~Painting();

private:
    std::unique_ptr<QGuiApplication> m_application;
};

} // namespace opscape
