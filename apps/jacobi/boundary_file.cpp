#include "boundary_file.hpp"

#include <seam/exchange.hpp>
#include <seam/files.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

namespace jacobi {
namespace {

constexpr std::string_view axis_names = "xyz";
constexpr std::string_view spaces = " \t\r";

/// Reads one line word by word. Errors name the place of the last word read.
class line_reader {
public:
  line_reader(std::string_view line, std::string_view file, int number)
      : line_(line.substr(0, line.find('#'))), file_(file), number_(number) {}

  /// Returns the next word without reading past it; empty at the end of the line.
  std::string_view peek() const {
    auto const begin = std::min(line_.find_first_not_of(spaces, end_), line_.size());
    return line_.substr(begin, line_.find_first_of(spaces, begin) - begin);
  }
  bool is_at_end() const { return peek().empty(); }

  /// Reads the next word; the error line at the end of the line says what was `expected`.
  std::string_view word(std::string_view expected) {
    auto const found = peek();
    begin_ = found.data() - line_.data();
    end_ = begin_ + found.size();
    if (found.empty())
      refuse(fmt::format("the line ends (expected {})", expected));
    return found;
  }

  double number(std::string_view expected = "a number") {
    auto const found = word(expected);
    auto const* const end = found.data() + found.size();
    double value = 0;
    auto const [behind, trouble] = std::from_chars(found.data(), end, value);
    if (trouble != std::errc() || behind != end || !std::isfinite(value))
      refuse_word(expected);
    return value;
  }

  [[noreturn]] void refuse_word(std::string_view expected) const {
    refuse(fmt::format("'{}' (expected {})", line_.substr(begin_, end_ - begin_), expected));
  }

  [[noreturn]] void refuse(std::string_view why) const {
    throw seam::usage_error(fmt::format("boundary: {}:{}:{}: {}", file_, number_, begin_ + 1, why));
  }

private:
  std::string_view line_, file_;
  int number_;
  std::size_t begin_ = 0, end_ = 0; ///< of the last word
};

/// The grid's axis of that name: x is the last one.
std::optional<int> axis_named(std::string_view name, int num_axes) {
  auto const position = axis_names.substr(0, num_axes).find(name);
  if (name.size() != 1 || position == axis_names.npos)
    return std::nullopt;
  return num_axes - 1 - static_cast<int>(position);
}

std::string name_of(int axis, seam::side end, int num_axes) {
  return fmt::format("{}{}", axis_names[num_axes - 1 - axis], end == seam::side::low ? '-' : '+');
}

std::string names_of_sides(int num_axes) {
  return num_axes == 2 ? "x-, x+, y- or y+" : "x-, x+, y-, y+, z- or z+";
}

/// "1.5" or "along y 0 0.5 1", after the condition on a side of `side_axis`.
profile read_profile(line_reader& line, int side_axis, int num_axes) {
  if (line.peek() != "along")
    return {side_axis, {line.number("a number or 'along'")}};
  line.word("'along'");
  auto const axis = axis_named(line.word("an axis"), num_axes);
  if (!axis || *axis == side_axis)
    line.refuse_word("an axis along the side");
  std::vector<double> samples{line.number(), line.number()};
  while (!line.is_at_end())
    samples.push_back(line.number());
  return {*axis, std::move(samples)};
}

bool read_is_dirichlet(line_reader& line) {
  constexpr std::string_view conditions = "'dirichlet' or 'neumann'";
  auto const condition = line.word(conditions);
  if (condition != "dirichlet" && condition != "neumann")
    line.refuse_word(conditions);
  return condition == "dirichlet";
}

bool has_side(std::vector<boundary_side> const& sides, int axis, seam::side end) {
  return std::ranges::any_of(sides, [&](boundary_side const& known) {
    return known.axis == axis && known.end == end;
  });
}

/// Reads one side and its condition.
/// @param known  the sides of the lines before
boundary_side read_side(line_reader& line, std::vector<boundary_side> const& known, int num_axes) {
  auto const side = line.word("a side");
  auto const axis = axis_named(side.substr(0, 1), num_axes);
  if (!axis || side.size() != 2 || (side[1] != '-' && side[1] != '+'))
    line.refuse_word(names_of_sides(num_axes));
  auto const end = side[1] == '-' ? seam::side::low : seam::side::high;
  if (has_side(known, *axis, end))
    line.refuse(fmt::format("side {} was given before", side));
  bool const is_dirichlet = read_is_dirichlet(line);
  boundary_side read{*axis, end, is_dirichlet, read_profile(line, *axis, num_axes)};
  if (!line.is_at_end()) {
    line.word("the line's end");
    line.refuse_word("the line's end");
  }
  return read;
}

void check_all_there(std::vector<boundary_side> const& sides, std::string const& name,
                     int num_axes) {
  for (int axis = num_axes - 1; axis >= 0; --axis)
    for (seam::side end : {seam::side::low, seam::side::high})
      if (!has_side(sides, axis, end))
        throw seam::usage_error(fmt::format("boundary: {}: nothing is said about side {}", name,
                                            name_of(axis, end, num_axes)));
  if (std::ranges::none_of(sides, &boundary_side::is_dirichlet))
    throw seam::usage_error(
        fmt::format("boundary: {}: no side is dirichlet (expected at least one: "
                    "slopes alone leave the solution open)",
                    name));
}

} // namespace

double profile::at(double coordinate) const {
  auto const& samples = *samples_;
  double const place = std::clamp(coordinate, 0.0, 1.0) * static_cast<double>(samples.size() - 1);
  auto const below = static_cast<std::int64_t>(place);
  auto const above = std::min(below + 1, std::ssize(samples) - 1);
  double const share = place - static_cast<double>(below);
  return samples[below] + share * (samples[above] - samples[below]);
}

std::vector<boundary_side> parse_boundary(std::string_view text, std::string const& name,
                                          int num_axes) {
  std::vector<boundary_side> sides;
  for (int number = 1; !text.empty(); ++number) {
    auto const end = std::min(text.find('\n'), text.size());
    line_reader line(text.substr(0, end), name, number);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!line.is_at_end())
      sides.push_back(read_side(line, sides, num_axes));
  }
  check_all_there(sides, name, num_axes);
  return sides;
}

std::vector<boundary_side> read_boundary(seam::mpi::comm_view over, std::string const& path,
                                         int num_axes) {
  if (path.empty())
    return {};
  return parse_boundary(seam::read_text(over, path), path, num_axes);
}

} // namespace jacobi
