#include "point_file.hpp"

#include <seam/files.hpp>
#include <seam/program.hpp>

#include <fmt/format.h>

#include <cctype>
#include <cmath>
#include <fstream>
#include <memory>

namespace partition_app {
namespace {

using seam::file_window;

constexpr std::string_view blanks = " \t\r";
constexpr std::int64_t longest_line = 4096;

std::string_view trimmed(std::string_view text) {
  auto const begin = std::min(text.find_first_not_of(blanks), text.size());
  text.remove_prefix(begin);
  return text.substr(0, text.find_last_not_of(blanks) + 1);
}

/// The columns of a file beside id, x and y.
struct columns {
  bool has_z = false, has_weight = false;
  bool are_named = false; ///< the first line names them
  int count() const { return 3 + int(has_z) + int(has_weight); }
};

constexpr char const* allowed_columns = "id,x,y with or without z and weight";

/// Removes the byte order mark that some programs write before a text in UTF-8.
std::string_view without_mark(std::string_view text) {
  constexpr std::string_view mark = "\xEF\xBB\xBF";
  return text.substr(text.starts_with(mark) ? mark.size() : 0);
}

/// The line in small letters, without blanks.
std::string plain(std::string_view line) {
  std::string text;
  for (char const letter : line)
    if (blanks.find(letter) == blanks.npos)
      text += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  return text;
}

columns columns_of(std::string_view first, std::string const& path) {
  auto const refuse = [&](std::string const& found) {
    throw seam::usage_error(fmt::format("points: {}:1: {} (expected {})", path, found,
                                        allowed_columns));
  };
  if (std::ssize(first) >= longest_line)
    throw seam::usage_error(fmt::format("points: {}:1: a line of more than {} characters", path,
                                        longest_line));
  std::string const names = plain(first);
  for (columns const& has : {columns{false, false, true}, columns{true, false, true},
                             columns{false, true, true}, columns{true, true, true}})
    if (names == fmt::format("id,x,y{}{}", has.has_z ? ",z" : "", has.has_weight ? ",weight" : ""))
      return has;
  if (names.empty())
    refuse("an empty line");
  if (names[0] >= 'a' && names[0] <= 'z')
    refuse(fmt::format("columns '{}'", first));
  auto const count = 1 + std::ranges::count(first, ',');
  if (count < 3 || count > 5)
    refuse(fmt::format("{} columns", count));
  return {count > 3, count > 4, false};
}

/// Reads the numbers of one line one after another.
class line_reader {
public:
  line_reader(std::string_view line, std::string const& path, std::int64_t number)
      : left_(line), path_(path), number_(number) {}

  template <class T, class IsRight>
  T next(std::string_view expected, IsRight is_right) {
    if (is_at_end_)
      refuse(fmt::format("the line ends (expected {})", expected));
    auto const comma = left_.find(',');
    auto const word = trimmed(left_.substr(0, comma));
    is_at_end_ = comma == left_.npos;
    left_.remove_prefix(is_at_end_ ? left_.size() : comma + 1);
    auto const value =
        seam::decimal<T>(word.substr(word.size() > 1 && word[0] == '+' && word[1] != '-' ? 1 : 0));
    if (!value || !is_right(*value))
      refuse(fmt::format("'{}' (expected {})", word, expected));
    return *value;
  }
  void end(int num_columns) const {
    if (!is_at_end_)
      refuse(fmt::format("'{}' (expected {} columns)", left_, num_columns));
  }
  [[noreturn]] void refuse(std::string const& why) const {
    throw seam::usage_error(fmt::format("points: {}:{}: {}", path_, number_, why));
  }

private:
  std::string_view left_;
  std::string const& path_;
  std::int64_t number_;
  bool is_at_end_ = false;
};

void add_point(line_reader line, columns const& has, seam::point_set& to) {
  constexpr double largest = 0x1p500; // the largest value that partitioners take
  to.ids.push_back(line.next<seam::global_id>("an id of at least 0", [](seam::global_id id) {
    return id >= 0 && id != seam::no_id;
  }));
  for (int axis = 0; axis < to.num_dimensions; ++axis)
    to.coordinates[axis].push_back(line.next<double>("a finite coordinate", [](double value) {
      return std::abs(value) <= largest;
    }));
  if (has.has_weight)
    to.weights.push_back(line.next<double>("a finite weight of at least 0", [](double value) {
      return value >= 0 && value <= largest;
    }));
  line.end(has.count());
}

/// Calls `visit` for each line that begins from `begin` to `end` - 1, blanks at its ends removed.
template <class F>
void for_each_line(file_window& file, std::int64_t begin, std::int64_t end, F const& visit) {
  std::int64_t offset = begin > 0 ? seam::end_of_line(file, begin - 1) : 0;
  for (std::int64_t number = 0; offset < end; ++number) {
    auto const ahead = file.at(offset, longest_line);
    auto const length = ahead.find('\n');
    bool const is_whole = length != ahead.npos || std::ssize(ahead) < longest_line;
    auto const whole = ahead.substr(0, length);
    auto const line = trimmed(offset == 0 ? without_mark(whole) : whole);
    std::int64_t const next = offset + std::ssize(whole) + 1;
    visit(line, number, is_whole);
    offset = next;
  }
}

/// Number of lines that begin from `begin` to `end` - 1.
std::int64_t count_lines(file_window& file, std::int64_t begin, std::int64_t end) {
  std::int64_t offset = begin > 0 ? seam::end_of_line(file, begin - 1) : 0, count = 0;
  for (; offset < end; offset = seam::end_of_line(file, offset))
    ++count;
  return count;
}

} // namespace

seam::point_set read_points(seam::Communicator const& over, std::string const& path) {
  seam::mpi::comm_view const all = over.context();
  auto const file = seam::collectively(all, [&] { return std::make_unique<file_window>(path); });
  auto const begin = seam::begin_of_share(all.rank(), file->size(), all.size());
  auto const end = seam::begin_of_share(all.rank() + 1, file->size(), all.size());
  auto const own = seam::collectively(all, [&] { return count_lines(*file, begin, end); });
  auto const num_before = seam::mpi::sum_before(all, own);
  seam::point_set points;
  seam::collectively(all, [&] {
    auto const head = without_mark(file->at(0, longest_line));
    if (head.empty())
      throw seam::usage_error(fmt::format("points: {}: an empty file (expected points)", path));
    auto const has = columns_of(trimmed(head.substr(0, head.find('\n'))), path);
    points.num_dimensions = has.has_z ? 3 : 2;
    for_each_line(*file, begin, end, [&](std::string_view line, std::int64_t k, bool is_whole) {
      auto const number = num_before + k + 1;
      line_reader reader(line, path, number);
      if (!is_whole)
        reader.refuse(fmt::format("a line of more than {} characters", longest_line));
      if (!line.empty() && (number > 1 || !has.are_named))
        add_point(reader, has, points);
    });
  });
  if (seam::mpi::allreduce(all, std::ssize(points.ids), MPI_SUM) == 0)
    throw seam::usage_error(fmt::format("points: {}: no points (expected one at least)", path),
                            true);
  seam::global_id const twice = seam::id_homes(over, points.ids).least_duplicate();
  if (twice != seam::no_id)
    throw seam::usage_error(fmt::format("points: {}: id {} is there twice", path, twice), true);
  return points;
}

void write_parts(seam::Communicator const& over, std::vector<seam::global_id> const& ids,
                 std::vector<int> const& parts, std::string const& path) {
  seam::mpi::comm_view const all = over.context();
  std::string text = all.rank() == 0 ? "id,part\n" : "";
  for (std::int64_t i = 0; i < std::ssize(ids); ++i)
    text += fmt::format("{},{}\n", ids[i], parts[i]);
  std::int64_t const own = std::ssize(text);
  auto const before = seam::mpi::sum_before(all, own);
  seam::output_file file(all, path);
  file.reserve(seam::mpi::allreduce(all, own, MPI_SUM));
  seam::collectively(all, [&] {
    std::fstream out(file.temporary(), std::ios::binary | std::ios::in | std::ios::out);
    out.seekp(before).write(text.data(), own).flush();
    if (!out)
      throw seam::usage_error(fmt::format("output: cannot write '{}'", path));
  });
  file.commit();
}

} // namespace partition_app
