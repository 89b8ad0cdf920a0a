#include <seam/mesh/input/gmsh/records.hpp>

#include <seam/exchange/ground/error.hpp>
#include <seam/mesh/input/gmsh/cursor.hpp>
#include <seam/mesh/input/gmsh/element_types.hpp>
#include <seam/mesh/input/gmsh/text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

namespace seam::detail {
namespace {

constexpr std::int64_t longest_line = 4096;

/// The numbers of one record, in text or binary, taken one after another.
class record_reader {
public:
  /// @param bytes  of the record in a binary file
  record_reader(file_window& file, msh_place const& at, std::int64_t bytes)
      : file_(file),
        at_(at),
        bytes_(file.at(at.offset, is_text() ? longest_line : bytes)),
        text_(is_text() ? first_line() : std::string_view()) {}

  /// An integer, in a binary file of `width` bytes.
  std::int64_t integer(int width, std::string_view expected) {
    if (!is_text())
      return width == 4 ? take<std::int32_t>() : take<std::int64_t>();
    auto const value = text_.next<std::int64_t>();
    if (!value)
      refuse_next(expected);
    return *value;
  }

  double real(std::string_view expected) {
    if (!is_text())
      return take<double>();
    auto const value = text_.next<double>();
    if (!value)
      refuse_next(expected);
    return *value;
  }

  /// @param expected  "a node's id"; with a number before it unless that is 0: 8, "nodes"
  /// @throws usage_error  there is more in the line
  void end(std::string_view expected, std::int64_t number = 0) const {
    if (is_text() && !text_.is_at_end())
      refuse_next(number > 0 ? fmt::format("{} {}", number, expected) : std::string(expected));
    if (is_cut_)
      refuse(fmt::format("a line of more than {} characters", longest_line));
  }

  /// The bytes of the line in a text, its end included. Nothing can be taken afterwards.
  std::int64_t length() const {
    return is_cut_ ? end_of_line(file_, at_.offset) - at_.offset : length_;
  }

  bool is_text() const { return at_.line > 0; }
  bool has_more_text() const { return !text_.is_at_end(); }
  msh_place const& at() const { return at_; }

  [[noreturn]] void refuse(std::string_view why) const { refuse_msh(file_, at_, why); }

private:
  std::string_view first_line() {
    auto const length = bytes_.find('\n');
    is_cut_ = length == bytes_.npos && std::ssize(bytes_) == longest_line;
    auto const line = bytes_.substr(0, length);
    length_ = std::ssize(line) + 1;
    return line;
  }

  template <class T>
  T take() {
    if (std::ssize(bytes_) - next_ < std::int64_t{sizeof(T)})
      refuse("the file ends within a record");
    T const value = number_in<T>(bytes_, next_);
    next_ += sizeof(T);
    return value;
  }

  [[noreturn]] void refuse_next(std::string_view expected) const {
    auto const rest = text_.rest();
    refuse(rest.empty() ? fmt::format("the line ends (expected {})", expected)
                        : fmt::format("{} (expected {})", shown(rest), expected));
  }

  file_window& file_;
  msh_place at_;
  std::string_view bytes_;
  std::int64_t length_ = 0;
  bool is_cut_ = false; ///< the line goes on behind `bytes_`
  number_reader text_;
  std::int64_t next_ = 0; ///< in a binary record
};

/// Calls `read` with a reader of each record of the piece and its number.
template <class F>
void for_each_record(file_window& file, msh_piece const& piece, F const& read) {
  msh_place at = piece.at;
  for (std::int64_t k = 0; k < piece.run.count; ++k) {
    record_reader record(file, at, piece.run.bytes);
    read(record, piece.run.first + k);
    at.offset += record.is_text() ? record.length() : piece.run.stride;
    at.line += record.is_text() ? 1 : 0;
    if (record.is_text())
      pass_blank_lines(file, at, file.size());
  }
}

global_id read_id(record_reader& record, int width, std::string_view what) {
  std::int64_t const id = record.integer(width, what);
  if (id < 1 || id == std::numeric_limits<global_id>::max())
    record.refuse(fmt::format("{} {} (expected 1 to 2^63 - 2)", what, id));
  return id;
}

std::array<double, 3> read_place(record_reader& record) {
  std::array<double, 3> place{};
  for (double& value : place) {
    value = record.real("three coordinates");
    if (!std::isfinite(value))
      record.refuse(fmt::format("coordinate {} (expected a finite number)", value));
  }
  return place;
}

/// Reads the parameters behind a node's coordinates; in 2.2 also the entity before them.
void read_parameters(record_reader& record, msh_run const& run) {
  if (run.has_any_parameters && record.is_text())
    while (record.has_more_text())
      record.real("a parametric coordinate");
  else if (!run.has_any_parameters) // in a binary file of 2.2 the record ends with all of them
    for (int k = 0; k < run.dimension; ++k)
      record.real("a parametric coordinate");
}

std::int32_t read_tag(record_reader& record, std::string_view what) {
  std::int64_t const tag = record.integer(4, what);
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  if (tag > most || tag < -most)
    record.refuse(fmt::format("{} {} (expected less than 2^31)", what, tag));
  return static_cast<std::int32_t>(tag);
}

msh_element_type read_type(record_reader& record) {
  std::int64_t const number = record.integer(4, "the element's type");
  auto const type = find_msh_type(number);
  if (!type)
    record.refuse(refusal_of_msh_type(number));
  return *type;
}

/// The first of an element's tags, by 2.2's custom the physical one.
std::int32_t read_tags_of_2(record_reader& record, std::int64_t count) {
  std::int32_t physical = 0;
  if (count < 0)
    record.refuse(fmt::format("{} tags (expected at least 0)", count));
  for (std::int64_t k = 0; k < count; ++k) {
    std::int32_t const tag = read_tag(record, "a tag");
    if (k == 0)
      physical = tag;
  }
  if (physical < 0)
    record.refuse(fmt::format("physical tag {} (expected at least 0)", physical));
  return physical;
}

void read_nodes_of_element(record_reader& record, int width, std::span<global_id> into) {
  for (global_id& node : into)
    node = read_id(record, width, "node");
  record.end("nodes", std::ssize(into));
  for (int k = 1; k < std::ssize(into); ++k)
    if (auto const before = into.first(k); std::ranges::find(before, into[k]) != before.end())
      record.refuse(fmt::format("node {} twice in an element (expected different ones)", into[k]));
}

/// The first of the physical tags, without the sign that tells the orientation.
std::int32_t read_physical(record_reader& record, std::int64_t count) {
  if (count < 0)
    record.refuse(fmt::format("{} physical tags (expected at least 0)", count));
  return count > 0 ? std::abs(read_tag(record, "a physical tag")) : 0;
}

} // namespace

void for_each_node(file_window& file, msh_format const& format, msh_piece const& piece,
                   std::function<void(msh_node const&)> const& visit) {
  for_each_record(file, piece, [&](record_reader& record, std::int64_t number) {
    msh_node node{.number = number, .id = {}, .place = {}, .at = record.at()};
    if (piece.run.kind != msh_record::node_place)
      node.id = read_id(record, format.id_width(), "node");
    if (piece.run.kind != msh_record::node_id) {
      node.place = read_place(record);
      read_parameters(record, piece.run);
    }
    record.end(node.place ? "three coordinates" : "a node's id");
    visit(node);
  });
}

void for_each_element(file_window& file, msh_format const& format, msh_piece const& piece,
                      std::function<void(msh_element const&)> const& visit) {
  std::array<global_id, most_msh_nodes> nodes{};
  bool const has_type = !format.is_4 && !format.is_binary;
  auto type = has_type ? msh_element_type{} : *find_msh_type(piece.run.type);
  for_each_record(file, piece, [&](record_reader& record, std::int64_t) {
    msh_element element{.entity = piece.run.entity, .nodes = {}, .at = record.at()};
    element.id = read_id(record, format.id_width(), "element");
    if (has_type)
      type = read_type(record);
    element.kind = type.kind;
    element.is_second_order = type.is_second_order();
    if (!format.is_4)
      element.tag = read_tags_of_2(record, has_type ? record.integer(4, "the number of tags")
                                                    : piece.run.num_tags);
    std::span const own(nodes.data(), type.num_nodes);
    read_nodes_of_element(record, format.id_width(), own);
    element.nodes = own.first(num_vertices_of(type.kind));
    visit(element);
  });
}

void for_each_entity(file_window& file, msh_format const& format, msh_piece const& piece,
                     std::function<void(msh_entity const&)> const& visit) {
  for_each_record(file, piece, [&](record_reader& record, std::int64_t) {
    msh_entity entity{.dimension = piece.run.dimension};
    entity.tag = read_tag(record, "an entity's tag");
    for (int k = 0; k < format.num_bounds(entity.dimension); ++k)
      record.real("the entity's bounds");
    entity.physical = read_physical(record, record.integer(8, "the number of physical tags"));
    visit(entity);
  });
}

} // namespace seam::detail
