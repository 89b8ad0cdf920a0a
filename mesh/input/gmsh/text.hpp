/// Numbers in text.
#pragma once

#include <charconv>
#include <optional>
#include <string_view>

namespace seam::detail {

inline constexpr std::string_view blanks = " \t\r";

/// `line` without blanks at its end.
inline std::string_view trimmed(std::string_view line) {
  return line.substr(0, line.find_last_not_of(blanks) + 1);
}

/// The numbers of one line, taken one after another.
class number_reader {
public:
  explicit number_reader(std::string_view text) : text_(text), left_(text) { skip_blanks(); }

  /// Takes the next number; returns nothing, and takes nothing, if it is not of this type.
  template <class T>
  std::optional<T> next() {
    T value{};
    bool const has_plus = left_.size() > 1 && left_[0] == '+' && left_[1] != '-';
    char const *const begin = left_.data() + (has_plus ? 1 : 0), *const end =
                                                                     left_.data() + left_.size();
    auto const [behind, trouble] = std::from_chars(begin, end, value);
    bool const is_whole = behind == end || blanks.find(*behind) != blanks.npos;
    if (trouble != std::errc() || !is_whole)
      return std::nullopt;
    left_.remove_prefix(behind - left_.data());
    skip_blanks();
    return value;
  }

  bool is_at_end() const { return left_.empty(); }

  /// The text that has not been taken.
  std::string_view rest() const { return left_; }

  /// The whole line.
  std::string_view text() const { return text_; }

private:
  void skip_blanks() {
    auto const begin = left_.find_first_not_of(blanks);
    left_.remove_prefix(begin == left_.npos ? left_.size() : begin);
  }

  std::string_view text_, left_;
};

} // namespace seam::detail
