#include "rule.hpp"

#include <seam/exchange.hpp>

#include <fmt/format.h>

#include <cctype>

namespace life {
namespace {

[[noreturn]] void refuse_rule(std::string_view text) {
  seam::refuse("rule '" + std::string(text) + "' (expected digits 0 to 8, as in B3/S23)");
}

std::string in_digits(std::uint16_t counts) {
  std::string digits;
  for (int n = 0; n <= 8; ++n)
    if ((counts >> n & 1) != 0)
      digits += static_cast<char>('0' + n);
  return digits;
}

/// Reads the digits at the front of `text`; bit n is set for the digit n.
std::uint16_t take_counts(std::string_view& text, std::string_view whole) {
  unsigned counts = 0;
  for (; !text.empty() && std::isdigit(static_cast<unsigned char>(text.front())) != 0;
       text.remove_prefix(1)) {
    if (text.front() == '9')
      refuse_rule(whole);
    counts |= 1U << (text.front() - '0');
  }
  return static_cast<std::uint16_t>(counts);
}

bool take_letter(std::string_view& text, char letter) {
  bool const there =
      !text.empty() && std::toupper(static_cast<unsigned char>(text.front())) == letter;
  if (there)
    text.remove_prefix(1);
  return there;
}

/// Reads a slash, which may be missing, and the letter before the other counts.
void expect_second(std::string_view& text, char letter, std::string_view whole) {
  take_letter(text, '/');
  if (!take_letter(text, letter))
    refuse_rule(whole);
}

/// True for "Life", in any case.
bool is_life(std::string_view text) {
  for (char const letter : {'L', 'I', 'F', 'E'})
    if (!take_letter(text, letter))
      return false;
  return text.empty();
}

} // namespace

rule parse_rule(std::string_view text) {
  if (is_life(text))
    return {};
  std::string_view rest = text;
  rule read{0, 0};
  if (take_letter(rest, 'B')) {
    read.birth = take_counts(rest, text);
    expect_second(rest, 'S', text);
    read.survival = take_counts(rest, text);
  } else if (take_letter(rest, 'S')) {
    read.survival = take_counts(rest, text);
    expect_second(rest, 'B', text);
    read.birth = take_counts(rest, text);
  } else {
    read.survival = take_counts(rest, text);
    if (!take_letter(rest, '/'))
      refuse_rule(text);
    read.birth = take_counts(rest, text);
  }
  if (!rest.empty())
    refuse_rule(text);
  return read;
}

std::string to_string(rule const& game) {
  return fmt::format("B{}/S{}", in_digits(game.birth), in_digits(game.survival));
}

} // namespace life
