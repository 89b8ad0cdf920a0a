/// The mixed transport carries the steps of a schedule by several transports.
#pragma once

#include <seam/exchange/schedule/detail/schedule.hpp>
#include <seam/exchange/transport/transport.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace seam::detail {

/// Some of the steps of a schedule.
struct step_choice {
  std::vector<bool> sends, receives; ///< [sends], [receives]: true if the step is chosen
};

/// True if a step is chosen. Local.
bool has_any(step_choice const& chosen);

/// True if all steps are chosen. Local.
bool has_all(step_choice const& chosen);

/// Chooses the steps of `all` for which wanted(peer, bytes) is true. Local.
step_choice steps_with(schedule const& all,
                       std::function<bool(int peer, std::int64_t bytes)> const& wanted);

/// `all` with only the chosen sends and receives. Local.
schedule part_of(schedule const& all, step_choice const& chosen);

/// Some of the steps of a schedule, and what makes the transport that carries them.
struct carried_steps {
  step_choice chosen;
  transport_maker make; ///< for part_of() the schedule
};

/// Carries the steps of each of `parts` by its transport.
///
/// @param staging  [all.staging_bytes] as for all of these
/// @param parts    each step of `all` is chosen by one part
/// Local.
std::unique_ptr<transport> make_mixed_transport(schedule const& all, std::byte* staging,
                                                std::span<carried_steps const> parts);

} // namespace seam::detail
