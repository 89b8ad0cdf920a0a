#include <seam/exchange/point_to_point/window_checks.hpp>

#include <seam/exchange/communicator/refuse_topology.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/planning/detail/arguments.hpp>

#include <fmt/format.h>

namespace seam::detail {
namespace {

/// The bytes of an access in the memory of its target. [bytes]
struct span_of_access {
  std::int64_t begin, end;
};

span_of_access span_of(std::int64_t at, std::int64_t unit, elements const& there) {
  if (there.count <= 0)
    return {at * unit, at * unit};
  MPI_Aint lower = 0, length = 0;
  mpi::check(MPI_Type_get_true_extent(there.type, &lower, &length), "MPI_Type_get_true_extent");
  std::int64_t const begin = at * unit + lower;
  return {begin, begin + (there.count - 1) * extent_of(there.type) + length};
}

} // namespace

void check_window(Communicator const& over, opened_memory const& own) {
  if (over.topology().is_bipartite())
    refuse_topology(over, "window", "a graph or a complete one");
  if (own.unit <= 0)
    refuse(MPI_ERR_DISP, fmt::format("window: units of {} bytes (expected 1 or more)", own.unit));
  if (own.length < 0)
    refuse(MPI_ERR_SIZE, fmt::format("window: {} elements of {} bytes (expected 0 or more)",
                                     own.length / own.unit, own.unit));
  if (own.data && *own.data == nullptr && own.length > 0)
    refuse(MPI_ERR_BASE, fmt::format("window: no memory for {} elements of {} bytes (expected an "
                                     "address)",
                                     own.length / own.unit, own.unit));
}

void check_span(char const* call, int target, extents const& memory, std::int64_t at,
                elements const& there) {
  auto const [begin, end] = span_of(at, memory.unit, there);
  if (begin >= 0 && end <= memory.length)
    return;
  bool const by_elements = extent_of(there.type) == memory.unit && is_dense(there.type);
  std::int64_t const unit = by_elements ? memory.unit : 1;
  refuse(MPI_ERR_RMA_RANGE,
         fmt::format("{} rank {}: {} {} to {} (expected {} of 0 to {})", call, target,
                     by_elements ? "elements" : "bytes", begin / unit, end / unit - 1,
                     by_elements ? "elements" : "bytes", memory.length / unit - 1));
}

void check_bytes(char const* call, int target, elements const& here, elements const& there) {
  check_memory(call, here);
  check_elements(call, there);
  if (wire_bytes(here) != wire_bytes(there))
    refuse(MPI_ERR_COUNT, fmt::format("{} rank {}: {} bytes there for {} bytes here (expected as "
                                      "many)",
                                      call, target, wire_bytes(there), wire_bytes(here)));
}

} // namespace seam::detail
