// SPDX-License-Identifier: MIT
// The file: eight bytes that say what it is, the version of the format, the length and the hash of the rest, and the
// rest, number by number in the order of `visit` below, little-endian as the machines we run on. One function both
// writes and reads, so the two cannot disagree.
#include <opscape/base/hash.h>
#include <opscape/base/paths.h>
#include <opscape/rl/checkpoint.h>

#include <cstring>

namespace opscape::rl {
namespace {

constexpr std::string_view kMagic = "OPSCAPRL";
constexpr std::uint32_t kFormat = 3;
constexpr std::size_t kHashDigits = 32;

class Writer {
public:
    static constexpr bool kReads = false;
    std::string bytes;

    void raw(const void* data, std::size_t size) { bytes.append(static_cast<const char*>(data), size); }
    [[nodiscard]] bool size(std::size_t& count, std::size_t) {
        const std::uint64_t value = count;
        raw(&value, sizeof value);
        return true;
    }
};

class Reader {
public:
    static constexpr bool kReads = true;
    explicit Reader(std::string_view bytes) : m_left(bytes) {}

    void raw(void* data, std::size_t size) {
        if (m_left.size() < size) {
            m_isShort = true;
            return;
        }
        std::memcpy(data, m_left.data(), size);
        m_left.remove_prefix(size);
    }
    /// False when there cannot be as many.
    [[nodiscard]] bool size(std::size_t& count, std::size_t least) {
        std::uint64_t value = 0;
        raw(&value, sizeof value);
        m_isShort = m_isShort || value > m_left.size() / least;
        count = m_isShort ? 0 : value;
        return !m_isShort;
    }
    [[nodiscard]] bool isWhole() const { return !m_isShort && m_left.empty(); }

private:
    std::string_view m_left;
    bool m_isShort = false;
};

template <class File, class T>
requires std::is_arithmetic_v<T> || std::is_enum_v<T>
void visit(File& file, T& value) { file.raw(&value, sizeof value); }

template <class File, class Tag>
void visit(File& file, Id<Tag>& id) {
    visit(file, id.value);
}

template <class File>
void visit(File& file, std::string& text) {
    std::size_t count = text.size();
    if (file.size(count, 1)) {
        text.resize(count);
        file.raw(text.data(), count);
    }
}

template <class File, class T>
void visit(File& file, std::vector<T>& values) {
    std::size_t count = values.size();
    if (!file.size(count, 1))
        return;
    values.resize(count);
    for (T& value : values)
        visit(file, value);
}

template <class File, class T>
void visit(File& file, std::map<std::string, T>& values) {
    std::size_t count = values.size();
    if (!file.size(count, 1))
        return;
    if constexpr (File::kReads) {
        for (std::size_t i = 0; i < count; ++i) {
            std::string name;
            visit(file, name);
            visit(file, values[name]);
        }
    } else {
        for (auto& [name, value] : values) {
            std::string copy = name;
            visit(file, copy);
            visit(file, value);
        }
    }
}

template <class File>
void visit(File& file, Score& score) {
    visit(file, score.timeNs);
    visit(file, score.costNs);
    visit(file, score.feasible);
}

template <class File>
void visit(File& file, NamedTime& time) {
    visit(file, time.name);
    visit(file, time.ns);
}

template <class File>
void visit(File& file, Elite& elite) {
    visit(file, elite.actions);
    visit(file, elite.score);
}

template <class File>
void visit(File& file, Plan& plan) {
    visit(file, plan.device);
    visit(file, plan.policy);
    visit(file, plan.priority);
    visit(file, plan.fusionGroup);
}

template <class File>
void visit(File& file, ScoredPlan& scored) {
    visit(file, scored.plan);
    visit(file, scored.score);
}

template <class File>
void visit(File& file, std::optional<ScoredPlan>& scored) {
    bool isThere = scored.has_value();
    visit(file, isThere);
    if (isThere)
        visit(file, scored ? *scored : scored.emplace());
}

template <class File>
void visit(File& file, Checkpoint& c) {
    visit(file, c.version);
    visit(file, c.graphHash);
    visit(file, c.clusterHash);
    visit(file, c.settingHash);
    visit(file, c.network);
    visit(file, c.revisions);
    visit(file, c.seed);
    visit(file, c.update);
    visit(file, c.simulations);
    visit(file, c.seconds);
    visit(file, c.policy.parameters);
    visit(file, c.policy.adam.steps);
    visit(file, c.policy.adam.mean);
    visit(file, c.policy.adam.square);
    visit(file, c.elites);
    visit(file, c.referenceNs);
    visit(file, c.baselines);
    visit(file, c.best);
    visit(file, c.phase);
    visit(file, c.base);
    visit(file, c.simulationsBefore);
    visit(file, c.firstBaselines);
}

} // namespace

Result<> writeCheckpoint(const Checkpoint& checkpoint, const std::filesystem::path& file) {
    Writer body;
    Checkpoint copy = checkpoint;
    visit(body, copy);
    std::string bytes(kMagic);
    bytes.append(reinterpret_cast<const char*>(&kFormat), sizeof kFormat); // NOLINT: bytes of a number
    bytes += contentHash(body.bytes);
    bytes += body.bytes;
    return writeFile(file, bytes); // flushed, then renamed
}

Result<Checkpoint> readCheckpoint(const std::filesystem::path& file) {
    std::error_code ec; // a pipe would be waited for
    if (const auto status = std::filesystem::status(file, ec);
        std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
        return fail("{}: is not a file; name a checkpoint that training has written.", file.string());
    const auto bytes = readFile(file);
    if (!bytes)
        return fail(bytes.error());
    std::string_view left = *bytes;
    if (!left.starts_with(kMagic))
        return fail("{}: is not a checkpoint of Opscape; name a file that training has written.", file.string());
    left.remove_prefix(kMagic.size());
    std::uint32_t format = 0;
    if (left.size() < sizeof format + kHashDigits)
        return fail("{}: the checkpoint is cut off; take an older one or train anew.", file.string());
    std::memcpy(&format, left.data(), sizeof format);
    if (format != kFormat)
        return fail("{}: has checkpoint format {}, this version of Opscape reads {}; train anew.", file.string(),
                    format, kFormat);
    left.remove_prefix(sizeof format);
    const std::string_view hash = left.substr(0, kHashDigits);
    left.remove_prefix(kHashDigits);
    Checkpoint checkpoint;
    Reader reader(left);
    if (contentHash(left) == hash)
        visit(reader, checkpoint);
    if (contentHash(left) != hash || !reader.isWhole())
        return fail("{}: the checkpoint is damaged; take an older one or train anew.", file.string());
    return checkpoint;
}

} // namespace opscape::rl
