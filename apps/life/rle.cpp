#include "pattern.hpp"

#include "text_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <iterator>
#include <string_view>

namespace life {
namespace {

constexpr std::int64_t most = 2'147'483'647;

bool is_blank(char c) { return c == ' ' || c == '\t'; }

void skip_blanks(text_reader& reader) {
  while (is_blank(reader.peek()) || reader.peek() == '\r')
    reader.take();
}

void skip_space(text_reader& reader) {
  constexpr std::string_view space = " \t\n\v\f\r";
  for (char c = reader.peek(); c != '\0' && c <= ' ' && space.find(c) != space.npos;
       c = reader.peek())
    reader.take();
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Reads a digit and appends it to the number that began at `line` and `column`.
std::int64_t with_digit(text_reader& reader, std::int64_t number, char const* what, int line,
                        int column) {
  number = 10 * number + (reader.take() - '0');
  if (number > most)
    reader.refuse_at(line, column,
                     std::string("the number for ") + what +
                         " is too large (expected at most 2147483647)");
  return number;
}

std::int64_t take_number(text_reader& reader, char const* what) {
  if (!is_digit(reader.peek()))
    reader.refuse(std::string("expected a number for ") + what);
  std::int64_t number = 0;
  int const line = reader.line(), column = reader.column();
  while (is_digit(reader.peek()))
    number = with_digit(reader, number, what, line, column);
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

/// Describes a board of Golly that seam-life does not have.
std::string_view note_on_board(char kind) {
  switch (kind) {
  case 'K': return ", a Klein bottle, is twisted";
  case 'C': return ", a cross-surface, is twisted";
  case 'S': return ", a sphere, is twisted";
  default: return "";
  }
}

/// Reads one of a board's sizes; refuses marks that shift or twist its edges.
std::int64_t take_extent(text_reader& reader, char const* what) {
  std::int64_t const extent = take_number(reader, what);
  char const mark = reader.peek();
  if (mark == '+' || mark == '-')
    reader.refuse("a board whose edges are shifted is not supported (expected T or P and sizes)");
  if (mark == '*')
    reader.refuse("a board whose edges are twisted is not supported (expected T or P and sizes)");
  return extent;
}

/// Reads a board such as ":T100,80", after its colon.
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

/// Reads a line that begins with '#'; "#r 23/3" names the rule.
void take_comment(text_reader& reader, pattern& into) {
  reader.take();
  bool const may_be_rule = reader.peek() == 'r';
  if (may_be_rule)
    reader.take();
  if (may_be_rule && is_blank(reader.peek())) {
    skip_blanks(reader);
    take_rule(reader, into);
  }
  reader.take_line();
}

/// Reads "x = m, y = n, rule = r"; the rule may be missing.
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

/// The place of the next run of cells. The box grows if live cells lie beyond it.
struct pen {
  pattern& into;
  std::int64_t row = 0, column = 0;

  void draw(text_reader const& reader, run_of_cells const& cells, bool alive, int line,
            int at_column) {
    if (cells.length > most - cells.column)
      reader.refuse_at(line, at_column, "the row is too long");
    column = cells.column + cells.length;
    if (alive) {
      add(into.alive, cells);
      into.width = std::max(into.width, column);
      into.height = std::max(into.height, row + 1);
    }
  }
};

/// Skips blanks, ends of lines, and comments, which are whole lines, up to the next item.
void skip_to_item(text_reader& reader, pattern& into, int line_of_item) {
  for (skip_space(reader); reader.peek() == '#' && reader.line() != line_of_item;
       skip_space(reader))
    take_comment(reader, into);
}

/// Skips the end of the line behind a count, if it is there, to the count's next digit or its tag.
void skip_end_of_line(text_reader& reader, pattern& into, int line, int column) {
  bool const has_blank = is_blank(reader.peek());
  skip_blanks(reader);
  if (reader.peek() == '\n')
    skip_to_item(reader, into, 0);
  else if (has_blank && !reader.at_end())
    reader.refuse_at(line, column, "a blank behind a count (expected its tag)");
}

/// Reads the count of the next tag; 1 if it has none. As in Golly ends of lines and comments may
/// divide a count: "1" at the end of a line and "2o" on the next are 12 cells. Golly ignores a
/// count before a blank, and reads 0 as 1; both are refused here.
std::int64_t take_count(text_reader& reader, pattern& into) {
  if (!is_digit(reader.peek()))
    return 1;
  int const line = reader.line(), column = reader.column();
  std::int64_t count = 0;
  while (is_digit(reader.peek())) {
    count = with_digit(reader, count, "a run", line, column);
    if (!is_digit(reader.peek()))
      skip_end_of_line(reader, into, line, column);
  }
  if (reader.at_end())
    reader.refuse_at(line, column, "the file ends behind a count (expected its tag)");
  if (count == 0)
    reader.refuse_at(line, column, "a count of 0 (expected at least 1)");
  return count;
}

bool is_letter_of_state(char c) { return c >= 'A' && c <= 'X'; }

/// Reads the letter of a cell; true if the cell is alive. 'A' to 'X' are the states 1 to 24, 'pA'
/// to 'yX' the states above; a letter from 'p' to 'y' alone is a live cell, as in Golly.
bool take_state(text_reader& reader) {
  constexpr int num_letters = 24;
  constexpr char const* expected = "(expected b, o, $, ! or a number)";
  int const line = reader.line(), column = reader.column();
  char const tag = reader.take();
  bool const is_high = tag >= 'p' && tag <= 'y';
  bool const is_pair = is_high && is_letter_of_state(reader.peek());
  if (is_pair || (is_letter_of_state(tag) && tag != 'A'))
    reader.refuse_at(line, column,
                     fmt::format("state {} {}",
                                 is_pair ? num_letters * (tag - 'p' + 1) + reader.peek() - 'A' + 1
                                         : tag - 'A' + 1,
                                 expected));
  bool const is_alive = is_high || tag == 'o' || tag == 'A';
  if (!is_alive && tag != 'b' && tag != '.')
    reader.refuse_at(line, column, fmt::format("'{}' {}", tag, expected));
  return is_alive;
}

/// Reads all cells up to '!' or, as in Golly, to the end of the text.
void take_cells(text_reader& reader, pen& at) {
  for (int line = 0;;) {
    skip_to_item(reader, at.into, line);
    line = reader.line();
    int const column = reader.column();
    std::int64_t const count = take_count(reader, at.into);
    if (reader.at_end() || reader.peek() == '!')
      return;
    if (reader.peek() == '$') {
      reader.take();
      at.row += count;
      at.column = 0;
    } else {
      bool const is_alive = take_state(reader);
      at.draw(reader, {at.row, at.column, count}, is_alive, line, column);
    }
    line = reader.line();
  }
}

/// Appends items, in lines of at most 70 characters.
class line_wrapper {
public:
  explicit line_wrapper(std::string& into) : into_(into) {}

  void item(std::int64_t count, char tag) {
    std::array<char, 24> text;
    char* end = text.data();
    if (count > 1)
      end = std::to_chars(end, end + text.size(), count).ptr;
    *end++ = tag;
    append({text.data(), end});
  }

private:
  void append(std::string_view item) {
    if (length_ + std::ssize(item) > 70) {
      into_ += '\n';
      length_ = 0;
    }
    into_ += item;
    length_ += std::ssize(item);
  }

  std::string& into_;
  std::int64_t length_ = 0;
};

std::string in_words(board const& shown) {
  return fmt::format(":{}{},{}", shown.topology == topology::torus ? 'T' : 'P', shown.width,
                     shown.height);
}

} // namespace

pattern parse_rle(std::string const& text, std::string const& name) {
  pattern read;
  text_reader reader(text, name);
  for (skip_space(reader); reader.peek() == '#'; skip_space(reader))
    take_comment(reader, read);
  if (reader.at_end())
    reader.refuse("the file ends (expected a pattern)");
  if (reader.peek() == 'x' || reader.peek() == 'X')
    take_header(reader, read);
  pen at{read};
  take_cells(reader, at);
  return read;
}

std::string to_rle(pattern const& drawn) {
  std::string text = fmt::format("x = {}, y = {}, rule = {}{}\n", drawn.width, drawn.height,
                                 to_string(drawn.rule.value_or(rule{})),
                                 drawn.board ? in_words(*drawn.board) : "");
  line_wrapper items(text);
  std::int64_t row = 0, column = 0;
  for (run_of_cells const& next : drawn.alive) {
    if (next.row > row) {
      items.item(next.row - row, '$');
      row = next.row;
      column = 0;
    }
    if (next.column > column)
      items.item(next.column - column, 'b');
    items.item(next.length, 'o');
    column = next.column + next.length;
  }
  items.item(1, '!');
  return text + "\n";
}

} // namespace life
