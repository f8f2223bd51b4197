// SPDX-License-Identifier: MIT
#include "picture_scene.h"
#include "support/temporary_folder.h"

#include <opscape/base/paths.h>
#include <opscape/base/random.h>

#include <QXmlStreamReader>

#include <render/graph_file.h>
#include <render/png_stream.h>

namespace opscape {
namespace {

namespace fs = std::filesystem;
using test::TemporaryFolder;

class GraphFile : public testing::Test {
protected:
    PictureScene m_picture;
    GraphScene m_scene = m_picture.scene(true);
    GraphView m_view = m_picture.view(m_scene);
    Theme m_theme = Theme::light();
    TemporaryFolder m_folder;

    [[nodiscard]] Result<> write(const char* name, const GraphPage& page, const RunContext& context = {}) const {
        return writeGraphPicture(m_folder / name, page, m_view, m_theme, context);
    }
};

TEST_F(GraphFile, APngIsThePictureThatTheWindowShows) {
    GraphPage page = fittedGraph(m_view, {640, 480});
    page.legend = false;
    ASSERT_TRUE(write("a.png", page).has_value());
    EXPECT_EQ(QImage(QString::fromStdString((m_folder / "a.png").string())).convertToFormat(QImage::Format_RGB32),
              drawGraph(m_view, page.camera, page.size, m_theme));
}

TEST_F(GraphFile, ALargePngIsDrawnInBandsThatCannotBeSeen) {
    GraphPage page = fittedGraph(m_view, {3000, 2600}); // 7.8 million pixels
    page.legend = false;
    page.camera = GraphCamera::fit(QRectF(0, 0, m_scene.width, m_scene.height), page.size, 24, 10);
    ASSERT_TRUE(write("a.png", page).has_value());
    EXPECT_EQ(QImage(QString::fromStdString((m_folder / "a.png").string())).convertToFormat(QImage::Format_RGB32),
              drawGraph(m_view, page.camera, page.size, m_theme));
}

TEST_F(GraphFile, AWholeGraphFitsItsPageBesideTheLegend) {
    const GraphPage page = wholeGraph(m_view, "a.svg");
    EXPECT_EQ(page.camera.scale, 1);
    const QRectF graph(page.camera.toScreen({0, 0}), QSizeF(m_scene.width, m_scene.height));
    EXPECT_TRUE(QRectF({0, 0}, page.size).contains(graph));
    EXPECT_GT(page.size.width() - graph.right(), 150) << "room for the legend";
}

TEST_F(GraphFile, AWholeGraphTooLargeForAPngIsDrawnSmaller) {
    m_scene.width = 300'000;
    m_scene.height = 100'000;
    const GraphPage png = wholeGraph(m_view, "a.png");
    EXPECT_LE(double(png.size.width()) * png.size.height(), 70e6);
    EXPECT_LT(png.camera.scale, 0.1);
    EXPECT_EQ(wholeGraph(m_view, "a.svg").camera.scale, 1) << "shapes may be any size";
}

TEST_F(GraphFile, AnSvgIsWellFormedAndHoldsTheTextAsText) {
    ASSERT_TRUE(write("a.svg", wholeGraph(m_view, "a.svg")).has_value());
    const auto bytes = readFile(m_folder / "a.svg");
    QXmlStreamReader reader(QByteArray(bytes->data(), static_cast<qsizetype>(bytes->size())));
    QStringList words;
    int boxes = 0;
    while (!reader.atEnd()) {
        if (reader.readNext() != QXmlStreamReader::StartElement)
            continue;
        boxes += reader.name() == QLatin1String("rect") ? 1 : 0;
        if (reader.name() == QLatin1String("text"))
            words << reader.readElementText();
    }
    EXPECT_FALSE(reader.hasError()) << reader.errorString().toStdString();
    EXPECT_TRUE(words.contains("MatMul"));
    EXPECT_TRUE(words.contains("enc"));
    EXPECT_TRUE(words.contains("gpu:0"));
    EXPECT_GE(boxes, 6);
}

TEST_F(GraphFile, APdfIsWhole) {
    ASSERT_TRUE(write("a.pdf", wholeGraph(m_view, "a.pdf")).has_value());
    const auto bytes = readFile(m_folder / "a.pdf");
    EXPECT_EQ(bytes->substr(0, 5), "%PDF-");
    EXPECT_NE(bytes->rfind("%%EOF"), std::string::npos);
}

TEST_F(GraphFile, WhenStoppedNothingIsWrittenAndTheOldFileStays) {
    std::stop_source stop;
    stop.request_stop();
    RunContext context;
    context.stop = stop.get_token();
    ASSERT_TRUE(writeFile(m_folder / "a.png", "old").has_value());
    for (const char* name : {"a.png", "a.svg", "a.pdf", "a.dot"}) {
        // Enough nodes that a picture is asked in between whether to go on.
        GraphScene many = m_scene;
        for (int i = 0; i < 1000; ++i) {
            many.nodes.push_back(m_scene.nodes.back());
            many.nodes.back().parent = -1;
            many.nodes.back().depth = 0;
            many.nodes.back().end = static_cast<int>(many.nodes.size());
        }
        GraphView view = m_view;
        view.scene = &many;
        const auto written =
            writeGraphPicture(m_folder / name, {{5000, 4000}, GraphCamera(), false}, view, m_theme, context);
        ASSERT_FALSE(written.has_value()) << name;
        EXPECT_NE(written.error().message.find("nothing was written"), std::string::npos);
    }
    EXPECT_EQ(*readFile(m_folder / "a.png"), "old");
    EXPECT_FALSE(fs::exists(m_folder / "a.svg"));
}

TEST_F(GraphFile, ProgressGoesUp) {
    std::vector<double> told;
    RunContext context;
    context.progress = [&](const Progress& progress) { told.push_back(progress.fraction); };
    ASSERT_TRUE(write("a.png", fittedGraph(m_view, {4000, 4000}), context).has_value());
    ASSERT_FALSE(told.empty());
    EXPECT_TRUE(std::ranges::is_sorted(told));
    EXPECT_LE(told.back(), 1);
}

TEST_F(GraphFile, APngOfTooManyPixelsIsRefusedBeforeItIsDrawn) {
    const auto written = write("a.png", {{30'000, 30'000}, {}, false});
    ASSERT_FALSE(written.has_value());
    EXPECT_NE(written.error().message.find("too large"), std::string::npos);
}

TEST(PngStream, WhatIsReadIsWhatWasWritten) {
    Random random(1);
    for (const QSize size : {QSize(1, 1), QSize(37, 113), QSize(640, 2)}) {
        QImage image(size, QImage::Format_RGB32);
        for (int y = 0; y < size.height(); ++y) {
            for (int x = 0; x < size.width(); ++x)
                image.setPixel(x, y, 0xff000000U | random.below(1U << 24U));
        }
        PngStream png(size.width(), size.height());
        for (int y = 0; y < size.height(); y += 50)
            png.add(image.copy(0, y, size.width(), std::min(50, size.height() - y)));
        const std::string bytes = png.finish();
        const QImage read = QImage::fromData(QByteArrayView(bytes.data(), static_cast<qsizetype>(bytes.size())), "PNG");
        EXPECT_EQ(read.convertToFormat(QImage::Format_RGB32), image);
    }
}

} // namespace
} // namespace opscape
