// SPDX-License-Identifier: MIT
#include "picture_scene.h"

#include <QFile>
#include <QXmlStreamReader>

#include <render/picture_file.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace opscape {
namespace {

namespace fs = std::filesystem;

class PictureFile : public testing::Test {
protected:
    void SetUp() override {
        m_folder = fs::temp_directory_path() / fmt::format("opscape-picture-{}", ::getpid());
        fs::create_directories(m_folder);
    }
    void TearDown() override { fs::remove_all(m_folder); }

    Result<> write(const std::string& name, QSize size = {400, 300}) const {
        const PictureScene s;
        const GraphScene scene = s.scene(true);
        const Theme theme = Theme::light();
        return writePicture(m_folder / name, size, theme.background, [&](QPainter& painter) {
            paintGraph(painter, size, GraphCamera::fit(QRectF(0, 0, scene.width, scene.height), size), s.view(scene),
                       theme);
            return true;
        });
    }

    fs::path m_folder;
};

TEST_F(PictureFile, APngHasTheSizeAndTheColours) {
    ASSERT_TRUE(write("a.png").has_value());
    const QImage image(QString::fromStdString((m_folder / "a.png").string()));
    EXPECT_EQ(image.size(), QSize(400, 300));
    EXPECT_EQ(image.pixel(1, 1), Theme::light().background.rgb());
    EXPECT_GT(shareOf(image, QRectF(0, 0, 400, 300), Theme::light().device(DeviceId(0))), 0.01);
}

TEST_F(PictureFile, AnSvgIsWellFormedAndHoldsTheTextAsText) {
    ASSERT_TRUE(write("a.svg").has_value());
    QFile file(QString::fromStdString((m_folder / "a.svg").string()));
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    QXmlStreamReader reader(&file);
    QStringList words;
    QString root;
    while (!reader.atEnd()) {
        if (reader.readNext() == QXmlStreamReader::StartElement) {
            root = root.isEmpty() ? reader.name().toString() : root;
            if (reader.name() == QLatin1String("text"))
                words << reader.readElementText();
        }
    }
    EXPECT_FALSE(reader.hasError()) << reader.errorString().toStdString();
    EXPECT_EQ(root, "svg");
    EXPECT_TRUE(words.contains("MatMul"));
    EXPECT_TRUE(words.contains("enc"));
}

TEST_F(PictureFile, APdfIsWhole) {
    ASSERT_TRUE(write("a.pdf").has_value());
    std::ifstream in(m_folder / "a.pdf", std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(in)), {});
    EXPECT_EQ(bytes.substr(0, 5), "%PDF-");
    EXPECT_NE(bytes.rfind("%%EOF"), std::string::npos);
    EXPECT_GT(bytes.size(), 2000U);
}

TEST_F(PictureFile, AGanttIsWrittenInEachFormat) {
    const PictureScene s;
    const Schedule schedule = s.schedule();
    const GanttData data(s.problem, s.plan, schedule);
    for (const char* name : {"g.png", "g.svg", "g.pdf"}) {
        const auto written = writePicture(m_folder / name, {500, 300}, Qt::white, [&](QPainter& painter) {
            paintGantt(painter, {500, 300}, GanttCamera::fit(schedule.makespanNs, 500), data, {}, Theme::light());
            return true;
        });
        EXPECT_TRUE(written.has_value());
        EXPECT_GT(fs::file_size(m_folder / name), 1000U);
    }
}

TEST_F(PictureFile, TheExtensionMayBeInCapitals) { EXPECT_TRUE(write("a.PNG").has_value()); }

TEST_F(PictureFile, AnotherExtensionIsRefusedWithTheWayOut) {
    for (const char* name : {"a.bmp", "a", "a.png.txt"}) {
        const auto written = write(name);
        ASSERT_FALSE(written.has_value());
        EXPECT_NE(written.error().message.find(name), std::string::npos);
        EXPECT_NE(written.error().message.find(".svg"), std::string::npos);
        EXPECT_FALSE(fs::exists(m_folder / name));
    }
}

TEST_F(PictureFile, AFolderThatIsNotThereIsNamed) {
    const auto written = write("none/a.png");
    ASSERT_FALSE(written.has_value());
    EXPECT_NE(written.error().message.find("none/a.png"), std::string::npos);
}

TEST_F(PictureFile, APictureOfNoSizeIsRefused) { EXPECT_FALSE(write("a.png", {0, 100}).has_value()); }

TEST_F(PictureFile, APngOfMoreThanAGibibyteIsRefusedBeforeItIsDrawn) {
    for (const QSize size : {QSize(30'000, 30'000), QSize(16'385, 16'384), QSize(2'000'000'000, 2'000'000'000)}) {
        const auto written = writePicture(m_folder / "a.png", size, Qt::white, [](QPainter&) {
            ADD_FAILURE() << "drawn";
            return false;
        });
        ASSERT_FALSE(written.has_value());
        EXPECT_NE(written.error().message.find(fmt::format("a PNG of {} x {} pixels is too large, 268 million is the "
                                                           "most; choose a smaller size, or .svg or .pdf.",
                                                           size.width(), size.height())),
                  std::string::npos)
            << written.error().message;
        EXPECT_FALSE(fs::exists(m_folder / "a.png"));
    }
    EXPECT_TRUE(write("a.svg", {30'000, 30'000}).has_value()) << "what holds no pixels may be any size";
}

TEST_F(PictureFile, AFailureLeavesTheOldFileAndNoPieces) {
    ASSERT_TRUE(write("a.png").has_value());
    const auto before = fs::file_size(m_folder / "a.png");
    EXPECT_FALSE(write("a.png", {200'000, 200'000}).has_value());
    EXPECT_EQ(fs::file_size(m_folder / "a.png"), before);
    EXPECT_EQ(std::distance(fs::directory_iterator(m_folder), {}), 1);
}

} // namespace
} // namespace opscape
