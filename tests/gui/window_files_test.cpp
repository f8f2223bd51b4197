// SPDX-License-Identifier: MIT
// Opening, refusing and writing files, as a person does it.
#include "gui/graph_export.h"
#include "gui/gui_fixture.h"
#include "gui/views/gantt_widget.h"
#include "gui/views/graph_widget.h"

#include <opscape/base/paths.h>

#include <QDockWidget>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QFileInfo>
#include <QLabel>
#include <QMimeData>
#include <QPushButton>

namespace opscape::test {
namespace {

class WindowFiles : public GuiTest {
protected:
    void drop(MainWindow& window, const QStringList& paths) {
        QMimeData data;
        QList<QUrl> urls;
        for (const QString& path : paths)
            urls << QUrl::fromLocalFile(path);
        data.setUrls(urls);
        QDragEnterEvent enter(QPoint(200, 200), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(&window, &enter);
        ASSERT_TRUE(enter.isAccepted());
        QDropEvent event(QPointF(200, 200), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(&window, &event);
    }
};

TEST_F(WindowFiles, StartsWithAPageThatSaysHowToBegin) {
    WindowUnderTest t(folder);
    EXPECT_TRUE(t.find<QWidget>("startPage")->isVisible());
    EXPECT_TRUE(t.find<QPushButton>("openButton")->isVisible());
    EXPECT_TRUE(t.settle());
}

TEST_F(WindowFiles, OpensAGraphPlacedAtOnce) {
    WindowUnderTest t(folder);
    t.window.openFiles({graphFile});
    ASSERT_TRUE(waitFor([&] { return t.session.shown() != nullptr; }));
    ASSERT_TRUE(t.settle());
    EXPECT_EQ(t.session.opened()->graph->opCount(), 21U);
    EXPECT_TRUE(t.find<GraphWidget>("graphWidget")->isVisible());
    ASSERT_NE(t.find<GraphWidget>("graphWidget")->scene(), nullptr);
    EXPECT_FALSE(t.find<GraphWidget>("graphWidget")->scene()->nodes.empty());
    EXPECT_EQ(t.find<GanttWidget>("ganttWidget")->run(), t.session.shown());
    EXPECT_TRUE(t.session.shown()->preview);
    EXPECT_EQ(t.session.shown()->outcome->run.optimizer, "expert");
    EXPECT_EQ(t.find<QLabel>("figure7")->text(), "p100x4");
    EXPECT_NE(t.find<QLabel>("figure1")->text(), QStringLiteral("–"));
    EXPECT_TRUE(t.window.windowTitle().startsWith("sample"));
}

TEST_F(WindowFiles, SaysInOneSentenceWhyAFileIsWrongAndLeavesTheRest) {
    const QString wrong = path("wrong.onnx");
    ASSERT_TRUE(writeFile(wrong.toStdString(), "this is no graph").has_value());
    WindowUnderTest t(folder);
    t.window.openFiles({graphFile});
    ASSERT_TRUE(waitFor([&] { return t.session.shown() != nullptr; }) && t.settle());
    const auto opened = t.session.opened();
    const auto shown = t.session.shown();
    t.session.selectOps({OpId(3)});

    t.window.openFiles({wrong});
    ASSERT_TRUE(waitFor([&] { return !t.window.message().isEmpty(); }));
    EXPECT_TRUE(t.window.message().contains("wrong.onnx")) << t.window.message().toStdString();
    EXPECT_EQ(t.session.opened(), opened);
    EXPECT_EQ(t.session.shown(), shown);
    EXPECT_EQ(t.session.selection().ops, std::vector{OpId(3)});
    EXPECT_EQ(QApplication::activeModalWidget(), nullptr);
    EXPECT_TRUE(t.find<QWidget>("messageBar")->isVisible());

    t.window.openFiles({path("not-there.json")});
    ASSERT_TRUE(waitFor([&] { return t.window.message().contains("not-there.json"); }));
    t.press(Qt::Key_Escape);
    EXPECT_FALSE(t.find<QWidget>("messageBar")->isVisible());
}

TEST_F(WindowFiles, OpensTheFirstOfSeveralDroppedFilesAndOffersTheOthers) {
    const QString second = path("second.json");
    ASSERT_TRUE(writeGraph(sampleGraph(1), second.toStdString()).has_value());
    WindowUnderTest t(folder);
    drop(t.window, {graphFile, second});
    ASSERT_TRUE(waitFor([&] { return t.session.shown() != nullptr; }) && t.settle());
    EXPECT_EQ(t.session.opened()->path, graphFile.toStdString());
    EXPECT_TRUE(t.window.message().contains("sample.json")) << t.window.message().toStdString();
    EXPECT_EQ(t.settings.value("files/recent").toStringList(), (QStringList{graphFile, second}));
}

TEST_F(WindowFiles, RemembersFilesAcrossWindows) {
    {
        WindowUnderTest t(folder);
        t.window.openFiles({graphFile});
        ASSERT_TRUE(waitFor([&] { return t.session.opened() != nullptr; }) && t.settle());
        t.window.close();
    }
    WindowUnderTest t(folder);
    EXPECT_EQ(t.settings.value("files/recent").toStringList(), QStringList{graphFile});
    QPushButton* recent = nullptr;
    for (auto* button : t.window.findChildren<QPushButton*>()) {
        if (button->text() == "sample.json")
            recent = button;
    }
    ASSERT_NE(recent, nullptr);
    QTest::mouseClick(recent, Qt::LeftButton);
    EXPECT_TRUE(waitFor([&] { return t.session.opened() != nullptr; }));
}

TEST_F(WindowFiles, ExportsBothPicturesInEveryFormat) {
    WindowUnderTest t(folder);
    t.window.openFiles({graphFile});
    ASSERT_TRUE(waitFor([&] { return t.session.shown() != nullptr; }) && t.settle());
    using Picture = MainWindow::Picture;
    int number = 0;
    for (const Picture what :
         {Picture::GraphSeen, Picture::GraphWhole, Picture::ScheduleSeen, Picture::ScheduleWhole}) {
        for (const char* format : {"png", "svg", "pdf"}) {
            const QString file =
                path(qPrintable(QStringLiteral("picture%1.%2").arg(number++).arg(QLatin1String(format))));
            t.window.exportPicture(what, file);
            ASSERT_TRUE(t.settle());
            EXPECT_TRUE(t.window.message().contains(file)) << t.window.message().toStdString();
            EXPECT_GT(QFileInfo(file).size(), 500) << file.toStdString();
        }
    }
    EXPECT_GE(QImage(path("picture0.png")).width(), t.find<GraphWidget>("graphWidget")->width());
    EXPECT_FALSE(QImage(path("picture3.png")).isNull());
}

TEST_F(WindowFiles, SaysWhyAPictureCannotBeWritten) {
    WindowUnderTest t(folder);
    t.window.exportPicture(MainWindow::Picture::GraphSeen, path("early.png"));
    EXPECT_TRUE(t.window.message().contains("nothing to export"));
    t.window.openFiles({graphFile});
    ASSERT_TRUE(waitFor([&] { return t.session.shown() != nullptr; }) && t.settle());
    t.window.exportPicture(MainWindow::Picture::GraphWhole, path("no-such-folder/graph.png"));
    ASSERT_TRUE(t.settle());
    EXPECT_TRUE(t.window.message().contains("no-such-folder")) << t.window.message().toStdString();
    t.window.exportPicture(MainWindow::Picture::GraphWhole, path("graph.gif"));
    ASSERT_TRUE(t.settle());
    EXPECT_TRUE(t.window.message().contains("graph.gif")) << t.window.message().toStdString();
    EXPECT_FALSE(QFileInfo::exists(path("graph.gif")));
}

TEST_F(WindowFiles, ExportsTheGraphInEveryFormatAndSaysWhatItCannotExpress) {
    WindowUnderTest t(folder);
    t.window.exportGraph(path("early.dot"));
    EXPECT_TRUE(t.window.message().contains("nothing to export"));
    t.window.openFiles({graphFile});
    ASSERT_TRUE(waitFor([&] { return t.session.shown() != nullptr; }) && t.settle());
    for (const QString& filter : graphExportFilter(true).split(";;")) {
        const QString file = path(qPrintable(QStringLiteral("export%1").arg(qHash(filter))));
        t.window.exportGraph(file, filter);
        ASSERT_TRUE(t.settle());
        EXPECT_TRUE(t.window.message().contains(file)) << t.window.message().toStdString();
        const QString extension = filter.mid(filter.indexOf("(*") + 2).chopped(1).split(u' ').front();
        EXPECT_GT(QFileInfo(file + extension).size(), 10) << filter.toStdString();
    }
    t.window.exportGraph(path("g.graphml"));
    ASSERT_TRUE(t.settle());
    EXPECT_TRUE(t.window.message().contains("cannot express: ")) << t.window.message().toStdString();
    t.window.exportGraph(path("g.gif"));
    EXPECT_TRUE(t.window.message().contains("g.gif")) << t.window.message().toStdString();
}

TEST_F(WindowFiles, ListsABrokenPluginUnderProblems) {
    WindowUnderTest t(folder);
    ASSERT_TRUE(t.settle());
    EXPECT_TRUE(waitFor([&] { return t.find<QDockWidget>("problemsDock")->windowTitle() == "Problems (1)"; }));
}

} // namespace
} // namespace opscape::test
