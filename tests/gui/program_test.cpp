// SPDX-License-Identifier: MIT
// The program itself, where there is no display: it writes what its window shows.
#include "gui/sample_graph.h"
#include "support/temporary_folder.h"

#include <QFile>
#include <QImage>
#include <QProcess>

#include <gtest/gtest.h>

namespace opscape::test {
namespace {

struct Ended {
    int code = -1;
    QString output, errors;
};

class Program : public testing::Test {
protected:
    Program() { EXPECT_TRUE(writeGraph(sampleGraph(), folder / "sample.json").has_value()); }

    Ended run(QStringList arguments) {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"})
            environment.remove(QLatin1String(name));
        QProcess process;
        process.setProcessEnvironment(environment);
        process.setWorkingDirectory(path(""));
        process.start(QStringLiteral(OPSCAPE_BINARY_DIR "/bin/opscape"), arguments << "--db" << path("runs.sqlite"));
        EXPECT_TRUE(process.waitForFinished(120'000));
        return {process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1,
                QString::fromUtf8(process.readAllStandardOutput()), QString::fromUtf8(process.readAllStandardError())};
    }
    QString path(const char* name) const { return QString::fromStdString((folder / name).string()); }
    QString text(const char* name) const {
        QFile file(path(name));
        EXPECT_TRUE(file.open(QIODevice::ReadOnly)) << name;
        return QString::fromUtf8(file.readAll());
    }

    TemporaryFolder folder;
};

TEST_F(Program, WritesItsWindowAsAPictureAndATextReport) {
    const Ended ended = run({"sample.json"});
    EXPECT_EQ(ended.code, 0) << ended.errors.toStdString();
    EXPECT_TRUE(ended.errors.contains("no display")) << ended.errors.toStdString();
    EXPECT_TRUE(ended.output.contains("opscape-sample.png"));
    EXPECT_TRUE(ended.output.contains("opscape-sample.txt"));
    const QImage picture(path("opscape-sample.png"));
    EXPECT_EQ(picture.size(), QSize(1280, 800));
    const QString report = text("opscape-sample.txt");
    for (const char* said :
         {"Step time", "Lower bound", "p100x4", "expert, preview", "Problems", "stage_0/left/matmul_0"})
        EXPECT_TRUE(report.contains(QLatin1String(said))) << said;
}

TEST_F(Program, NamesThePictureOfAZooModelWithoutColons) {
    const Ended ended = run({"zoo:rnnlm2,hidden=64"});
    EXPECT_EQ(ended.code, 0) << ended.errors.toStdString();
    EXPECT_TRUE(ended.output.contains("opscape-zoo-rnnlm2-hidden-64.png")) << ended.output.toStdString();
    EXPECT_TRUE(QFile::exists(path("opscape-zoo-rnnlm2-hidden-64.txt")));
}

TEST_F(Program, ShowsAKeptRunInAnySizeAndTheme) {
    ASSERT_EQ(run({"sample.json", "--optimizer", "heft", "--cluster", "p100x2", "--screenshot", "a.png"}).code, 0);
    const Ended ended = run({"--run", "1", "--screenshot", "b.png", "--size", "900x640", "--theme", "dark"});
    EXPECT_EQ(ended.code, 0) << ended.errors.toStdString();
    const QImage picture(path("b.png"));
    EXPECT_EQ(picture.size(), QSize(900, 640));
    EXPECT_LT(picture.pixelColor(2, 2).lightness(), 80);
    EXPECT_TRUE(text("b.txt").contains("heft, run 1"));
    EXPECT_TRUE(text("b.txt").contains("p100x2"));
}

TEST_F(Program, ShowsKeptRunsBesideOneAnother) {
    for (const char* optimizer : {"heft", "single"})
        ASSERT_EQ(run({"sample.json", "--optimizer", optimizer, "--cluster", "p100x2", "--screenshot", "a.png"}).code,
                  0);
    const Ended ended = run({"--compare", "1,2", "--compare-view", "graphs", "--screenshot", "b.png"});
    EXPECT_EQ(ended.code, 0) << ended.errors.toStdString();
    const QString report = text("b.txt");
    for (const char* said : {"Comparison", "heft, run 1", "single, run 2", "Cut edges", "Idle share, B"})
        EXPECT_TRUE(report.contains(QLatin1String(said))) << said;
}

TEST_F(Program, SaysWhyAFileCannotBeShown) {
    const Ended ended = run({"not-there.onnx"});
    EXPECT_EQ(ended.code, 1);
    EXPECT_TRUE(ended.errors.contains("not-there.onnx")) << ended.errors.toStdString();
}

TEST_F(Program, RefusesWrongUsage) {
    EXPECT_EQ(run({"--size", "large"}).code, 2);
    EXPECT_EQ(run({"--theme", "pink"}).code, 2);
    EXPECT_EQ(run({"--compare-view", "graphs"}).code, 2) << "of what?";
    EXPECT_EQ(run({"--compare", "1,0"}).code, 2);
    EXPECT_EQ(run({"--no-such-option"}).code, 2);
    EXPECT_EQ(run({"--help"}).code, 0);
    EXPECT_EQ(run({"--version"}).code, 0);
}

} // namespace
} // namespace opscape::test
