// SPDX-License-Identifier: MIT
// A module as a compiler hands it on, fused and scheduled, for tests of what a file says of a plan.
#pragma once

#include <string_view>

namespace opscape::test {

/// first -> fusion/{tanh, negate} -> second, and beside it late, which depends on nothing and comes last.
inline constexpr std::string_view kScheduledModule =
    R"(HloModule step, is_scheduled=true

fused {
  p = f32[512,512] parameter(0)
  tanh = f32[512,512] tanh(p)
  ROOT negate = f32[512,512] negate(tanh)
}

ENTRY main {
  x = f32[512,512] parameter(0)
  first = f32[512,512] dot(x, x), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  fusion = f32[512,512] fusion(first), kind=kLoop, calls=fused
  second = f32[512,512] dot(fusion, x), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  late = f32[512,512] exponential(x)
  ROOT out = f32[512,512] add(second, late)
}
)";

} // namespace opscape::test
