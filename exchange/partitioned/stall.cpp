#include <seam/exchange/partitioned/stall.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>

namespace seam::detail {
namespace {

constexpr std::ptrdiff_t most_listed = 8;

std::string edge_of(part_end const& end, char const* direction) {
  return end.edge == part_end::no_edge ? "" : fmt::format(" {} {}", direction, end.edge);
}

} // namespace

std::string list_of_partitions(std::vector<int> const& partitions) {
  auto const listed = std::span(partitions).first(std::min(std::ssize(partitions), most_listed));
  return fmt::format("partition{} {}{}", partitions.size() == 1 ? "" : "s", fmt::join(listed, ", "),
                     std::ssize(partitions) > most_listed ? ", ..." : "");
}

std::string missing_of(partitioned_parts const& parts) {
  std::string line = parts.name;
  for (part_end const& end : parts.leaving)
    if (auto const missing = end.of->not_ready(); !missing.empty())
      line +=
          fmt::format("; {}{} not marked ready", list_of_partitions(missing), edge_of(end, "to"));
  for (part_end const& end : parts.arriving)
    if (auto const missing = end.of->not_arrived(); !missing.empty())
      line += fmt::format("; {}{} not arrived", list_of_partitions(missing), edge_of(end, "from"));
  return line;
}

} // namespace seam::detail
