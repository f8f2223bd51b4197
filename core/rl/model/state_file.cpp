// SPDX-License-Identifier: MIT
#include <opscape/base/hash.h>
#include <opscape/base/paths.h>
#include <opscape/rl/model/state_file.h>

namespace opscape::rl {
namespace {

constexpr std::size_t kHashDigits = 32;

} // namespace

Result<> StateFile::write(const std::filesystem::path& file, std::string_view body) const {
    std::string bytes(magic);
    bytes.append(reinterpret_cast<const char*>(&format), sizeof format); // NOLINT: bytes of a number
    bytes += contentHash(body);
    bytes += body;
    return writeFile(file, bytes);
}

Error StateFile::damaged(const std::filesystem::path& file) const {
    return {fmt::format("{}: the {} is damaged; take an older one or {}.", file.string(), what, remedy)};
}

Result<StateFile::Body> StateFile::read(const std::filesystem::path& file) const {
    std::error_code ec; // a pipe would be waited for
    if (const auto status = std::filesystem::status(file, ec);
        std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
        return fail("{}: is not a file; name a {} that training has written.", file.string(), what);
    auto bytes = readFile(file);
    if (!bytes)
        return fail(bytes.error());
    std::string_view left = *bytes;
    if (!left.starts_with(magic))
        return fail("{}: is not a {} of Opscape; name a file that training has written.", file.string(), what);
    left.remove_prefix(magic.size());
    std::uint32_t found = 0;
    if (left.size() < sizeof found + kHashDigits)
        return fail("{}: the {} is cut off; take an older one or {}.", file.string(), what, remedy);
    std::memcpy(&found, left.data(), sizeof found);
    if (found > format || found < oldest)
        return fail("{}: has {} format {}, this version of Opscape reads {}; {}.", file.string(), what, found, format,
                    remedy);
    left.remove_prefix(sizeof found);
    const std::string_view hash = left.substr(0, kHashDigits);
    left.remove_prefix(kHashDigits);
    if (contentHash(left) != hash)
        return fail(damaged(file));
    return Body{found, std::string(left)};
}

} // namespace opscape::rl
