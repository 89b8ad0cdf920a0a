#include <seam/exchange/partitioned/stall.hpp>

#include <seam/exchange/error.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdlib>

namespace seam {
namespace {

constexpr std::size_t most_listed = 8;

std::string edge_of(part_end const& end, char const* direction) {
  return end.edge == part_end::no_edge ? "" : fmt::format(" {} {}", direction, end.edge);
}

} // namespace

std::optional<std::chrono::duration<double>> time_before_report() {
  char const* const text = std::getenv("SEAM_DEBUG_STALL");
  if (text == nullptr)
    return std::nullopt;
  char* end = nullptr;
  double const seconds = std::strtod(text, &end);
  if (end == text || *end != '\0' || !(seconds > 0))
    refuse(fmt::format("SEAM_DEBUG_STALL '{}' (expected a number of seconds)", text));
  return std::chrono::duration<double>(seconds);
}

std::string list_of_partitions(std::vector<int> const& partitions) {
  auto const listed = std::span(partitions).first(std::min(partitions.size(), most_listed));
  return fmt::format("partition{} {}{}", partitions.size() == 1 ? "" : "s", fmt::join(listed, ", "),
                     partitions.size() > most_listed ? ", ..." : "");
}

std::string stall_report(partitioned_parts const& parts, double seconds) {
  std::string line = fmt::format("seam: {} is active for {:.3g} s", parts.name, seconds);
  for (part_end const& end : parts.leaving)
    if (auto const missing = end.of->not_ready(); !missing.empty())
      line +=
          fmt::format("; {}{} not marked ready", list_of_partitions(missing), edge_of(end, "to"));
  for (part_end const& end : parts.arriving)
    if (auto const missing = end.of->not_arrived(); !missing.empty())
      line += fmt::format("; {}{} not arrived", list_of_partitions(missing), edge_of(end, "from"));
  return line;
}

} // namespace seam
