// SPDX-License-Identifier: MIT
// Writes a picture as PNG, SVG or PDF, by the file's extension.
#pragma once

#include <opscape/base/result.h>

#include <QPainter>
#include <QSize>

#include <filesystem>
#include <functional>
#include <optional>

namespace opscape {

enum class PictureFormat { Png, Svg, Pdf };
/// By the extension; none for any other one.
[[nodiscard]] std::optional<PictureFormat> pictureFormat(const std::filesystem::path& file);
/// Whether a picture of this size, in pixels, can be written there: its format is known and, for a PNG, its pixels are
/// not too many. Says why not before anything is drawn.
[[nodiscard]] Result<> checkPicture(const std::filesystem::path& file, QSize size);

/// How much smaller a picture that sizes itself is drawn, so that viewers can show it; at most 1.
[[nodiscard]] double ownScale(QSizeF wanted);

/// `paint` is called once with a painter over a page of the given size in pixels; false from it means that it was given
/// up, and nothing is written. The background is filled first.
[[nodiscard]] Result<> writePicture(const std::filesystem::path& file, QSize size, const QColor& background,
                                    const std::function<bool(QPainter&)>& paint);

} // namespace opscape
