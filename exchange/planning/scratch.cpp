#include <seam/exchange/planning/scratch.hpp>

#include <seam/exchange/mpi/check.hpp>

#include <algorithm>
#include <cstddef>

namespace seam {
namespace {

/// Where the bytes of elements lie, relative to their address. Elements of a datatype that has been
/// resized may begin before the address, reach beyond the last extent, and overlap.
struct span_of_elements {
  explicit span_of_elements(elements const& what) {
    MPI_Aint lower = 0, length = 0;
    mpi::check(MPI_Type_get_true_extent(what.type, &lower, &length), "MPI_Type_get_true_extent");
    std::int64_t const last = std::max<std::int64_t>(0, what.count - 1) * extent_of(what.type);
    constexpr std::int64_t aligned = alignof(std::max_align_t);
    begin = (lower - (lower >= 0 ? 0 : aligned - 1)) / aligned * aligned;
    end = last + lower + length;
  }

  std::int64_t begin, end; ///< [bytes] begin is aligned
};

} // namespace

std::byte* scratch(schedule& of, std::int64_t bytes) {
  std::shared_ptr<std::byte[]> const memory(new std::byte[static_cast<std::size_t>(bytes)]);
  of.keeps.push_back(memory);
  return memory.get();
}

elements scratch_for(schedule& of, elements const& what) {
  span_of_elements const span(what);
  return {scratch(of, span.end - span.begin) - span.begin, what.count, what.type};
}

block whole(elements const& what) {
  auto* const data = static_cast<std::byte*>(const_cast<void*>(what.data));
  return {.first = data, .row_bytes = what.count * extent_of(what.type)};
}

} // namespace seam
