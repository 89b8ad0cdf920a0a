#include "experiments/input_file.hpp"

#include <seam/exchange/ground/digest.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>

namespace guidelines {
namespace {

/// Takes the values of a row, in the order of the columns, and checks them.
levels checked_levels(std::vector<placed_word> const& row, int num_processes) {
  levels experiment;
  for (int which = 0; which < num_columns; ++which)
    experiment[which] = row[which].text;
  if (auto const problem = problem_with(experiment, num_processes)) {
    placed_word const& word = row[problem->where];
    refuse_at(word.place, fmt::format("{} '{}' (expected {})", column_names[problem->where],
                                      word.text, problem->expected));
  }
  return experiment;
}

} // namespace

std::vector<levels> parse_input(std::string_view text, std::string const& name, int num_processes) {
  auto const table = parse_csv(text, name, column_names);
  std::vector<levels> experiments;
  std::map<levels, int> lines;
  for (auto const& row : table.rows) {
    experiments.push_back(checked_levels(row, num_processes));
    auto const [known, is_new] =
        lines.try_emplace(compared_levels(experiments.back()), row[0].place.line);
    if (!is_new)
      refuse_at(row[0].place, fmt::format("the experiment of line {} stands here again (expected "
                                          "each combination of levels once)",
                                          known->second));
  }
  if (experiments.empty())
    refuse_at({name, table.num_lines + 1, 1}, "the file ends (expected experiments)");
  return experiments;
}

std::string fingerprint(std::vector<levels> const& experiments) {
  std::uint64_t sum = 0;
  for (levels const& experiment : experiments)
    sum += seam::detail::digest().add(line_of(experiment)).value();
  return fmt::format("{:016x}", sum);
}

} // namespace guidelines
