// SPDX-License-Identifier: MIT
#include <opscape/store/compression.h>

#include <zlib.h>

#include <new>

namespace opscape {
namespace {

/// A third of the default level's time for a fifth more bytes on these texts: a run should not wait for its row.
constexpr int kLevel = 1;

} // namespace

std::string compress(std::string_view text) {
    uLongf size = ::compressBound(text.size());
    std::string bytes(size, '\0');
    const int code = ::compress2(reinterpret_cast<Bytef*>(bytes.data()), &size,
                                 reinterpret_cast<const Bytef*>(text.data()), text.size(), kLevel);
    if (code != Z_OK) // the buffer is large enough, so that only memory can be missing
        throw std::bad_alloc();
    bytes.resize(size);
    bytes.shrink_to_fit();
    return bytes;
}

std::optional<std::string> decompress(std::string_view bytes, std::size_t size) {
    // No text shrinks to less than a 1,032nd: a larger size is a damaged row, not a reason to allocate.
    if (size > (bytes.size() + 1) * 1032)
        return std::nullopt;
    std::string text(size, '\0');
    uLongf written = size;
    const int code = ::uncompress(reinterpret_cast<Bytef*>(text.data()), &written,
                                  reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
    if (code != Z_OK || written != size)
        return std::nullopt;
    return text;
}

} // namespace opscape
