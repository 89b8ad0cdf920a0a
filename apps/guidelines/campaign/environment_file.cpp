#include "campaign/environment_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace guidelines {
namespace {

/// The rest of a line behind its first word.
std::string rest_of(std::string_view line, std::vector<placed_word> const& words) {
  auto const begin = words[1].place.column - 1;
  auto const end = words.back().place.column - 1 + std::ssize(words.back().text);
  return std::string(line.substr(begin, end - begin));
}

void check_names(placed_word const& word) {
  constexpr std::array<std::string_view, 7> known{"mpiexec", "processes", "nodes", "per-node",
                                                  "kernel",  "archive",   "folder"};
  for (auto begin = word.text.find('{'); begin != word.text.npos;
       begin = word.text.find('{', begin + 1)) {
    auto const end = std::min(word.text.find('}', begin), word.text.size());
    if (std::ranges::find(known, word.text.substr(begin + 1, end - begin - 1)) == known.end())
      word.refuse("{mpiexec}, {processes}, {nodes}, {per-node}, {kernel}, {archive} or {folder} in "
                  "braces");
  }
}

void set(environment& made, placed_word const& key, std::string const& value) {
  if (key.text == "launch")
    made.launch = value;
  else if (key.text == "submit")
    made.submit = value;
  else if (key.text == "archive")
    made.archive = value;
  else if (key.text == "slurm")
    made.slurm.push_back(value);
  else if (key.text == "setting")
    made.settings.push_back(value);
  else
    key.refuse("launch, submit, archive, slurm or setting");
}

} // namespace

environment parse_environment(std::string_view text, std::string const& name) {
  environment made;
  int number = 0;
  for (std::string_view line : lines_of(text)) {
    auto const words = words_of(line, name, ++number);
    if (words.empty())
      continue;
    if (words.size() == 1)
      words[0].refuse("a value behind it");
    std::ranges::for_each(words, check_names);
    if (words[0].text == "setting" &&
        (words.size() > 2 || words[1].text.find('=') == std::string::npos))
      words[1].refuse("NAME=value");
    set(made, words[0], rest_of(line, words));
  }
  if (made.launch.find("{kernel}") == std::string::npos)
    refuse_at({name, number + 1, 1}, "the file ends (expected 'launch ... {kernel}')");
  return made;
}

std::string filled_in(std::string text,
                      std::vector<std::pair<std::string, std::string>> const& values) {
  for (auto const& [key, value] : values) {
    std::string const place = '{' + key + '}';
    for (auto at = text.find(place); at != text.npos; at = text.find(place, at + value.size()))
      text.replace(at, place.size(), value);
  }
  return text;
}

} // namespace guidelines
