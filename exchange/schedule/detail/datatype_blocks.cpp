#include <seam/exchange/schedule/detail/datatype_blocks.hpp>

#include <seam/exchange/mpi/detail/check.hpp>
#include <seam/exchange/mpi/type_size.hpp>
#include <seam/exchange/schedule/type_map.hpp>

#include <algorithm>
#include <utility>

namespace seam {
using namespace detail;

namespace {

/// The number of items from `first` on of one shape and one distance; alike(a, b) compares shapes.
template <class Item, class Place, class Alike>
std::int64_t run_length(std::vector<Item> const& all, std::int64_t first, Place place,
                        Alike alike) {
  std::int64_t length = 1;
  while (first + length < std::ssize(all) && alike(all[first], all[first + length]) &&
         (length < 2 || place(all[first + length]) - place(all[first + length - 1]) ==
                            place(all[first + 1]) - place(all[first])))
    ++length;
  return length;
}

/// Merges rows of one length at one distance into one block.
std::vector<block> blocks_of_rows(std::vector<contiguous_bytes> const& rows, std::byte* data) {
  std::vector<block> blocks;
  for (std::int64_t first = 0; first < std::ssize(rows);) {
    std::int64_t const length = run_length(
        rows, first, [](contiguous_bytes const& row) { return row.offset; },
        [](contiguous_bytes const& a, contiguous_bytes const& b) { return a.bytes == b.bytes; });
    std::int64_t const step = length > 1 ? rows[first + 1].offset - rows[first].offset : 0;
    blocks.push_back({.first = data + rows[first].offset,
                      .rows = {1, length},
                      .stride = {0, step},
                      .row_bytes = rows[first].bytes});
    first += length;
  }
  return blocks;
}

/// Merges blocks of one shape at one distance into one block of two levels.
std::vector<block> merge_planes(std::vector<block> const& planes) {
  std::vector<block> blocks;
  for (std::int64_t first = 0; first < std::ssize(planes);) {
    std::int64_t const length = run_length(
        planes, first, [](block const& plane) { return plane.first; },
        [](block const& a, block const& b) {
          return a.rows == b.rows && a.stride == b.stride && a.row_bytes == b.row_bytes;
        });
    block all = planes[first];
    if (length > 1) {
      all.rows[0] = length;
      all.stride[0] = planes[first + 1].first - planes[first].first;
    }
    blocks.push_back(all);
    first += length;
  }
  return blocks;
}

/// Repeats an element's block `count` times, at distances of `extent`.
block repeat_block(block repeated, std::int64_t count, std::int64_t extent) {
  bool const is_row = repeated.is_contiguous();
  if (is_row && repeated.row_bytes == extent)
    repeated.row_bytes *= count;
  else {
    int const level = is_row ? 1 : 0;
    repeated.rows[level] = count;
    repeated.stride[level] = extent;
  }
  return repeated;
}

/// Every row of `blocks` as a block of its own.
std::vector<block> rows_of(std::vector<block> const& blocks) {
  std::vector<block> rows;
  for (block const& cut : blocks)
    for (std::int64_t i = 0; i < cut.rows[0]; ++i)
      for (std::int64_t j = 0; j < cut.rows[1]; ++j)
        rows.push_back({.first = cut.first + i * cut.stride[0] + j * cut.stride[1],
                        .row_bytes = cut.row_bytes});
  return rows;
}

/// Cuts `bytes` off the front of row `r`; moves on to the next row if none are left.
block cut_front(std::vector<block>& rows, std::ptrdiff_t& r, std::int64_t bytes) {
  block part = rows[r];
  part.row_bytes = bytes;
  rows[r].first += bytes;
  rows[r].row_bytes -= bytes;
  if (rows[r].row_bytes == 0)
    ++r;
  return part;
}

} // namespace

std::int64_t extent_of(MPI_Datatype type) {
  MPI_Aint lower = 0, extent = 0;
  mpi::check(MPI_Type_get_extent(type, &lower, &extent), "MPI_Type_get_extent");
  return extent;
}

bool is_dense(MPI_Datatype type) {
  if (mpi::is_common(type))
    return true;
  MPI_Aint lower = 0, extent = 0, true_lower = 0, true_extent = 0;
  mpi::check(MPI_Type_get_extent(type, &lower, &extent), "MPI_Type_get_extent");
  mpi::check(MPI_Type_get_true_extent(type, &true_lower, &true_extent), "MPI_Type_get_true_extent");
  std::int64_t const size = mpi::size_of(type);
  return lower == 0 && true_lower == 0 && extent == size && true_extent == size;
}

std::vector<block> blocks_of(elements const& data) {
  if (data.count == 0)
    return {};
  auto* const first = static_cast<std::byte*>(const_cast<void*>(data.data));
  if (mpi::is_common(data.type))
    return {{.first = first, .row_bytes = wire_bytes(data)}};
  auto const blocks = merge_planes(blocks_of_rows(contiguous_bytes_of(data.type), first));
  std::int64_t const extent = extent_of(data.type);
  if (blocks.size() == 1 && blocks[0].rows[0] == 1)
    return {repeat_block(blocks[0], data.count, extent)};
  std::vector<block> all;
  for (std::int64_t i = 0; i < data.count; ++i)
    for (block moved : blocks) {
      moved.first += i * extent;
      all.push_back(moved);
    }
  return all;
}

std::int64_t wire_bytes(elements const& data) {
  return data.count == 0 ? 0 : data.count * mpi::size_of(data.type);
}

void match(std::vector<block>& from, std::vector<block>& into) {
  auto const pair_up = [](block const& a, block const& b) { return a.bytes() == b.bytes(); };
  auto const same = [](block const& a, block const& b) {
    return a.first == b.first && a.rows == b.rows && a.stride == b.stride &&
           a.row_bytes == b.row_bytes;
  };
  if (std::ranges::equal(from, into, same)) {
    from.clear();
    into.clear();
  }
  if (std::ranges::equal(from, into, pair_up))
    return;
  auto sources = rows_of(from), targets = rows_of(into);
  from.clear();
  into.clear();
  for (std::ptrdiff_t s = 0, t = 0; s < std::ssize(sources) && t < std::ssize(targets);) {
    std::int64_t const bytes = std::min(sources[s].row_bytes, targets[t].row_bytes);
    from.push_back(cut_front(sources, s, bytes));
    into.push_back(cut_front(targets, t, bytes));
  }
}

} // namespace seam
