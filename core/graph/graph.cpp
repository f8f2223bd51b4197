// SPDX-License-Identifier: MIT
#include <opscape/graph/graph.h>

namespace opscape {

bool operator==(const Graph& a, const Graph& b) {
    return a.m_name == b.m_name && a.m_ops == b.m_ops && a.m_tensors == b.m_tensors && a.m_producer == b.m_producer &&
           a.m_inputs == b.m_inputs && a.m_outputs == b.m_outputs && a.m_controlOut == b.m_controlOut;
}

} // namespace opscape
