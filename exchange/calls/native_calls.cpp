#include <seam/exchange/calls/native_calls.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/agreement/new_comm.hpp>
#include <seam/exchange/communicator/node.hpp>
#include <seam/exchange/communicator/shared_memory.hpp>
#include <seam/exchange/mpi/check.hpp>
#include <seam/exchange/waiting/native_activity.hpp>
#include <seam/exchange/waiting/stall.hpp>

#include <unistd.h>

#include <limits>
#include <optional>

namespace seam {
namespace {

/// Everybody tells everybody up to here.
constexpr int most_processes = 8;

/// What one process sends that a tree would spare it. [bytes]
constexpr std::int64_t most_spared = std::int64_t{16} << 10;

/// What is the same in all calls on one communicator, once somebody has asked.
struct call_policy {
  std::optional<bool> is_one_small_node, may_block;
};

call_policy& policy_of(Communicator const& over) {
  auto& kept = over.kept_policy();
  if (kept == nullptr)
    kept = std::make_shared<call_policy>();
  return *static_cast<call_policy*>(kept.get());
}

bool find_one_small_node(Communicator const& over) {
  int const size = over.size();
  if (over.topology().kind() != topology_kind::complete || size > most_processes ||
      over.node().is_alone())
    return false;
  for (int rank = 0; rank < size; ++rank)
    if (over.node().local_rank(rank) == node::elsewhere)
      return false;
  return true;
}

bool is_one_small_node(Communicator const& over) {
  auto& known = policy_of(over).is_one_small_node;
  if (!known)
    known = find_one_small_node(over);
  return *known;
}

std::int64_t bytes_of(elements const& what) {
  if (what.type == MPI_DATATYPE_NULL) // which is refused when the call is made
    return 0;
  MPI_Count size = 0;
  mpi::check(MPI_Type_size_x(what.type, &size), "MPI_Type_size_x");
  return what.count * size;
}

/// Of bipartite communicators nobody knows.
bool has_core_for_each(Communicator const& over) {
  if (over.topology().kind() == topology_kind::bipartite)
    return false;
  mpi::comm const machine = mpi::split_shared(over.context());
  return mpi::comm_view(machine).size() <= sysconf(_SC_NPROCESSORS_ONLN);
}

collective::native_call const& native_of(Communicator const& over, collective const& what) {
  static collective::native_call const none = nullptr;
  switch (over.topology().kind()) {
  case topology_kind::complete: return what.complete;
  case topology_kind::bipartite: return what.bipartite;
  case topology_kind::graph: break;
  }
  return none;
}

/// True if there are more elements than MPI's call counts.
bool is_too_long(Communicator const& over, collective const& what) {
  return what.counted && over.topology().kind() == topology_kind::complete &&
         what.counted(over) > std::numeric_limits<int>::max();
}

/// Whether processes exchange the blocks themselves.
bool is_planned_by_seam(Communicator const& over, collective const& what) {
  if (!shared_memory_is_on() || !(what.plan || what.plan_on_complete) || !is_one_small_node(over))
    return false;
  auto const& values = what.common.values;
  int const others = over.size() - 2; // to whom trees would let somebody else send
  return !values || others == 0 || others * bytes_of(*values) <= most_spared;
}

/// Whether blocking calls of the MPI library may be waited in.
bool may_block(Communicator const& over) {
  auto& known = policy_of(over).may_block;
  if (!known) {
    bool const has_core = has_core_for_each(over); // asks all, whatever this rank wants
    bool const is_stood_in_for = mpi::thread_level() >= MPI_THREAD_MULTIPLE; // see progress.hpp
    bool const has_to_return = !has_core || !is_stood_in_for || time_before_report();
    known = largest_of_all(over.context(), has_to_return ? 1 : 0) == 0;
  }
  return *known;
}

} // namespace

bool is_begun_natively(Communicator const& over, collective const& what) {
  return native_of(over, what) && !is_too_long(over, what);
}

bool is_native(Communicator const& over, collective const& what) {
  return is_begun_natively(over, what) && !is_planned_by_seam(over, what);
}

operation native_operation(Communicator const& over, collective const& what) {
  auto begin = [call = native_of(over, what), context = over.context()](MPI_Request* request) {
    return call(context.native(), request);
  };
  return operation(std::make_shared<native_activity>(over.keep_alive(), std::move(begin),
                                                     what.name));
}

in_flight start_natively(Communicator const& over, collective const& what) {
  MPI_Request flying = MPI_REQUEST_NULL;
  mpi::check(native_of(over, what)(over.context().native(), &flying), what.name);
  return in_flight(std::make_shared<native_activity>(over.keep_alive(), flying, what.name));
}

void run_natively(Communicator const& over, collective const& what) {
  bool const blocks = may_block(over);
  MPI_Request flying = MPI_REQUEST_NULL;
  mpi::check(native_of(over, what)(over.context().native(), blocks ? nullptr : &flying), what.name);
  native_activity({}, flying, what.name).wait();
}

} // namespace seam
