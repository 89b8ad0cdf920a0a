#include <support/catch.hpp>

#include <seam/framework/program/value_checks.hpp>

#include <cstdint>
#include <limits>
#include <random>
#include <string>

using seam::decimal;

TEST_CASE("a whole number is read as it was written") {
  std::mt19937_64 random(5);
  for (int n = 0; n < 1000; ++n) {
    auto const number = static_cast<std::int64_t>(random()) >> (n % 64);
    CAPTURE(number);
    CHECK(decimal<std::int64_t>(std::to_string(number)) == number);
    bool const is_int = number == static_cast<int>(number);
    CHECK(decimal<int>(std::to_string(number)).has_value() == is_int);
  }
  CHECK(decimal<int>("010") == 10);
  CHECK(decimal<double>("-2.5e-1") == -0.25);
}

TEST_CASE("text that is no decimal number as a whole is none") {
  for (std::string const text :
       {"", " ", "0x5", "0b1", "1 ", " 1", "1,", "one", "--1", "+1", "1e"}) {
    CAPTURE(text);
    CHECK_FALSE(decimal<int>(text));
    CHECK_FALSE(decimal<double>(text));
  }
  CHECK_FALSE(decimal<int>("1.0"));
  CHECK_FALSE(decimal<unsigned>("-1"));
  CHECK_FALSE(decimal<int>("2147483648"));
  CHECK_FALSE(decimal<double>("1e999"));
}
