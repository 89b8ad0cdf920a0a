/// The mixed transport: some steps by one transport, the others by another.
#pragma once

#include <seam/exchange/engine.hpp>

namespace seam {

/// The steps of `all` between this process and the peers for which `wanted` is true. Local.
schedule steps_with(schedule const& all, std::function<bool(int)> const& wanted);

/// Carries the steps of `all` with peers that `is_near` by what `near` makes of them, the others by
/// what `far` does. `staging` as for both of these. Local.
std::unique_ptr<transport> make_mixed_transport(schedule const& all, std::byte* staging,
                                                std::function<bool(int)> const& is_near,
                                                transport_maker const& near,
                                                transport_maker const& far);

} // namespace seam
