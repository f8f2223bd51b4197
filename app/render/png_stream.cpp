// SPDX-License-Identifier: MIT
// Portable Network Graphics (ISO/IEC 15948): a header, rows of 8-bit RGB as one zlib stream cut into chunks, an end.
// Each row is written as its difference from the one above, which for boxes and lines is nearly always nothing.
#include "png_stream.h"

#include <zlib.h>

#include <vector>

namespace opscape {
namespace {

constexpr std::size_t kChunk = 256 * 1024;
constexpr int kLevel = 4; ///< of compression: most of what 9 saves, in a fraction of its time

void appendNumber(std::string& to, std::uint32_t number) {
    for (const int shift : {24, 16, 8, 0})
        to += static_cast<char>(number >> shift & 0xffU);
}

} // namespace

struct PngStream::Deflate {
    z_stream stream{};
    std::vector<unsigned char> out = std::vector<unsigned char>(kChunk);
};

PngStream::PngStream(int width, int height) : m_width(width), m_deflate(std::make_unique<Deflate>()) {
    m_file.assign("\x89PNG\r\n\x1a\n", 8);
    std::string header;
    appendNumber(header, static_cast<std::uint32_t>(width));
    appendNumber(header, static_cast<std::uint32_t>(height));
    header.append("\x08\x02\x00\x00\x00",
                  5); // 8 bits, RGB, the only compression and filtering there are, not interlaced
    chunk("IHDR", header);
    m_ready = deflateInit(&m_deflate->stream, kLevel) == Z_OK;
    m_deflate->stream.next_out = m_deflate->out.data();
    m_deflate->stream.avail_out = static_cast<uInt>(kChunk);
    m_before.assign(3 * static_cast<std::size_t>(width), '\0');
    m_row.resize(1 + m_before.size());
}

PngStream::~PngStream() {
    if (m_ready)
        deflateEnd(&m_deflate->stream);
}

void PngStream::chunk(const char* type, std::string_view data) {
    appendNumber(m_file, static_cast<std::uint32_t>(data.size()));
    const std::size_t begin = m_file.size();
    m_file.append(type, 4).append(data);
    const auto* bytes = reinterpret_cast<const Bytef*>(m_file.data() + begin);
    appendNumber(m_file, static_cast<std::uint32_t>(crc32_z(0, bytes, m_file.size() - begin)));
}

void PngStream::drain(int flush) {
    z_stream& z = m_deflate->stream;
    int state = Z_OK;
    do {
        state = deflate(&z, flush);
        if (z.avail_out == 0 || flush == Z_FINISH) {
            chunk("IDAT", {reinterpret_cast<const char*>(m_deflate->out.data()), kChunk - z.avail_out});
            z.next_out = m_deflate->out.data();
            z.avail_out = static_cast<uInt>(kChunk);
        }
    } while (z.avail_in > 0 || (flush == Z_FINISH && state == Z_OK));
}

void PngStream::add(const QImage& rows) {
    for (int y = 0; y < rows.height(); ++y) {
        const auto* pixels = reinterpret_cast<const QRgb*>(rows.constScanLine(y));
        m_row[0] = 2; // minus the row above
        for (int x = 0; x < m_width; ++x) {
            const int parts[] = {qRed(pixels[x]), qGreen(pixels[x]), qBlue(pixels[x])};
            for (std::size_t c = 0; c < 3; ++c) {
                char& above = m_before[3 * static_cast<std::size_t>(x) + c];
                m_row[1 + 3 * static_cast<std::size_t>(x) + c] = static_cast<char>(parts[c] - above);
                above = static_cast<char>(parts[c]);
            }
        }
        m_deflate->stream.next_in = reinterpret_cast<Bytef*>(m_row.data());
        m_deflate->stream.avail_in = static_cast<uInt>(m_row.size());
        drain(Z_NO_FLUSH);
    }
}

std::string PngStream::finish() {
    drain(Z_FINISH);
    chunk("IEND", {});
    return std::move(m_file);
}

} // namespace opscape
