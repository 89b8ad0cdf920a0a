// Cursors over ranges of a text: together they see each line once, in its place.
#include <mesh/msh_files.hpp>
#include <support/catch.hpp>

#include <seam/exchange/ground/error.hpp>
#include <seam/mesh/input/gmsh/cursor.hpp>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

using namespace seam;
using namespace seam::detail;
using namespace seam::testing;

namespace {

struct placed_line {
  std::int64_t offset, number;
  std::string text;
};

/// The lines of a text that are not blank, without blanks at their ends.
std::vector<placed_line> lines_of(std::string const& text) {
  std::vector<placed_line> lines;
  std::int64_t number = 1;
  for (std::size_t begin = 0; begin < text.size(); ++number) {
    auto const end = std::min(text.find('\n', begin), text.size());
    auto line = text.substr(begin, end - begin);
    line.erase(line.find_last_not_of(" \t\r") + 1);
    if (!line.empty())
      lines.push_back({static_cast<std::int64_t>(begin), number, line});
    begin = end + 1;
  }
  return lines;
}

std::string random_text(std::mt19937& random, int num_lines) {
  auto const from_to = [&](int least, int most) {
    return std::uniform_int_distribution(least, most)(random);
  };
  std::string text;
  for (int k = 0; k < num_lines; ++k) {
    text += from_to(0, 9) == 0 ? "$" : "";
    for (int word = from_to(0, 4); word > 0; --word)
      text += std::to_string(from_to(-1000, 1000)) + (from_to(0, 4) == 0 ? "\t" : " ");
    text += from_to(0, 4) == 0 ? "\r\n" : "\n";
  }
  if (from_to(0, 1) == 0 && !text.empty())
    text.pop_back();
  return text;
}

} // namespace

TEST_CASE("each line belongs to the range in which it begins") {
  for (unsigned seed = 0; seed < 40; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    std::string const text = random_text(random, std::uniform_int_distribution(0, 60)(random));
    write_bytes("lines.txt", text);
    std::vector<std::int64_t> cuts{0, std::ssize(text)};
    for (int k = std::uniform_int_distribution(0, 6)(random); k > 0; --k)
      cuts.push_back(std::uniform_int_distribution<std::int64_t>(0, std::ssize(text))(random));
    std::ranges::sort(cuts);
    auto const expected = lines_of(text);
    std::size_t next = 0;
    std::int64_t number = 1;
    for (std::size_t c = 1; c < cuts.size(); ++c) {
      file_window file("lines.txt");
      msh_text_cursor cursor(file, {0, 1}, cuts[c - 1], cuts[c]);
      cursor.restart(number);
      std::int64_t taken = 0;
      for (; !cursor.is_at_end(); ++taken, ++next) {
        REQUIRE(next < expected.size());
        CHECK(cursor.place().offset == expected[next].offset);
        CHECK(cursor.place().line == expected[next].number);
        CHECK(expected[next].offset < cuts[c]);
        CHECK(cursor.line() == expected[next].text);
      }
      CHECK(taken == cursor.num_lines());
      number = cursor.end_number();
    }
    CHECK(number == 1 + std::count(text.begin(), text.end(), '\n') +
                        (text.empty() || text.back() == '\n' ? 0 : 1));
    CHECK(next == expected.size());
  }
}

TEST_CASE("steps over many lines come to the same places as lines one by one") {
  std::mt19937 random(3);
  std::string const text = random_text(random, 20000); // several marks, several windows
  write_bytes("many.txt", text);
  auto const expected = lines_of(text);
  auto const count = std::ssize(expected);
  file_window file("many.txt");
  msh_text_cursor cursor(file, {0, 1}, 0, std::ssize(text));
  for (int repeat = 0; repeat < 5; ++repeat) {
    cursor.restart(1);
    for (std::int64_t at = 0; at < count;) {
      CHECK(cursor.place().line == expected[at].number);
      CHECK(cursor.place().offset == expected[at].offset);
      auto const wanted = std::uniform_int_distribution<std::int64_t>(1, 9000)(random);
      CHECK(cursor.pass({}, wanted) == std::min(wanted, count - at));
      at = std::min(at + wanted, count);
    }
    CHECK(cursor.is_at_end());
    CHECK(cursor.pass({}, 1) == 0);
  }
}

TEST_CASE("a section that is not read ends at the next line with a dollar sign") {
  std::mt19937 random(4);
  std::string const text = random_text(random, 500);
  write_bytes("sections.txt", text);
  file_window file("sections.txt");
  msh_text_cursor cursor(file, {0, 1}, 0, std::ssize(text));
  for (auto const& [offset, number, line] : lines_of(text))
    if (line.starts_with('$')) {
      cursor.pass_to_section();
      CHECK(cursor.place().offset == offset);
      CHECK(cursor.place().line == number);
      CHECK(cursor.line() == line);
    }
  cursor.pass_to_section();
  CHECK(cursor.is_at_end());
}

TEST_CASE("a line of numbers has as many as are asked for, and nothing else") {
  write_bytes("numbers.txt", "1 -2 3\n1 2\n1 2 3 4\n1 x 3\n" + std::string(10000, ' ') + "\n");
  file_window file("numbers.txt");
  msh_text_cursor cursor(file, {0, 1}, 0, file.size());
  std::array<std::int64_t, 3> found{};
  cursor.numbers({8, 8, 8}, found, "three numbers");
  CHECK(found == std::array<std::int64_t, 3>{1, -2, 3});
  for (int line = 2; line <= 5; ++line) {
    std::string problem;
    try {
      cursor.numbers({8, 8, 8}, found, "three numbers");
    } catch (usage_error const& refused) {
      problem = refused.what();
    }
    CHECK_THAT(problem, Catch::Contains("numbers.txt:" + std::to_string(line) + ": ") &&
                            Catch::Contains("(expected three numbers)"));
  }
}

TEST_CASE("of a line longer than the window its beginning is shown") {
  std::string const text = std::string(200000, 'x') + "\nbehind\n";
  write_bytes("long.txt", text);
  file_window file("long.txt");
  msh_text_cursor cursor(file, {0, 1}, 0, std::ssize(text));
  CHECK(cursor.num_lines() == 2);
  auto const shown = std::string(cursor.line());
  CHECK(shown.size() >= 1000);
  CHECK(text.starts_with(shown));
  CHECK(cursor.line() == "behind");
}
