#include <seam/framework/program/endpoint_count.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/communicator/endpoint_setting.hpp>

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace seam::detail {
namespace {

/// The number of --endpoints; 0: the environment's.
constinit int wished_count = 0;

} // namespace

bool names_endpoints(int argc, char const* const* argv) noexcept {
  return std::getenv(variable_of_endpoints) != nullptr ||
         std::any_of(argv, argv + argc, [](char const* argument) {
           return std::string_view(argument).starts_with("--endpoints");
         });
}

void set_endpoint_count(int count) noexcept { wished_count = count; }

int endpoint_count(mpi::comm_view processes) {
  int const own = collectively(processes, [&] {
    if (wished_count > 0)
      return wished_count;
    return endpoints_of_environment(processes).value_or(0);
  });
  // One for each process is the process itself. A process whose environment does not say how many
  // has one, if another's does.
  return mpi::allreduce(processes, own, MPI_MAX) <= 1 ? 0 : std::max(own, 1);
}

} // namespace seam::detail
