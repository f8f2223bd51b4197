// SPDX-License-Identifier: MIT
#pragma once

namespace opscape {

/// Empties what is no longer needed and gives its memory back, which `= {}` does not do to a vector.
template <class... T>
void makeRoom(T&... all) {
    ((all = T()), ...);
}

} // namespace opscape
