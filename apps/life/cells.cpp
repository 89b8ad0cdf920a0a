#include "cells.hpp"

#include "text_reader.hpp"

namespace life {
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
