#include "campaign/level_lists.hpp"

#include <seam/exchange.hpp>
#include <seam/program.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

namespace guidelines {
namespace {

constexpr std::int64_t most_levels = 10'000;

/// "dimensions", "dimensions+1" or "bytes-8", if the column is known to be a number.
std::optional<std::int64_t> sum_in(std::string const& text, levels const& known) {
  auto const sign = std::min(text.find_first_of("+-", 1), text.size());
  auto const which = column_named(text.substr(0, sign));
  auto const base = which ? seam::decimal<std::int64_t>(known[*which]) : std::nullopt;
  if (!base || sign == text.size())
    return base;
  auto const more = seam::decimal<std::int64_t>(text.substr(sign + 1));
  if (!more)
    return std::nullopt;
  return text[sign] == '+' ? *base + *more : *base - *more;
}

/// A level in itself, or the number that a sum stands for.
std::string level_of(placed_word const& word, levels const& known) {
  auto const sum = sum_in(word.text, known);
  return sum ? std::to_string(*sum) : word.text;
}

std::int64_t number_of(placed_word const& word, levels const& known) {
  auto const number = seam::decimal<std::int64_t>(level_of(word, known));
  if (!number)
    word.refuse("a number, or an earlier column that has one");
  return *number;
}

double factor_of(placed_word const& word) {
  if (word.text == "sqrt2")
    return std::sqrt(2.0);
  auto const number = seam::decimal<std::int64_t>(word.text);
  if (!number || *number < 2)
    word.refuse("sqrt2 or a number of at least 2");
  return static_cast<double>(*number);
}

std::vector<std::string> geometric(std::int64_t first, std::int64_t last, double factor) {
  std::vector<std::string> all;
  for (int k = 0;; ++k) {
    // Even powers of the root of 2 are exact this way.
    auto const value =
        std::llround(static_cast<double>(first) * std::pow(factor * factor, k / 2.0));
    if (value > last)
      return all;
    all.push_back(std::to_string(value));
  }
}

/// "A to B" or "A to B by F", whose first word is the `at`-th; moves `at` behind it.
std::vector<std::string> range_at(std::vector<placed_word> const& words, int& at,
                                  levels const& known) {
  if (at + 2 >= std::ssize(words))
    words[at + 1].refuse("a number behind 'to'");
  auto const first = number_of(words[at], known), last = number_of(words[at + 2], known);
  at += 3;
  if (at < std::ssize(words) && words[at].text == "by") {
    if (at + 1 == std::ssize(words) || first < 1)
      words[at].refuse("a range from 1 on, and a factor behind 'by'");
    at += 2;
    return geometric(first, last, factor_of(words[at - 1]));
  }
  if (last - first > most_levels)
    words[at - 1].refuse(fmt::format("at most {} levels", most_levels));
  std::vector<std::string> all;
  for (std::int64_t value = first; value <= last; ++value)
    all.push_back(std::to_string(value));
  return all;
}

/// Refuses an experiment at the words of the column that cannot be.
void check(levels const& experiment, experiment_list const& list) {
  auto const problem = problem_with(experiment);
  if (!problem)
    return;
  auto const named = list.words.find(problem->where);
  auto const& place = named == list.words.end() ? list.place : named->second.front().place;
  refuse_at(place, fmt::format("{} '{}' (expected {})", column_names[problem->where],
                               experiment[problem->where], problem->expected));
}

/// Clears the columns that have no meaning: only RAND has a seed, only partitioned setups have
/// partitions.
levels without_spare_columns(levels experiment) {
  if (experiment[ordering_column] != "RAND")
    experiment[seed_column] = not_applicable;
  auto const* const call = setup_named(experiment[setup_column]);
  if (call == nullptr || call->how != form::partitioned)
    experiment[partitions_column] = not_applicable;
  return experiment;
}

} // namespace

std::vector<std::string> levels_in(std::vector<placed_word> const& words, levels const& known) {
  std::vector<std::string> all;
  for (int at = 0; at < std::ssize(words);) {
    if (at + 1 < std::ssize(words) && words[at + 1].text == "to") {
      auto const range = range_at(words, at, known);
      all.insert(all.end(), range.begin(), range.end());
    } else {
      all.push_back(level_of(words[at++], known));
    }
  }
  return all;
}

std::vector<levels> experiments_in(experiment_list const& list, levels const& constants) {
  std::vector<levels> all{constants};
  for (auto const& [which, words] : list.words) {
    std::vector<levels> longer;
    for (levels const& begun : all)
      for (std::string const& level : levels_in(words, begun)) {
        longer.push_back(begun);
        longer.back()[which] = level;
      }
    all = std::move(longer);
  }
  std::vector<levels> kept;
  std::set<levels> known;
  for (levels const& listed : all) {
    auto const experiment = without_spare_columns(listed);
    check(experiment, list);
    if (known.insert(compared_levels(experiment)).second)
      kept.push_back(experiment);
  }
  return kept;
}

} // namespace guidelines
