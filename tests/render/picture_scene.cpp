// SPDX-License-Identifier: MIT
#include "picture_scene.h"

#include <render/raster_surface.h>

namespace opscape {

Cluster testCluster(int devices) {
    auto cluster = Cluster::parse(fmt::format(R"({{
        "id": "test", "kinds": {{"K": {{"memory_bytes": 1000000, "memory_bandwidth": 1e9, "launch_ns": 0, "peak_flops": {{"f32": 1e12}}}}}},
        "devices": [{{"name": "gpu:{{i}}", "kind": "K", "count": {}}}],
        "channels": [{{"name": "bus", "bandwidth": 1e9, "latency_ns": 0}}],
        "routes": [{{"from": "*", "to": "*", "via": ["bus"]}}]}})",
                                              devices),
                                  "test");
    EXPECT_TRUE(cluster.has_value()) << (cluster ? "" : cluster.error().message);
    return *std::move(cluster);
}

PictureScene::PictureScene() {
    GraphBuilder builder("picture");
    TensorId before;
    const std::vector<std::string> names{"enc/a", "enc/b", "dec/c", "dec/d"};
    for (std::size_t i = 0; i < names.size(); ++i) {
        Op op;
        op.name = names[i];
        op.type = "MatMul";
        op.timeNs["K"] = 10'000 * static_cast<std::int64_t>(i + 1);
        const OpId id = builder.addOp(std::move(op));
        if (before.valid())
            builder.addInput(id, before);
        Tensor tensor;
        tensor.name = names[i] + ":0";
        tensor.bytes = 1 << 20;
        before = builder.addOutput(id, std::move(tensor));
    }
    Diagnostics diagnostics;
    graph = std::make_shared<const Graph>(*std::move(builder).build(diagnostics));
    scopes = std::make_shared<const ScopeTree>(*graph);
    problem = makeProblem(graph, std::make_shared<const Cluster>(testCluster(3)), diagnostics);
    plan = Plan::allOn(DeviceId(0), 4);
    plan.device[2] = DeviceId(1);
    plan.device[3] = DeviceId(2);
}

GraphScene PictureScene::scene(bool expanded) const {
    ExpandedScopes open;
    for (std::size_t s = 0; s < scopes->scopeCount() && expanded; ++s)
        open.insert(ScopeId(s));
    return GraphLayout().layout(*graph, *scopes, open);
}

GraphView PictureScene::view(const GraphScene& scene) const {
    GraphView view;
    view.graph = graph.get();
    view.scopes = scopes.get();
    view.scene = &scene;
    view.cluster = problem.cluster.get();
    view.plan = &plan;
    view.cost = problem.cost.get();
    return view;
}

Schedule PictureScene::schedule() const {
    Schedule schedule;
    std::int64_t now = 0;
    schedule.devices.resize(3);
    schedule.channels.resize(1);
    for (std::size_t i = 0; i < 4; ++i) {
        if (i > 0 && plan.device[i] != plan.device[i - 1]) {
            Transfer transfer;
            transfer.tensor = graph->outputs(OpId(i - 1))[0];
            transfer.producer = OpId(i - 1);
            transfer.from = plan.device[i - 1];
            transfer.to = plan.device[i];
            transfer.bytes = 1 << 20;
            transfer.readyNs = transfer.startNs = now;
            transfer.endNs = now += 50'000;
            schedule.transfers.push_back(transfer);
            schedule.channels[0].busyNs += 50'000;
        }
        const std::int64_t time = problem.opNs(OpId(i), plan.device[i]);
        schedule.ops.push_back({now, now, now + time});
        schedule.devices[plan.device[i].index()].busyNs += time;
        now += time;
    }
    schedule.makespanNs = now;
    return schedule;
}

QImage drawGraph(const GraphView& view, const GraphCamera& camera, QSize size, const Theme& theme) {
    QImage image(size, QImage::Format_RGB32);
    RasterSurface surface(image);
    paintGraph(surface, size, camera, view, theme);
    return image;
}

QImage drawGantt(const GanttData& data, const GanttView& view, const GanttCamera& camera, QSize size,
                 const Theme& theme) {
    QImage image(size, QImage::Format_RGB32);
    RasterSurface surface(image);
    paintGantt(surface, size, camera, data, view, theme);
    return image;
}

double shareOf(const QImage& image, const QRectF& box, const QColor& colour) {
    const QRect pixels = box.toAlignedRect() & image.rect();
    int same = 0;
    for (int y = pixels.top(); y <= pixels.bottom(); ++y) {
        for (int x = pixels.left(); x <= pixels.right(); ++x)
            same += image.pixel(x, y) == colour.rgb() ? 1 : 0;
    }
    return pixels.isEmpty() ? 0 : static_cast<double>(same) / (pixels.width() * pixels.height());
}

} // namespace opscape
