// SPDX-License-Identifier: MIT
#include <opscape/base/paths.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <memory>
#include <sys/stat.h>
#include <unistd.h>

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
    fs::path temporary = path;
    temporary += ".part";
    const int fd = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd < 0)
        return fail("{}: cannot be written: {}.", path.string(), std::strerror(errno));
    bool good = true;
    while (good && !bytes.empty()) {
        const ssize_t n = ::write(fd, bytes.data(), bytes.size());
        if (n < 0 && errno == EINTR)
            continue;
        good = n > 0;
        if (good)
            bytes.remove_prefix(static_cast<std::size_t>(n));
    }
    good = good && ::fsync(fd) == 0;
    const int error = errno;
    ::close(fd);
    if (!good) {
        ::unlink(temporary.c_str());
        return fail("{}: cannot be written: {}.", path.string(), std::strerror(error));
    }
    std::error_code ec;
    fs::rename(temporary, path, ec);
    if (ec)
        return fail("{}: cannot be written: {}.", path.string(), ec.message());
    return {};
}

} // namespace opscape
