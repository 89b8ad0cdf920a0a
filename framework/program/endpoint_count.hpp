/// The number of endpoints that a program is asked for: by --endpoints, or by SEAM_ENDPOINTS.
///
///     SEAM_ENDPOINTS=2          two for each process
///     SEAM_ENDPOINTS=2,3,1      by process, whose number the list has to have
///     --endpoints 2             two for each process, whatever the environment says
#pragma once

#include <seam/exchange/communicator/endpoint_setting.hpp>
#include <seam/framework/program/last_words.hpp>
#include <seam/framework/program/runtime.hpp>

#include <functional>
#include <optional>

namespace seam::detail {

/// True if main's arguments or the environment name endpoints, whatever their number. MPI then has
/// to run with MPI_THREAD_MULTIPLE. Local.
bool names_endpoints(int argc, char const* const* argv) noexcept;

/// Sets the number that --endpoints asks for.
void set_endpoint_count(int count) noexcept;

/// The number of endpoints of this process; 0 on all if none are asked for, or one for each process,
/// which is the process itself.
/// @throws usage_error  on all processes: SEAM_ENDPOINTS is no number from 1 to most_endpoints, nor
///         a list of as many as there are processes
/// Collective: over `processes`.
int endpoint_count(mpi::comm_view processes);

/// Makes `how_many` endpoints, and runs `body` on each with a Runtime of its own.
///
/// @return  the error of the first endpoint of this process that has one, if all endpoints of the
///          process have come to their ends; one that leaves others waiting ends the job
/// Collective: over runtime.world(); `how_many` may differ.
std::optional<job_error> run_on_endpoints(Runtime& runtime, int how_many,
                                          std::function<void(Runtime&)> const& body);

} // namespace seam::detail
