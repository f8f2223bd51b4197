// SPDX-License-Identifier: MIT
#include "support/sentence.h"
#include "support/temporary_folder.h"

#include <opscape/base/paths.h>
#include <opscape/base/units.h>
#include <opscape/graph/graph_builder.h>

#include <QByteArray>
#include <QProcess>
#include <QXmlStreamReader>

#include <gtest/gtest.h>
#include <render/report.h>
#include <service/comparison_ops.h>

#include <map>

namespace opscape {
namespace {

using test::IsOneSentence;
using test::TemporaryFolder;
using testing::HasSubstr;
using testing::Not;

/// Names as no one should give them.
const std::vector<std::string> kNames{"</td><script>alert(1)</script>",
                                      "a & b \"c\" 'd'",
                                      "%1 %2 %3",
                                      "nul\x01\x1f!",
                                      "\xff\xfe no text",
                                      "]]><!--",
                                      "plain/name",
                                      "image\" onerror=\"alert(2)"};

struct Written {
    QString text; ///< all characters
    std::vector<QByteArray> pictures;
    std::vector<std::vector<QString>> rows; ///< cells of all tables
    std::set<QString> elements;
    std::set<QString> attributes;
    QString error;
};

Written parsed(const std::string& html) {
    Written written;
    QXmlStreamReader xml(QByteArray(html.data(), static_cast<qsizetype>(html.size())));
    QString cell;
    while (!xml.atEnd()) {
        xml.readNext();
        if (xml.isStartElement()) {
            written.elements.insert(xml.name().toString());
            for (const auto& attribute : xml.attributes()) {
                written.attributes.insert(attribute.name().toString());
                constexpr QLatin1String kData("data:image/svg+xml;base64,");
                if (attribute.name() == QLatin1String("src") && attribute.value().startsWith(kData))
                    written.pictures.push_back(QByteArray::fromBase64(attribute.value().mid(kData.size()).toLatin1()));
            }
            if (xml.name() == QLatin1String("tr"))
                written.rows.emplace_back();
            if (xml.name() == QLatin1String("td") || xml.name() == QLatin1String("th"))
                cell.clear();
        } else if (xml.isCharacters()) {
            written.text += xml.text();
            cell += xml.text();
        } else if (xml.isEndElement() && (xml.name() == QLatin1String("td") || xml.name() == QLatin1String("th"))) {
            written.rows.back().push_back(cell);
        }
    }
    written.error = xml.errorString();
    return written;
}

class Report : public testing::Test {
protected:
    Report() {
        GraphBuilder builder("hostile <b>graph</b> %1");
        TensorId flow;
        for (std::size_t i = 0; i < 3 * kNames.size(); ++i) {
            Op op;
            op.name = fmt::format("{}{}", kNames[i % kNames.size()], i);
            op.type = "MatMul<>";
            op.timeNs["gpu"] = 10'000 * static_cast<std::int64_t>(1 + i % 7);
            const OpId id = builder.addOp(std::move(op));
            if (flow.valid() && i % 4 != 0)
                builder.addInput(id, flow);
            Tensor tensor;
            tensor.name = fmt::format("t{}", i);
            tensor.bytes = 1 << 16;
            flow = builder.addOutput(id, std::move(tensor));
        }
        Diagnostics diagnostics;
        auto opened = std::make_shared<OpenedGraph>();
        auto graph = std::move(builder).build(diagnostics);
        EXPECT_TRUE(graph.has_value());
        opened->graph = std::make_shared<const Graph>(*std::move(graph));
        opened->scopes = std::make_shared<const ScopeTree>(*opened->graph);
        const auto cluster = std::make_shared<const Cluster>(*Cluster::load("p100x2"));
        const Workbench workbench(m_folder / "runs.sqlite");
        for (std::size_t p = 0; p < 4; ++p) {
            Plan plan = Plan::allOn(DeviceId(0), opened->graph->opCount());
            for (std::size_t i = 0; i < plan.device.size(); ++i)
                plan.device[i] = DeviceId(p == 0 ? 0 : (i / p) % 2);
            auto outcome = workbench.simulatePlan(opened, cluster, plan, false, "noted <i>by hand</i>");
            EXPECT_TRUE(outcome.has_value());
            m_request.plans.push_back(
                {fmt::format("plan <{}>", p), std::make_shared<const Outcome>(*std::move(outcome))});
        }
        m_request.commandLine = "opscape-cli compare 'a&b.json' --report <out>.html";
        m_request.madeAt = "2024-05-01 12:30";
    }

    TemporaryFolder m_folder;
    ReportRequest m_request;
};

TEST_F(Report, IsWellFormedWhateverTheNames) {
    const Written written = parsed(reportHtml(m_request, {}));
    EXPECT_EQ(written.error, QString()) << written.error.toStdString();
    EXPECT_FALSE(written.elements.contains("script"));
    EXPECT_FALSE(written.elements.contains("i"));
    EXPECT_FALSE(written.attributes.contains("onerror"));
    EXPECT_TRUE(written.text.contains("</td><script>alert(1)</script>")) << "names are shown as they are";
    EXPECT_TRUE(written.text.contains("%1 %2 %3"));
    EXPECT_TRUE(written.text.contains("hostile <b>graph</b> %1"));
    EXPECT_TRUE(written.text.contains(QString::fromStdString(m_request.commandLine)));
}

TEST_F(Report, HoldsAllItsPicturesAndLoadsNothing) {
    std::string html = reportHtml(m_request, {});
    const Written written = parsed(html);
    EXPECT_EQ(written.pictures.size(), 4U + 3U + 1U + 4U) << "schedules, deltas, memory, graphs";
    for (const QByteArray& svg : written.pictures) {
        QXmlStreamReader xml(svg);
        while (!xml.atEnd()) {
            xml.readNext();
            EXPECT_FALSE(xml.isStartElement() && xml.name() == QLatin1String("script"));
        }
        EXPECT_FALSE(xml.hasError()) << xml.errorString().toStdString();
    }
    constexpr std::string_view kXhtml = "http://www.w3.org/1999/xhtml"; // a name, nothing that is loaded
    html.erase(html.find(kXhtml), kXhtml.size());
    EXPECT_THAT(html, Not(HasSubstr("http://")));
    EXPECT_THAT(html, Not(HasSubstr("https://")));
}

TEST_F(Report, ItsNumbersAreTheSimulators) {
    const Written written = parsed(reportHtml(m_request, {}));
    const auto rowOf = [&](const char* title) {
        const auto row = std::ranges::find_if(written.rows, [&](const auto& r) { return !r.empty() && r[0] == title; });
        return row == written.rows.end() ? std::vector<QString>() : *row;
    };
    const auto step = rowOf("Step time"), peak = rowOf("Peak memory"), cut = rowOf("Cut edges");
    ASSERT_EQ(step.size(), 5U);
    for (std::size_t p = 0; p < 4; ++p) {
        const Outcome& o = *m_request.plans[p].outcome;
        const auto schedule = simulate(o.problem, o.plan);
        ASSERT_TRUE(schedule.has_value());
        EXPECT_TRUE(step[p + 1].contains(QString::fromStdString(formatCount(schedule->makespanNs) + " ns")));
        EXPECT_TRUE(peak[p + 1].contains(QString::fromStdString(formatCount(schedule->peakBytes) + " B")));
        EXPECT_EQ(QString(cut[p + 1]).remove(QStringLiteral("✓ ")),
                  QString::fromStdString(formatCount(cutEdges(*o.problem.graph, o.plan))));
    }
    EXPECT_TRUE(rowOf("Graph hash").back() ==
                QString::fromStdString(m_request.plans[0].outcome->problem.graph->hash()));
    EXPECT_EQ(rowOf("Seed").size(), 5U);
    EXPECT_EQ(rowOf("Cluster hash")[1], QString::fromStdString(m_request.plans[0].outcome->problem.cluster->hash()));
}

TEST_F(Report, SaysWhatItLeavesOut) {
    m_request.mostOps = 2;
    m_request.mostGroups = 1;
    const Written written = parsed(reportHtml(m_request, {}));
    const auto found = differencesOf(*m_request.plans[0].outcome, *m_request.plans[1].outcome);
    ASSERT_GT(found.ops.size(), 2U);
    EXPECT_TRUE(written.text.contains(QStringLiteral("The 2 of %1 ops that take longest.").arg(found.ops.size())));
}

TEST_F(Report, OfOnePlanHasNothingToCompare) {
    m_request.plans.resize(1);
    const Written written = parsed(reportHtml(m_request, {}));
    EXPECT_EQ(written.error, QString());
    EXPECT_EQ(written.pictures.size(), 3U);
    EXPECT_FALSE(written.text.contains("placed differently"));
}

TEST_F(Report, IsWrittenAsHtmlOrPdfAndNothingElse) {
    ASSERT_TRUE(writeReport(m_folder / "report.html", m_request, {}).has_value());
    EXPECT_EQ(*readFile(m_folder / "report.html"), reportHtml(m_request, {}));
    const auto pdf = writeReport(m_folder / "report.PDF", m_request, {});
    ASSERT_TRUE(pdf.has_value()) << pdf.error().message;
    EXPECT_TRUE(readFile(m_folder / "report.PDF")->starts_with("%PDF"));
    for (const char* name : {"report.txt", "report"}) {
        const auto refused = writeReport(m_folder / name, m_request, {});
        ASSERT_FALSE(refused.has_value());
        EXPECT_THAT(refused.error().message, IsOneSentence());
        EXPECT_FALSE(std::filesystem::exists(m_folder / name));
    }
}

TEST_F(Report, HeadingsOfThePdfAreLargerThanItsTextAndStayWithTheirPictures) {
    ASSERT_TRUE(writeReport(m_folder / "report.pdf", m_request, {}).has_value());
    QProcess reader;
    reader.start("pdftotext", {"-bbox", QString::fromStdString((m_folder / "report.pdf").string()), "-"});
    if (!reader.waitForStarted())
        GTEST_SKIP() << "skipped: no pdftotext";
    ASSERT_TRUE(reader.waitForFinished());
    // Height and bottom of each word, page by page.
    struct Word {
        double height, bottom;
    };
    std::vector<std::map<QString, Word>> pages;
    const QString listed = QString::fromUtf8(reader.readAllStandardOutput());
    QXmlStreamReader xml(listed.mid(listed.indexOf(QLatin1String("<doc>"))));
    while (!xml.atEnd()) {
        xml.readNext();
        if (!xml.isStartElement())
            continue;
        if (xml.name() == QLatin1String("page"))
            pages.emplace_back();
        if (xml.name() != QLatin1String("word") || pages.empty())
            continue;
        const auto at = [&](const char* name) { return xml.attributes().value(QLatin1String(name)).toDouble(); };
        const double top = at("yMin"), bottom = at("yMax");
        pages.back().try_emplace(xml.readElementText(), Word{bottom - top, bottom});
    }
    ASSERT_GT(pages.size(), 2U);
    ASSERT_TRUE(pages[0].contains("Figures") && pages[0].contains("Pipelined"));
    EXPECT_GT(pages[0].at("Figures").height, 1.2 * pages[0].at("Pipelined").height);
    constexpr double kPageHeight = 595; // points
    for (std::size_t page = 0; page < pages.size(); ++page) {
        if (const auto heading = pages[page].find("Schedules"); heading != pages[page].end())
            EXPECT_LT(heading->second.bottom, kPageHeight / 2) << "its picture begins below it, on page " << page + 1;
    }
}

TEST_F(Report, TellsHowFarItIsAndEndsWhenAskedTo) {
    for (const char* name : {"stopped.html", "stopped.pdf"}) {
        std::stop_source stop;
        double last = 0;
        RunContext context;
        context.stop = stop.get_token();
        context.progress = [&](const Progress& progress) {
            EXPECT_GE(progress.fraction, last);
            last = progress.fraction;
            if (progress.fraction > 0.55)
                stop.request_stop();
        };
        const auto refused = writeReport(m_folder / name, m_request, context);
        ASSERT_FALSE(refused.has_value());
        EXPECT_THAT(refused.error().message, HasSubstr("stopped, nothing was written"));
        EXPECT_FALSE(std::filesystem::exists(m_folder / name));
        EXPECT_GT(last, 0.55);
    }
}

} // namespace
} // namespace opscape
