// SPDX-License-Identifier: MIT
#include "gui/widgets/options_form.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QRegularExpression>
#include <QSpinBox>
#include <QTest>

#include <gtest/gtest.h>

namespace opscape {
namespace {

const std::vector<OptionSpec> kSpecs{
    OptionSpec::integer("budget", "How many plans are tried.", 100, 1, 5000, "plans"),
    OptionSpec::real("cooling-rate", "Factor of the temperature per step.", 0.95, 0.5, 0.999),
    OptionSpec::flag("restart", "Starts again when stuck.", true),
    OptionSpec::choice("order", "How ops are sorted.", "rank", {"rank", "level", "random"}),
    OptionSpec::integer("bytes", "Memory it may use.", 1'000'000'000'000, 1, 9'000'000'000'000, "bytes"),
};

class OptionsFormTest : public testing::Test {
protected:
    template <class Editor>
    Editor* editor(const char* name) {
        auto* found = form.findChild<Editor*>(QStringLiteral("option-%1").arg(name));
        EXPECT_NE(found, nullptr) << name;
        return found;
    }

    Look look;
    OptionsForm form{kSpecs, look};
};

TEST_F(OptionsFormTest, StartsAtTheDefaults) {
    EXPECT_TRUE(form.changed().empty());
    EXPECT_EQ(editor<QSpinBox>("budget")->value(), 100);
    EXPECT_DOUBLE_EQ(editor<QDoubleSpinBox>("cooling-rate")->value(), 0.95);
    EXPECT_TRUE(editor<QCheckBox>("restart")->isChecked());
    EXPECT_EQ(editor<QComboBox>("order")->currentText(), "rank");
    EXPECT_DOUBLE_EQ(editor<QDoubleSpinBox>("bytes")->value(), 1e12);
}

TEST_F(OptionsFormTest, KeepsWithinTheBounds) {
    editor<QSpinBox>("budget")->setValue(1'000'000);
    editor<QDoubleSpinBox>("cooling-rate")->setValue(-3);
    const auto changed = form.changed();
    EXPECT_EQ(changed.at("budget"), "5000");
    EXPECT_EQ(changed.at("cooling-rate"), "0.5");
    EXPECT_TRUE(editor<QSpinBox>("budget")->suffix().contains("plans"));
}

TEST_F(OptionsFormTest, TellsWhatDiffersAndTakesItBack) {
    editor<QCheckBox>("restart")->setChecked(false);
    editor<QComboBox>("order")->setCurrentText("level");
    editor<QDoubleSpinBox>("bytes")->setValue(2'000'000'000'001.0);
    const std::map<std::string, std::string> changed{
        {"restart", "false"}, {"order", "level"}, {"bytes", "2000000000001"}};
    EXPECT_EQ(form.changed(), changed);

    Options options(kSpecs); // what the form says is what the optimizer understands
    for (const auto& [name, value] : changed)
        EXPECT_TRUE(options.set(name, value).has_value()) << name;

    form.reset();
    EXPECT_TRUE(form.changed().empty());
    form.set(changed);
    EXPECT_EQ(form.changed(), changed);
}

TEST_F(OptionsFormTest, LeavesAloneWhatItDoesNotKnow) {
    form.set({{"no-such-option", "1"}, {"budget", "many"}, {"order", "upside-down"}});
    EXPECT_TRUE(form.changed().empty());
}

TEST_F(OptionsFormTest, AResetButtonLeadsBackToTheDefault) {
    form.show();
    auto* budget = editor<QSpinBox>("budget");
    auto* reset = form.findChildren<QToolButton*>().first();
    EXPECT_FALSE(reset->isEnabled());
    budget->setValue(7);
    ASSERT_TRUE(reset->isEnabled());
    reset->click();
    EXPECT_EQ(budget->value(), 100);
    EXPECT_FALSE(reset->isEnabled());
}

TEST_F(OptionsFormTest, ExplainsEveryOption) {
    QString texts;
    for (const QLabel* label : form.findChildren<QLabel*>())
        texts += label->text() + u'\n';
    for (const OptionSpec& spec : kSpecs)
        EXPECT_TRUE(texts.contains(QString::fromStdString(spec.summary))) << spec.name;
}

TEST_F(OptionsFormTest, OffersALineAndAButtonForAFile) {
    const std::vector<OptionSpec> specs{OptionSpec::fileToWrite("checkpoint", "Where it is kept."),
                                        OptionSpec::flag("restart", "Starts again when stuck.", true)};
    OptionsForm files(specs, look);
    auto* line = files.findChild<QLineEdit*>();
    ASSERT_NE(line, nullptr);
    EXPECT_NE(files.findChild<QToolButton*>("browse-checkpoint"), nullptr);
    EXPECT_TRUE(files.changed().empty());
    const std::map<std::string, std::string> set{{"checkpoint", "/tmp/a \u00e9.ckpt"}, {"restart", "false"}};
    files.set(set);
    EXPECT_EQ(line->text(), QString::fromUtf8("/tmp/a \u00e9.ckpt"));
    EXPECT_EQ(files.changed(), set);
    EXPECT_EQ(files.lasting(), (std::map<std::string, std::string>{{"restart", "false"}}));
    files.reset();
    EXPECT_TRUE(files.changed().empty());
}

TEST_F(OptionsFormTest, PutsOptionsThatBelongTogetherUnderOneTitle) {
    const std::vector<OptionSpec> specs{OptionSpec::flag("alone", "By itself.", true),
                                        OptionSpec::integer("time", "How long.", 1, 1, 9).in("Budget"),
                                        OptionSpec::integer("plans", "How many.", 1, 1, 9).in("Budget"),
                                        OptionSpec::flag("wide", "How wide.", true).in("Policy")};
    OptionsForm grouped(specs, look);
    grouped.resize(400, 600);
    grouped.show();
    const auto top = [&](const char* name) {
        const auto* widget = grouped.findChild<QWidget*>(QLatin1String(name));
        EXPECT_NE(widget, nullptr) << name;
        return widget == nullptr ? -1 : widget->y();
    };
    EXPECT_LT(top("option-alone"), top("group-Budget"));
    EXPECT_LT(top("group-Budget"), top("option-time"));
    EXPECT_LT(top("option-time"), top("option-plans"));
    EXPECT_LT(top("option-plans"), top("group-Policy"));
    EXPECT_LT(top("group-Policy"), top("option-wide"));
    EXPECT_EQ(grouped.findChildren<QLabel*>("group-Budget").size(), 1);
    EXPECT_TRUE(form.findChildren<QLabel*>(QRegularExpression("group-.*")).isEmpty());
}

} // namespace
} // namespace opscape
