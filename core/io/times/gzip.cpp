// SPDX-License-Identifier: MIT
#include <opscape/base/units.h>
#include <opscape/io/times/times_readers.h>

#include <zlib.h>

#include <algorithm>
#include <memory>

namespace opscape {

bool isGzip(std::string_view bytes) { return bytes.starts_with("\x1f\x8b"); }

Result<std::string> unpackGzip(std::string_view bytes, std::size_t most, const std::string& origin) {
    constexpr int kGzip = 16; // beside the size of the window: with a header of gzip
    constexpr std::size_t kChunk = 1 << 20;
    z_stream stream{};
    if (inflateInit2(&stream, MAX_WBITS + kGzip) != Z_OK)
        throw std::bad_alloc();
    const std::unique_ptr<z_stream, decltype(&inflateEnd)> closing(&stream, inflateEnd);
    std::string out;
    std::size_t at = 0;
    for (int state = Z_OK; state != Z_STREAM_END;) {
        if (stream.avail_in == 0 && at < bytes.size()) {
            const std::size_t size = std::min(kChunk, bytes.size() - at);
            stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data() + at)); // it is only read
            stream.avail_in = static_cast<uInt>(size);
            at += size;
        }
        const std::size_t before = out.size();
        out.resize(before + kChunk);
        stream.next_out = reinterpret_cast<Bytef*>(out.data() + before);
        stream.avail_out = static_cast<uInt>(kChunk);
        state = inflate(&stream, Z_NO_FLUSH);
        out.resize(out.size() - stream.avail_out);
        if (out.size() > most)
            return fail("{}: unpacked, the file has more than the {} that can be read.", origin,
                        formatBytes(static_cast<std::int64_t>(most)));
        if (state == Z_BUF_ERROR ||
            (state == Z_OK && at == bytes.size() && stream.avail_in == 0 && out.size() == before))
            return fail("{}: the compressed file is cut off.", origin);
        if (state != Z_OK && state != Z_STREAM_END)
            return fail("{}: the compressed file is damaged.", origin);
    }
    return out;
}

} // namespace opscape
