// SPDX-License-Identifier: MIT
#include "gui/search_subject.h"

namespace opscape {

SearchSubject SearchSubject::of(std::shared_ptr<const OpenedGraph> opened, ShownRunPtr run) {
    auto words = std::make_shared<const GraphWords>(*opened->graph, *opened->scopes);
    return {std::move(opened), std::move(run), std::move(words)};
}

QueryFacts SearchSubject::facts() const {
    QueryFacts facts{.graph = opened->graph.get(), .scopes = opened->scopes.get(), .words = words.get()};
    if (run) {
        facts.cluster = &run->cluster();
        facts.cost = run->problem().cost.get();
        facts.plan = &run->outcome->plan;
        facts.schedule = &run->outcome->schedule;
        facts.critical = &run->onCritical;
    }
    return facts;
}

} // namespace opscape
