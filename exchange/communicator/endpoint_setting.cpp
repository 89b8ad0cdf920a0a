#include <seam/exchange/communicator/endpoint_setting.hpp>

#include <seam/exchange/ground/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <string_view>
#include <system_error>
#include <vector>

namespace seam::detail {
namespace {

std::optional<int> count_in(std::string_view text) {
  int count = 0;
  char const* const end = text.data() + text.size();
  auto const [behind, trouble] = std::from_chars(text.data(), end, count);
  bool const is_count =
      trouble == std::errc() && behind == end && count >= 1 && count <= most_endpoints;
  return is_count ? std::optional(count) : std::nullopt;
}

[[noreturn]] void refuse_counts(std::string_view text, int num_processes) {
  refuse(
      fmt::format("{} '{}' (expected a number from 1 to {}, or {} of them, one for each process, "
                  "with commas between)",
                  variable_of_endpoints, text, most_endpoints, num_processes));
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

std::optional<int> endpoints_of_environment(mpi::comm_view processes) {
  char const* const text = std::getenv(variable_of_endpoints);
  return text == nullptr ? std::nullopt
                         : std::optional(count_in_list(text, processes.rank(), processes.size()));
}

} // namespace seam::detail
