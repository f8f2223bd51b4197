// SPDX-License-Identifier: MIT
// What a search looks at: an open graph and the run of it that is shown. Keeps them alive on worker threads.
#pragma once

#include "gui/shown_run.h"

#include <opscape/query/query.h>

namespace opscape {

struct SearchSubject {
    std::shared_ptr<const OpenedGraph> opened; ///< never null
    ShownRunPtr run;                           ///< null where there is none
    std::shared_ptr<const GraphWords> words;   ///< of the graph; never null

    [[nodiscard]] static SearchSubject of(std::shared_ptr<const OpenedGraph> opened, ShownRunPtr run);
    [[nodiscard]] QueryFacts facts() const;
};

} // namespace opscape
