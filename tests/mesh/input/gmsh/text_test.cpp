#include <support/catch.hpp>

#include <seam/mesh/input/gmsh/text.hpp>

#include <cstdint>
#include <random>
#include <string>
#include <vector>

using namespace seam::detail;

namespace {

/// Some blanks, at least `least`.
std::string some_blanks(std::mt19937& random, int least) {
  std::string text;
  for (int k = std::uniform_int_distribution(least, 3)(random); k > 0; --k)
    text += " \t\r"[std::uniform_int_distribution(0, 2)(random)];
  return text;
}

} // namespace

TEST_CASE("the numbers of a line are taken one after another, whatever blanks lie between") {
  for (unsigned seed = 0; seed < 100; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    std::uniform_int_distribution<std::int64_t> any(INT64_MIN, INT64_MAX);
    std::vector<std::int64_t> numbers(std::uniform_int_distribution(0, 6)(random));
    std::string line = some_blanks(random, 0);
    for (std::int64_t& number : numbers) {
      number = any(random);
      line += std::to_string(number) + some_blanks(random, 1);
    }
    number_reader reader(line);
    for (std::int64_t const number : numbers) {
      CHECK_FALSE(reader.is_at_end());
      CHECK(reader.next<std::int64_t>() == number);
    }
    CHECK(reader.is_at_end());
    CHECK_FALSE(reader.next<std::int64_t>());
    CHECK(reader.text() == line);
  }
}

TEST_CASE("text that is no number of the type stays where it is") {
  for (std::string const word : {"1x", "x1", "1.5", "99999999999999999999", "-", "1,2", "$End"}) {
    CAPTURE(word);
    std::string const line = "7 " + word + " 8";
    number_reader reader(line);
    CHECK(reader.next<std::int64_t>() == 7);
    CHECK_FALSE(reader.next<std::int64_t>());
    CHECK_FALSE(reader.next<std::int64_t>());
    CHECK(reader.rest() == word + " 8");
  }
  number_reader reader("1.5 -2e3 nan");
  CHECK_FALSE(reader.next<int>());
  CHECK(reader.next<double>() == 1.5);
  CHECK(reader.next<double>() == -2000);
}

TEST_CASE("blanks are cut off at the end of a line alone") {
  CHECK(trimmed(" a b \t\r") == " a b");
  CHECK(trimmed("a") == "a");
  CHECK(trimmed(" \t ").empty());
  CHECK(trimmed("").empty());
}
