#include "analysis/guideline.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

namespace guidelines {
namespace {

/// The levels of one side or term, before each alternative gets a guideline of its own.
using alternatives = std::map<column, std::vector<std::string>>;

bool is_relation(std::string const& word) { return word == "<=" || word == "~"; }
bool is_joining(std::string const& word) { return word == "+" || word == "max"; }

std::vector<std::string> split(std::string const& text, char at) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    auto const end = std::min(text.find(at, begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

bool matches(std::string const& level, std::string const& wanted) {
  return is_pattern(wanted) ? level.starts_with(wanted.substr(0, wanted.size() - 1))
                            : level == wanted;
}

void check_setups(placed_word const& word, std::vector<std::string> const& values) {
  for (std::string const& value : values)
    if (std::ranges::none_of(all_setups(),
                             [&](setup const& known) { return matches(known.name, value); }))
      word.refuse(fmt::format("a setup in place of '{}'", value));
}

/// The levels on the right are those of an experiment, each a single one.
void refuse_patterns(std::vector<placed_word>::const_iterator begin,
                     std::vector<placed_word>::const_iterator end) {
  for (; begin != end; ++begin)
    if (begin->text.find('*') != std::string::npos)
      begin->refuse("no * on the right, nor beside ~, where each level is a single one");
}

/// Reads "column=A|B".
void add_level(alternatives& term, placed_word const& word) {
  auto const equals = word.text.find('=');
  auto const which = column_named(word.text.substr(0, equals));
  if (equals == word.text.npos || !which)
    word.refuse(fmt::format("column=level, with one of the columns {}",
                            fmt::join(column_names, ", ")));
  auto values = split(word.text.substr(equals + 1), '|');
  if (std::ranges::find(values, "") != values.end())
    word.refuse("a level behind =");
  if (*which == setup_column)
    check_setups(word, values);
  if (!term.try_emplace(*which, std::move(values)).second)
    word.refuse("each column once in a term");
}

/// Reads the terms of the words in [begin, end), which joining words separate.
std::vector<alternatives> read_terms(std::vector<placed_word>::const_iterator begin,
                                     std::vector<placed_word>::const_iterator end,
                                     text_place const& behind) {
  std::vector<alternatives> terms(1);
  for (; begin != end; ++begin)
    if (is_joining(begin->text))
      terms.emplace_back();
    else
      add_level(terms.back(), *begin);
  if (std::ranges::any_of(terms, &alternatives::empty))
    refuse_at(behind, "a side or term is empty (expected column=level)");
  return terms;
}

/// All choices of one alternative for each column.
std::vector<some_levels> choices_of(alternatives const& term) {
  std::vector<some_levels> choices(1);
  for (auto const& [which, values] : term) {
    std::vector<some_levels> longer;
    for (some_levels const& choice : choices)
      for (std::string const& value : values) {
        longer.push_back(choice);
        longer.back()[which] = value;
      }
    choices = std::move(longer);
  }
  return choices;
}

/// All choices for several terms.
std::vector<std::vector<some_levels>> choices_of(std::vector<alternatives> const& terms) {
  std::vector<std::vector<some_levels>> choices(1);
  for (alternatives const& term : terms) {
    std::vector<std::vector<some_levels>> longer;
    for (auto const& choice : choices)
      for (some_levels const& next : choices_of(term)) {
        longer.push_back(choice);
        longer.back().push_back(next);
      }
    choices = std::move(longer);
  }
  return choices;
}

joining joining_of(std::vector<placed_word> const& words) {
  auto const is_max = [](placed_word const& word) { return word.text == "max"; };
  auto const is_sum = [](placed_word const& word) { return word.text == "+"; };
  auto const first_max = std::ranges::find_if(words, is_max);
  if (first_max != words.end() && std::ranges::any_of(words, is_sum))
    first_max->refuse("terms that + or max join, not both");
  return first_max == words.end() ? joining::sum : joining::maximum;
}

/// Values that tell what they are, such as names of setups, or "work=0".
std::string in_words(some_levels const& term) {
  std::vector<std::string> parts;
  for (auto const& [which, value] : term)
    parts.push_back(std::isalpha(static_cast<unsigned char>(value[0])) != 0
                        ? value
                        : fmt::format("{}={}", column_names[which], value));
  return fmt::format("{}", fmt::join(parts, " "));
}

} // namespace

std::string guideline::in_words() const {
  std::vector<std::string> terms;
  for (some_levels const& term : right)
    terms.push_back(guidelines::in_words(term));
  return fmt::format("{} <= {}", guidelines::in_words(left),
                     fmt::join(terms, how == joining::sum ? " + " : " max "));
}

std::vector<guideline> parse_guideline(std::vector<placed_word> const& words,
                                       text_place const& line) {
  auto const relation =
      std::ranges::find_if(words, [](placed_word const& word) { return is_relation(word.text); });
  if (words.empty() || words[0].text.find('=') != std::string::npos || relation == words.end())
    refuse_at(words.empty() ? line : words[0].place,
              "guideline: expected a name, levels, <= or ~, and levels");
  auto const left = read_terms(words.begin() + 1, relation, relation->place);
  auto const right = read_terms(relation + 1, words.end(), words.back().place);
  bool const both_ways = relation->text == "~";
  if (left.size() > 1 || (both_ways && right.size() > 1))
    relation->refuse("one term on the left, and on both sides of ~");
  refuse_patterns(both_ways ? words.begin() : relation, words.end());
  std::vector<guideline> read;
  for (some_levels const& lower : choices_of(left[0]))
    for (auto const& upper : choices_of(right)) {
      read.push_back({words[0].text, lower, upper, joining_of(words), line});
      if (both_ways)
        read.push_back({words[0].text, upper[0], {lower}, joining::sum, line});
    }
  return read;
}

std::vector<guideline> parse_guidelines(std::string_view text, std::string const& name) {
  std::vector<guideline> all;
  int number = 0;
  for (std::string_view line : lines_of(text)) {
    auto words = words_of(line, name, ++number);
    if (words.empty() || words[0].text != "guideline")
      continue;
    auto const place = words[0].place;
    words.erase(words.begin());
    auto const read = parse_guideline(words, place);
    all.insert(all.end(), read.begin(), read.end());
  }
  if (all.empty())
    refuse_at({name, number + 1, 1}, "the file ends (expected lines that begin with guideline)");
  return all;
}

bool is_pattern(std::string const& level) { return level.ends_with('*'); }

bool has_levels(levels const& experiment, some_levels const& wanted) {
  return std::ranges::all_of(wanted, [&](auto const& level) {
    return matches(experiment[level.first], level.second);
  });
}

levels with_levels(levels experiment, some_levels const& other) {
  for (auto const& [which, value] : other)
    experiment[which] = value;
  return normalized(experiment);
}

} // namespace guidelines
