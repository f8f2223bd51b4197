// SPDX-License-Identifier: MIT
// What people add to runs: notes, tags, a pin, the bin.
#include <opscape/store/run_database.h>
#include <opscape/store/run_rows.h>
#include <opscape/store/run_store_impl.h>

#include <algorithm>

namespace opscape {
namespace {

std::string lowerAscii(std::string_view text) {
    std::string lower(text);
    for (char& c : lower)
        c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    return lower;
}

bool partsTags(char c) { return c == ',' || c == ' ' || (c >= '\t' && c <= '\r'); }

std::int64_t nowMs() {
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
}

} // namespace

std::vector<std::string> parseTags(std::string_view text) {
    std::vector<std::string> tags;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t from = at;
        while (at < text.size() && !partsTags(text[at]))
            ++at;
        if (at > from)
            tags.emplace_back(text.substr(from, at - from));
        else
            ++at;
    }
    std::ranges::stable_sort(tags, {}, lowerAscii);
    const auto repeated = std::ranges::unique(tags, {}, lowerAscii);
    tags.erase(repeated.begin(), repeated.end());
    return tags;
}

Result<> RunStore::Impl::ofEach(std::span<const std::int64_t> ids,
                                const std::function<Result<>(std::int64_t)>& act) const {
    auto transaction = Transaction::begin(database);
    if (!transaction)
        return fail(transaction.error());
    Statement there(database, "SELECT 1 FROM runs WHERE id = ?");
    for (const std::int64_t id : ids) {
        there.reset();
        auto found = there.bind(id).step();
        if (!found)
            return fail(found.error());
        if (!*found)
            return noRun(id);
        there.reset();
        if (auto done = act(id); !done)
            return done;
    }
    return transaction->commit();
}

Result<> RunStore::setNotes(std::int64_t id, std::string_view notes) {
    return m_impl->ofEach(std::span(&id, 1), [&](std::int64_t run) {
        return Statement(m_impl->database, "UPDATE runs SET notes = ? WHERE id = ?").bind(notes, run).run();
    });
}

Result<> RunStore::setPinned(std::span<const std::int64_t> ids, bool pinned) {
    return m_impl->ofEach(ids, [&](std::int64_t id) {
        return Statement(m_impl->database, "UPDATE runs SET pinned = ? WHERE id = ?").bind(pinned, id).run();
    });
}

Result<> RunStore::changeTags(std::span<const std::int64_t> ids, std::span<const std::string> add,
                              std::span<const std::string> drop) {
    return m_impl->ofEach(ids, [&](std::int64_t id) {
        Result<> done;
        for (std::size_t i = 0; done && i < drop.size(); ++i)
            done = Statement(m_impl->database, "DELETE FROM run_tags WHERE run_id = ? AND tag = ?")
                       .bind(id, drop[i])
                       .run();
        return done ? insertTags(m_impl->database, id, add) : done;
    });
}

Result<> RunStore::discard(std::span<const std::int64_t> ids) {
    const Database& database = m_impl->database;
    if (auto died = markDied(database); !died) // a run that nobody goes on with can be deleted
        return fail(died.error());
    return m_impl->ofEach(ids, [&](std::int64_t id) -> Result<> {
        auto done = Statement(database, "UPDATE runs SET deleted_ms = ? WHERE id = ? AND status <> 'running'")
                        .bind(nowMs(), id)
                        .run();
        if (done && database.changes() == 0)
            return fail("run {} is still going on; stop it, then delete it.", id);
        return done;
    });
}

Result<> RunStore::bringBack(std::span<const std::int64_t> ids) {
    return m_impl->ofEach(ids, [&](std::int64_t id) {
        return Statement(m_impl->database, "UPDATE runs SET deleted_ms = 0 WHERE id = ?").bind(id).run();
    });
}

Result<std::vector<std::int64_t>> RunStore::bin() const {
    Statement query(m_impl->database, "SELECT id FROM runs WHERE deleted_ms > 0 ORDER BY id");
    std::vector<std::int64_t> ids;
    for (;;) {
        auto row = query.step();
        if (!row)
            return fail(row.error());
        if (!*row)
            return ids;
        ids.push_back(query.integer(0));
    }
}

Result<std::size_t> RunStore::purge(std::span<const std::int64_t> ids) {
    const Database& database = m_impl->database;
    auto transaction = Transaction::begin(database);
    if (!transaction)
        return fail(transaction.error());
    std::vector<std::int64_t> gone;
    Statement purge(database, "DELETE FROM runs WHERE id = ? AND deleted_ms > 0");
    for (const std::int64_t id : ids) {
        purge.reset();
        if (auto done = purge.bind(id).run(); !done)
            return fail(done.error());
        if (database.changes() > 0)
            gone.push_back(id);
    }
    purge.reset();
    auto done = gone.empty() ? Result<>() : dropUnused(database);
    if (done)
        done = transaction->commit();
    if (!done)
        return fail(done.error());
    std::error_code ec; // files that stay are no reason to keep the runs
    for (const std::int64_t id : gone)
        std::filesystem::remove_all(folderOf(file(), id), ec);
    return gone.size();
}

} // namespace opscape
