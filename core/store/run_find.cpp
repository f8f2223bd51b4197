// SPDX-License-Identifier: MIT
// Which runs fit, in which order: a RunQuery becomes one SELECT of numbers, its texts and figures bound as parameters.
#include <opscape/store/run_rows.h>
#include <opscape/store/run_store_impl.h>

#include <variant>

namespace opscape {
namespace {

constexpr std::string_view kStatus =
    "CASE status WHEN 'interrupted' THEN 'died' WHEN 'running' THEN CASE WHEN EXISTS (SELECT 1 FROM run_progress WHERE "
    "run_id = runs.id AND paused = 1) THEN 'paused' ELSE status END ELSE status END";
constexpr std::string_view kMethod = "CASE optimizer WHEN '' THEN 'given plan' ELSE optimizer END";
constexpr std::string_view kTags =
    "coalesce((SELECT group_concat(tag, ' ') FROM (SELECT tag FROM run_tags WHERE run_id = runs.id ORDER BY tag)), '')";

/// What a field is in SQL: null where a run has no such figure.
std::string expression(RunField field) {
    switch (field) {
    case RunField::Id:
        return "id";
    case RunField::Graph:
        return "graph_name";
    case RunField::Cluster:
        return "cluster_id";
    case RunField::Links:
        return "link_model";
    case RunField::Optimizer:
        return std::string(kMethod);
    case RunField::Objective:
        return "objective";
    case RunField::StepTime:
        return "makespan_ns";
    case RunField::Bound:
        return "lower_bound_ns";
    case RunField::Gap:
        return "CAST(makespan_ns - lower_bound_ns AS REAL) / lower_bound_ns";
    case RunField::Peak:
        return "peak_bytes";
    case RunField::Moved:
        return "bytes_moved";
    case RunField::Status:
        return std::string(kStatus);
    case RunField::Took:
        return "wall_ms";
    case RunField::Started:
        return "started_ms";
    case RunField::Tags:
        return std::string(kTags);
    case RunField::Notes:
        return "notes";
    case RunField::Version:
        return "version";
    case RunField::Revision:
        return "revision";
    case RunField::Seed:
        return "seed";
    case RunField::Ops:
        return "ops";
    case RunField::Edges:
        return "edges";
    case RunField::Option:
        return "''";
    case RunField::Pinned:
        return "pinned";
    case RunField::Learns:
        return "learns";
    case RunField::Fits:
        return "feasible";
    case RunField::Any:
        break;
    }
    // Parted by line ends, which no word holds: a match lies within one of them.
    return fmt::format("id || char(10) || graph_name || char(10) || cluster_id || char(10) || link_model || char(10) "
                       "|| {} || char(10) || {} || char(10) || version || char(10) || notes || char(10) || error || "
                       "char(10) || {}",
                       kMethod, kStatus, kTags);
}

bool isText(RunField field) {
    switch (field) {
    case RunField::Graph:
    case RunField::Cluster:
    case RunField::Links:
    case RunField::Optimizer:
    case RunField::Objective:
    case RunField::Status:
    case RunField::Tags:
    case RunField::Notes:
    case RunField::Version:
        return true;
    default:
        return false;
    }
}

class Condition {
public:
    explicit Condition(const RunCondition& condition) : m_sql(sqlOf(condition)) {}
    [[nodiscard]] const std::string& sql() const { return m_sql; }
    void bind(Statement& statement, int first) const {
        for (const auto& value : m_values)
            std::visit([&](const auto& v) { statement.bindAt(first, v); }, value), ++first;
    }

private:
    std::string sqlOf(const RunCondition& c) {
        switch (c.kind) {
        case RunCondition::Kind::All:
            return c.parts.empty() ? "1" : joined(c, " AND ");
        case RunCondition::Kind::Any:
            return c.parts.empty() ? "0" : joined(c, " OR ");
        case RunCondition::Kind::Not:
            // What a run has not is not what is asked for either: null counts as false.
            return fmt::format("NOT coalesce({}, 0)", sqlOf(c.parts.front()));
        case RunCondition::Kind::Text:
            m_values.emplace_back(c.text);
            return textSql(c);
        case RunCondition::Kind::Number:
            if (c.isWhole)
                m_values.emplace_back(c.whole);
            else
                m_values.emplace_back(c.number);
            return fmt::format("({} {} ?)", expression(c.field), comparison(c.compare));
        }
        return "1";
    }
    std::string joined(const RunCondition& c, std::string_view by) {
        std::string sql = "(";
        for (std::size_t i = 0; i < c.parts.size(); ++i)
            sql += (i > 0 ? std::string(by) : std::string()) + sqlOf(c.parts[i]);
        return sql + ")";
    }
    static std::string textSql(const RunCondition& c) {
        const bool whole = c.compare == RunCondition::Compare::Equal;
        const auto compared = [whole](std::string_view what) {
            return whole ? fmt::format("lower({}) = lower(?)", what)
                         : fmt::format("instr(lower({}), lower(?)) > 0", what);
        };
        if (c.field == RunField::Tags)
            return fmt::format("EXISTS (SELECT 1 FROM run_tags WHERE run_id = runs.id AND {})", compared("tag"));
        if (c.field == RunField::Option)
            return fmt::format("EXISTS (SELECT 1 FROM run_options WHERE run_id = runs.id AND {})",
                               compared("name || '=' || value"));
        return fmt::format("({})", compared(expression(c.field)));
    }
    static std::string_view comparison(RunCondition::Compare compare) {
        switch (compare) {
        case RunCondition::Compare::Less:
            return "<";
        case RunCondition::Compare::LessEqual:
            return "<=";
        case RunCondition::Compare::Greater:
            return ">";
        case RunCondition::Compare::GreaterEqual:
            return ">=";
        default:
            return "=";
        }
    }

    std::vector<std::variant<std::string, double, std::int64_t>> m_values;
    std::string m_sql;
};

/// Runs without a figure come last in both directions; the newer of equal ones first.
std::string orderOf(const RunQuery& query) {
    const std::string key = expression(query.sort);
    const std::string_view direction = query.ascending ? "ASC" : "DESC";
    const std::string pinned = query.pinnedFirst ? "pinned DESC, " : "";
    if (query.sort == RunField::Id)
        return fmt::format("{}id {}", pinned, direction);
    if (isText(query.sort))
        return fmt::format("{}{} COLLATE NOCASE {}, id DESC", pinned, key, direction);
    return fmt::format("{}{} {} NULLS LAST, id DESC", pinned, key, direction);
}

} // namespace

Result<std::vector<std::int64_t>> RunStore::find(const RunQuery& query) const {
    const Condition condition(query.condition);
    Statement select(m_impl->database,
                     fmt::format("SELECT id FROM runs WHERE deleted_ms = 0 AND (?1 = '' OR graph_hash = ?1) AND {} "
                                 "ORDER BY {}",
                                 condition.sql(), orderOf(query)));
    select.bind(query.graphHash);
    condition.bind(select, 2);
    std::vector<std::int64_t> ids;
    for (;;) {
        auto row = select.step();
        if (!row)
            return fail(row.error());
        if (!*row)
            return ids;
        ids.push_back(select.integer(0));
    }
}

Result<std::vector<RunRecord>> RunStore::get(std::span<const std::int64_t> ids) const {
    RunReader reader(m_impl->database);
    std::vector<RunRecord> runs;
    for (const std::int64_t id : ids) {
        auto run = reader.read(id);
        if (!run)
            return fail(run.error());
        if (*run)
            runs.push_back(std::move(**run));
    }
    return runs;
}

Result<std::vector<RunRecord>> RunStore::list(const std::string& graphHash, std::size_t limit) const {
    RunQuery query;
    query.graphHash = graphHash;
    query.pinnedFirst = false;
    auto ids = find(query);
    if (!ids)
        return fail(ids.error());
    if (limit > 0 && ids->size() > limit)
        ids->resize(limit);
    return get(*ids);
}

Result<std::vector<RunRecord>> RunStore::listLearning(std::size_t limit) const {
    RunQuery query;
    query.pinnedFirst = false;
    query.condition.kind = RunCondition::Kind::Number;
    query.condition.field = RunField::Learns;
    query.condition.compare = RunCondition::Compare::Equal;
    query.condition.number = 1;
    auto ids = find(query);
    if (!ids)
        return fail(ids.error());
    ids->resize(std::min(ids->size(), limit));
    return get(*ids);
}

Result<std::int64_t> RunStore::count() const {
    return m_impl->database.integer("SELECT count(*) FROM runs WHERE deleted_ms = 0");
}

} // namespace opscape
