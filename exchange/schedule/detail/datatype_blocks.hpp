/// Datatype blocks: where the bytes of an MPI datatype lie, as blocks that seam's own loops move.
///
///     MPI_Type_vector(3, 1, 4, MPI_DOUBLE, &column);    // one column of 3 rows of 4 doubles
///     blocks_of({matrix, 1, column});                   // a block: 3 rows of 8 bytes, 32 apart
#pragma once

#include <seam/exchange/mpi/detail/datatype.hpp>
#include <seam/exchange/schedule/detail/region.hpp>

#include <mpi.h>

#include <cstdint>
#include <span> // has the concepts of ranges, too: <ranges> takes compilers a tenth of a second
#include <vector>

namespace seam {

/// Elements in memory, named as MPI's calls name them; the count has 64 bits.
struct elements {
  void const* data = nullptr;
  std::int64_t count = 0;
  MPI_Datatype type = MPI_BYTE;

  friend bool operator==(elements const&, elements const&) = default;
};

/// The elements of a contiguous range.
template <std::ranges::contiguous_range Range>
elements elements_of(Range&& range) {
  using value = std::ranges::range_value_t<Range>;
  return {std::ranges::data(range), static_cast<std::int64_t>(std::ranges::size(range)),
          mpi::datatype_of<value>()};
}

/// The blocks of `data` in the order of its type map, adjacent bytes merged; none for no elements.
/// @throws usage_error  the datatype is made by a constructor that MPI 3 does not have
/// Local.
std::vector<block> blocks_of(elements const& data);

/// Bytes of `data` on the wire. Local.
std::int64_t wire_bytes(elements const& data);

/// Bytes from one element of `type` to the next. Local.
std::int64_t extent_of(MPI_Datatype type);

/// True if `type` has neither gaps nor an offset, so that elements have the same bytes in memory
/// and on the wire. Local.
bool is_dense(MPI_Datatype type);

/// Cuts two lists of blocks with equally many bytes so that their blocks pair up one by one, for
/// copies; empties both if they are the same memory. Local.
void match(std::vector<block>& from, std::vector<block>& into);

} // namespace seam
