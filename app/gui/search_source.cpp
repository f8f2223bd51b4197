// SPDX-License-Identifier: MIT
#include "gui/search_source.h"

namespace opscape {

SearchSource::SearchSource(Session& session) : QObject(&session), m_session(session) {}

SearchSource& SearchSource::of(Session& session) {
    auto* source = session.findChild<SearchSource*>({}, Qt::FindDirectChildrenOnly);
    return source != nullptr ? *source : *new SearchSource(session);
}

const SearchSubject* SearchSource::subject() {
    if (!m_session.opened())
        m_subject.reset();
    else if (!m_subject || m_subject->opened != m_session.opened())
        m_subject = SearchSubject::of(m_session.opened(), m_session.shown());
    else
        m_subject->run = m_session.shown();
    return m_subject ? &*m_subject : nullptr;
}

} // namespace opscape
