/// Reading a text file character by character, with the position for error lines.
#pragma once

#include <seam/exchange.hpp>

#include <algorithm>
#include <string>
#include <string_view>

namespace life {

/// A position in a text. At the end peek() returns '\0'. A byte order mark at the front is skipped.
class text_reader {
public:
  text_reader(std::string_view text, std::string name) : text_(text), name_(std::move(name)) {
    if (constexpr std::string_view mark = "\xEF\xBB\xBF"; text_.starts_with(mark))
      text_.remove_prefix(mark.size());
  }

  bool at_end() const { return at_ == text_.size(); }
  char peek() const { return at_end() ? '\0' : text_[at_]; }

  char take() {
    if (at_end())
      return '\0';
    char const c = text_[at_++];
    if (c == '\n')
      begin_line();
    return c;
  }

  /// Reads to the end of the line, and returns its rest.
  std::string_view take_line() {
    auto const end = std::min(text_.find('\n', at_), text_.size());
    auto const line = text_.substr(at_, end - at_);
    at_ = end;
    take();
    return line;
  }

  int line() const { return line_; }
  int column() const { return static_cast<int>(at_ - begin_of_line_) + 1; }

  /// Throws usage_error "name:line:column: problem" for the present position.
  [[noreturn]] void refuse(std::string const& problem) const {
    refuse_at(line(), column(), problem);
  }
  [[noreturn]] void refuse_at(int line, int column, std::string const& problem) const {
    throw seam::usage_error(name_ + ":" + std::to_string(line) + ":" + std::to_string(column) +
                            ": " + problem);
  }

private:
  void begin_line() {
    ++line_;
    begin_of_line_ = at_;
  }

  std::string_view text_;
  std::string name_;
  std::size_t at_ = 0, begin_of_line_ = 0;
  int line_ = 1;
};

} // namespace life
