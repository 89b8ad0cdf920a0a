#include "cells.hpp"

#include "text_reader.hpp"

namespace life {

pattern parse_cells(std::string const& text, std::string const& name) {
  pattern read;
  text_reader reader(text, name);
  while (!reader.at_end()) {
    if (reader.peek() == '!') {
      reader.take_line();
      continue;
    }
    std::int64_t column = 0;
    for (; !reader.at_end() && reader.peek() != '\n'; reader.take()) {
      char const c = reader.peek();
      if (c == '\r')
        continue;
      if (c != '.' && c != 'O' && c != '*')
        reader.refuse(std::string("'") + c + "' (expected '.', 'O' or '*')");
      if (c != '.')
        read.alive.push_back({read.height, column});
      read.width = std::max(read.width, ++column);
    }
    reader.take();
    ++read.height;
  }
  return read;
}

} // namespace life
