// SPDX-License-Identifier: MIT
// Ticks of the curves' axes: values with a unit in the steps of that unit, and a logarithmic axis that has ticks even
// where it shows less than a decade.
#pragma once

#include <qcustomplot.h>

namespace opscape {

class CurveTicker : public QCPAxisTicker {
public:
    /// Labels are in units of `unit`, e.g. 1e6 and " ms" on an axis of nanoseconds.
    void setUnit(double unit, const QString& suffix) {
        m_unit = unit;
        m_suffix = suffix;
    }
    void setLogarithmic(bool logarithmic) { m_logarithmic = logarithmic; }
    /// Ticks that are nearer to the one before than this share of the axis are left out.
    void setLeastApart(double share) { m_leastApart = share; }
    [[nodiscard]] double leastApart() const { return m_leastApart; }

protected:
    double getTickStep(const QCPRange& range) override;
    int getSubTickCount(double tickStep) override;
    QString getTickLabel(double tick, const QLocale& locale, QChar format, int precision) override;
    QVector<double> createTickVector(double tickStep, const QCPRange& range) override;

private:
    [[nodiscard]] QVector<double> wanted(double tickStep, const QCPRange& range) const;

    double m_unit = 1;
    QString m_suffix;
    bool m_logarithmic = false;
    double m_leastApart = 0;
};

/// The unit in which times up to `ns` read best: its name, and how many ns it is.
[[nodiscard]] std::pair<QString, double> timeUnit(double ns);
/// Three significant digits; "1.2e-05" where it is far from 1.
[[nodiscard]] QString figureText(double value);

} // namespace opscape
