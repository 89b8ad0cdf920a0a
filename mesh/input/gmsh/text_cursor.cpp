#include <seam/exchange/ground/error.hpp>
#include <seam/mesh/input/gmsh/cursor.hpp>
#include <seam/mesh/input/gmsh/text.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace seam::detail {

msh_text_cursor::msh_text_cursor(file_window& file, msh_place const& body, std::int64_t begin,
                                 std::int64_t end)
    : msh_cursor(file), begin_(begin), end_(end) {
  if (begin > body.offset && begin < end)
    begin_ = end_of_line(file, begin - 1);
  scan();
  restart(body.line);
}

void msh_text_cursor::scan() {
  at_ = {begin_, 0};
  pass_blank_lines(file_, at_, end_);
  for (; at_.offset < end_; pass_line()) {
    if (num_lines_ % marked == 0)
      marks_.push_back(at_);
    ++num_lines_;
    num_sections_ += file_.ahead(at_.offset).front() == '$' ? 1 : 0;
  }
  marks_.push_back(at_);
}

void msh_text_cursor::pass_line() {
  at_.offset = end_of_line(file_, at_.offset);
  ++at_.line;
  pass_blank_lines(file_, at_, end_);
}

void msh_text_cursor::restart(std::int64_t number) {
  first_number_ = number;
  taken_ = 0;
  at_ = marks_.front();
}

std::string_view msh_text_cursor::line() {
  constexpr std::int64_t most = 4096;
  auto const ahead = file_.at(at_.offset, most);
  line_ = trimmed(ahead.substr(0, ahead.find('\n')));
  ++taken_;
  pass_line();
  return line_;
}

void msh_text_cursor::numbers(std::initializer_list<int> widths, std::span<std::int64_t> into,
                              std::string_view expected) {
  msh_place const at = place();
  number_reader reader(line());
  for (int k = 0; k < std::ssize(widths); ++k) {
    auto const value = reader.next<std::int64_t>();
    if (!value)
      refuse_msh(file_, at, fmt::format("{} (expected {})", shown(reader.text()), expected));
    into[k] = *value;
  }
  if (!reader.is_at_end())
    refuse_msh(file_, at, fmt::format("{} (expected {})", shown(reader.text()), expected));
}

std::int64_t msh_text_cursor::pass(msh_run const&, std::int64_t limit) {
  std::int64_t const count = std::min(limit, num_lines_ - taken_);
  skip(count);
  return count;
}

void msh_text_cursor::skip(std::int64_t count) {
  std::int64_t const target = taken_ + count;
  if (target == num_lines_) {
    taken_ = target;
    at_ = marks_.back();
    return;
  }
  std::int64_t const mark = target / marked;
  if (mark * marked > taken_) {
    taken_ = mark * marked;
    at_ = marks_[mark];
  }
  for (; taken_ < target; ++taken_)
    pass_line();
}

void msh_text_cursor::pass_to_section() {
  if (num_sections_ == 0)
    skip(num_lines_ - taken_);
  while (!is_at_end() && file_.ahead(at_.offset).front() != '$')
    skip(1);
}

} // namespace seam::detail
