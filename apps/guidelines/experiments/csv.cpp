#include "experiments/csv.hpp"

#include <seam/exchange.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace guidelines {
namespace {

constexpr std::string_view spaces = " \t\r";

std::string_view trimmed(std::string_view text) {
  auto const begin = std::min(text.find_first_not_of(spaces), text.size());
  return text.substr(begin, text.find_last_not_of(spaces) + 1 - begin);
}

/// The fields of a line, at their places.
std::vector<placed_word> fields_of(std::string_view line, std::string const& file, int number) {
  std::vector<placed_word> fields;
  for (std::size_t begin = 0; begin <= line.size();) {
    auto const end = std::min(line.find(',', begin), line.size());
    fields.push_back({std::string(trimmed(line.substr(begin, end - begin))),
                      {file, number, static_cast<int>(begin) + 1}});
    begin = end + 1;
  }
  return fields;
}

/// For each column, the field that holds it.
std::vector<int> places_of(std::span<std::string_view const> columns,
                           std::vector<placed_word> const& names) {
  for (auto name = names.begin(); name != names.end(); ++name) {
    if (std::ranges::find(columns, name->text) == columns.end())
      name->refuse(fmt::format("one of the columns {}", fmt::join(columns, ", ")));
    if (std::find_if(names.begin(), name,
                     [&](auto const& other) { return other.text == name->text; }) != name)
      name->refuse("each column once");
  }
  std::vector<int> places;
  for (std::string_view wanted : columns) {
    auto const found = std::ranges::find(names, wanted, &placed_word::text);
    if (found == names.end())
      refuse_at(names.back().place, fmt::format("there is no column {} (expected {})", wanted,
                                                fmt::join(columns, ",")));
    places.push_back(static_cast<int>(found - names.begin()));
  }
  return places;
}

/// Reads "# key: value"; other comments are no entries.
void add_entry(csv_table& table, std::string_view line, std::string const& file, int number) {
  auto const colon = line.find(": ");
  if (colon != line.npos)
    table.entries.push_back({std::string(trimmed(line.substr(1, colon - 1))),
                             {std::string(trimmed(line.substr(colon + 2))),
                              {file, number, static_cast<int>(colon) + 3}}});
}

/// Reads the fields of a row in the order of the columns.
std::vector<placed_word> row_of(std::string_view line, std::string const& file, int number,
                                std::vector<int> const& places) {
  auto fields = fields_of(line, file, number);
  if (fields.size() != places.size())
    refuse_at({file, number, static_cast<int>(line.size()) + 1},
              fmt::format("the line has {} fields (expected {})", fields.size(), places.size()));
  std::vector<placed_word> row;
  for (int const place : places)
    row.push_back(std::move(fields[place]));
  return row;
}

} // namespace

void refuse_at(text_place const& place, std::string_view why) {
  throw seam::usage_error(fmt::format("{}:{}:{}: {}", place.file, place.line, place.column, why));
}

void placed_word::refuse(std::string_view expected) const {
  refuse_at(place, fmt::format("'{}' (expected {})", text, expected));
}

std::vector<placed_word> words_of(std::string_view line, std::string const& file, int number) {
  line = line.substr(0, line.find('#'));
  std::vector<placed_word> words;
  for (auto begin = line.find_first_not_of(spaces); begin != line.npos;) {
    auto const end = std::min(line.find_first_of(spaces, begin), line.size());
    words.push_back({std::string(line.substr(begin, end - begin)),
                     {file, number, static_cast<int>(begin) + 1}});
    begin = line.find_first_not_of(spaces, end);
  }
  return words;
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    auto const end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

head_entry const* csv_table::find(std::string_view key) const {
  auto const found = std::ranges::find(entries, key, &head_entry::key);
  return found == entries.end() ? nullptr : &*found;
}

csv_table parse_csv(std::string_view text, std::string const& name,
                    std::span<std::string_view const> columns, last_row cut) {
  bool const has_cut_line = cut == last_row::may_be_cut && !text.ends_with('\n');
  auto lines = lines_of(text);
  if (has_cut_line && !lines.empty())
    lines.pop_back();
  csv_table table;
  std::vector<int> places;
  for (std::string_view line : lines) {
    int const number = ++table.num_lines;
    if (trimmed(line).empty())
      continue;
    if (line.starts_with('#'))
      add_entry(table, line, name, number);
    else if (places.empty())
      places = places_of(columns, fields_of(line, name, number));
    else
      table.rows.push_back(row_of(line, name, number, places));
  }
  if (places.empty())
    refuse_at({name, table.num_lines + 1, 1},
              fmt::format("the file ends (expected the columns {})", fmt::join(columns, ",")));
  return table;
}

} // namespace guidelines
