#include <seam/mesh/entities/groups.hpp>

#include <seam/exchange/ground/error.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <optional>

namespace seam::detail {
namespace {

constexpr std::array names_of_dimensions{"points", "lines", "surfaces", "volumes"};

std::optional<std::int32_t> number_in(std::string_view text) {
  std::int32_t number = 0;
  char const* const end = text.data() + text.size();
  auto const [behind, trouble] = std::from_chars(text.data(), end, number);
  return trouble == std::errc() && behind == end ? std::optional(number) : std::nullopt;
}

[[noreturn]] void refuse_group(std::span<mesh_group const> groups, std::string_view name,
                               std::string const& expected) {
  std::vector<std::string> words;
  for (mesh_group const& group : groups)
    words.push_back(fmt::format("'{}' of {} (tag {})", group.name,
                                names_of_dimensions[group.dimension], group.tag));
  throw usage_error(fmt::format("mesh: group '{}' (expected {}; the mesh has {})", name, expected,
                                words.empty() ? "no names"
                                              : fmt::format("{}", fmt::join(words, ", "))),
                    true);
}

} // namespace

std::int32_t tag_of_group(std::span<mesh_group const> groups, std::string_view name,
                          int dimension) {
  std::optional<std::int32_t> found;
  for (mesh_group const& group : groups) {
    if (group.name != name || (dimension >= 0 && group.dimension != dimension))
      continue;
    if (found && *found != group.tag)
      refuse_group(groups, name, "one whose entities are named as well");
    found = group.tag;
  }
  if (!found)
    found = number_in(name);
  if (!found)
    refuse_group(groups, name,
                 dimension < 0
                     ? std::string("a name or a number")
                     : fmt::format("a name of {}, or a number", names_of_dimensions[dimension]));
  return *found;
}

std::string lines_of_groups(std::span<mesh_group const> groups) {
  std::string lines;
  for (mesh_group const& group : groups)
    lines += fmt::format("{} {} {}\n", group.dimension, group.tag, group.name);
  return lines;
}

std::string attribute_of_groups(std::size_t part) {
  return part == 0 ? "Groups" : fmt::format("Groups {}", part);
}

std::vector<mesh_group> groups_of_lines(std::string_view lines) {
  std::vector<mesh_group> groups;
  while (!lines.empty()) {
    auto const line = lines.substr(0, lines.find('\n'));
    lines.remove_prefix(std::min(lines.size(), line.size() + 1));
    auto const first = std::min(line.find(' '), line.size());
    auto const second = std::min(line.find(' ', first + 1), line.size());
    auto const dimension = number_in(line.substr(0, first));
    auto const tag = number_in(line.substr(std::min(first + 1, second), second - first - 1));
    if (dimension && tag && second + 1 < line.size() && *dimension >= 0 && *dimension <= 3)
      groups.push_back({*dimension, *tag, std::string(line.substr(second + 1))});
  }
  return groups;
}

} // namespace seam::detail
