/// The number of endpoints that the environment asks for.
///
///     SEAM_ENDPOINTS=2          two for each process
///     SEAM_ENDPOINTS=2,3,1      by process, whose number the list has to have
#pragma once

#include <seam/exchange/mpi/comm.hpp>

#include <optional>

namespace seam::detail {

/// The most endpoints of a process.
inline constexpr int most_endpoints = 1024;

/// The variable of the environment.
inline constexpr char const* variable_of_endpoints = "SEAM_ENDPOINTS";

/// The number of endpoints of this process; empty if the variable is not set here.
/// @throws usage_error  it is no number from 1 to most_endpoints, nor a list of as many as there are
///         processes
/// Local.
std::optional<int> endpoints_of_environment(mpi::comm_view processes);

} // namespace seam::detail
