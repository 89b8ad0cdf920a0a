#include <seam/exchange/agreement/new_comm.hpp>

#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/mpi/attribute.hpp>
#include <seam/exchange/mpi/detail/context.hpp>
#include <seam/exchange/waiting/detail/call_scope.hpp>

namespace seam::mpi {
namespace {

/// The context behind `over`, which the calling thread may use; nullptr: its ranks are processes.
context* checked_context(comm_view over, char const* call) {
  context* const ranks = context_of(over);
  if (ranks != nullptr)
    ranks->check_thread(call);
  return ranks;
}

/// The processes of both sides of a bipartite communicator.
comm merge(comm_view over) {
  if (context* const ranks = checked_context(over, "MPI_Intercomm_merge"))
    return ranks->both_sides();
  mpi::comm both;
  seam::detail::blocking_call const now(over, "MPI_Intercomm_merge");
  check(MPI_Intercomm_merge(over.native(), 0, both.receive()), "MPI_Intercomm_merge");
  return_errors(both);
  return both;
}

} // namespace

comm dup(comm_view over) {
  if (context* const ranks = checked_context(over, "MPI_Comm_dup"))
    return ranks->dup(over);
  mpi::comm copy;
  MPI_Comm* const into = copy.receive();
  detail::call_together(over, "MPI_Comm_dup", [&](MPI_Request* begun) {
    return begun == nullptr ? MPI_Comm_dup(over.native(), into)
                            : MPI_Comm_idup(over.native(), into, begun);
  });
  return_errors(copy);
  return copy;
}

comm split(comm_view over, int color, int key) {
  if (context* const ranks = checked_context(over, "MPI_Comm_split"))
    return ranks->split(color, key);
  mpi::comm part;
  seam::detail::blocking_call const now(over, "MPI_Comm_split");
  check(MPI_Comm_split(over.native(), color, key, part.receive()), "MPI_Comm_split");
  if (part.is_open())
    return_errors(part);
  return part;
}

comm split_shared(comm_view over) {
  return split_type(over, MPI_COMM_TYPE_SHARED, over.rank(), MPI_INFO_NULL);
}

comm split_type(comm_view over, int type, int key, MPI_Info info) {
  if (context* const ranks = checked_context(over, "MPI_Comm_split_type")) {
    bool const is_known = type == MPI_COMM_TYPE_SHARED || type == MPI_UNDEFINED;
    if (!is_known)
      seam::refuse(MPI_ERR_ARG, "split_type: endpoints by a resource that MPI knows of processes "
                                "alone (expected MPI_COMM_TYPE_SHARED)");
    return ranks->split(type == MPI_UNDEFINED ? MPI_UNDEFINED : ranks->node(), key);
  }
  mpi::comm part;
  seam::detail::blocking_call const now(over, "MPI_Comm_split_type");
  check(MPI_Comm_split_type(over.native(), type, key, info, part.receive()), "MPI_Comm_split_type");
  if (part.is_open())
    return_errors(part);
  return part;
}

comm_view all_processes(comm_view over) {
  using both_sides = attribute<comm>;
  if (!is_bipartite(over))
    return over;
  if (comm const* const kept = both_sides::of(over))
    return *kept;
  return both_sides::keep(over, std::make_unique<comm>(merge(over)));
}

} // namespace seam::mpi
