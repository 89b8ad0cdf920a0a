#include <seam/mapping/machine.hpp>

#include <seam/exchange/ground/error.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>

namespace seam {
using namespace detail;

namespace {

constexpr std::array<std::string_view, 6> level_names{"node", "package", "numa",
                                                      "l3",   "core",    "rank"};
constexpr std::int64_t most_places = 1 << 24;
constexpr char const* example = "\"node:4 package:2 core:12\" or \"node:3 core:4,4,8\"";

[[noreturn]] void refuse_text(std::string_view text, std::string const& problem) {
  refuse(fmt::format("machine '{}': {} (expected levels such as {})", text, problem, example));
}

/// Returns the text before the first `mark`, and removes it from `text` together with the mark.
std::string_view cut_off(std::string_view& text, char mark) {
  auto const end = std::min(text.find(mark), text.size());
  auto const word = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return word;
}

/// A level as it is written: "core:4,4,8".
struct written_level {
  std::string_view name;
  std::vector<int> counts;
};

int parse_count(std::string_view digits, std::string_view word, std::string_view text) {
  int count = 0;
  auto const [end, problem] = std::from_chars(digits.begin(), digits.end(), count);
  if (problem != std::errc() || end != digits.end() || count < 1)
    refuse_text(text, fmt::format("'{}' in '{}' is no count of at least 1", digits, word));
  return count;
}

/// Appends the counts that an entry of a list stands for: "48" or "48*100".
void append_counts(std::string_view entry, std::string_view word, std::string_view text,
                   std::vector<int>& counts) {
  bool const repeats = entry.find('*') != std::string_view::npos;
  int const count = parse_count(cut_off(entry, '*'), word, text);
  int const times = repeats ? parse_count(entry, word, text) : 1;
  if (times > most_places - std::ssize(counts))
    refuse_text(text, fmt::format("more than {} places", most_places));
  counts.insert(counts.end(), times, count);
}

written_level parse_level(std::string_view word, std::string_view text) {
  if (word.find(':') == std::string_view::npos || word.back() == ',')
    refuse_text(text, fmt::format("'{}' is no name with a count", word));
  std::string_view rest = word;
  written_level level{cut_off(rest, ':'), {}};
  if (std::ranges::count(level_names, level.name) == 0)
    refuse_text(text, fmt::format("'{}' is none of {}", level.name, fmt::join(level_names, ", ")));
  do
    append_counts(cut_off(rest, ','), word, text, level.counts);
  while (!rest.empty());
  return level;
}

std::vector<written_level> parse_levels(std::string_view text) {
  std::vector<written_level> levels;
  for (std::string_view rest = text; !rest.empty();)
    if (auto const word = cut_off(rest, ' '); !word.empty())
      levels.push_back(parse_level(word, text));
  if (levels.empty() || levels.front().name != "node" || levels.front().counts.size() != 1)
    refuse_text(text, "it does not begin with a number of nodes");
  auto const depth = [](written_level const& level) {
    return std::ranges::find(level_names, level.name);
  };
  for (int l = 1; l < std::ssize(levels); ++l)
    if (depth(levels[l]) <= depth(levels[l - 1]))
      refuse_text(text, fmt::format("{} within {}", levels[l].name, levels[l - 1].name));
  return levels;
}

/// The number of parts of `level` in each of `num_parents` parts.
std::vector<int> counts_for(written_level const& level, int num_parents, std::string_view text) {
  if (level.counts.size() == 1)
    return std::vector<int>(num_parents, level.counts.front());
  if (std::ssize(level.counts) != num_parents)
    refuse_text(text, fmt::format("{} numbers of {}s for {} parts", level.counts.size(), level.name,
                                  num_parents));
  return level.counts;
}

/// The boundaries between consecutive groups of these sizes.
std::vector<int> running_sum(std::vector<int> const& sizes, std::string_view text) {
  std::vector<int> firsts{0};
  std::int64_t sum = 0;
  for (int const size : sizes) {
    sum += size;
    if (sum > most_places)
      refuse_text(text, fmt::format("more than {} places", most_places));
    firsts.push_back(static_cast<int>(sum));
  }
  return firsts;
}

bool divides(machine_level const& finer, machine_level const& coarser) {
  return std::ranges::includes(finer.parts2firsts, coarser.parts2firsts);
}

bool is_division(machine_level const& level, int num_places) {
  auto const& firsts = level.parts2firsts;
  return firsts.size() > 1 && firsts.front() == 0 && firsts.back() == num_places &&
         std::ranges::adjacent_find(firsts, std::ranges::greater_equal()) == firsts.end();
}

/// The number of parts of `finer` in each part of `coarser`.
std::vector<int> children(machine_level const& coarser, machine_level const& finer) {
  std::vector<int> counts;
  auto at = finer.parts2firsts.begin();
  for (int const end : std::span(coarser.parts2firsts).subspan(1)) {
    auto const next = std::ranges::lower_bound(finer.parts2firsts, end);
    counts.push_back(static_cast<int>(next - at));
    at = next;
  }
  return counts;
}

/// A list of numbers as text, in which many equal ones in a row are written once.
std::string written(std::vector<int> const& counts) {
  constexpr std::ptrdiff_t many = 4;
  std::string text;
  for (auto at = counts.begin(); at != counts.end();) {
    auto end = std::find_if(at, counts.end(), [&](int count) { return count != *at; });
    if (end - at < many)
      end = at + 1;
    text += text.empty() ? "" : ",";
    text += end - at < many ? fmt::format("{}", *at) : fmt::format("{}*{}", *at, end - at);
    at = end;
  }
  return text;
}

std::string written(std::string const& name, std::vector<int> const& counts) {
  bool const even = std::ranges::count(counts, counts.front()) == std::ssize(counts);
  return fmt::format("{}:{}", name, even ? fmt::format("{}", counts.front()) : written(counts));
}

} // namespace

std::vector<int> machine_level::places2parts() const {
  std::vector<int> parts(parts2firsts.back());
  for (int part = 0; part < num_parts(); ++part)
    std::fill(parts.begin() + parts2firsts[part], parts.begin() + parts2firsts[part + 1], part);
  return parts;
}

machine::machine(std::vector<machine_level> levels) : levels_(std::move(levels)) {
  if (levels_.empty() || levels_.front().parts2firsts.empty())
    refuse("machine: no levels (expected at least the nodes)");
  for (int l = 0; l < std::ssize(levels_); ++l)
    if (!is_division(levels_[l], num_places()) || (l > 0 && !divides(levels_[l], levels_[l - 1])))
      refuse(fmt::format("machine: level {} does not divide the parts above it", levels_[l].name));
  if (levels_.back().num_parts() != num_places())
    refuse(fmt::format("machine: {} parts of the last level for {} places (expected as many)",
                       levels_.back().num_parts(), num_places()));
}

machine machine::first_places(int count) const {
  if (count < 1 || count > num_places())
    refuse(fmt::format("machine: {} processes on {} places of '{}' (expected at most as many)",
                       count, num_places(), to_string(*this)));
  auto levels = levels_;
  for (machine_level& level : levels) {
    auto& firsts = level.parts2firsts;
    firsts.erase(std::ranges::lower_bound(firsts, count), firsts.end());
    firsts.push_back(count);
  }
  return machine(std::move(levels));
}

machine parse_machine(std::string_view text) {
  auto const read = parse_levels(text);
  std::vector<machine_level> levels;
  for (written_level const& level : read) {
    int const num_parents = levels.empty() ? 1 : levels.back().num_parts();
    auto const firsts = running_sum(counts_for(level, num_parents, text), text);
    // The boundaries of all levels so far are counted in parts of the newest one.
    for (machine_level& coarser : levels)
      for (int& first : coarser.parts2firsts)
        first = firsts[first];
    machine_level newest{std::string(level.name), std::vector<int>(firsts.back() + 1)};
    for (int part = 0; part <= firsts.back(); ++part)
      newest.parts2firsts[part] = part;
    levels.push_back(std::move(newest));
  }
  return machine(std::move(levels));
}

std::string to_string(machine const& cluster) {
  auto const levels = cluster.levels();
  std::string text = fmt::format("{}:{}", levels.front().name, levels.front().num_parts());
  for (int l = 1; l < std::ssize(levels); ++l)
    text += fmt::format(" {}", written(levels[l].name, children(levels[l - 1], levels[l])));
  return text;
}

std::span<machine_level const> machine::levels() const noexcept { return levels_; }

bool operator==(machine_level const& a, machine_level const& b) {
  return a.name == b.name && a.parts2firsts == b.parts2firsts;
}

bool operator==(machine const& a, machine const& b) { return a.levels_ == b.levels_; }

} // namespace seam
