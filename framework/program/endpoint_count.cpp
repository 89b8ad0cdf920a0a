#include <seam/framework/program/endpoint_count.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/framework/program/decimal.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <vector>

namespace seam::detail {
namespace {

constexpr char const* variable = "SEAM_ENDPOINTS";

/// The number of --endpoints; 0: the environment's.
constinit int wished_count = 0;

std::optional<int> count_in(std::string_view text) {
  auto const count = decimal<int>(text);
  return count && *count >= 1 && *count <= most_endpoints ? count : std::nullopt;
}

[[noreturn]] void refuse_counts(std::string_view text, int num_processes) {
  refuse(
      fmt::format("{} '{}' (expected a number from 1 to {}, or {} of them, one for each process, "
                  "with commas between)",
                  variable, text, most_endpoints, num_processes));
}

/// The number for process `rank` in a list.
int count_in_list(std::string_view list, int rank, int num_processes) {
  std::vector<int> counts;
  for (std::size_t begin = 0; begin <= list.size();) {
    std::size_t const end = std::min(list.find(',', begin), list.size());
    auto const count = count_in(list.substr(begin, end - begin));
    if (!count)
      refuse_counts(list, num_processes);
    counts.push_back(*count);
    begin = end + 1;
  }
  if (std::ssize(counts) != 1 && std::ssize(counts) != num_processes)
    refuse_counts(list, num_processes);
  return counts.size() == 1 ? counts.front() : counts[rank];
}

} // namespace

bool names_endpoints(int argc, char const* const* argv) noexcept {
  return std::getenv(variable) != nullptr ||
         std::any_of(argv, argv + argc, [](char const* argument) {
           return std::string_view(argument).starts_with("--endpoints");
         });
}

void set_endpoint_count(int count) noexcept { wished_count = count; }

int endpoint_count(mpi::comm_view processes) {
  int const own = collectively(processes, [&] {
    if (wished_count > 0)
      return wished_count;
    char const* const text = std::getenv(variable);
    return text == nullptr ? 0 : count_in_list(text, processes.rank(), processes.size());
  });
  // One for each process is the process itself. A process whose environment does not say how many
  // has one, if another's does.
  return mpi::allreduce(processes, own, MPI_MAX) <= 1 ? 0 : std::max(own, 1);
}

} // namespace seam::detail
