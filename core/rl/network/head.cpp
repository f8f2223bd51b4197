// SPDX-License-Identifier: MIT
#include <opscape/rl/network/head.h>

#include <algorithm>
#include <cmath>

namespace opscape::rl {
namespace {

constexpr float kIllegal = -1e9F;

/// to += vector * matrix; rows that count nothing are skipped, and after a relu many do.
void addProduct(const float* vector, const std::vector<float>& matrix, std::size_t rows, std::size_t columns,
                float* to) {
    for (std::size_t r = 0; r < rows; ++r) {
        const float factor = vector[r];
        if (factor == 0)
            continue;
        const float* row = &matrix[r * columns];
        for (std::size_t c = 0; c < columns; ++c)
            to[c] += factor * row[c];
    }
}

void relu(std::vector<float>& values) {
    for (float& value : values)
        value = std::max(0.F, value);
}

} // namespace

void Head::logProbabilities(std::span<const float> unit, std::span<const float> features,
                            std::span<const std::uint8_t> mask, std::span<float> result) {
    if (m_weights.features == 0)
        std::ranges::copy(unit, result.begin());
    else
        scoreByFeatures(unit, features, mask, result);
    float most = kIllegal;
    for (std::size_t a = 0; a < result.size(); ++a) {
        if (mask[a] == 0)
            result[a] = kIllegal;
        most = std::max(most, result[a]);
    }
    float sum = 0;
    for (const float logit : result)
        sum += std::exp(logit - most);
    const float norm = most + std::log(sum);
    for (float& logit : result)
        logit -= norm;
}

void Head::scoreByFeatures(std::span<const float> unit, std::span<const float> features,
                           std::span<const std::uint8_t> mask, std::span<float> result) {
    const auto hidden = static_cast<std::size_t>(m_weights.hidden);
    const auto perAction = static_cast<std::size_t>(m_weights.features);
    const std::size_t actions = result.size();
    m_z.resize(actions * hidden);
    for (std::size_t a = 0; a < actions; ++a) {
        std::ranges::copy(unit, &m_z[a * hidden]);
        addProduct(&features[a * perAction], m_weights.w2, perAction, hidden, &m_z[a * hidden]);
    }
    relu(m_z);
    m_mean.assign(hidden, 0);
    float legal = 0;
    for (std::size_t a = 0; a < actions; ++a) {
        if (mask[a] == 0)
            continue;
        ++legal;
        for (std::size_t c = 0; c < hidden; ++c)
            m_mean[c] += m_z[a * hidden + c];
    }
    for (float& value : m_mean)
        value /= legal;
    m_base = m_weights.c;
    addProduct(m_mean.data(), m_weights.b, hidden, hidden, m_base.data());
    for (std::size_t a = 0; a < actions; ++a) {
        m_y = m_base;
        addProduct(&m_z[a * hidden], m_weights.a, hidden, hidden, m_y.data());
        relu(m_y);
        float logit = 0;
        for (std::size_t c = 0; c < hidden; ++c)
            logit += m_y[c] * m_weights.w[c];
        result[a] = logit;
    }
}

} // namespace opscape::rl
