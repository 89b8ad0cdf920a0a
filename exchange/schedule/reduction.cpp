#include <seam/exchange/schedule/reduction.hpp>

#include <seam/exchange/mpi/detail/check.hpp>
#include <seam/exchange/mpi/ordered_type.hpp>
#include <seam/exchange/schedule/detail/datatype_blocks.hpp>

#include <algorithm>
#include <type_traits>

namespace seam::detail {
namespace {

constexpr std::int64_t most_at_once = std::int64_t{1} << 30;

/// For fewer bytes, the library takes longer to look its operation up than to carry it out. [bytes]
constexpr std::int64_t least_for_library = 4096;

/// The context of a combiner that calls MPI's operation.
struct mpi_reduction {
  MPI_Op op;
  MPI_Datatype type;
  std::int64_t extent; ///< [bytes]
  combiner for_few;    ///< combines few bytes; nothing if the library combines them too
};

/// Seam's combiner for sums, and for least and largest integers, whose bits are the library's.
template <class T>
combiner combiner_of_type(MPI_Op op) {
  if (op == MPI_SUM)
    return combiner_of<T>(reduction::sum);
  if (std::is_integral_v<T> && op == MPI_MIN)
    return combiner_of<T>(reduction::min);
  if (std::is_integral_v<T> && op == MPI_MAX)
    return combiner_of<T>(reduction::max);
  return nullptr;
}

combiner own_combiner_of(MPI_Op op, MPI_Datatype type) {
  if (type == MPI_DOUBLE)
    return combiner_of_type<double>(op);
  if (type == MPI_FLOAT)
    return combiner_of_type<float>(op);
  if (type == MPI_INT)
    return combiner_of_type<int>(op);
  if (type == MPI_LONG || type == MPI_INT64_T)
    return combiner_of_type<std::int64_t>(op);
  if (type == MPI_UNSIGNED_LONG || type == MPI_UINT64_T)
    return combiner_of_type<std::uint64_t>(op);
  return nullptr;
}

/// Computes into = from op into, element by element.
void apply(void const* context, std::byte* into, std::byte const* from, std::int64_t bytes) {
  auto const& how = *static_cast<mpi_reduction const*>(context);
  if (bytes < least_for_library && how.for_few != nullptr)
    return how.for_few(into, from, bytes);
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
                             mpi_reduction{mpi::ordered_op(op, type), mpi::ordered_type(op, type),
                                           extent_of(type), own_combiner_of(op, type)}));
}

} // namespace seam::detail
