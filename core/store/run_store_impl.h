// SPDX-License-Identifier: MIT
// What a RunStore is made of, for the files that implement it. Internal to the store.
#pragma once

#include <opscape/store/database.h>
#include <opscape/store/run_store.h>

namespace opscape {

struct RunStore::Impl {
    Database database;

    [[nodiscard]] tl::unexpected<Error> noRun(std::int64_t id) const {
        return fail("{}: there is no run {}.", database.file().string(), id);
    }
    /// A compressed text by its key: the one row of `sql`, (size, bytes). None when there is no row.
    [[nodiscard]] Result<std::optional<std::string>> text(std::string_view sql, const auto& key,
                                                          std::string_view what) const;
    /// To write of the curve of a run: under the write lock, the run is there, and is listed as one that learns.
    [[nodiscard]] Result<Transaction> beginLearning(std::int64_t id) const;
};

} // namespace opscape
