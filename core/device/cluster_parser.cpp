// SPDX-License-Identifier: MIT
// Cluster JSON -> Cluster. The format is described in data/clusters/README.md; every key is checked, a misspelt one is
// refused, so that no figure is silently a default.
#include <opscape/base/hash.h>
#include <opscape/base/text.h>
#include <opscape/device/cluster.h>
#include <opscape/device/efficiency_parser.h>
#include <opscape/device/json_checks.h>

#include <algorithm>
#include <set>
#include <unordered_map>

namespace opscape {
namespace {

using namespace json;

constexpr const char* kRoot = "the cluster";

std::string replaced(std::string s, std::string_view what, std::string_view with) {
    for (std::size_t at = 0; (at = s.find(what, at)) != std::string::npos; at += with.size())
        s.replace(at, what.size(), with);
    return s;
}

/// '*' stands for any run of characters: match literally, and on a mismatch let the last star take one more.
bool matches(std::string_view pattern, std::string_view name) {
    std::size_t p = 0, n = 0;
    std::size_t star = std::string_view::npos, taken = 0;
    while (n < name.size()) {
        if (p < pattern.size() && pattern[p] == '*') {
            star = p++;
            taken = n;
        } else if (p < pattern.size() && pattern[p] == name[n]) {
            ++p;
            ++n;
        } else if (star != std::string_view::npos) {
            p = star + 1;
            n = ++taken;
        } else {
            return false;
        }
    }
    return pattern.substr(p).find_first_not_of('*') == std::string_view::npos;
}

/// "sources" says where the figures of an entry come from: by the name of the figure, in words.
void checkSources(const Json& object, const std::string& place) {
    const auto it = object.find("sources");
    if (it == object.end())
        return;
    if (!it->is_object())
        bad("{}.sources must be an object", place);
    for (const auto& [figure, source] : it->items()) {
        if (!source.is_string())
            bad("{}.sources.{} must be a text", place, figure);
        if (!object.contains(figure))
            bad("{}.sources.{} is the source of a figure that is not given", place, figure);
    }
}

} // namespace

class ClusterParser {
public:
    Cluster parse(const Json& root, const std::string& fallbackId) {
        knownKeys(root, kRoot,
                  {"id", "title", "about", "units", "link_model", "blocking_send", "kinds", "devices", "channels",
                   "routes", "sources"});
        m_cluster.m_id = text(root, kRoot, "id", fallbackId.c_str());
        m_cluster.m_title = text(root, kRoot, "title", m_cluster.m_id.c_str());
        text(root, kRoot, "about", "");
        text(root, kRoot, "units", "");
        const std::string model = text(root, kRoot, "link_model", "fifo");
        const auto linkModel = parseLinkModel(model);
        if (!linkModel)
            bad("link_model is \"{}\"; it must be none, fifo or fair", model);
        m_cluster.m_linkModel = *linkModel;
        m_cluster.m_blockingSend = flag(root, kRoot, "blocking_send");
        documents(root);
        kinds(root);
        devices(root);
        channels(root);
        routes(root);
        return std::move(m_cluster);
    }

private:
    /// The documents that the sources of figures name.
    static void documents(const Json& root) {
        const auto it = root.find("sources");
        if (it == root.end())
            return;
        if (!it->is_object())
            bad("sources must be an object");
        for (const auto& [name, document] : it->items()) {
            if (!document.is_string())
                bad("sources.{} must be a text", name);
        }
    }

    void kinds(const Json& root) {
        const auto it = root.find("kinds");
        if (it == root.end() || !it->is_object() || it->empty())
            bad("kinds must name at least one kind of device");
        for (const auto& [name, json] : it->items()) {
            const std::string place = "kinds." + name;
            knownKeys(json, place,
                      {"type", "memory_bytes", "memory_bandwidth", "overlap", "launch_ns", "peak_flops", "efficiency",
                       "sources"});
            DeviceKind kind;
            kind.name = name;
            kind.type = text(json, place, "type", "gpu");
            kind.memoryBytes = whole(json, place, "memory_bytes", 0);
            kind.memoryBandwidth = number(json, place, "memory_bandwidth", 1);
            kind.launchNs = whole(json, place, "launch_ns", 0);
            if (json.contains("overlap"))
                kind.overlap = number(json, place, "overlap", 0);
            if (kind.overlap > 1)
                bad("{}.overlap must be between 0 and 1", place);
            const auto peaks = json.find("peak_flops");
            if (peaks == json.end() || !peaks->is_object())
                bad("{}.peak_flops must give FLOP per second by element type, f32 at least", place);
            for (const auto& [typeName, value] : peaks->items()) {
                const auto type = parseDType(typeName);
                if (!type)
                    bad("{}.peak_flops: \"{}\" is not an element type", place, typeName);
                kind.peakFlops[static_cast<std::size_t>(*type)] =
                    number(*peaks, place + ".peak_flops", typeName.c_str(), 1);
            }
            if (kind.peak(DType::F32) <= 0)
                bad("{}.peak_flops.f32 is missing", place);
            if (const auto efficiency = json.find("efficiency"); efficiency != json.end())
                readEfficiency(*efficiency, place + ".efficiency", kind);
            checkSources(json, place);
            m_cluster.m_kinds.push_back(std::move(kind));
        }
    }

    void devices(const Json& root) {
        auto& devices = m_cluster.m_devices;
        std::size_t index = 0;
        for (const Json& json : array(root, kRoot, "devices")) {
            const std::string place = fmt::format("devices[{}]", index++);
            knownKeys(json, place, {"name", "kind", "count", "first", "host", "switch"});
            const std::string name = text(json, place, "name");
            const std::string kindName = text(json, place, "kind");
            const auto kind = std::ranges::find(m_cluster.m_kinds, kindName, &DeviceKind::name);
            if (kind == m_cluster.m_kinds.end())
                bad("{}.kind \"{}\" is not among the kinds", place, kindName);
            const std::int64_t count = json.contains("count") ? whole(json, place, "count", 1) : 1;
            const std::int64_t first = json.contains("first") ? whole(json, place, "first", 0) : 0;
            if (count > kMaxDevices - static_cast<std::int64_t>(devices.size()))
                bad("{}: more than {} devices", place, kMaxDevices);
            for (std::int64_t i = 0; i < count; ++i) {
                Device device;
                device.name = replaced(name, "{i}", std::to_string(first + i));
                device.kind = KindId(static_cast<std::size_t>(kind - m_cluster.m_kinds.begin()));
                device.host = text(json, place, "host", "");
                if (m_cluster.findDevice(device.name).valid())
                    bad("{}: a device named \"{}\" is there already", place, device.name);
                devices.push_back(std::move(device));
                m_switches.push_back(text(json, place, "switch", ""));
            }
        }
        if (devices.empty())
            bad("devices must list at least one device");
    }

    void channels(const Json& root) {
        std::size_t index = 0;
        for (const Json& json : array(root, kRoot, "channels")) {
            m_place = fmt::format("channels[{}]", index++);
            knownKeys(json, m_place,
                      {"name", "per_device", "per_switch", "per_host", "per_pair", "same", "different", "links",
                       "bandwidth", "latency_ns", "sources"});
            m_channel.bandwidth = number(json, m_place, "bandwidth", 1);
            m_channel.latencyNs = whole(json, m_place, "latency_ns", 0);
            checkSources(json, m_place);
            if ((json.contains("same") || json.contains("different")) && !json.contains("per_pair"))
                bad("{}: same and different go with per_pair only", m_place);
            for (const std::string& name : namesOf(json)) {
                const std::size_t before = m_cluster.m_channels.size();
                std::size_t rules = 0;
                for (const auto& [key, make] : kRules) {
                    if (json.contains(key)) {
                        (this->*make)(name, json);
                        ++rules;
                    }
                }
                if (rules > 1)
                    bad("{} has more than one of per_device, per_switch, per_host, per_pair and links", m_place);
                if (rules == 0)
                    addChannel(name);
                if (m_cluster.m_channels.size() == before)
                    bad("{} makes no channel: nothing has that name", m_place);
            }
        }
    }

    /// One name, or a list of names for channels that are alike, e.g. the two directions of a link.
    [[nodiscard]] std::vector<std::string> namesOf(const Json& json) const {
        const auto it = json.find("name");
        if (it == json.end() || !it->is_array())
            return {text(json, m_place, "name")};
        std::vector<std::string> names;
        for (const Json& name : *it) {
            if (!name.is_string())
                bad("{}.name must be a text or a list of texts", m_place);
            names.push_back(name);
        }
        if (names.empty())
            bad("{}.name is an empty list", m_place);
        return names;
    }

    void perDevice(const std::string& name, const Json& json) {
        const std::string pattern = text(json, m_place, "per_device");
        for (const Device& device : m_cluster.m_devices) {
            if (matches(pattern, device.name))
                addChannel(replaced(name, "{device}", device.name));
        }
    }

    void perSwitch(const std::string& name, const Json& json) {
        const std::string pattern = text(json, m_place, "per_switch");
        std::set<std::string> seen;
        for (const std::string& s : m_switches) {
            if (!s.empty() && matches(pattern, s) && seen.insert(s).second)
                addChannel(replaced(name, "{switch}", s));
        }
    }

    void perHost(const std::string& name, const Json& json) {
        const std::string pattern = text(json, m_place, "per_host");
        std::set<std::string> seen;
        for (const Device& device : m_cluster.m_devices) {
            if (matches(pattern, device.host) && seen.insert(device.host).second)
                addChannel(replaced(name, "{host}", device.host));
        }
    }

    void perPair(const std::string& name, const Json& json) {
        const auto [from, to] = pairOf(json["per_pair"]);
        const Pairs pairs = pairsOf(json, from, to);
        forEachPair(pairs, [&](std::size_t f, std::size_t t) { addChannel(forPair(name, f, t)); });
    }

    void links(const std::string& name, const Json& json) {
        for (const Json& entry : array(json, m_place, "links")) {
            const auto [a, b] = pairOf(entry);
            const DeviceId one = m_cluster.findDevice(a);
            const DeviceId other = m_cluster.findDevice(b);
            if (!one.valid() || !other.valid())
                bad("{}.links: there is no device \"{}\"", m_place, one.valid() ? b : a);
            if (one == other)
                bad("{}.links: \"{}\" is linked to itself", m_place, a);
            addChannel(forPair(name, one.index(), other.index()));
            addChannel(forPair(name, other.index(), one.index()));
        }
    }

    void addChannel(std::string name) {
        if (!m_channelIds.try_emplace(name, ChannelId(m_cluster.m_channels.size())).second)
            bad("{}: a channel named \"{}\" is there already", m_place, name);
        m_channel.name = std::move(name);
        m_cluster.m_channels.push_back(m_channel);
    }

    void routes(const Json& root) {
        const std::size_t n = m_cluster.m_devices.size();
        m_cluster.m_routes.resize(n * n);
        std::size_t index = 0;
        for (const Json& json : array(root, kRoot, "routes")) {
            m_place = fmt::format("routes[{}]", index++);
            knownKeys(json, m_place, {"from", "to", "same", "different", "via", "where_present"});
            const Pairs pairs = pairsOf(json, text(json, m_place, "from"), text(json, m_place, "to"));
            const bool wherePresent = flag(json, m_place, "where_present");
            const auto via = json.find("via");
            if (via == json.end() || !via->is_array() || via->empty())
                bad("{}.via must list the channels of the route", m_place);
            forEachPair(pairs, [&](std::size_t f, std::size_t t) {
                std::vector<ChannelId> route = routeVia(*via, f, t, wherePresent);
                if (!route.empty()) // a later rule replaces an earlier one
                    m_cluster.m_routes[f * n + t] = std::move(route);
            });
        }
        for (std::size_t f = 0; f < n; ++f) {
            for (std::size_t t = 0; t < n; ++t) {
                if (f != t && m_cluster.m_routes[f * n + t].empty())
                    bad("there is no route from {} to {}", m_cluster.m_devices[f].name, m_cluster.m_devices[t].name);
            }
        }
    }

    /// Empty when a channel is not there and the rule is for where they are.
    [[nodiscard]] std::vector<ChannelId> routeVia(const Json& via, std::size_t f, std::size_t t,
                                                  bool wherePresent) const {
        std::vector<ChannelId> route;
        for (const Json& entry : via) {
            if (!entry.is_string())
                bad("{}.via must be a list of channel names", m_place);
            const std::string name = forPair(entry.get<std::string>(), f, t);
            const auto channel = m_channelIds.find(name);
            if (channel == m_channelIds.end() && wherePresent)
                return {};
            if (channel == m_channelIds.end())
                bad("{}.via: there is no channel \"{}\"", m_place, name);
            if (std::ranges::count(route, channel->second) > 0)
                bad("{}.via: the channel \"{}\" is there twice from {} to {}", m_place, name,
                    m_cluster.m_devices[f].name, m_cluster.m_devices[t].name);
            route.push_back(channel->second);
        }
        return route;
    }

    /// Which ordered pairs of devices a rule is for.
    struct Pairs {
        std::string from, to;        ///< name patterns
        std::string same, different; ///< "host", "switch" or empty: what both must share, or must not
    };

    [[nodiscard]] Pairs pairsOf(const Json& json, std::string from, std::string to) const {
        Pairs pairs{std::move(from), std::move(to), text(json, m_place, "same", ""),
                    text(json, m_place, "different", "")};
        for (const std::string& pattern : {pairs.from, pairs.to}) {
            if (std::ranges::none_of(m_cluster.m_devices, [&](const Device& d) { return matches(pattern, d.name); }))
                bad("{}: no device is named \"{}\"", m_place, pattern);
        }
        for (const std::string& what : {pairs.same, pairs.different}) {
            if (!what.empty() && what != "host" && what != "switch")
                bad("{}: same and different must be host or switch, not \"{}\"", m_place, what);
        }
        return pairs;
    }

    template <class Do>
    void forEachPair(const Pairs& pairs, const Do& action) {
        const auto& devices = m_cluster.m_devices;
        for (std::size_t f = 0; f < devices.size(); ++f) {
            for (std::size_t t = 0; t < devices.size(); ++t) {
                if (f != t && matches(pairs.from, devices[f].name) && matches(pairs.to, devices[t].name) &&
                    (pairs.same.empty() || share(pairs.same, f, t)) &&
                    (pairs.different.empty() || !share(pairs.different, f, t)))
                    action(f, t);
            }
        }
    }

    /// A device without a switch shares it with nobody; devices without a host are in the one host there is.
    [[nodiscard]] bool share(const std::string& what, std::size_t f, std::size_t t) const {
        if (what == "host")
            return m_cluster.m_devices[f].host == m_cluster.m_devices[t].host;
        return !m_switches[f].empty() && m_switches[f] == m_switches[t];
    }

    [[nodiscard]] std::string forPair(std::string name, std::size_t f, std::size_t t) const {
        const Device& from = m_cluster.m_devices[f];
        const Device& to = m_cluster.m_devices[t];
        for (const auto& [what, with] :
             std::initializer_list<std::pair<std::string_view, std::string_view>>{{"{from}", from.name},
                                                                                  {"{to}", to.name},
                                                                                  {"{from.host}", from.host},
                                                                                  {"{to.host}", to.host},
                                                                                  {"{from.switch}", m_switches[f]},
                                                                                  {"{to.switch}", m_switches[t]}})
            name = replaced(std::move(name), what, with);
        return name;
    }

    [[nodiscard]] std::pair<std::string, std::string> pairOf(const Json& json) const {
        if (!json.is_array() || json.size() != 2 || !json[0].is_string() || !json[1].is_string())
            bad("{} must be given pairs of names, e.g. [\"gpu:0\", \"gpu:1\"]", m_place);
        return {json[0], json[1]};
    }

    using Rule = void (ClusterParser::*)(const std::string& name, const Json& json);
    static constexpr std::array<std::pair<const char*, Rule>, 5> kRules{{{"per_device", &ClusterParser::perDevice},
                                                                         {"per_switch", &ClusterParser::perSwitch},
                                                                         {"per_host", &ClusterParser::perHost},
                                                                         {"per_pair", &ClusterParser::perPair},
                                                                         {"links", &ClusterParser::links}}};
    static constexpr std::int64_t kMaxDevices = 256;

    Cluster m_cluster;
    std::unordered_map<std::string, ChannelId> m_channelIds;
    std::vector<std::string> m_switches; ///< per device, what it hangs on; empty: the host itself
    std::string m_place;                 ///< the entry being read, for errors
    Channel m_channel;                   ///< the figures of the channels being made
};

Result<Cluster> Cluster::parse(std::string_view json, std::string_view origin) {
    try {
        const Json root = parseUnique(json);
        std::string stem(origin.substr(origin.rfind('/') + 1));
        stem = stem.substr(0, stem.rfind('.'));
        Cluster cluster = ClusterParser().parse(root, stem);
        cluster.m_source = json;
        cluster.m_hash = contentHash(json);
        return cluster;
    } catch (const BadJson& error) {
        return fail("{}: {}.", origin, printable(error.what()));
    } catch (const Json::parse_error& error) {
        // `byte` counts from 1 and points at the last character read, behind the end when the file is cut short.
        const std::string_view before = json.substr(0, error.byte - std::min<std::size_t>(error.byte, 1));
        const std::size_t newline = before.rfind('\n');
        return fail("{}: not valid JSON at line {}, column {}.", origin, std::ranges::count(before, '\n') + 1,
                    before.size() - (newline == std::string_view::npos ? 0 : newline + 1) + 1);
    } catch (const Json::out_of_range&) {
        return fail("{}: a number in it is too large.", origin);
    }
}

} // namespace opscape
