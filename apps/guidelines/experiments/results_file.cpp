#include "experiments/results_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

namespace guidelines {
namespace {

/// The entries of the head that are the same in all results of one campaign.
constexpr std::array<std::string_view, 4> machine_entries{"machine", "library", "build",
                                                          "settings"};

constexpr std::array<std::string_view, 3> words_of_status{"ok", "WRONG", "ABSENT"};

std::vector<std::string_view> columns_of_results() {
  std::vector<std::string_view> columns(column_names.begin(), column_names.end());
  columns.insert(columns.end(), {"status", "seconds"});
  return columns;
}

/// The value of an entry of the head, which has to be there.
placed_word const& entry_of(csv_table const& table, std::string_view key, std::string const& name) {
  if (auto const* const found = table.find(key))
    return found->value;
  refuse_at({name, 1, 1}, fmt::format("the head has no entry '# {}: ...'", key));
}

bool has_experiment(std::vector<placed_word> const& row, levels const& experiment) {
  return std::ranges::equal(experiment, std::span(row).first(num_columns), {}, {},
                            &placed_word::text);
}

} // namespace

begun_results find_begun_results(std::string_view text, std::string const& name,
                                 std::vector<levels> const& expected, std::string_view new_head) {
  auto const found = parse_csv(text, name, columns_of_results(), last_row::may_be_cut);
  auto const wanted = parse_csv(new_head, name, columns_of_results());
  for (std::string_view key : machine_entries) {
    placed_word const &there = entry_of(found, key, name), &here = entry_of(wanted, key, name);
    if (there.text != here.text)
      there.refuse(fmt::format("{} '{}' as in this run", key, here.text));
  }
  for (int k = 0; k < std::ssize(found.rows); ++k)
    if (k >= std::ssize(expected) || !has_experiment(found.rows[k], expected[k]))
      refuse_at(found.rows[k][0].place,
                "the experiment is another one (expected the order of the input)");
  return {.num_experiments = std::ssize(found.rows),
          .is_complete = found.find("end") != nullptr,
          .bytes = text.rfind('\n') + 1};
}

std::string results_head(std::vector<std::pair<std::string, std::string>> const& entries) {
  std::string text = "# seam-guidelines: 1\n";
  for (auto const& [key, value] : entries)
    text += fmt::format("# {}: {}\n", key, value);
  return text + fmt::format("{}\n", fmt::join(columns_of_results(), ","));
}

std::string line_of(result const& made) {
  return fmt::format("{},{},{:.5e}\n", line_of(made.experiment),
                     words_of_status.at(static_cast<std::size_t>(made.outcome)),
                     fmt::join(made.seconds, " "));
}

std::string results_end(std::int64_t num_experiments) {
  return fmt::format("# end: {}\n", num_experiments);
}

} // namespace guidelines
