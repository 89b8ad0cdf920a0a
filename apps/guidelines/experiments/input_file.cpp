#include "experiments/input_file.hpp"

#include <seam/exchange.hpp>
#include <seam/exchange/ground/digest.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

namespace guidelines {
namespace {

std::string trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\r";
  auto const begin = std::min(text.find_first_not_of(blanks), text.size());
  return std::string(text.substr(begin, text.find_last_not_of(blanks) + 1 - begin));
}

/// Takes the levels of a line, which have to be in the order of the columns, and checks them.
levels checked_levels(std::string_view line, text_place place, int num_processes) {
  levels experiment;
  std::array<int, num_columns> columns{};
  int count = 0;
  for (std::size_t begin = 0; begin <= line.size(); ++count) {
    auto const end = std::min(line.find(',', begin), line.size());
    if (count < num_columns) {
      experiment[count] = trimmed(line.substr(begin, end - begin));
      columns[count] = static_cast<int>(begin) + 1;
    }
    begin = end + 1;
  }
  if (count != num_columns) {
    place.column = static_cast<int>(line.size()) + 1;
    place.refuse(fmt::format("the line has {} fields (expected {})", count, int{num_columns}));
  }
  if (auto const problem = problem_with(experiment, num_processes)) {
    place.column = columns[problem->where];
    place.refuse(fmt::format("{} '{}' (expected {})", column_names[problem->where],
                             experiment[problem->where], problem->expected));
  }
  return experiment;
}

} // namespace

void text_place::refuse(std::string_view why) const {
  throw seam::usage_error(fmt::format("{}:{}:{}: {}", file, line, column, why));
}

std::vector<std::pair<text_place, std::string_view>> rows_of(
    std::string_view text, std::string const& name, std::string_view columns) {
  std::vector<std::pair<text_place, std::string_view>> rows;
  text_place place{name, 1};
  for (bool has_columns = false; !text.empty() || !has_columns; ++place.line) {
    if (text.empty())
      place.refuse(fmt::format("the file ends (expected the columns {})", columns));
    auto const end = std::min(text.find('\n'), text.size());
    auto const line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (trimmed(line).empty() || line.starts_with('#'))
      continue;
    if (has_columns)
      rows.emplace_back(place, line);
    else if (trimmed(line) != columns)
      place.refuse(fmt::format("'{:.40}' (expected the columns {})", trimmed(line), columns));
    has_columns = true;
  }
  return rows;
}

std::vector<levels> parse_input(std::string_view text, std::string const& name, int num_processes) {
  std::vector<levels> experiments;
  std::map<levels, int> lines;
  for (auto const& [place, line] :
       rows_of(text, name, fmt::format("{}", fmt::join(column_names, ",")))) {
    experiments.push_back(checked_levels(line, place, num_processes));
    auto const [known, is_new] = lines.try_emplace(compared_levels(experiments.back()), place.line);
    if (!is_new)
      place.refuse(fmt::format("the experiment of line {} stands here again (expected each "
                               "combination of levels once)",
                               known->second));
  }
  if (experiments.empty())
    text_place{name, 1 + static_cast<int>(std::ranges::count(text, '\n'))}.refuse(
        "the file ends (expected experiments)");
  return experiments;
}

std::string fingerprint(std::vector<levels> const& experiments) {
  std::uint64_t sum = 0;
  for (levels const& experiment : experiments)
    sum += seam::detail::digest().add(line_of(experiment)).value();
  return fmt::format("{:016x}", sum);
}

} // namespace guidelines
