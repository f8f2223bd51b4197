// SPDX-License-Identifier: MIT
// Writes a picture as PNG, SVG or PDF, by the file's extension.
#pragma once

#include <opscape/base/result.h>

#include <QPainter>
#include <QSize>

#include <filesystem>
#include <functional>

namespace opscape {

/// `paint` is called once with a painter over a page of the given size in pixels. The background is filled first.
[[nodiscard]] Result<> writePicture(const std::filesystem::path& file, QSize size, const QColor& background,
                                    const std::function<void(QPainter&)>& paint);

} // namespace opscape
