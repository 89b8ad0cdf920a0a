// Readers of patterns and rules: what they accept, where they refuse, and what comes back.
#include "pattern.hpp"

#include <seam/exchange/ground/error.hpp>

#include <support/catch.hpp>

#include <filesystem>
#include <fstream>
#include <random>

using namespace life;

namespace {

std::string refusal(std::string const& text) {
  try {
    parse_pattern(text, "p.rle");
  } catch (seam::usage_error const& refused) {
    return refused.what();
  }
  return "accepted";
}

/// A pattern as its rows from its upper left corner, such as ".O", "OO".
std::vector<std::string> rows_of(pattern const& read) {
  std::vector<std::string> rows;
  for (run_of_cells const& cells : read.alive) {
    rows.resize(cells.row + 1);
    rows.back().resize(cells.column, '.');
    rows.back().append(static_cast<std::size_t>(cells.length), 'O');
  }
  return rows;
}

std::vector<std::string> rows_of(std::string const& text, std::string const& name = "p.rle") {
  return rows_of(parse_pattern(text, name));
}

using rows = std::vector<std::string>;

} // namespace

TEST_CASE("RLE may wrap lines anywhere between items, and count anything") {
  rows const glider{".O", "..O", "OOO"};
  for (auto const* text :
       {"x=3,y=3\nbo$2bo$3o!", "#C c\nX = 3, Y = 3, RULE = b3s23\nb\no $ 2b\no$3\no ! x",
        "bo$2bo$3o!", "x = 3, y = 3, rule = 23/3\n.A$..A$AAA!"})
    CHECK(rows_of(text) == glider);
  CHECK(rows_of("x=1,y=9\no3$o!") == rows{"O", "", "", "O"});
}

TEST_CASE("RLE is read as Golly reads it") {
  std::string const twelve(12, 'O'), header = "x = 3, y = 3, rule = B3/S23\n";
  for (std::string const cells :
       {"1\n2o!", "1\r\n2o!", "1 \n2o!", "1\n\n 2o!", "1\n#C hello\n2o!", "12\no!", "12o", "12o\n"})
    for (std::string const& before : {header, std::string()})
      CHECK(rows_of(before + cells) == rows{twelve});
  CHECK(rows_of(header + "oqo$opo!") == rows{"OOO", "OOO"});
  CHECK(rows_of(header + "oAo$o.o!\nooo") == rows{"OOO", "O.O"});
  for (auto const* empty : {"", "!", "$", "3b!"})
    CHECK(rows_of(header + empty).empty());
  auto const rule_of = [](std::string const& text) {
    return to_string(*parse_pattern(text, "p.rle").rule);
  };
  CHECK(rule_of("#r 23/36\nx = 3, y = 3\n3o!") == "B36/S23");
  CHECK(rule_of("#r 23/36\n" + header + "3o!") == "B3/S23");
  CHECK(rule_of(header + "#r 23/36\n3o!") == "B36/S23");
  CHECK(rule_of(header + "3\n#r 23/36\no!") == "B36/S23");
}

TEST_CASE("what Golly would silently read as something else is refused") {
  CHECK(refusal("o$3 o!") == "p.rle:1:3: a blank behind a count (expected its tag)");
  CHECK(refusal("1 2o!") == "p.rle:1:1: a blank behind a count (expected its tag)");
  CHECK(refusal("o0bo!") == "p.rle:1:2: a count of 0 (expected at least 1)");
  CHECK(refusal("o\n12\n") == "p.rle:2:1: the file ends behind a count (expected its tag)");
  CHECK(refusal("3o#o!") == "p.rle:1:3: '#' (expected b, o, $, ! or a number)");
  CHECK(refusal("o,o!") == "p.rle:1:2: ',' (expected b, o, $, ! or a number)");
  CHECK(refusal("") == "p.rle:1:1: the file ends (expected a pattern)");
  CHECK(refusal("#C c\n\n") == "p.rle:3:1: the file ends (expected a pattern)");
}

TEST_CASE("states of rules with more than two are refused with their number") {
  CHECK(refusal("o2Bo!") == "p.rle:1:3: state 2 (expected b, o, $, ! or a number)");
  CHECK(refusal("oX!") == "p.rle:1:2: state 24 (expected b, o, $, ! or a number)");
  CHECK(refusal("opAo!") == "p.rle:1:2: state 25 (expected b, o, $, ! or a number)");
  CHECK(refusal("yO!") == "p.rle:1:1: state 255 (expected b, o, $, ! or a number)");
}

TEST_CASE("the header's rule and board are kept") {
  auto const torus = parse_pattern("x = 0, y = 0, rule = B36/S23:T100,80\n!", "p.rle");
  CHECK(to_string(*torus.rule) == "B36/S23");
  CHECK(*torus.board == board{topology::torus, 100, 80});
  CHECK(*parse_pattern("x=0,y=0,rule=B3/S23:P9\n!", "p.rle").board == board{topology::plane, 9, 9});
}

TEST_CASE("malformed RLE is refused with line and column") {
  CHECK(refusal("x = 3, y = 3\nbo$2zo!") == "p.rle:2:5: 'z' (expected b, o, $, ! or a number)");
  CHECK(refusal("x = 3 y = 3\no!").starts_with("p.rle:1:7: expected ','"));
  CHECK(refusal("x = q, y = 3\no!") == "p.rle:1:5: expected a number for x");
  CHECK(refusal("x = 3, y = 3, rule = B3/S29\no!").starts_with("p.rle:1:22: rule 'B3/S29'"));
  CHECK(refusal("x = 3, y = 3, rule = B3/S23:K9\no!").starts_with("p.rle:1:29: board 'K'"));
  for (std::string const board : {"T0,7", "P30,0"})
    CHECK(refusal("x = 3, y = 3, rule = B3/S23:" + board + "\no!") ==
          "p.rle:1:29: a board unbounded on one axis alone, '" + board +
              "' (expected numbers above 0, or " + board[0] + "0 for both axes)");
  CHECK(refusal("x=1,y=1,rule=B3/S23:T30+5,20\no!") ==
        "p.rle:1:24: a board whose edges are shifted is not supported (expected T or P and sizes)");
  CHECK(refusal("x=1,y=1,rule=B3/S23:T30,20*\no!") ==
        "p.rle:1:27: a board whose edges are twisted is not supported (expected T or P and sizes)");
  CHECK(refusal("x=1,y=1,rule=B3/S23:K30*,20\no!") ==
        "p.rle:1:21: board 'K', a Klein bottle, is twisted (expected T for a torus or P for a "
        "plane)");
  CHECK(refusal("#r 2x/3\no!").starts_with("p.rle:1:4: rule '2x/3'"));
  CHECK(refusal("99999999999o!").starts_with("p.rle:1:1: the number for a run is too large"));
}

TEST_CASE("a pattern takes the memory of its text, however long its runs are") {
  CHECK(parse_pattern("67108864o!", "p.rle").alive == std::vector<run_of_cells>{{0, 0, 67108864}});
  auto const read = parse_pattern("x = 1000000000, y = 1\n3b2000000000o$2000000000b9o!", "p.rle");
  CHECK(read.alive == std::vector<run_of_cells>{{0, 3, 2000000000}, {1, 2000000000, 9}});
  CHECK(read.width == 2000000009);
  CHECK(parse_pattern("2000000000b$2000000000$o!", "p.rle").alive.size() == 1);
  CHECK(refusal("o$\n 2147483647o2o!") == "p.rle:2:13: the row is too long");
}

TEST_CASE("RLE of Golly and its relatives is read") {
  rows const blinker{"OOO"};
  for (std::string const text : {"  x = 3, y = 1\n3o!", "\xEF\xBB\xBFx = 3, y = 1\n3o!",
                                 "\n\t x = 0, y = 0\n3o!", "#C c\r\n x=1,y=1,rule=Life\r\n3o!\r\n",
                                 "#r 23/3\nx = 3, y = 1\n3o!", "#random words\n3o!"}) {
    auto const read = parse_pattern(text, "p.rle");
    CHECK(rows_of(read) == blinker);
    CHECK(read.width == 3);
    CHECK(read.height == 1);
    CHECK(read.rule.value_or(rule{}) == rule{});
  }
  CHECK(to_string(*parse_pattern("#r 23/36\n3o!", "p.rle").rule) == "B36/S23");
  CHECK(to_string(*parse_pattern("#r 23/36\nx=3,y=1,rule=S1/B2\n3o!", "p.rle").rule) == "B2/S1");
}

TEST_CASE("the box grows where cells lie beyond the header's, and is kept where they do not") {
  auto const larger = parse_pattern("x = 2, y = 3\nbo$3o5$o!", "p.rle");
  CHECK(larger.width == 3);
  CHECK(larger.height == 7);
  auto const smaller = parse_pattern("x = 9, y = 8\nbo$3o9$12b!", "p.rle");
  CHECK(smaller.width == 9);
  CHECK(smaller.height == 8);
}

TEST_CASE("plain text is known by its first line") {
  for (std::string const text : {"...\nO.O", "\n.*.\nOOO", "! c\nO", "\xEF\xBB\xBF.O.  \r\nO\r\n"})
    CHECK_FALSE(parse_pattern(text, "p.txt").alive.empty());
  CHECK(rows_of("...\nO.O", "p.txt") == rows{"", "O.O"});
  CHECK(rows_of("...A$\nA!", "p.txt") == rows{"...O", "O"});
}

TEST_CASE("blanks at the ends of lines of plain text count for nothing") {
  auto const read = parse_pattern(".O  \r\n\t\nO", "p.cells");
  CHECK(rows_of(read) == rows{".O", "", "O"});
  CHECK(read.width == 2);
  CHECK(read.height == 3);
  CHECK_THROWS_WITH(parse_cells(".O  O\n", "p.cells"),
                    Catch::StartsWith("p.cells:1:3: a blank between cells"));
}

TEST_CASE("plain text has rows of dots and O's, and comments") {
  auto const read = parse_pattern("!Name: x\n.O\n\n*", "p.cells");
  CHECK(rows_of(read) == rows{".O", "", "O"});
  CHECK(read.width == 2);
  CHECK(read.height == 3);
  CHECK(parse_pattern("OOO.OO", "p.cells").alive ==
        std::vector<run_of_cells>{{0, 0, 3}, {0, 4, 2}});
  CHECK_THROWS_WITH(parse_cells("!\n.Ox\n", "p.cells"),
                    Catch::StartsWith("p.cells:2:3: 'x' (expected '.', 'O' or '*')"));
}

TEST_CASE("what is written as RLE is read as the same pattern, in short lines") {
  std::mt19937 random(7);
  pattern soup{97, 31, {}, parse_rule("B36/S125"), board{topology::torus, 97, 31}};
  for (std::int64_t row = 0; row < soup.height; ++row)
    for (std::int64_t column = 0; column < soup.width; ++column)
      if (random() % 3 == 0)
        add(soup.alive, {row, column});
  auto const text = to_rle(soup);
  auto const back = parse_rle(text, "soup");
  CHECK(back.alive == soup.alive);
  CHECK(*back.rule == *soup.rule);
  CHECK(*back.board == *soup.board);
  for (std::size_t begin = 0, end; (end = text.find('\n', begin)) != std::string::npos;
       begin = end + 1)
    CHECK(end - begin <= 70);
}

TEST_CASE("rules are tables of births and survivals") {
  auto const conway = parse_rule("B3/S23");
  CHECK(conway == rule{});
  CHECK(parse_rule("b3s23") == conway);
  for (auto const* text : {"23/3", "S23/B3", "s23b3", "Life", "LIFE"})
    CHECK(parse_rule(text) == conway);
  for (auto const* bad : {"", "B3", "B9/S2", "B3/S23x", "3", "S23", "S23/3", "Lif", "Life3"})
    CHECK_THROWS_AS(parse_rule(bad), seam::usage_error);
  auto const game = parse_rule("B0368/S1257");
  CHECK(game.birth == (1U << 0 | 1U << 3 | 1U << 6 | 1U << 8));
  CHECK(game.survival == (1U << 1 | 1U << 2 | 1U << 5 | 1U << 7));
}
