// SPDX-License-Identifier: MIT
#include "gui/views/view_history.h"

#include <gtest/gtest.h>

namespace opscape {
namespace {

GraphPlace at(double x, double scale = 1, ExpandedScopes expanded = {}) {
    return {std::move(expanded), {{x, 0}, scale}, false};
}

double x(const std::optional<GraphPlace>& place) { return place ? place->camera.origin.x() : -1; }

TEST(ViewHistory, GoesBackAndForward) {
    ViewHistory history;
    for (const double place : {10, 20, 30})
        history.arrived(at(place));
    EXPECT_EQ(x(history.back()), 20);
    EXPECT_EQ(x(history.back()), 10);
    EXPECT_FALSE(history.back().has_value());
    EXPECT_EQ(x(history.forward()), 20);
    EXPECT_EQ(x(history.forward()), 30);
    EXPECT_FALSE(history.forward().has_value());
}

TEST(ViewHistory, ForgetsWhatWasForwardOnceAnotherWayIsTaken) {
    ViewHistory history;
    for (const double place : {10, 20, 30})
        history.arrived(at(place));
    (void)history.back();
    history.arrived(at(99));
    EXPECT_FALSE(history.forward().has_value());
    EXPECT_EQ(x(history.back()), 20);
}

TEST(ViewHistory, DoesNotCountWhatLooksTheSame) {
    ViewHistory history;
    history.arrived(at(10));
    history.arrived(at(11));
    EXPECT_FALSE(history.back().has_value()) << "one pixel is no other view";
    history.arrived(at(11, 1.5));
    EXPECT_EQ(x(history.back()), 11);
    history.arrived(at(11, 1, {ScopeId(3)}));
    EXPECT_TRUE(history.back()->expanded.empty()) << "other open groups are another view";
}

TEST(ViewHistory, AFittedViewIsOneWhateverTheWindow) {
    GraphPlace small = at(5), large = at(-80, 3);
    small.fitted = large.fitted = true;
    EXPECT_TRUE(small.isLike(large));
    EXPECT_FALSE(small.isLike(at(5)));
}

TEST(ViewHistory, AViewHoldsOnToTheBoxInItsMiddle) {
    GraphScene scene;
    SceneNode box;
    box.op = OpId(7);
    box.rect = {100, 200, 40, 20};
    box.end = 1;
    scene.nodes = {box};
    GraphPlace place = at(60, 2);
    place.holdOn(scene, {100, 420});
    EXPECT_EQ(place.op, OpId(7));
    EXPECT_EQ(place.at, QPointF(80, 400));
    EXPECT_EQ(place.cameraOver(scene).origin, place.camera.origin);
    scene.nodes[0].rect.x = 300; // laid out anew
    const GraphCamera camera = place.cameraOver(scene);
    EXPECT_EQ(camera.toScreen({300, 200}), QPointF(80, 400));
    GraphPlace again = place;
    again.camera = camera;
    EXPECT_TRUE(again.isLike(place)) << "the same box at the same place of the screen";
    again.at += QPointF(20, 0);
    EXPECT_FALSE(again.isLike(place));
    scene.nodes.clear();
    EXPECT_EQ(place.cameraOver(scene).origin, place.camera.origin);
}

TEST(ViewHistory, KeepsTheLastHundred) {
    ViewHistory history;
    for (int i = 0; i < 250; ++i)
        history.arrived(at(10.0 * i));
    int count = 0;
    std::optional<GraphPlace> last;
    while (auto place = history.back()) {
        last = std::move(place);
        ++count;
    }
    EXPECT_EQ(count, 99);
    EXPECT_EQ(x(last), 1500);
    history.clear();
    EXPECT_FALSE(history.forward().has_value());
}

} // namespace
} // namespace opscape
