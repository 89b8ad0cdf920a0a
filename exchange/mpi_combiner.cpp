#include <seam/exchange/mpi_combiner.hpp>

#include <seam/exchange/datatype_blocks.hpp>
#include <seam/exchange/mpi/check.hpp>
#include <seam/exchange/mpi/ordered_type.hpp>

#include <algorithm>

namespace seam {
namespace {

constexpr std::int64_t most_at_once = std::int64_t{1} << 30;

/// What a combiner needs to call MPI's operation.
struct mpi_reduction {
  MPI_Op op;
  MPI_Datatype type;
  std::int64_t extent; ///< [bytes]
};

/// into = from op into, element by element.
void apply(void const* context, std::byte* into, std::byte const* from, std::int64_t bytes) {
  auto const& how = *static_cast<mpi_reduction const*>(context);
  for (std::int64_t left = bytes / how.extent; left > 0; left -= most_at_once) {
    auto const count = static_cast<int>(std::min(left, most_at_once));
    mpi::check(MPI_Reduce_local(from, into, count, how.type, how.op), "MPI_Reduce_local");
    from += count * how.extent;
    into += count * how.extent;
  }
}

} // namespace

combiner combiner_of(MPI_Op op, MPI_Datatype type) {
  return combiner(apply, std::make_shared<mpi_reduction>(
                             mpi_reduction{op, mpi::ordered_type(op, type), extent_of(type)}));
}

} // namespace seam
