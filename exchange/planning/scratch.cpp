#include <seam/exchange/planning/scratch.hpp>

#include <seam/exchange/mpi/detail/check.hpp>

#include <algorithm>
#include <cstddef>

namespace seam::detail {
namespace {

/// The range of the bytes of elements, relative to their address. Elements of a resized datatype
/// may begin before the address, reach beyond the last extent, and overlap.
struct span_of_elements {
  explicit span_of_elements(elements const& values) {
    MPI_Aint lower = 0, length = 0;
    mpi::check(MPI_Type_get_true_extent(values.type, &lower, &length), "MPI_Type_get_true_extent");
    std::int64_t const last = std::max<std::int64_t>(0, values.count - 1) * extent_of(values.type);
    constexpr std::int64_t aligned = alignof(std::max_align_t);
    begin = (lower - (lower >= 0 ? 0 : aligned - 1)) / aligned * aligned;
    end = last + lower + length;
  }

  std::int64_t begin, end; ///< [bytes] begin is aligned
};

} // namespace

std::byte* scratch(schedule& plan, std::int64_t bytes) {
  std::shared_ptr<std::byte[]> const memory(new std::byte[bytes]);
  plan.keeps.push_back(memory);
  return memory.get();
}

elements scratch_for(schedule& plan, elements const& values) {
  span_of_elements const span(values);
  return {scratch(plan, span.end - span.begin) - span.begin, values.count, values.type};
}

block whole(elements const& values) {
  auto* const data = static_cast<std::byte*>(const_cast<void*>(values.data));
  return {.first = data, .row_bytes = values.count * extent_of(values.type)};
}

} // namespace seam::detail
