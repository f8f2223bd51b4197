// SPDX-License-Identifier: MIT
// The form for an optimizer's options, made from their declarations alone: an editor within the bounds, the unit, the
// help, and a way back to the default.
#pragma once

#include "gui/look.h"

#include <opscape/task/option.h>

#include <QToolButton>
#include <QWidget>

#include <map>

namespace opscape {

class OptionsForm : public QWidget {
    Q_OBJECT
public:
    OptionsForm(std::span<const OptionSpec> specs, Look& look, QWidget* parent = nullptr);

    /// Those that differ from their default, by name.
    [[nodiscard]] std::map<std::string, std::string> changed() const;
    /// The same without files, which are meant for one run.
    [[nodiscard]] std::map<std::string, std::string> lasting() const;
    /// Unknown names and values out of bounds are left alone.
    void set(const std::map<std::string, std::string>& values);
    void reset();
    static constexpr int kTitleWidth = 112; ///< of the column of titles; forms above it use the same

private:
    struct Row {
        OptionSpec spec;
        QWidget* editor = nullptr;
        QToolButton* reset = nullptr;
        std::function<std::string()> get;
        std::function<void(const OptionValue&)> put;
    };

    QWidget* makeEditor(Row& row, Look& look);
    void refresh(std::size_t row);

    std::vector<Row> m_rows;
};

} // namespace opscape
