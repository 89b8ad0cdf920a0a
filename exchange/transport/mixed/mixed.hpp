/// The mixed transport: some steps by one transport, the others by another.
#pragma once

#include <seam/exchange/schedule/detail/schedule.hpp>
#include <seam/exchange/transport/transport.hpp>

namespace seam {

/// Some of the steps of a schedule.
struct step_choice {
  std::vector<bool> sends, receives; ///< [sends], [receives]: true if it is one of them
};

/// The steps of `all` for whose peer and bytes `wanted` is true. Local.
step_choice steps_with(schedule const& all,
                       std::function<bool(int peer, std::int64_t bytes)> const& wanted);

/// `all` with no other sends and receives than the chosen ones. Local.
schedule part_of(schedule const& all, step_choice const& chosen);

/// Carries the chosen steps of `all` by what `near` makes of them, the others by what `far` does.
/// `staging` as for both of these. Local.
std::unique_ptr<transport> make_mixed_transport(schedule const& all, std::byte* staging,
                                                step_choice const& chosen,
                                                transport_maker const& near,
                                                transport_maker const& far);

} // namespace seam
