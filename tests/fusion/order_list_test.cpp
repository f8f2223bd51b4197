// SPDX-License-Identifier: MIT
#include <opscape/base/random.h>
#include <opscape/fusion/order_list.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace opscape {
namespace {

void expectOrder(const OrderList& list, const std::vector<OrderList::Node>& order) {
    for (std::size_t i = 0; i + 1 < order.size(); ++i)
        ASSERT_TRUE(list.before(order[i], order[i + 1]) && !list.before(order[i + 1], order[i])) << "at " << i;
}

TEST(OrderList, KeepsTheOrderOfAPlainVectorUnderRandomMoves) {
    Random random(4);
    std::vector<OrderList::Node> order(50);
    std::iota(order.begin(), order.end(), 0u);
    std::ranges::reverse(order);
    OrderList list(order);
    for (int round = 0; round < 2000; ++round) {
        std::vector<OrderList::Node> moving;
        const std::uint32_t count = 1 + random.below(5);
        while (moving.size() < count) {
            const auto at = order.begin() + random.below(static_cast<std::uint32_t>(order.size()));
            moving.push_back(*at);
            list.remove(*at);
            order.erase(at);
        }
        const std::uint32_t place = random.below(static_cast<std::uint32_t>(order.size()));
        if (random.below(2) == 0) {
            list.insertAfter(order[place], moving);
            order.insert(order.begin() + place + 1, moving.begin(), moving.end());
        } else {
            list.insertBefore(order[place], moving);
            order.insert(order.begin() + place, moving.begin(), moving.end());
        }
        expectOrder(list, order);
    }
}

TEST(OrderList, MakesRoomWhenAllGoesBetweenTheSameTwo) {
    std::vector<OrderList::Node> order(200);
    std::iota(order.begin(), order.end(), 0u);
    OrderList list(order);
    for (OrderList::Node node = 199; node > 0; --node) {
        list.remove(node);
        list.insertAfter(0, std::vector{node});
    }
    expectOrder(list, order); // each was put before those put there earlier
    for (int round = 0; round < 100; ++round) {
        list.remove(1);
        list.insertBefore(0, std::vector<OrderList::Node>{1});
        list.remove(0);
        list.insertBefore(1, std::vector<OrderList::Node>{0});
    }
    expectOrder(list, order);
}

TEST(OrderList, APlaceCanBeTakenOver) {
    const std::vector<OrderList::Node> order{0, 1, 2, 3};
    OrderList list(order);
    list.remove(0);
    list.replace(2, 0);
    expectOrder(list, {1, 0, 3});
}

} // namespace
} // namespace opscape
