#include <seam/exchange/partitioned/reductions.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/collectives/reduce.hpp>
#include <seam/exchange/mpi/detail/names.hpp>
#include <seam/exchange/partitioned/edges.hpp>
#include <seam/exchange/partitioned/reduction_pieces.hpp>
#include <seam/exchange/partitioned/reduction_rounds.hpp>
#include <seam/exchange/planning/detail/collective_edges.hpp>

#include <fmt/format.h>

namespace seam {
using namespace detail;

namespace {

/// A reduction of the same partitions on all ranks.
partitioned_operation make_symmetric(Communicator const& over, char const* name, bool along_edges,
                                     reduction_buffers const& buffers, MPI_Op op,
                                     piece_planner const& plan) {
  check_call(over, {.name = name,
                    .terms = fmt::format("{}, {}", mpi::name_of_op(op), words_of(buffers.values())),
                    .along_edges = along_edges});
  auto pieces = collectively(over.context(), [&] {
    check_alike(name, buffers, true, op);
    return plan_pieces(cuts_of(buffers.values()), buffers.values(), plan);
  });
  return make_reduction(over, name, std::move(pieces));
}

partitioned_operation make_scan(Communicator const& over, char const* name, bool exclusive,
                                reduction_buffers const& buffers, MPI_Op op) {
  return make_symmetric(
      over, name, false, buffers, op, [&](std::int64_t first, std::int64_t count) {
        return scan_rounds(buffers.terms(over, op, first, count, true), exclusive);
      });
}

} // namespace

partitioned_operation pallreduce_init(Communicator const& over, partitioned_buffer const& send,
                                      partitioned_buffer const& receive, MPI_Op op) {
  reduction_buffers const buffers{send, receive};
  return make_symmetric(
      over, "pallreduce_init", true, buffers, op, [&](std::int64_t first, std::int64_t count) {
        if (over.topology().is_complete())
          return allreduce_rounds(buffers.terms(over, op, first, count, true));
        return allreduce(slice(send, first, count), slice(receive, first, count), op)
            .definition()
            .plan(edges_of(over));
      });
}

partitioned_operation pscan_init(Communicator const& over, partitioned_buffer const& send,
                                 partitioned_buffer const& receive, MPI_Op op) {
  return make_scan(over, "pscan_init", false, {send, receive}, op);
}

partitioned_operation pexscan_init(Communicator const& over, partitioned_buffer const& send,
                                   partitioned_buffer const& receive, MPI_Op op) {
  return make_scan(over, "pexscan_init", true, {send, receive}, op);
}

} // namespace seam
