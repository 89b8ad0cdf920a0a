#include "pattern.hpp"

#include "cells.hpp"
#include "rle.hpp"

namespace life {

pattern parse_pattern(std::string const& text, std::string const& name) {
  bool const is_named_cells = name.size() >= 6 && name.substr(name.size() - 6) == ".cells";
  bool const looks_like_cells = !text.empty() && (text[0] == '!' || text[0] == 'O');
  return is_named_cells || looks_like_cells ? parse_cells(text, name) : parse_rle(text, name);
}

} // namespace life
