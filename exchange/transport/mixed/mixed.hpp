/// The mixed transport carries some steps by one transport and the others by another.
#pragma once

#include <seam/exchange/schedule/detail/schedule.hpp>
#include <seam/exchange/transport/transport.hpp>

namespace seam {

/// Some of the steps of a schedule.
struct step_choice {
  std::vector<bool> sends, receives; ///< [sends], [receives]: true if the step is chosen
};

/// Chooses the steps of `all` for which wanted(peer, bytes) is true. Local.
step_choice steps_with(schedule const& all,
                       std::function<bool(int peer, std::int64_t bytes)> const& wanted);

/// `all` with the chosen sends and receives alone. Local.
schedule part_of(schedule const& all, step_choice const& chosen);

/// Carries the chosen steps of `all` by the transport of `near`, and the others by that of `far`.
///
/// @param staging  [all.staging_bytes] as for both of these
/// Local.
std::unique_ptr<transport> make_mixed_transport(schedule const& all, std::byte* staging,
                                                step_choice const& chosen,
                                                transport_maker const& near,
                                                transport_maker const& far);

} // namespace seam
