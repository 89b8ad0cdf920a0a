#include "campaign/campaign_file.hpp"

#include "campaign/level_lists.hpp"
#include "statistics/rank_sum.hpp"

#include <seam/program.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <optional>
#include <set>

namespace guidelines {
namespace {

constexpr int most = 1'000'000;

int positive(placed_word const& word) {
  auto const value = seam::decimal<int>(word.text);
  if (!value || *value < 1 || *value > most)
    word.refuse(fmt::format("a number from 1 to {}", most));
  return *value;
}

double positive_real(placed_word const& word, double limit) {
  auto const value = seam::decimal<double>(word.text);
  if (!value || !(*value > 0) || *value > limit)
    word.refuse(fmt::format("a number above 0, at most {}", limit));
  return *value;
}

/// Reads a campaign file line by line. Errors name the place of a word.
class reader {
public:
  explicit reader(std::string name) : file_(std::move(name)) {}

  void read_line(std::vector<placed_word> words) {
    placed_word const key = words.front();
    words.erase(words.begin());
    if (key.text == "experiments")
      begin_list(key, words);
    else if (key.text == "guideline")
      add_guidelines(key, words);
    else if (auto const which = column_named(key.text); which && has_list_)
      add_levels(*which, key, words);
    else
      set_entry(key, words);
  }

  campaign finish(int num_lines) {
    for (char const* key : {"campaign", "deployments", "runs", "repetitions", "minutes"})
      if (!entries_.contains(key))
        refuse_at({file_, num_lines + 1, 1},
                  fmt::format("the file ends without '{}' (expected it once)", key));
    if (lists_.empty())
      refuse_at({file_, num_lines + 1, 1}, "the file ends (expected experiments)");
    add_experiments();
    check_runs();
    return std::move(made_);
  }

private:
  void begin_list(placed_word const& key, std::vector<placed_word> const& words) {
    if (!words.empty())
      words[0].refuse("the line's end");
    lists_.push_back({key.place, {}});
    has_list_ = true;
  }

  void add_guidelines(placed_word const& key, std::vector<placed_word> const& words) {
    auto const read = parse_guideline(words, key.place);
    made_.judged_by.insert(made_.judged_by.end(), read.begin(), read.end());
    has_list_ = false;
  }

  void add_levels(column which, placed_word const& key, std::vector<placed_word> const& words) {
    if (which == repetitions_column || which == seed_column)
      key.refuse(fmt::format("{} above all experiments, which share it", key.text));
    if (words.empty())
      key.refuse("levels behind it");
    if (!lists_.back().words.try_emplace(which, words).second)
      key.refuse("each column once in a list");
  }

  /// Entries of one value, by their keys.
  std::function<void(placed_word const&)> setter_of(std::string const& key) {
    using word = placed_word const&;
    if (key == "campaign")
      return [this](word value) { made_.name = file_name(value); };
    if (key == "runs")
      return [this](word value) { made_.runs = positive(value), runs_place_ = value; };
    if (key == "repetitions")
      return [this](word value) { made_.repetitions = positive(value); };
    if (key == "minutes")
      return [this](word value) { made_.minutes = positive(value); };
    if (key == "seed")
      return [this](word value) { made_.seed = static_cast<std::uint64_t>(positive(value)); };
    if (key == "p")
      return [this](word value) { made_.beyond.p = positive_real(value, 1); };
    if (key == "v")
      return [this](word value) { made_.beyond.v = positive_real(value, most); };
    if (key == "varied")
      return [this](word value) { made_.varied = varied_column(value); };
    return {};
  }

  static std::string file_name(placed_word const& word) {
    auto const is_allowed = [](char letter) {
      return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '-' ||
             letter == '_';
    };
    if (!std::ranges::all_of(word.text, is_allowed))
      word.refuse("a name of letters, digits, - and _");
    return word.text;
  }

  static column varied_column(placed_word const& word) {
    auto const which = column_named(word.text);
    if (!which)
      word.refuse("a column");
    return *which;
  }

  void set_entry(placed_word const& key, std::vector<placed_word> const& words) {
    auto const set = setter_of(key.text);
    if (key.text == "setting")
      return add_setting(key, words);
    if (!set && key.text != "deployments")
      key.refuse("campaign, deployments, runs, repetitions, minutes, seed, setting, p, v, varied, "
                 "experiments, guideline or, below experiments, a column");
    if (!entries_.insert(key.text).second)
      key.refuse("each entry once");
    if (words.empty() || (set && words.size() > 1))
      (words.empty() ? key : words[1]).refuse(set ? "one value" : "values");
    if (set)
      return set(words[0]);
    for (placed_word const& word : words)
      made_.deployments.push_back(parse_deployment(word));
  }

  void add_setting(placed_word const& key, std::vector<placed_word> const& words) {
    if (words.size() != 1 || words[0].text.find('=') == std::string::npos ||
        words[0].text.find('\'') != std::string::npos)
      (words.empty() ? key : words[0]).refuse("NAME=value");
    made_.settings.push_back(words[0].text);
  }

  void add_experiments() {
    levels constants;
    constants.fill(std::string(not_applicable));
    constants[datatype_column] = "MPI_BYTE";
    constants[work_column] = "0";
    constants[partitions_column] = "1";
    constants[repetitions_column] = std::to_string(made_.repetitions);
    constants[seed_column] = std::to_string(made_.seed);
    std::set<levels> known;
    for (experiment_list const& list : lists_)
      for (levels const& experiment : experiments_in(list, constants))
        if (known.insert(compared_levels(experiment)).second)
          made_.experiments.push_back(experiment);
  }

  void check_runs() const {
    int enough = made_.runs;
    while (least_p(enough, enough) > made_.beyond.p)
      ++enough;
    if (enough > made_.runs)
      runs_place_.refuse(fmt::format("at least {} runs: with fewer no p is as small as {}", enough,
                                     made_.beyond.p));
  }

  std::string file_;
  campaign made_;
  std::set<std::string> entries_;
  std::vector<experiment_list> lists_;
  bool has_list_ = false; ///< columns may follow
  placed_word runs_place_;
};

} // namespace

std::string deployment::name() const { return fmt::format("{}x{}", nodes, per_node); }

deployment parse_deployment(placed_word const& word) {
  auto const cross = std::min(word.text.find('x'), word.text.size() - 1);
  auto const nodes = seam::decimal<int>(std::string_view(word.text).substr(0, cross));
  auto const per_node = seam::decimal<int>(std::string_view(word.text).substr(cross + 1));
  if (!nodes || !per_node || *nodes < 1 || *per_node < 1 || *nodes > 100'000 || *per_node > 10'000)
    word.refuse("nodes x processes on each, such as 2x16");
  return {*nodes, *per_node};
}

campaign parse_campaign(std::string_view text, std::string const& name) {
  reader reading(name);
  int number = 0;
  for (std::string_view line : lines_of(text)) {
    auto words = words_of(line, name, ++number);
    if (!words.empty())
      reading.read_line(std::move(words));
  }
  return reading.finish(number);
}

std::string with_entry(std::string_view text, std::string_view key, std::string const& value) {
  std::string replaced;
  bool above = true;
  for (std::string_view line : lines_of(text)) {
    auto const words = words_of(line, "", 0);
    above = above && (words.empty() || words[0].text != "experiments");
    replaced += above && !words.empty() && words[0].text == key ? fmt::format("{} {}", key, value)
                                                                : std::string(line);
    replaced += '\n';
  }
  return replaced;
}

} // namespace guidelines
