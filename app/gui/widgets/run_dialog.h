// SPDX-License-Identifier: MIT
// What to run: an optimizer with its options, what is to be short, a cluster, a link model, how its plan is ordered and
// fused, a seed.
// Remembers per optimizer what was chosen last.
#pragma once

#include "gui/look.h"
#include "gui/session.h"
#include "gui/widgets/options_form.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QScrollArea>
#include <QSettings>

namespace opscape {

class RunDialog : public QDialog {
    Q_OBJECT
public:
    /// The session has its plugins loaded.
    RunDialog(Session& session, Look& look, QSettings& settings, QWidget* parent = nullptr);

    /// Whether pinned ops stay where they are, and what the optimizer does not decide stays as edited.
    void setKeepPins(bool keep);
    /// Begins with what a kept run was made from.
    void fillFrom(const RunAgain& again);

    [[nodiscard]] OptimizeRequest request() const;
    [[nodiscard]] ClusterChoice choice() const;

    void accept() override;

private:
    void optimizerChanged();
    /// Those that the optimizer takes; the one chosen last, else its own.
    void fillObjectives(const OptimizerInfo* info);
    void keepPinsChanged();
    [[nodiscard]] bool keepsPins() const;
    /// What is pinned, to devices of which cluster, and the plan that has them there.
    struct Pins {
        std::vector<DeviceId> pins;
        std::optional<Plan> start;
        std::shared_ptr<const Cluster> cluster;
    };
    /// Those of the run that is made again, else those of the plan that is edited.
    [[nodiscard]] Pins pins() const;
    void clusterChanged();
    void chooseClusterFile();
    void fillClusters();
    /// Choices of what is done to the optimizer's plan; remembers the last one.
    void fillFinish(QComboBox* box, const QString& name, const auto& list);
    void refuse(const QString& why);

    Session& m_session;
    Look& m_look;
    QSettings& m_settings;
    QComboBox* m_optimizer;
    QComboBox* m_objective;
    QComboBox* m_cluster;
    QComboBox* m_links;
    QComboBox* m_scheduler;
    QComboBox* m_fuser;
    QLineEdit* m_seed;
    QCheckBox* m_keepPins;
    QLabel* m_summary;
    QLabel* m_clusterInfo;
    QLabel* m_refusal;
    QScrollArea* m_scroll;
    OptionsForm* m_form = nullptr;
    std::optional<Pins> m_pins; ///< of the run that is made again
};

} // namespace opscape
