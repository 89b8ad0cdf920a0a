#include <seam/exchange/schedule/detail/datatype_blocks.hpp>

#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/mpi/detail/check.hpp>
#include <seam/exchange/mpi/detail/handle.hpp>
#include <seam/exchange/mpi/type_size.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace seam {
using namespace detail;

namespace {

/// Contiguous bytes at a distance from the beginning of an element. [bytes]
struct contiguous_bytes {
  std::int64_t offset, bytes;
};

/// Bytes in the order of a type map; bytes without a gap between them become one.
class list_of_bytes {
public:
  void add(std::int64_t offset, std::int64_t bytes) {
    if (bytes == 0)
      return;
    if (!all_.empty() && all_.back().offset + all_.back().bytes == offset)
      all_.back().bytes += bytes;
    else
      all_.push_back({offset, bytes});
  }
  std::vector<contiguous_bytes> all() && { return std::move(all_); }

private:
  std::vector<contiguous_bytes> all_;
};

/// The constructor of a datatype and its arguments.
class recipe {
public:
  explicit recipe(MPI_Datatype type) {
    int num_ints = 0, num_places = 0, num_types = 0;
    mpi::check(MPI_Type_get_envelope(type, &num_ints, &num_places, &num_types, &combiner_),
               "MPI_Type_get_envelope");
    if (combiner_ == MPI_COMBINER_NAMED)
      return;
    ints_.resize(num_ints);
    places_.resize(num_places);
    types_.resize(num_types);
    mpi::check(MPI_Type_get_contents(type, num_ints, num_places, num_types, ints_.data(),
                                     places_.data(), types_.data()),
               "MPI_Type_get_contents");
  }
  recipe(recipe const&) = delete;
  recipe& operator=(recipe const&) = delete;
  /// MPI_Type_get_contents returns copies of derived types, which its caller has to free.
  ~recipe() {
    for (MPI_Datatype& part : types_) {
      int ints = 0, places = 0, types = 0, combiner = MPI_COMBINER_NAMED;
      MPI_Type_get_envelope(part, &ints, &places, &types, &combiner);
      if (combiner != MPI_COMBINER_NAMED)
        MPI_Type_free(&part);
    }
  }

  int combiner() const { return combiner_; }
  std::int64_t number(std::int64_t i) const { return ints_[i]; }
  std::int64_t place(std::int64_t i) const { return places_[i]; }
  MPI_Datatype type(std::int64_t i = 0) const { return types_[i]; }

private:
  int combiner_ = MPI_COMBINER_NAMED;
  std::vector<int> ints_;
  std::vector<MPI_Aint> places_;
  std::vector<MPI_Datatype> types_;
};

void flatten(MPI_Datatype type, std::int64_t at, list_of_bytes& into);

void flatten_row(MPI_Datatype type, std::int64_t count, std::int64_t at, list_of_bytes& into) {
  std::int64_t const extent = extent_of(type);
  for (std::int64_t i = 0; i < count; ++i)
    flatten(type, at + i * extent, into);
}

void flatten_named(MPI_Datatype type, std::int64_t at, list_of_bytes& into) {
  MPI_Aint first = 0, extent = 0;
  mpi::check(MPI_Type_get_true_extent(type, &first, &extent), "MPI_Type_get_true_extent");
  into.add(at + first, extent);
}

/// Consecutive elements of an axis.
struct run_of_elements {
  std::int64_t first, count;
};

/// One axis of an array, and which of its elements belong to a type.
struct array_axis {
  std::int64_t size;
  std::vector<run_of_elements> runs;
};

/// A part of an array: the elements that belong to the type along every axis, slowest first.
struct array_part {
  std::vector<array_axis> axes;
  MPI_Datatype type;

  void flatten_from(int axis, std::int64_t at, list_of_bytes& into) const {
    std::int64_t step = extent_of(type);
    for (int faster = axis + 1; faster < std::ssize(axes); ++faster)
      step *= axes[faster].size;
    for (auto const& [first, count] : axes[axis].runs)
      if (axis + 1 == std::ssize(axes))
        flatten_row(type, count, at + first * step, into);
      else
        for (std::int64_t i = 0; i < count; ++i)
          flatten_from(axis + 1, at + (first + i) * step, into);
  }
};

/// The part of an array whose axes are listed in `order`.
array_part part_of(std::vector<array_axis> axes, std::int64_t order, MPI_Datatype type) {
  if (order == MPI_ORDER_FORTRAN)
    std::ranges::reverse(axes);
  return {std::move(axes), type};
}

array_part subarray_of(recipe const& made) {
  std::int64_t const rank = made.number(0);
  std::vector<array_axis> axes;
  for (std::int64_t i = 0; i < rank; ++i)
    axes.push_back(
        {made.number(1 + i),
         {{.first = made.number(1 + 2 * rank + i), .count = made.number(1 + rank + i)}}});
  return part_of(std::move(axes), made.number(3 * rank + 1), made.type());
}

/// The elements of the process at `place` of `places` on an axis distributed in blocks of `length`.
array_axis distributed_axis(std::int64_t size, std::int64_t length, std::int64_t place,
                            std::int64_t places) {
  array_axis axis{size, {}};
  for (std::int64_t first = place * length; first < size; first += places * length)
    axis.runs.push_back({first, std::min(length, size - first)});
  return axis;
}

array_part distributed_array_of(recipe const& made) {
  std::int64_t const rank = made.number(2);
  auto const entry = [&](int list, std::int64_t i) { return made.number(3 + list * rank + i); };
  std::vector<array_axis> axes(rank);
  std::int64_t process = made.number(1); // among those of a grid, row by row
  for (std::int64_t i = rank; i-- > 0;) {
    std::int64_t const size = entry(0, i), how = entry(1, i), given = entry(2, i);
    std::int64_t const places = entry(3, i), place = process % places;
    process /= places;
    bool const in_blocks = how != MPI_DISTRIBUTE_CYCLIC;
    std::int64_t const usual = in_blocks ? (size + places - 1) / places : 1;
    axes[i] = how == MPI_DISTRIBUTE_NONE
                  ? array_axis{size, {{0, size}}}
                  : distributed_axis(size, given == MPI_DISTRIBUTE_DFLT_DARG ? usual : given, place,
                                     places);
  }
  return part_of(std::move(axes), made.number(3 + 4 * rank), made.type());
}

/// Elements of a type in a row, and where the first one begins.
struct row {
  MPI_Datatype type;
  std::int64_t count;
  std::int64_t place;
};

/// Row `i` of a type that lists rows.
row row_of(recipe const& made, std::int64_t i) {
  std::int64_t const num_rows = made.number(0);
  auto const elements = [&](std::int64_t count) { return count * extent_of(made.type()); };
  switch (made.combiner()) {
  case MPI_COMBINER_VECTOR: return {made.type(), made.number(1), i * elements(made.number(2))};
  case MPI_COMBINER_HVECTOR: return {made.type(), made.number(1), i * made.place(0)};
  case MPI_COMBINER_INDEXED:
    return {made.type(), made.number(1 + i), elements(made.number(1 + num_rows + i))};
  case MPI_COMBINER_HINDEXED: return {made.type(), made.number(1 + i), made.place(i)};
  case MPI_COMBINER_INDEXED_BLOCK:
    return {made.type(), made.number(1), elements(made.number(2 + i))};
  case MPI_COMBINER_HINDEXED_BLOCK: return {made.type(), made.number(1), made.place(i)};
  default: return {made.type(i), made.number(1 + i), made.place(i)}; // MPI_COMBINER_STRUCT
  }
}

void flatten_rows(recipe const& made, std::int64_t at, list_of_bytes& into) {
  for (std::int64_t i = 0; i < made.number(0); ++i) {
    row const each = row_of(made, i);
    flatten_row(each.type, each.count, at + each.place, into);
  }
}

void flatten(MPI_Datatype type, std::int64_t at, list_of_bytes& into) {
  recipe const made(type);
  switch (made.combiner()) {
  case MPI_COMBINER_NAMED:
  case MPI_COMBINER_F90_REAL:
  case MPI_COMBINER_F90_COMPLEX:
  case MPI_COMBINER_F90_INTEGER: return flatten_named(type, at, into);
  case MPI_COMBINER_DUP:
  case MPI_COMBINER_RESIZED: return flatten(made.type(), at, into);
  case MPI_COMBINER_CONTIGUOUS: return flatten_row(made.type(), made.number(0), at, into);
  case MPI_COMBINER_VECTOR:
  case MPI_COMBINER_HVECTOR:
  case MPI_COMBINER_INDEXED:
  case MPI_COMBINER_HINDEXED:
  case MPI_COMBINER_INDEXED_BLOCK:
  case MPI_COMBINER_HINDEXED_BLOCK:
  case MPI_COMBINER_STRUCT: return flatten_rows(made, at, into);
  case MPI_COMBINER_SUBARRAY: return subarray_of(made).flatten_from(0, at, into);
  case MPI_COMBINER_DARRAY: return distributed_array_of(made).flatten_from(0, at, into);
  default:
    refuse(fmt::format("datatype: made by MPI's constructor number {} (expected one of MPI 3's)",
                       made.combiner()));
  }
}

/// The bytes of an element of `type` in the order of its type map. Bytes without a gap between
/// them are one.
/// @throws usage_error  the datatype is made by a constructor that MPI 3 does not have
/// Local.
std::vector<contiguous_bytes> contiguous_bytes_of(MPI_Datatype type) {
  list_of_bytes bytes;
  flatten(type, 0, bytes);
  return std::move(bytes).all();
}

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
