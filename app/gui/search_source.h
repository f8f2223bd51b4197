// SPDX-License-Identifier: MIT
// What the searches of a window look at, kept up to date: one for each session, so that the words of a graph are made
// once for all of them.
#pragma once

#include "gui/search_subject.h"
#include "gui/session.h"

#include <optional>

namespace opscape {

class SearchSource : public QObject {
    Q_OBJECT
public:
    /// That of the session, made when it is first asked for; lives as long as the session.
    [[nodiscard]] static SearchSource& of(Session& session);

    /// The open graph with the run of it that is shown; null while no graph is open.
    [[nodiscard]] const SearchSubject* subject();

private:
    explicit SearchSource(Session& session);

    Session& m_session;
    std::optional<SearchSubject> m_subject; ///< made when first needed
};

} // namespace opscape
