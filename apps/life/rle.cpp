#include "rle.hpp"

#include "text_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iterator>

namespace life {
namespace {

constexpr std::int64_t most = 2'147'483'647;
constexpr std::int64_t most_alive = 1 << 26; // 1 GiB of positions

void skip_blanks(text_reader& reader) {
  while (reader.peek() == ' ' || reader.peek() == '\t' || reader.peek() == '\r')
    reader.take();
}

void skip_space(text_reader& reader) {
  while (std::isspace(static_cast<unsigned char>(reader.peek())) != 0)
    reader.take();
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::int64_t take_number(text_reader& reader, char const* what) {
  if (!is_digit(reader.peek()))
    reader.refuse(std::string("expected a number for ") + what);
  std::int64_t number = 0;
  int const line = reader.line(), column = reader.column();
  while (is_digit(reader.peek())) {
    number = 10 * number + (reader.take() - '0');
    if (number > most)
      reader.refuse_at(line, column,
                       std::string("the number for ") + what +
                           " is too large (expected at most 2147483647)");
  }
  return number;
}

void expect(text_reader& reader, char wanted) {
  skip_blanks(reader);
  if (std::tolower(static_cast<unsigned char>(reader.peek())) != wanted)
    reader.refuse(std::string("expected '") + wanted +
                  "' in the header \"x = m, y = n, rule = r\"");
  reader.take();
  skip_blanks(reader);
}

/// Boards of Golly that are none here.
std::string_view note_on_board(char kind) {
  switch (kind) {
  case 'K': return ", a Klein bottle, is twisted";
  case 'C': return ", a cross-surface, is twisted";
  case 'S': return ", a sphere, is twisted";
  default: return "";
  }
}

/// One of a board's sizes; marks that shift or twist its edges are refused.
std::int64_t take_extent(text_reader& reader, char const* what) {
  std::int64_t const extent = take_number(reader, what);
  char const mark = reader.peek();
  if (mark == '+' || mark == '-')
    reader.refuse("a board whose edges are shifted is not supported (expected T or P and sizes)");
  if (mark == '*')
    reader.refuse("a board whose edges are twisted is not supported (expected T or P and sizes)");
  return extent;
}

/// ":T100,80" after its colon.
board take_board(text_reader& reader) {
  int const line = reader.line(), column = reader.column();
  char const kind = static_cast<char>(std::toupper(static_cast<unsigned char>(reader.take())));
  if (kind != 'T' && kind != 'P')
    reader.refuse_at(line, column,
                     fmt::format("board '{}'{} (expected T for a torus or P for a plane)", kind,
                                 note_on_board(kind)));
  board read{kind == 'T' ? topology::torus : topology::plane, take_extent(reader, "the width"), 0};
  read.height = read.width;
  if (reader.peek() == ',') {
    reader.take();
    read.height = take_extent(reader, "the height");
  }
  if ((read.width == 0) != (read.height == 0))
    reader.refuse_at(line, column,
                     fmt::format("a board unbounded on one axis alone, '{}{},{}' (expected numbers "
                                 "above 0, or {}0 for both axes)",
                                 kind, read.width, read.height, kind));
  return read;
}

rule take_rule_name(text_reader& reader) {
  int const line = reader.line(), column = reader.column();
  std::string name;
  while (!reader.at_end() &&
         std::string_view(":\r\n \t").find(reader.peek()) == std::string_view::npos)
    name += reader.take();
  try {
    return parse_rule(name);
  } catch (seam::usage_error const&) {
    reader.refuse_at(line, column, "rule '" + name + "' (expected digits 0 to 8, as in B3/S23)");
  }
}

void take_rule(text_reader& reader, pattern& into) {
  into.rule = take_rule_name(reader);
  if (reader.peek() == ':') {
    reader.take();
    into.board = take_board(reader);
  }
}

/// A line that begins with '#'; "#r 23/3" names the rule.
void take_comment(text_reader& reader, pattern& into) {
  reader.take();
  bool const may_be_rule = reader.peek() == 'r';
  if (may_be_rule)
    reader.take();
  if (may_be_rule && (reader.peek() == ' ' || reader.peek() == '\t')) {
    skip_blanks(reader);
    into.rule = take_rule_name(reader);
  }
  reader.take_line();
}

/// "x = m, y = n, rule = r"; the rule may be missing.
void take_header(text_reader& reader, pattern& into) {
  expect(reader, 'x');
  expect(reader, '=');
  into.width = take_number(reader, "x");
  expect(reader, ',');
  expect(reader, 'y');
  expect(reader, '=');
  into.height = take_number(reader, "y");
  skip_blanks(reader);
  if (reader.peek() == ',') {
    for (char letter : std::string_view(",rule="))
      expect(reader, letter);
    take_rule(reader, into);
  }
  skip_blanks(reader);
  if (!reader.at_end() && reader.take() != '\n')
    reader.refuse("unexpected text after the header");
}

/// Where the next run of cells goes. The box grows where live cells lie beyond it.
struct pen {
  pattern& into;
  std::int64_t row = 0, column = 0;

  void run(text_reader const& reader, std::int64_t count, bool alive, int line, int at_column) {
    if (alive && count > most_alive - std::ssize(into.alive))
      reader.refuse_at(line, at_column,
                       fmt::format("too many live cells (expected at most {})", most_alive));
    for (std::int64_t k = 0; alive && k < count; ++k)
      into.alive.push_back({row, column + k});
    column += count;
    if (column > most)
      reader.refuse_at(line, at_column, "the row is too long");
    if (alive) {
      into.width = std::max(into.width, column);
      into.height = std::max(into.height, row + 1);
    }
  }
};

void take_cells(text_reader& reader, pen& at) {
  for (;;) {
    skip_space(reader);
    if (reader.peek() == '#') {
      reader.take_line();
      continue;
    }
    int const line = reader.line(), column = reader.column();
    std::int64_t const count = is_digit(reader.peek()) ? take_number(reader, "a run") : 1;
    skip_space(reader);
    char const tag = reader.peek();
    if (reader.at_end())
      reader.refuse("the file ends (expected '!' after the last cell)");
    if (tag == '!')
      return;
    if (tag == '$') {
      at.row += count;
      at.column = 0;
    } else if (tag == 'b' || tag == '.' || tag == 'o' || tag == 'A') {
      at.run(reader, count, tag == 'o' || tag == 'A', line, column);
    } else {
      reader.refuse(std::string("'") + tag + "' (expected b, o, $, ! or a number)");
    }
    reader.take();
  }
}

/// Appends items and breaks lines before they exceed what the format allows.
class line_wrapper {
public:
  explicit line_wrapper(std::string& into) : into_(into) {}

  void item(std::int64_t count, char tag) {
    std::string const text = count == 1 ? std::string(1, tag) : fmt::format("{}{}", count, tag);
    if (length_ + text.size() > 70) {
      into_ += '\n';
      length_ = 0;
    }
    into_ += text;
    length_ += text.size();
  }

private:
  std::string& into_;
  std::size_t length_ = 0;
};

std::string in_words(board const& what) {
  return fmt::format(":{}{},{}", what.topology == topology::torus ? 'T' : 'P', what.width,
                     what.height);
}

} // namespace

pattern parse_rle(std::string const& text, std::string const& name) {
  pattern read;
  text_reader reader(text, name);
  for (skip_space(reader); reader.peek() == '#'; skip_space(reader))
    take_comment(reader, read);
  if (reader.peek() == 'x' || reader.peek() == 'X')
    take_header(reader, read);
  pen at{read};
  take_cells(reader, at);
  return read;
}

std::string to_rle(pattern const& what) {
  std::string text =
      fmt::format("x = {}, y = {}, rule = {}{}\n", what.width, what.height,
                  to_string(what.rule.value_or(rule{})), what.board ? in_words(*what.board) : "");
  line_wrapper items(text);
  std::int64_t row = 0, column = 0;
  for (std::size_t first = 0, last; first < what.alive.size(); first = last) {
    cell const& begin = what.alive[first];
    for (last = first + 1; last < what.alive.size() && what.alive[last].row == begin.row &&
                           what.alive[last].column == what.alive[last - 1].column + 1;)
      ++last;
    if (begin.row > row) {
      items.item(begin.row - row, '$');
      row = begin.row;
      column = 0;
    }
    if (begin.column > column)
      items.item(begin.column - column, 'b');
    auto const length = static_cast<std::int64_t>(last - first);
    items.item(length, 'o');
    column = begin.column + length;
  }
  items.item(1, '!');
  return text + "\n";
}

} // namespace life
