// SPDX-License-Identifier: MIT
#include <opscape/base/paths.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>

namespace opscape {
namespace {

namespace fs = std::filesystem;

fs::path fromEnvironment(const char* variable, const fs::path& otherwise) {
    const char* value = std::getenv(variable);
    return value != nullptr && *value != '\0' ? fs::path(value) : otherwise;
}

/// The folder named from the program's own, without the dots where it exists.
fs::path besideProgram(const char* relative) {
    std::error_code ec;
    const fs::path path = programFolder() / relative;
    const fs::path clean = fs::weakly_canonical(path, ec);
    return ec ? path : clean;
}

/// Writes the whole file and sees it onto the disk; 0, or errno of what failed. A `mode` replaces the one for new
/// files.
int writeAll(const fs::path& path, int flags, ::mode_t mode, std::string_view bytes) {
    const int fd = ::open(path.c_str(), flags | O_WRONLY | O_CLOEXEC, 0666);
    if (fd < 0)
        return errno;
    int error = mode != 0 && ::fchmod(fd, mode) != 0 ? errno : 0;
    while (error == 0 && !bytes.empty()) {
        const ssize_t n = ::write(fd, bytes.data(), bytes.size());
        if (n >= 0)
            bytes.remove_prefix(static_cast<std::size_t>(n));
        else if (errno != EINTR)
            error = errno;
    }
    if (error == 0 && ::fsync(fd) != 0 && errno != EINVAL && errno != EROFS) // a pipe or a terminal has no disk
        error = errno;
    if (::close(fd) != 0 && error == 0)
        error = errno;
    return error;
}

} // namespace

fs::path programFolder() {
    std::error_code ec;
    const fs::path self = fs::read_symlink("/proc/self/exe", ec);
    return ec ? fs::current_path(ec) : self.parent_path();
}

fs::path dataFolder() { return fromEnvironment("OPSCAPE_DATA", besideProgram("../share/opscape")); }

fs::path pluginFolder() { return fromEnvironment("OPSCAPE_PLUGINS", besideProgram("../lib/opscape/plugins")); }

fs::path userDataFolder() {
    const fs::path home = fromEnvironment("HOME", "/tmp");
    return fromEnvironment("XDG_DATA_HOME", home / ".local/share") / "opscape";
}

Result<std::string> readFile(const fs::path& path) {
    std::error_code ec;
    if (fs::is_directory(path, ec))
        return fail("{}: this is a folder; name a file in it.", path.string());
    if (fs::is_character_file(path, ec)) // some never end
        return fail("{}: this is a device; name a file.", path.string());
    std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), &std::fclose);
    if (!file)
        return fail("{}: cannot be opened: {}.", path.string(), std::strerror(errno));
    std::string bytes;
    if (const auto size = fs::file_size(path, ec); !ec)
        bytes.reserve(size);
    char buffer[1 << 16];
    while (const std::size_t n = std::fread(buffer, 1, sizeof buffer, file.get()))
        bytes.append(buffer, n);
    if (std::ferror(file.get()) != 0)
        return fail("{}: cannot be read to its end: {}.", path.string(), std::strerror(errno));
    return bytes;
}

Result<> writeFile(const fs::path& path, std::string_view bytes) {
    std::error_code ec;
    const fs::file_status status = fs::status(path, ec);
    if (fs::is_directory(status))
        return fail("{}: this is a folder; name a file in it.", path.string());
    const bool isLink = fs::is_symlink(fs::symlink_status(path, ec));
    // A device, a pipe or a dangling link cannot be replaced by renaming, only written to.
    if (fs::exists(status) ? !fs::is_regular_file(status) : isLink) {
        if (const int error = writeAll(path, O_CREAT | O_TRUNC, 0, bytes); error != 0)
            return fail("{}: cannot be written: {}.", path.string(), std::strerror(error));
        return {};
    }
    const fs::path target = isLink ? fs::canonical(path, ec) : path;
    const ::mode_t mode = fs::exists(status) ? static_cast<::mode_t>(status.permissions()) : 0;
    static std::atomic<unsigned> counter = 0;
    const fs::path temporary = target.parent_path() / fmt::format(".opscape-{}-{}.part", ::getpid(), ++counter);
    int error = writeAll(temporary, O_CREAT | O_EXCL, mode, bytes);
    if (error == 0 && ::rename(temporary.c_str(), target.c_str()) != 0)
        error = errno;
    if (error == 0)
        return {};
    ::unlink(temporary.c_str());
    return fail("{}: cannot be written: {}.", path.string(), std::strerror(error));
}

} // namespace opscape
