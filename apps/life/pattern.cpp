#include "pattern.hpp"

#include "cells.hpp"
#include "rle.hpp"

#include "text_reader.hpp"

namespace life {
namespace {

/// True if the first line that is not empty has the plain-text format.
bool begins_as_cells(std::string const& text) {
  text_reader reader(text, "");
  std::string_view line;
  while (!reader.at_end() && line.empty()) {
    line = reader.take_line();
    line = line.substr(0, line.find_last_not_of(" \t\r") + 1);
  }
  return line.starts_with('!') ||
         (!line.empty() && line.find_first_not_of(".O*") == std::string_view::npos);
}

} // namespace

void add(std::vector<run_of_cells>& alive, run_of_cells const& next) {
  if (!alive.empty() && alive.back().row == next.row &&
      alive.back().column + alive.back().length == next.column)
    alive.back().length += next.length;
  else
    alive.push_back(next);
}

pattern parse_pattern(std::string const& text, std::string const& name) {
  bool const is_cells = name.ends_with(".cells") || begins_as_cells(text);
  return is_cells ? parse_cells(text, name) : parse_rle(text, name);
}

} // namespace life
