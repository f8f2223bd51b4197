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
    /// None when the run has no plan.
    [[nodiscard]] Result<std::optional<std::string>> planJson(std::int64_t id) const;
    /// Does something to each of the runs, in one transaction; where one is not there or is refused, to none.
    [[nodiscard]] Result<> ofEach(std::span<const std::int64_t> ids,
                                  const std::function<Result<>(std::int64_t)>& act) const;
    /// To write of the curve of a run: under the write lock, the run is there, and is listed as one that learns.
    [[nodiscard]] Result<Transaction> beginLearning(std::int64_t id) const;
};

} // namespace opscape
