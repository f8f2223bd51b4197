// SPDX-License-Identifier: MIT
#include "gui/views/curve_ticker.h"

#include "gui/words.h"

#include <cmath>

namespace opscape {
namespace {

constexpr double kWide = 12; ///< an axis on which upper/lower is more than that has ticks at 1, 2 and 5 of each decade
constexpr double kVeryWide = 2000; ///< and beyond that at the decades alone

constexpr double kLeastApart = 0.5; ///< of the distance that the wanted number of ticks has

} // namespace

double CurveTicker::getTickStep(const QCPRange& range) { return QCPAxisTicker::getTickStep(range / m_unit) * m_unit; }

int CurveTicker::getSubTickCount(double tickStep) {
    return m_logarithmic ? 0 : QCPAxisTicker::getSubTickCount(tickStep / m_unit);
}

QString CurveTicker::getTickLabel(double tick, const QLocale&, QChar, int) {
    const double value = tick == 0 ? 0.0 : tick / m_unit; // no "-0"
    const QString number =
        std::abs(value) >= 1e6 ? qs(fmt::format("{:.6g}M", value / 1e6)) : qs(fmt::format("{:.6g}", value));
    return number + m_suffix;
}

QVector<double> CurveTicker::wanted(double tickStep, const QCPRange& range) const {
    const double ratio = range.lower > 0 ? range.upper / range.lower : 0;
    if (!m_logarithmic || ratio < kWide) {
        QVector<double> ticks;
        for (double i = std::ceil(range.lower / tickStep); i * tickStep <= range.upper && ticks.size() < 100; ++i)
            ticks << i * tickStep;
        return ticks;
    }
    QVector<double> ticks;
    const double unit = std::pow(10, std::floor(std::log10(range.lower / m_unit))) * m_unit;
    for (double decade = unit; decade <= range.upper && ticks.size() < 100; decade *= 10) {
        for (const double part : ratio > kVeryWide ? std::vector<double>{1} : std::vector<double>{1, 2, 5}) {
            if (const double tick = decade * part; tick >= range.lower && tick <= range.upper)
                ticks << tick;
        }
    }
    return ticks;
}

QVector<double> CurveTicker::createTickVector(double tickStep, const QCPRange& range) {
    const auto place = [&](double value) { // 0 to 1 along the axis
        return m_logarithmic && range.lower > 0 ? std::log(value / range.lower) / std::log(range.upper / range.lower)
                                                : (value - range.lower) / range.size();
    };
    QVector<double> ticks;
    for (const double tick : wanted(tickStep, range)) {
        if (ticks.isEmpty() || place(tick) - place(ticks.back()) >= m_leastApart)
            ticks << tick;
    }
    return ticks;
}

std::pair<QString, double> timeUnit(double ns) {
    if (ns >= 1e9)
        return {QStringLiteral("s"), 1e9};
    if (ns >= 1e6)
        return {QStringLiteral("ms"), 1e6};
    if (ns >= 1e3)
        return {QStringLiteral("us"), 1e3};
    return {QStringLiteral("ns"), 1};
}

QString figureText(double value) { return std::isnan(value) ? QStringLiteral("–") : qs(fmt::format("{:.3g}", value)); }

} // namespace opscape
