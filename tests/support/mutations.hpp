/// Damage to files, to find errors in their readers: some changes follow the structure of a text,
/// others change bits.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace seam::testing {

/// Makes one change after another to a copy of a file. The same seed gives the same changes.
class mutator {
public:
  explicit mutator(std::uint64_t seed) : random_(seed) {}

  /// `bytes` after one to three changes.
  std::string operator()(std::string bytes) {
    for (std::size_t left = 1 + below(3); left > 0 && !bytes.empty(); --left)
      change(bytes);
    return bytes;
  }

  /// A number from 0 to count - 1.
  std::size_t below(std::size_t count) { return random_() % count; }

  /// A number that is hard to handle.
  std::int64_t extreme() {
    constexpr std::int64_t all[] = {
        0,         -1,        1,         2,   1'000'000'000'000, 1LL << 31,     1LL << 62,
        INT64_MAX, INT64_MIN, INT32_MIN, 255, 1LL << 40,         0x7ff8LL << 48};
    return all[below(std::size(all))];
  }

private:
  struct range {
    std::size_t begin, end;
  };

  void change(std::string& bytes) {
    switch (below(10)) {
    case 0: bytes.resize(below(bytes.size() + 1)); break;
    case 1: bytes[below(bytes.size())] ^= static_cast<char>(1 << below(8)); break;
    case 2:
      bytes.insert(below(bytes.size() + 1), std::string(1 + below(9), char(random_())));
      break;
    case 3: overwrite(bytes); break;
    case 4: move_lines(bytes, line_at(bytes, below(bytes.size()))); break;
    case 5: move_lines(bytes, section_at(bytes, below(bytes.size()))); break;
    default: replace_token(bytes); break;
    }
  }

  /// Overwrites 4 or 8 bytes by an extreme number.
  void overwrite(std::string& bytes) {
    std::int64_t const value = extreme();
    std::size_t const width = below(2) == 0 ? 4 : 8;
    if (bytes.size() >= width)
      std::memcpy(bytes.data() + below(bytes.size() - width + 1), &value, width);
  }

  void replace_token(std::string& bytes) {
    constexpr std::string_view blanks = " \t\r\n";
    auto const at = below(bytes.size());
    auto const begin = std::min(bytes.find_first_not_of(blanks, at), bytes.size());
    auto const end = std::min(bytes.find_first_of(blanks, begin), bytes.size());
    constexpr std::string_view words[] = {
        "nan", "inf", "1e999", "$",     "$Nodes", "$EndElements", "", "99999999999999999999999",
        "x",   "4.1", "-0",    "1e-320"};
    std::size_t const kind = below(3);
    std::string token = bytes.substr(begin, end - begin);
    if (kind == 0)
      token = words[below(std::size(words))];
    else if (kind == 1)
      token = std::to_string(extreme());
    else if (!token.empty())
      token[below(token.size())] = static_cast<char>('0' + below(10));
    bytes.replace(begin, end - begin, token);
  }

  /// Deletes, repeats or moves a range of bytes.
  void move_lines(std::string& bytes, range const& lines) {
    std::string const part = bytes.substr(lines.begin, lines.end - lines.begin);
    std::size_t const kind = below(3);
    if (kind != 1)
      bytes.erase(lines.begin, lines.end - lines.begin);
    if (kind == 1)
      bytes.insert(lines.end, part);
    if (kind == 2 && !bytes.empty())
      bytes.insert(line_at(bytes, below(bytes.size())).begin, part);
  }

  static range line_at(std::string const& bytes, std::size_t at) {
    auto const before = at == 0 ? bytes.npos : bytes.rfind('\n', at - 1);
    return {before == bytes.npos ? 0 : before + 1,
            std::min(bytes.find('\n', at), bytes.size() - 1) + 1};
  }

  /// The range from a line that begins with '$' to the next such line but one.
  static range section_at(std::string const& bytes, std::size_t at) {
    auto const before = bytes.rfind("\n$", at);
    std::size_t const begin = before == bytes.npos ? 0 : before + 1;
    std::size_t end = bytes.find("\n$End", begin);
    end = end == bytes.npos ? bytes.size() : line_at(bytes, end + 1).end;
    return {begin, end};
  }

  std::mt19937_64 random_;
};

} // namespace seam::testing
