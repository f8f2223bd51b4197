// SPDX-License-Identifier: MIT
#include "rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <regex>
#include <set>
#include <sstream>

namespace opscape::arch {
namespace {

constexpr std::size_t kMostLines = 600;

/// What each folder of core may include beside itself. Folders that are not listed may be included by no other.
const std::map<std::string, std::set<std::string>> kBelow = [] {
    const std::set<std::string> upToSim{"base", "graph", "device", "cost", "plan", "sim"};
    std::set<std::string> upToSearch = upToSim;
    upToSearch.insert({"search", "task"});
    return std::map<std::string, std::set<std::string>>{
        {"base", {}},
        {"graph", {"base"}},
        {"device", {"base", "graph"}},
        {"cost", {"base", "graph", "device"}},
        {"plan", {"base", "graph", "device", "cost"}},
        {"sim", {"base", "graph", "device", "cost", "plan"}},
        {"fusion", upToSim},
        {"search", {"base", "graph", "device", "cost", "plan", "sim", "fusion"}},
        {"query", upToSim},
        {"zoo", upToSim},
        {"io", upToSim},
        {"task", upToSim},
        {"layout", upToSim},
        {"rl", upToSearch},
        {"store", upToSim},
    };
}();

struct Include {
    std::size_t line = 0;
    std::string name;
    bool quoted = false;
};

std::vector<Include> includesOf(const std::string& text) {
    static const std::regex kInclude(R"(^\s*#\s*include\s*([<"])([^>"]+)[>"])");
    std::vector<Include> includes;
    std::istringstream in(text);
    std::string line;
    for (std::size_t number = 1; std::getline(in, line); ++number) {
        std::smatch match;
        if (std::regex_search(line, match, kInclude))
            includes.push_back({number, match[2], match[1] == "\""});
    }
    return includes;
}

bool startsWithAny(std::string_view name, std::initializer_list<std::string_view> prefixes) {
    return std::ranges::any_of(prefixes, [&](std::string_view p) { return name.starts_with(p); });
}

bool isQt(std::string_view name) {
    return (name.size() > 1 && name[0] == 'Q' && std::isupper(static_cast<unsigned char>(name[1])) != 0) ||
           startsWithAny(name, {"Qt", "qcustomplot.h", "qobject", "qglobal", "qwidget"});
}
bool isTorch(std::string_view name) { return startsWithAny(name, {"torch/", "ATen/", "c10/", "c10d/"}); }
bool isGraphviz(std::string_view name) { return startsWithAny(name, {"graphviz/", "cgraph", "gvc.h", "gvc/"}); }
bool isSqlite(std::string_view name) { return startsWithAny(name, {"sqlite3"}); }

/// The file of the project that an include means; none for one of the system.
std::optional<std::string> targetOf(const Tree& tree, const std::string& from, const Include& include) {
    if (include.name.starts_with("opscape/"))
        return "core/" + include.name.substr(std::string_view("opscape/").size());
    if (!include.quoted)
        return std::nullopt;
    const auto folder = std::filesystem::path(from).parent_path();
    for (const std::filesystem::path& base :
         {folder, std::filesystem::path("app"), std::filesystem::path("plugins"), std::filesystem::path("tests"),
          std::filesystem::path("core"), std::filesystem::path()}) {
        const std::string path = (base / include.name).lexically_normal().string();
        if (tree.contains(path))
            return path;
    }
    return std::nullopt;
}

/// "core/graph" of "core/graph/graph.h".
std::string folderOf(std::string_view path) {
    const std::size_t first = path.find('/');
    return std::string(path.substr(0, path.find('/', first == std::string_view::npos ? first : first + 1)));
}

bool isIn(std::string_view path, std::string_view folder) {
    return path.starts_with(folder) && path.size() > folder.size() && path[folder.size()] == '/';
}

/// Calls rule(path, include, target, add) for every include of every source; add(message) reports it.
template <class Rule>
std::vector<Violation> forEachInclude(const Tree& tree, const Rule& rule) {
    std::vector<Violation> violations;
    for (const auto& [path, text] : tree) {
        if (!isSource(path))
            continue;
        for (const Include& include : includesOf(text)) {
            const auto add = [&, &file = path](std::string message) {
                violations.push_back({file, include.line, std::move(message)});
            };
            rule(path, include, targetOf(tree, path, include).value_or(""), add);
        }
    }
    return violations;
}

} // namespace

std::string Violation::text() const { return fmt::format("{}:{}: {}", path, line, message); }

bool isSource(std::string_view path) {
    return (path.ends_with(".h") || path.ends_with(".cpp")) &&
           (isIn(path, "core") || isIn(path, "plugins") || isIn(path, "app") || isIn(path, "tests"));
}

std::vector<Violation> checkLayers(const Tree& tree) {
    return forEachInclude(tree,
                          [](const std::string& path, const Include&, const std::string& target, const auto& add) {
                              if (!isIn(path, "core") || target.empty())
                                  return;
                              const std::string mine = folderOf(path), other = folderOf(target);
                              if (!isIn(target, "core")) {
                                  add(fmt::format("core must not include {}", target));
                                  return;
                              }
                              const auto below = kBelow.find(mine.substr(5));
                              if (below == kBelow.end())
                                  add(fmt::format("{} is not in the list of folders of core", mine));
                              else if (mine != other && !below->second.contains(other.substr(5)))
                                  add(fmt::format("{} must not include {}, which is not below it", mine, target));
                          });
}

std::vector<Violation> checkLibraries(const Tree& tree) {
    auto violations = forEachInclude(
        tree, [](const std::string& path, const Include& include, const std::string& target, const auto& add) {
            const std::string& name = include.name;
            if (isQt(name) &&
                (isIn(path, "core") || isIn(path, "plugins") || isIn(path, "app/service") || isIn(path, "app/edit")))
                add(fmt::format("{} must be free of Qt, but includes {}", folderOf(path), name));
            const bool torchFile = isIn(path, "tests/rl") || path == "tests/zoo/torch_check.cpp" ||
                                   (isIn(path, "core/rl") && (path.ends_with(".cpp") || path.ends_with("/pch.h")));
            if (isTorch(name) && !torchFile)
                add(fmt::format("torch belongs in the .cpp files of core/rl, but {} is included here", name));
            if (isGraphviz(name) && !isIn(path, "core/layout"))
                add(fmt::format("Graphviz belongs in core/layout, but {} is included here", name));
            if (isSqlite(name) && !isIn(path, "core/store") && !isIn(path, "tests/store"))
                add(fmt::format("SQLite belongs in core/store, but {} is included here", name));
            if (isIn(path, "plugins") && !target.empty() && !isIn(target, "core") && !isIn(target, "plugins"))
                add(fmt::format("a plugin sees core only, but includes {}", target));
        });
    for (const auto& [path, text] : tree) {
        if (!isSource(path))
            continue;
        const std::vector<Include> includes = includesOf(text);
        const auto torch = std::ranges::find_if(includes, [](const Include& i) { return isTorch(i.name); });
        const auto qt = std::ranges::find_if(includes, [](const Include& i) { return isQt(i.name); });
        if (torch != includes.end() && qt != includes.end())
            violations.push_back({path, std::max(torch->line, qt->line),
                                  fmt::format("torch and Qt in one file: {} and {}", torch->name, qt->name)});
    }
    return violations;
}

std::vector<Violation> checkApp(const Tree& tree) {
    return forEachInclude(
        tree, [](const std::string& path, const Include&, const std::string& target, const auto& add) {
            const bool shared = isIn(path, "app/render") || isIn(path, "app/service") || isIn(path, "app/edit");
            if (shared && (isIn(target, "app/gui") || isIn(target, "app/cli")))
                add(fmt::format("{} must not include {}", folderOf(path), target));
        });
}

std::vector<Violation> checkShape(const Tree& tree) {
    std::vector<Violation> violations;
    for (const auto& [path, text] : tree) {
        if (!isSource(path))
            continue;
        if (!text.starts_with("// SPDX-License-Identifier: MIT\n"))
            violations.push_back({path, 1, "the first line must be: // SPDX-License-Identifier: MIT"});
        if (path.ends_with(".h") && text.find("\n#pragma once\n") == std::string::npos)
            violations.push_back({path, 1, "a header needs #pragma once"});
        if (const auto lines = static_cast<std::size_t>(std::ranges::count(text, '\n')); lines > kMostLines)
            violations.push_back(
                {path, kMostLines + 1, fmt::format("{} lines; split it, {} are the most", lines, kMostLines)});
    }
    return violations;
}

std::vector<Violation> checkMachinePaths(const Tree& tree) {
    // Written in two parts, so that this file does not name them. Behind a letter or digit it is part of a longer path.
    static const std::regex kMachine("(^|[^A-Za-z0-9_.~$}*-])(/(wo"
                                     "rk|ho"
                                     "me|ro"
                                     "ot)/)");
    std::vector<Violation> violations;
    for (const auto& [path, text] : tree) {
        std::istringstream in(text);
        std::string line;
        for (std::size_t number = 1; std::getline(in, line); ++number) {
            std::smatch match;
            if (line.size() < 100'000 && std::regex_search(line, match, kMachine))
                violations.push_back({path, number, fmt::format("names a folder of a machine: {}", match[2].str())});
        }
    }
    return violations;
}

} // namespace opscape::arch
