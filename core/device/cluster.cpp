// SPDX-License-Identifier: MIT
#include <opscape/base/paths.h>
#include <opscape/device/cluster.h>

#include <algorithm>
#include <cmath>

namespace opscape {
namespace {

constexpr std::array<std::string_view, 3> kLinkModels{"none", "fifo", "fair"};

bool isBundled(const std::string& name) { return std::ranges::count(Cluster::bundled(), name) > 0; }

} // namespace

std::string_view toString(LinkModel model) { return kLinkModels[static_cast<std::size_t>(model)]; }

std::optional<LinkModel> parseLinkModel(std::string_view name) {
    auto it = std::ranges::find(kLinkModels, name);
    if (it == kLinkModels.end())
        return std::nullopt;
    return static_cast<LinkModel>(it - kLinkModels.begin());
}

double DeviceKind::peak(DType dtype) const {
    const double given = peakFlops[static_cast<std::size_t>(dtype)];
    return given > 0 ? given : peakFlops[static_cast<std::size_t>(DType::F32)];
}

Result<Cluster> Cluster::load(const std::string& pathOrName) {
    const auto folder = dataFolder() / "clusters";
    const bool isName = pathOrName.find('/') == std::string::npos && !pathOrName.ends_with(".json");
    if (isName && !isBundled(pathOrName)) {
        std::string names;
        for (const std::string& name : bundled())
            names += (names.empty() ? "" : ", ") + name;
        return fail("{}: no such cluster; give a .json file or one of: {}.", pathOrName,
                    names.empty() ? "(none is installed in " + folder.string() + ")" : names);
    }
    const std::filesystem::path path = isName ? folder / (pathOrName + ".json") : std::filesystem::path(pathOrName);
    const auto text = readFile(path);
    if (!text)
        return fail(text.error());
    return parse(*text, path.string());
}

std::vector<std::string> Cluster::bundled() {
    std::vector<std::string> names;
    std::error_code ec;
    for (const auto& entry : std::filesystem::directory_iterator(dataFolder() / "clusters", ec)) {
        if (entry.path().extension() == ".json")
            names.push_back(entry.path().stem().string());
    }
    std::ranges::sort(names);
    return names;
}

Cluster Cluster::withLinkModel(LinkModel model) const {
    Cluster copy = *this;
    copy.m_linkModel = model;
    return copy;
}

DeviceId Cluster::findDevice(std::string_view name) const {
    auto it = std::ranges::find(m_devices, name, &Device::name);
    return it == m_devices.end() ? DeviceId() : DeviceId(static_cast<std::size_t>(it - m_devices.begin()));
}

std::int64_t Cluster::routeLatencyNs(DeviceId from, DeviceId to) const {
    std::int64_t sum = 0;
    for (const ChannelId id : route(from, to))
        sum += channel(id).latencyNs;
    return sum;
}

double Cluster::routeBandwidth(DeviceId from, DeviceId to) const {
    double smallest = 0;
    for (const ChannelId id : route(from, to)) {
        if (smallest == 0 || channel(id).bandwidth < smallest)
            smallest = channel(id).bandwidth;
    }
    return smallest;
}

std::int64_t Cluster::transferNs(std::int64_t bytes, DeviceId from, DeviceId to) const {
    if (from == to)
        return 0;
    constexpr double kLongest = 1e17; // three years: sums of such times still fit
    const double ns = static_cast<double>(bytes) * 1e9 / routeBandwidth(from, to);
    return routeLatencyNs(from, to) + std::llround(std::min(ns, kLongest));
}

} // namespace opscape
