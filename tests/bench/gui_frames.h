// SPDX-License-Identifier: MIT
// Frames of the graph as a person makes them with the mouse: fitted, five zooms in, and a pan that was recorded once
// and is replayed at every zoom.
#pragma once

#include "gui/views/graph_widget.h"

#include <string>
#include <vector>

namespace opscape::bench {

class FrameBench {
public:
    /// `pictures`: a folder that gets a picture of every zoom; may be empty.
    FrameBench(GraphWidget& canvas, std::string pictures) : m_canvas(canvas), m_pictures(std::move(pictures)) {}

    void run();
    void picture(const std::string& name);
    [[nodiscard]] double meanMs() const;
    [[nodiscard]] double p99Ms() const;
    /// The slowest of the frames with every edge, which are drawn once nothing moves any more, in processor time of all
    /// threads.
    [[nodiscard]] double stillMs() const { return m_still; }
    /// The longest event of the window's thread meanwhile.
    [[nodiscard]] double stillEventMs() const { return m_stillEvent; }

private:
    void frame();
    void still();
    void zoomIn(QPointF at, double factor);
    void pan();

    GraphWidget& m_canvas;
    std::string m_pictures;
    std::vector<double> m_ms;
    double m_still = 0, m_stillEvent = 0;
};

} // namespace opscape::bench
