// SPDX-License-Identifier: MIT
#include "gui/views/graph_walk.h"

#include <QtCore/qnamespace.h>

#include <gtest/gtest.h>

namespace opscape {
namespace {

/// Two boxes beside each other, an open frame of two boxes below them, a box at the end:  a b / frame(c, d) / e.
GraphScene scene() {
    GraphScene s;
    const auto add = [&](float x, float y, int parent, bool expanded) {
        SceneNode node;
        node.rect = {x, y, 20, 10};
        node.parent = parent;
        node.expanded = expanded;
        if (expanded) {
            node.scope = ScopeId(1);
            node.rect = {0, 30, 60, 60};
        } else {
            node.op = OpId(s.nodes.size());
        }
        s.nodes.push_back(node);
    };
    add(0, 0, -1, false);    // 0 a
    add(40, 0, -1, false);   // 1 b
    add(0, 0, -1, true);     // 2 frame
    add(10, 40, 2, false);   // 3 c
    add(10, 70, 2, false);   // 4 d
    add(20, 120, -1, false); // 5 e
    const auto link = [&](int from, int to) {
        SceneEdge edge;
        edge.from = from;
        edge.to = to;
        s.edges.push_back(edge);
    };
    link(0, 2);
    link(1, 2);
    link(3, 4);
    link(2, 5);
    return s;
}

TEST(GraphWalk, StartsAtTheTop) { EXPECT_EQ(firstNode(scene()), 0); }

TEST(GraphWalk, GoesDownIntoAnOpenFrameAndOutOfIt) {
    EXPECT_EQ(neighbourOf(scene(), 0, Qt::Key_Down), 3);
    EXPECT_EQ(neighbourOf(scene(), 3, Qt::Key_Down), 4);
    EXPECT_EQ(neighbourOf(scene(), 4, Qt::Key_Down), 5);
    EXPECT_EQ(neighbourOf(scene(), 5, Qt::Key_Down), -1);
}

TEST(GraphWalk, GoesUpTheSameWay) {
    EXPECT_EQ(neighbourOf(scene(), 5, Qt::Key_Up), 4);
    EXPECT_EQ(neighbourOf(scene(), 4, Qt::Key_Up), 3);
    const int above = neighbourOf(scene(), 3, Qt::Key_Up);
    EXPECT_TRUE(above == 0 || above == 1);
    EXPECT_EQ(neighbourOf(scene(), 0, Qt::Key_Up), -1);
}

TEST(GraphWalk, GoesSidewaysAmongSiblings) {
    EXPECT_EQ(neighbourOf(scene(), 0, Qt::Key_Right), 1);
    EXPECT_EQ(neighbourOf(scene(), 1, Qt::Key_Left), 0);
    EXPECT_EQ(neighbourOf(scene(), 0, Qt::Key_Left), -1);
}

TEST(GraphWalk, HasNowhereToGoInAnEmptyScene) { EXPECT_EQ(firstNode(GraphScene()), -1); }

} // namespace
} // namespace opscape
