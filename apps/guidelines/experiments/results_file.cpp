#include "experiments/results_file.hpp"

#include "experiments/input_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>

namespace guidelines {
namespace {

std::vector<std::string_view> columns_of_results() {
  std::vector<std::string_view> columns(column_names.begin(), column_names.end());
  columns.insert(columns.end(), {"status", "seconds"});
  return columns;
}

std::map<std::string_view, status> const states{
    {"ok", status::ok}, {"WRONG", status::wrong}, {"ABSENT", status::absent}};

std::string_view word_of(status outcome) {
  return std::ranges::find(states, outcome, &std::pair<std::string_view const, status>::second)
      ->first;
}

/// Reads numbers that spaces separate.
std::vector<double> seconds_of(placed_word const& field) {
  std::vector<double> seconds;
  for (placed_word const& word : words_of(field.text, field.place.file, field.place.line)) {
    double value = 0;
    auto const* const end = word.text.data() + word.text.size();
    auto const [behind, trouble] = std::from_chars(word.text.data(), end, value);
    if (trouble != std::errc() || behind != end || !std::isfinite(value) || value < 0)
      refuse_at({field.place.file, field.place.line, field.place.column + word.place.column - 1},
                fmt::format("'{}' (expected a time in seconds)", word.text));
    seconds.push_back(value);
  }
  return seconds;
}

result result_of(std::vector<placed_word> const& row) {
  result read{.experiment = checked_levels(row, 0), .seconds = {}, .line = row[0].place.line};
  placed_word const &state = row[num_columns], &times = row[num_columns + 1];
  auto const known = states.find(state.text);
  if (known == states.end())
    state.refuse("ok, WRONG or ABSENT");
  read.outcome = known->second;
  read.seconds = seconds_of(times);
  int const expected = read.outcome == status::ok ? experiment_of(read.experiment).repetitions : 0;
  if (std::ssize(read.seconds) != expected)
    refuse_at(times.place,
              fmt::format("{} times (expected {}, one for each repetition{})", read.seconds.size(),
                          expected, expected == 0 ? " of results that are ok" : ""));
  return read;
}

/// The number of experiments of the run, as the head says; that of the rows if it does not.
std::string num_expected(csv_table const& table) {
  head_entry const* const experiments = table.find("experiments");
  std::string const text =
      experiments ? experiments->value.text : std::to_string(table.rows.size());
  return text.substr(0, text.find(' '));
}

/// Checks the last line against the rows.
bool is_ended(results const& read, last_row cut) {
  head_entry const* const end = read.table.find("end");
  if (end != nullptr && end->value.text == std::to_string(read.table.rows.size()))
    return true;
  if (end == nullptr && cut == last_row::may_be_cut)
    return false;
  refuse_at({read.file, read.table.num_lines + 1, 1},
            fmt::format("the file ends after {} experiments (expected {} and a line '# end: {}')",
                        read.table.rows.size(), num_expected(read.table),
                        num_expected(read.table)));
}

} // namespace

placed_word const& results::head(std::string_view key) const {
  if (auto const* const found = table.find(key))
    return found->value;
  refuse_at({file, 1, 1}, fmt::format("the head has no entry '# {}: ...'", key));
}

results parse_results(std::string_view text, std::string const& name, last_row cut) {
  auto const columns = columns_of_results();
  results read{.file = name, .table = parse_csv(text, name, columns, cut)};
  for (auto const& row : read.table.rows)
    read.experiments.push_back(result_of(row));
  read.is_complete = is_ended(read, cut);
  read.table.rows.clear();
  return read;
}

std::string results_head(std::vector<std::pair<std::string, std::string>> const& entries) {
  std::string text = "# seam-guidelines: 1\n";
  for (auto const& [key, value] : entries)
    text += fmt::format("# {}: {}\n", key, value);
  return text + fmt::format("{}\n", fmt::join(columns_of_results(), ","));
}

std::string line_of(result const& made) {
  return fmt::format("{},{},{:.5e}\n", line_of(made.experiment), word_of(made.outcome),
                     fmt::join(made.seconds, " "));
}

std::string results_end(std::int64_t num_experiments) {
  return fmt::format("# end: {}\n", num_experiments);
}

} // namespace guidelines
