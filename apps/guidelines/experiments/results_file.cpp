#include "experiments/results_file.hpp"

#include "experiments/input_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>

namespace guidelines {
namespace {

/// The entries of the head that are the same in all results of one campaign.
constexpr std::array<std::string_view, 4> machine_entries{"machine", "library", "build",
                                                          "settings"};

constexpr std::array<std::string_view, 3> words_of_status{"ok", "WRONG", "ABSENT"};

std::string columns_of_results() {
  return fmt::format("{},status,seconds", fmt::join(column_names, ","));
}

/// The value of the entry "# key: value" in a file, and its place.
std::pair<text_place, std::string_view> entry_of(std::string_view text, std::string const& name,
                                                 std::string_view key) {
  auto const begin = fmt::format("# {}: ", key);
  text_place place{name};
  for (; !text.empty(); ++place.line) {
    auto const line = text.substr(0, text.find('\n'));
    if (line.starts_with(begin)) {
      place.column = static_cast<int>(begin.size()) + 1;
      return {place, line.substr(begin.size())};
    }
    text.remove_prefix(std::min(line.size() + 1, text.size()));
  }
  text_place{name}.refuse(fmt::format("the head has no entry '# {}: ...'", key));
}

} // namespace

begun_results find_begun_results(std::string_view text, std::string const& name,
                                 std::vector<levels> const& expected, std::string_view new_head) {
  text = text.substr(0, text.rfind('\n') + 1);
  for (std::string_view const key : machine_entries) {
    auto const [place, there] = entry_of(text, name, key);
    if (auto const here = entry_of(new_head, name, key).second; there != here)
      place.refuse(fmt::format("'{}' (expected {} '{}' as in this run)", there, key, here));
  }
  auto const rows = rows_of(text, name, columns_of_results());
  for (std::size_t k = 0; k < rows.size(); ++k)
    if (k >= expected.size() || !rows[k].second.starts_with(line_of(expected[k]) + ','))
      rows[k].first.refuse("the experiment is another one (expected the order of the input)");
  return {.num_experiments = std::ssize(rows),
          .is_complete = text.find("\n# end: ") != text.npos,
          .bytes = text.size()};
}

std::string results_head(std::vector<std::pair<std::string, std::string>> const& entries) {
  std::string text = "# seam-guidelines: 1\n";
  for (auto const& [key, value] : entries)
    text += fmt::format("# {}: {}\n", key, value);
  return text + columns_of_results() + '\n';
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
