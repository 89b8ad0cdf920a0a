#include <seam/exchange/ground/error.hpp>
#include <seam/mesh/input/gmsh/cursor.hpp>
#include <seam/mesh/input/gmsh/text.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace seam::detail {

std::string_view msh_binary_cursor::line() {
  constexpr std::int64_t most = 4096;
  auto const ahead = file_.at(offset_, most);
  auto const length = ahead.find('\n');
  if (length == ahead.npos && std::ssize(ahead) == most)
    refuse_here(fmt::format("{} (expected a line of text)", shown(ahead)));
  offset_ += std::ssize(ahead.substr(0, length)) + (length == ahead.npos ? 0 : 1);
  return trimmed(ahead.substr(0, length));
}

void msh_binary_cursor::numbers(std::initializer_list<int> widths, std::span<std::int64_t> into,
                                std::string_view expected) {
  std::int64_t bytes = 0;
  for (int const width : widths)
    bytes += width;
  auto const found = file_.at(offset_, bytes);
  if (std::ssize(found) < bytes)
    refuse_here(fmt::format("the file ends (expected {})", expected));
  std::int64_t from = 0;
  int k = 0;
  for (int const width : widths) {
    into[k++] =
        width == 4 ? number_in<std::int32_t>(found, from) : number_in<std::int64_t>(found, from);
    from += width;
  }
  offset_ += bytes;
}

std::int64_t msh_binary_cursor::pass(msh_run const& run, std::int64_t limit) {
  bool const is_alone = run.kind == msh_record::entity;
  std::int64_t const count = is_alone ? 1 : limit;
  std::int64_t const bytes = is_alone ? bytes_of_entity(run) : (count - 1) * run.stride + run.bytes;
  if (bytes > file_.size() - offset_)
    refuse_here(fmt::format("the file ends {} bytes from here (expected {} for {} records)",
                            file_.size() - offset_, bytes, count));
  offset_ += !is_alone && count < run.count ? count * run.stride : bytes;
  return count;
}

/// Reads the number of 8 bytes at `offset`: the count of 4-byte numbers that follow it.
std::int64_t msh_binary_cursor::length_at(std::int64_t offset) {
  auto const found = file_.at(offset, 8);
  if (found.size() < 8)
    refuse_here("the file ends within an entity");
  auto const length = number_in<std::int64_t>(found, 0);
  if (length < 0 || length > (file_.size() - offset - 8) / 4)
    refuse_here(fmt::format("an entity with {} tags (expected 0 to {}, as {} bytes follow)", length,
                            (file_.size() - offset - 8) / 4, file_.size() - offset - 8));
  return length;
}

std::int64_t msh_binary_cursor::bytes_of_entity(msh_run const& run) {
  std::int64_t bytes = run.bytes - 8 - 4; // up to the number of physical tags
  bytes += 8 + 4 * length_at(offset_ + bytes);
  if (run.dimension > 0)
    bytes += 8 + 4 * length_at(offset_ + bytes);
  return bytes;
}

void msh_binary_cursor::pass_to_section() {
  bool is_begin = true; // of a line
  while (!is_at_end()) {
    if (is_begin && file_.at(offset_, 4) == "$End")
      return;
    auto const ahead = file_.ahead(offset_);
    auto const length = ahead.find('\n');
    is_begin = length != ahead.npos;
    offset_ += is_begin ? static_cast<std::int64_t>(length) + 1 : std::ssize(ahead);
  }
}

std::int64_t msh_binary_cursor::count_alike(msh_run const& run, std::int64_t limit) {
  std::int64_t const announced = run.stride - run.bytes;
  std::string const first(file_.at(offset_ - announced, announced));
  std::int64_t count = 1;
  while (count < limit && file_.at(offset_ + count * run.stride - announced, announced) == first)
    ++count;
  return count;
}

/// Of a node at `offset`: behind its coordinates stand the dimension and the tag of the entity on which
/// it lies, and its parameters there. Points have none, and nodes in a volume none either.
std::int32_t msh_binary_cursor::num_parameters_at(std::int64_t offset) {
  constexpr std::int64_t before = 28;
  auto const found = file_.at(offset + before, 4);
  if (found.size() < 4)
    refuse_here("the file ends within a node (expected its entity)");
  auto const dimension = number_in<std::int32_t>(found, 0);
  if (dimension < 0 || dimension > 3)
    refuse_msh(file_, {offset, 0},
               fmt::format("a node on an entity of dimension {} (expected 0 to 3)", dimension));
  return dimension % 3;
}

msh_run msh_binary_cursor::parametric_nodes(std::int64_t limit) {
  std::int32_t const num_parameters = num_parameters_at(offset_);
  std::int64_t const bytes = 36 + 8 * num_parameters;
  std::int64_t count = 1;
  while (count < limit && num_parameters_at(offset_ + count * bytes) == num_parameters)
    ++count;
  return {.kind = msh_record::node,
          .dimension = num_parameters,
          .count = count,
          .bytes = bytes,
          .stride = bytes,
          .has_any_parameters = true};
}

} // namespace seam::detail
