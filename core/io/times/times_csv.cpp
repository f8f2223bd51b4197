// SPDX-License-Identifier: MIT
#include <opscape/base/text.h>
#include <opscape/base/units.h>
#include <opscape/io/times/times_readers.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

namespace opscape {
namespace {

constexpr double kNsPerUs = 1000;
constexpr double kLongestUs = 1e15;
constexpr std::size_t kMostColumns = 256;

/// The fields of the next line. A field may stand in quotes, in which two quotes are one, and which may hold line ends.
class CsvLines {
public:
    explicit CsvLines(std::string_view text) : m_text(text) {
        if (m_text.starts_with("\xef\xbb\xbf"))
            m_at = 3;
    }

    /// The line at which the last fields began, from 1.
    [[nodiscard]] std::size_t line() const { return m_line; }

    bool next(std::vector<std::string>& fields) {
        fields.clear();
        if (m_at >= m_text.size())
            return false;
        m_line = m_nextLine;
        std::string field;
        bool quoted = false;
        for (; m_at < m_text.size(); ++m_at) {
            const char c = m_text[m_at];
            m_nextLine += c == '\n' ? 1 : 0;
            if (quoted ? c == '"' : c == '"' && field.empty()) {
                if (quoted && m_at + 1 < m_text.size() && m_text[m_at + 1] == '"')
                    field += m_text[++m_at];
                else
                    quoted = !quoted;
            } else if (!quoted && c == ',' && fields.size() < kMostColumns) {
                fields.push_back(std::move(field));
                field.clear();
            } else if (!quoted && c == '\n') {
                ++m_at;
                break;
            } else {
                field += c;
            }
        }
        if (field.ends_with('\r'))
            field.pop_back();
        fields.push_back(std::move(field));
        return true;
    }

private:
    std::string_view m_text;
    std::size_t m_at = 0, m_line = 0, m_nextLine = 1;
};

std::string columnName(std::string_view field) {
    std::string name = lowerCase(field);
    std::erase(name, ' ');
    return name;
}

} // namespace

Result<MeasuredTimes> readTimesCsv(std::string_view bytes, const std::string& origin) {
    CsvLines lines(bytes);
    std::vector<std::string> fields;
    std::optional<std::size_t> opColumn, deviceColumn, timeColumn;
    if (lines.next(fields)) {
        for (std::size_t i = 0; i < fields.size(); ++i) {
            const std::string name = columnName(fields[i]);
            if (name == "op")
                opColumn = i;
            else if (name == "device")
                deviceColumn = i;
            else if (name == "time_us")
                timeColumn = i;
        }
    }
    if (!opColumn || !timeColumn)
        return fail("{}: neither a TensorFlow StepStats nor a Chrome trace, and no table of times: its first line must "
                    "read op,device,time_us.",
                    origin);
    MeasuredTimes times;
    times.format = "csv";
    const std::size_t columns = fields.size();
    while (lines.next(fields)) {
        if (fields.size() == 1 && fields[0].empty())
            continue;
        if (fields.size() != columns)
            return fail("{}: line {}: there are {} fields, but the first line has {}.", origin, lines.line(),
                        fields.size(), columns);
        const std::string& text = fields[*timeColumn];
        double us = -1;
        const auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), us);
        if (ec != std::errc() || end != text.data() + text.size() || !(us >= 0 && us <= kLongestUs))
            return fail("{}: line {}: time_us is \"{}\"; it must be a number from 0 to {}.", origin, lines.line(),
                        elide(printable(text), 80), kLongestUs);
        if (fields[*opColumn].empty())
            return fail("{}: line {}: the op has no name.", origin, lines.line());
        MeasuredTime row;
        row.op = toUtf8(fields[*opColumn]);
        row.kind = kindOfDevice(deviceColumn ? toUtf8(fields[*deviceColumn]) : std::string());
        row.ns = std::llround(us * kNsPerUs);
        times.rows.push_back(std::move(row));
    }
    return times;
}

} // namespace opscape
