// SPDX-License-Identifier: MIT
// A PNG made band by band: a large picture needs the memory of one band of pixels, and of the file, which is a small
// part of them all; and it can be given up in between.
#pragma once

#include <QImage>

#include <memory>
#include <string>

namespace opscape {

class PngStream {
public:
    PngStream(int width, int height);
    ~PngStream();

    /// False where there was no memory to begin with; then nothing is to be added.
    [[nodiscard]] bool ready() const { return m_ready; }
    /// The next rows; the image is Format_RGB32 and as wide as the picture.
    void add(const QImage& rows);
    /// The whole file, once all rows were added.
    [[nodiscard]] std::string finish();

private:
    struct Deflate;

    void chunk(const char* type, std::string_view data);
    void drain(int flush);

    int m_width;
    bool m_ready = false;
    std::string m_file;
    std::string m_row, m_before; ///< one row of bytes, and the one above it
    std::unique_ptr<Deflate> m_deflate;
};

} // namespace opscape
