#include "pattern.hpp"

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

namespace {

/// Skips blanks; true if the line ends behind them.
bool at_end_of_row(text_reader& reader) {
  int const line = reader.line(), column = reader.column();
  while (reader.peek() == ' ' || reader.peek() == '\t' || reader.peek() == '\r')
    reader.take();
  bool const ends = reader.at_end() || reader.peek() == '\n';
  if (!ends && reader.column() != column)
    reader.refuse_at(line, column, "a blank between cells (expected '.', 'O' or '*')");
  return ends;
}

} // namespace

pattern parse_cells(std::string const& text, std::string const& name) {
  pattern read;
  text_reader reader(text, name);
  while (!reader.at_end()) {
    if (reader.peek() == '!') {
      reader.take_line();
      continue;
    }
    std::int64_t column = 0;
    for (; !at_end_of_row(reader); reader.take()) {
      char const c = reader.peek();
      if (c != '.' && c != 'O' && c != '*')
        reader.refuse(std::string("'") + c + "' (expected '.', 'O' or '*')");
      if (c != '.')
        add(read.alive, {read.height, column});
      read.width = std::max(read.width, ++column);
    }
    reader.take();
    ++read.height;
  }
  return read;
}

} // namespace life
