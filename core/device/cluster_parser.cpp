// SPDX-License-Identifier: MIT
// Cluster JSON -> Cluster. The format is described in data/clusters/README.md; every key is checked, a misspelt one is
// refused, so that no figure is silently a default.
#include <opscape/device/cluster.h>

#include <algorithm>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <opscape/base/hash.h>
#include <stdexcept>

namespace opscape {
namespace {

using Json = nlohmann::json;

/// Carries the sentence out of nested parsing; never leaves this file.
struct BadCluster : std::runtime_error {
    using std::runtime_error::runtime_error;
};

template <class... Args>
[[noreturn]] void bad(fmt::format_string<Args...> format, Args&&... args) {
    throw BadCluster(fmt::format(format, std::forward<Args>(args)...));
}

void knownKeys(const Json& object, const std::string& place, std::initializer_list<std::string_view> keys) {
    if (!object.is_object())
        bad("{} must be an object", place);
    for (const auto& [key, value] : object.items()) {
        if (std::ranges::find(keys, std::string_view(key)) == keys.end())
            bad("{} has an unknown key \"{}\"; known are: {}", place, key, fmt::join(keys, ", "));
    }
}

double number(const Json& object, const std::string& place, const char* key, double least) {
    const auto it = object.find(key);
    if (it == object.end())
        bad("{}.{} is missing", place, key);
    if (!it->is_number() || !(it->get<double>() >= least))
        bad("{}.{} must be a number of at least {}", place, key, least);
    return it->get<double>();
}

std::string text(const Json& object, const std::string& place, const char* key, const char* otherwise = nullptr) {
    const auto it = object.find(key);
    if (it == object.end() && otherwise != nullptr)
        return otherwise;
    if (it == object.end() || !it->is_string())
        bad("{}.{} must be a text", place, key);
    return it->get<std::string>();
}

const Json& array(const Json& object, const char* key) {
    static const Json kNone = Json::array();
    const auto it = object.find(key);
    if (it == object.end())
        return kNone;
    if (!it->is_array())
        bad("{} must be a list", key);
    return *it;
}

std::string replaced(std::string s, std::string_view what, std::string_view with) {
    for (std::size_t at = 0; (at = s.find(what, at)) != std::string::npos; at += with.size())
        s.replace(at, what.size(), with);
    return s;
}

/// '*' stands for any run of characters.
bool matches(std::string_view pattern, std::string_view name) {
    const std::size_t star = pattern.find('*');
    if (star == std::string_view::npos)
        return pattern == name;
    if (name.substr(0, star) != pattern.substr(0, star))
        return false;
    for (std::size_t skip = star; skip <= name.size(); ++skip) {
        if (matches(pattern.substr(star + 1), name.substr(skip)))
            return true;
    }
    return false;
}

} // namespace

class ClusterParser {
public:
    Cluster parse(const Json& root, const std::string& fallbackId) {
        knownKeys(root, "the cluster",
                  {"id", "title", "about", "link_model", "blocking_send", "kinds", "devices", "channels", "routes", "sources"});
        m_cluster.m_id = text(root, "the cluster", "id", fallbackId.c_str());
        m_cluster.m_title = text(root, "the cluster", "title", m_cluster.m_id.c_str());
        const std::string model = text(root, "the cluster", "link_model", "fifo");
        const auto linkModel = parseLinkModel(model);
        if (!linkModel)
            bad("link_model is \"{}\"; it must be none, fifo or fair", model);
        m_cluster.m_linkModel = *linkModel;
        if (const auto it = root.find("blocking_send"); it != root.end()) {
            if (!it->is_boolean())
                bad("blocking_send must be true or false");
            m_cluster.m_blockingSend = it->get<bool>();
        }
        kinds(root);
        devices(root);
        channels(root);
        routes(root);
        return std::move(m_cluster);
    }

private:
    void kinds(const Json& root) {
        const auto it = root.find("kinds");
        if (it == root.end() || !it->is_object() || it->empty())
            bad("\"kinds\" must name at least one kind of device");
        for (const auto& [name, json] : it->items()) {
            const std::string place = "kinds." + name;
            knownKeys(json, place,
                      {"type", "memory_bytes", "memory_bandwidth", "overlap", "launch_ns", "peak_flops", "sources"});
            DeviceKind kind;
            kind.name = name;
            kind.type = text(json, place, "type", "gpu");
            kind.memoryBytes = static_cast<std::int64_t>(number(json, place, "memory_bytes", 0));
            kind.memoryBandwidth = number(json, place, "memory_bandwidth", 1);
            kind.launchNs = static_cast<std::int64_t>(number(json, place, "launch_ns", 0));
            if (json.contains("overlap")) {
                kind.overlap = number(json, place, "overlap", 0);
                if (kind.overlap > 1)
                    bad("{}.overlap must be between 0 and 1", place);
            }
            const auto peaks = json.find("peak_flops");
            if (peaks == json.end() || !peaks->is_object())
                bad("{}.peak_flops must give FLOP per second by element type, f32 at least", place);
            for (const auto& [typeName, value] : peaks->items()) {
                const auto type = parseDType(typeName);
                if (!type)
                    bad("{}.peak_flops: \"{}\" is not an element type", place, typeName);
                kind.peakFlops[static_cast<std::size_t>(*type)] = number(*peaks, place + ".peak_flops", typeName.c_str(), 1);
            }
            if (kind.peak(DType::F32) <= 0)
                bad("{}.peak_flops.f32 is missing", place);
            m_cluster.m_kinds.push_back(std::move(kind));
        }
    }

    void devices(const Json& root) {
        auto& devices = m_cluster.m_devices;
        for (const Json& json : array(root, "devices")) {
            const std::string place = fmt::format("devices[{}]", devices.size());
            knownKeys(json, place, {"name", "kind", "count", "first", "host"});
            const std::string name = text(json, place, "name");
            const std::string kindName = text(json, place, "kind");
            const auto kind = std::ranges::find(m_cluster.m_kinds, kindName, &DeviceKind::name);
            if (kind == m_cluster.m_kinds.end())
                bad("{}.kind \"{}\" is not among the kinds", place, kindName);
            const int count = json.contains("count") ? static_cast<int>(number(json, place, "count", 1)) : 1;
            const int first = json.contains("first") ? static_cast<int>(number(json, place, "first", 0)) : 0;
            if (devices.size() + static_cast<std::size_t>(count) > kMaxDevices)
                bad("{}: more than {} devices", place, kMaxDevices);
            for (int i = 0; i < count; ++i) {
                Device device;
                device.name = replaced(name, "{i}", std::to_string(first + i));
                device.kind = KindId(static_cast<std::size_t>(kind - m_cluster.m_kinds.begin()));
                device.host = text(json, place, "host", "");
                if (m_cluster.findDevice(device.name).valid())
                    bad("{}: a device named \"{}\" is there already", place, device.name);
                devices.push_back(std::move(device));
            }
        }
        if (devices.empty())
            bad("\"devices\" must list at least one device");
    }

    void channels(const Json& root) {
        std::size_t index = 0;
        for (const Json& json : array(root, "channels")) {
            const std::string place = fmt::format("channels[{}]", index++);
            knownKeys(json, place, {"name", "per_device", "per_pair", "per_host", "bandwidth", "latency_ns", "source"});
            Channel channel;
            channel.bandwidth = number(json, place, "bandwidth", 1);
            channel.latencyNs = static_cast<std::int64_t>(number(json, place, "latency_ns", 0));
            const std::string name = text(json, place, "name");
            const auto add = [&](std::string channelName) {
                channel.name = std::move(channelName);
                if (findChannel(channel.name).valid())
                    bad("{}: a channel named \"{}\" is there already", place, channel.name);
                m_cluster.m_channels.push_back(channel);
            };
            if (json.contains("per_device")) {
                const std::string pattern = text(json, place, "per_device");
                for (const Device& device : m_cluster.m_devices) {
                    if (matches(pattern, device.name))
                        add(replaced(name, "{device}", device.name));
                }
            } else if (json.contains("per_host")) {
                std::vector<std::string> hosts;
                for (const Device& device : m_cluster.m_devices) {
                    if (matches(text(json, place, "per_host"), device.host) && std::ranges::count(hosts, device.host) == 0) {
                        hosts.push_back(device.host);
                        add(replaced(name, "{host}", device.host));
                    }
                }
            } else if (json.contains("per_pair")) {
                const auto [fromPattern, toPattern] = pair(json["per_pair"], place + ".per_pair");
                for (const Device& from : m_cluster.m_devices) {
                    for (const Device& to : m_cluster.m_devices) {
                        if (&from != &to && matches(fromPattern, from.name) && matches(toPattern, to.name))
                            add(replaced(replaced(name, "{from}", from.name), "{to}", to.name));
                    }
                }
            } else {
                add(name);
            }
        }
    }

    void routes(const Json& root) {
        const std::size_t n = m_cluster.m_devices.size();
        m_cluster.m_routes.resize(n * n);
        std::size_t index = 0;
        for (const Json& json : array(root, "routes")) {
            const std::string place = fmt::format("routes[{}]", index++);
            knownKeys(json, place, {"from", "to", "via", "hosts"});
            const std::string fromPattern = text(json, place, "from");
            const std::string toPattern = text(json, place, "to");
            const std::string hosts = text(json, place, "hosts", "any");
            if (hosts != "any" && hosts != "same" && hosts != "different")
                bad("{}.hosts must be any, same or different", place);
            const auto via = json.find("via");
            if (via == json.end() || !via->is_array() || via->empty())
                bad("{}.via must list the channels of the route", place);
            for (std::size_t f = 0; f < n; ++f) {
                for (std::size_t t = 0; t < n; ++t) {
                    const Device& from = m_cluster.m_devices[f];
                    const Device& to = m_cluster.m_devices[t];
                    const bool sameHost = from.host == to.host;
                    if (f == t || !matches(fromPattern, from.name) || !matches(toPattern, to.name) ||
                        (hosts == "same" && !sameHost) || (hosts == "different" && sameHost))
                        continue;
                    std::vector<ChannelId>& route = m_cluster.m_routes[f * n + t]; // a later rule replaces an earlier one
                    route.clear();
                    for (const Json& entry : *via) {
                        if (!entry.is_string())
                            bad("{}.via must be a list of channel names", place);
                        std::string name = replaced(replaced(entry.get<std::string>(), "{from}", from.name), "{to}", to.name);
                        name = replaced(replaced(name, "{from.host}", from.host), "{to.host}", to.host);
                        const ChannelId channel = findChannel(name);
                        if (!channel.valid())
                            bad("{}.via: there is no channel \"{}\"", place, name);
                        route.push_back(channel);
                    }
                }
            }
        }
        for (std::size_t f = 0; f < n; ++f) {
            for (std::size_t t = 0; t < n; ++t) {
                if (f != t && m_cluster.m_routes[f * n + t].empty())
                    bad("there is no route from {} to {}", m_cluster.m_devices[f].name, m_cluster.m_devices[t].name);
            }
        }
    }

    static std::pair<std::string, std::string> pair(const Json& json, const std::string& place) {
        if (!json.is_array() || json.size() != 2 || !json[0].is_string() || !json[1].is_string())
            bad("{} must be a list of two name patterns", place);
        return {json[0], json[1]};
    }

    [[nodiscard]] ChannelId findChannel(std::string_view name) const {
        const auto it = std::ranges::find(m_cluster.m_channels, name, &Channel::name);
        return it == m_cluster.m_channels.end() ? ChannelId()
                                                : ChannelId(static_cast<std::size_t>(it - m_cluster.m_channels.begin()));
    }

    static constexpr std::size_t kMaxDevices = 256;
    Cluster m_cluster;
};

Result<Cluster> Cluster::parse(std::string_view json, std::string_view origin) {
    try {
        const Json root = Json::parse(json);
        std::string stem(origin.substr(origin.rfind('/') + 1));
        stem = stem.substr(0, stem.rfind('.'));
        Cluster cluster = ClusterParser().parse(root, stem);
        cluster.m_source = json;
        cluster.m_hash = contentHash(json);
        return cluster;
    } catch (const BadCluster& error) {
        return fail("{}: {}.", origin, error.what());
    } catch (const Json::parse_error& error) {
        return fail("{}: not valid JSON at byte {}.", origin, error.byte);
    }
}

} // namespace opscape
