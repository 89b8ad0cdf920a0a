#include <seam/exchange/calls/native_calls.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/agreement/new_comm.hpp>
#include <seam/exchange/communicator/kept.hpp>
#include <seam/exchange/communicator/node.hpp>
#include <seam/exchange/communicator/shared_memory.hpp>
#include <seam/exchange/mpi/detail/context.hpp>
#include <seam/exchange/mpi/type_size.hpp>
#include <seam/exchange/transport/node/thresholds.hpp>
#include <seam/exchange/waiting/detail/call_scope.hpp>
#include <seam/exchange/waiting/native_activity.hpp>

#include <unistd.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace seam::detail {
namespace {

/// The contexts of prepared operations that the MPI library carries out, kept with their communicator
/// and used again.
///
/// MPI matches the nonblocking calls on one communicator by their order. Prepared operations may be
/// started in another order on each rank ([MPI4] sec. 6.13), and so each has a context of its own.
class native_contexts {
public:
  /// Takes a context that no living operation has on any rank, or makes one. It is taken as long as
  /// the result lives.
  /// Collective: over `over`.
  static std::shared_ptr<mpi::comm const> take(Communicator const& over) {
    auto& all = kept<native_contexts>(over).all_;
    std::vector<int> are_taken; // [all] 1 if an operation of some rank lives
    for (auto const& context : all)
      are_taken.push_back(context.use_count() > 1 ? 1 : 0);
    if (!all.empty())
      largest_of_all(over.context(), std::span(are_taken));
    auto const unused = std::ranges::find(are_taken, 0);
    if (unused != are_taken.end())
      return all[unused - are_taken.begin()];
    return all.emplace_back(std::make_shared<mpi::comm const>(mpi::dup(over.context())));
  }

private:
  std::vector<std::shared_ptr<mpi::comm const>> all_; ///< as many on all ranks
};

/// Properties of a communicator that hold for all calls on it; empty until a call needs them.
struct call_policy {
  std::optional<bool> is_one_small_node, may_block;
};

bool find_one_small_node(Communicator const& over) {
  int const size = over.size();
  if (!over.topology().is_complete() || size > most_processes_of_direct_calls ||
      over.node().is_alone())
    return false;
  for (int rank = 0; rank < size; ++rank)
    if (over.node().local_rank(rank) == node::elsewhere)
      return false;
  return true;
}

bool is_one_small_node(Communicator const& over) {
  auto& known = kept<call_policy>(over).is_one_small_node;
  if (!known)
    known = find_one_small_node(over);
  return *known;
}

std::int64_t bytes_of(elements const& values) {
  if (values.type == MPI_DATATYPE_NULL) // refused when the call is made
    return 0;
  return values.count * mpi::size_of(values.type);
}

/// True if the node has a core for each process of `over` on it; false on bipartite communicators.
bool has_core_for_each(Communicator const& over) {
  if (over.topology().is_bipartite())
    return false;
  mpi::comm const machine = mpi::split_shared(over.context());
  return mpi::comm_view(machine).size() <= sysconf(_SC_NPROCESSORS_ONLN);
}

collective_definition::native_call const& native_of(Communicator const& over,
                                                    collective_definition const& call) {
  static collective_definition::native_call const none = nullptr;
  if (mpi::context_of(over) != nullptr) // MPI knows nothing of endpoints
    return none;
  switch (over.topology().kind()) {
  case topology_kind::complete: return call.complete;
  case topology_kind::bipartite: return call.bipartite;
  case topology_kind::graph: break;
  }
  return none;
}

/// True if there are more elements than MPI's call counts.
bool is_too_long(Communicator const& over, collective_definition const& call) {
  return call.counted && over.topology().is_complete() &&
         call.counted(over) > std::numeric_limits<int>::max();
}

/// True if the MPI library has the call, and counts that many elements.
bool has_native_call(Communicator const& over, collective_definition const& call) {
  return native_of(over, call) && !is_too_long(over, call);
}

/// True if other processes would send about as many bytes of one in a tree as it sends directly.
bool trees_save_little(Communicator const& over, collective_definition const& call) {
  auto const& values = call.common.values;
  int const num_spared = over.size() - 2; // sends that other processes would make
  return !values || num_spared == 0 || num_spared * bytes_of(*values) <= most_bytes_beside_trees;
}

/// True if the processes exchange blocks directly, by seam's plan, in run() and prepare().
bool is_planned_by_seam(Communicator const& over, collective_definition const& call) {
  bool const has_plan = call.moves || call.plan || call.plan_on_complete;
  return shared_memory_is_on() && has_plan && is_one_small_node(over) &&
         trees_save_little(over, call);
}

/// True if they do in start(), which asks no other process whether all are of one node. Operations
/// of several rounds, which have a `plan_on_complete`, are left to the MPI library: they would need
/// a thread that moves them.
bool is_started_by_seam(Communicator const& over, collective_definition const& call) {
  return (call.moves || call.plan) && over.topology().is_complete() &&
         over.size() <= most_processes_of_direct_calls && trees_save_little(over, call);
}

/// True if run_natively() may use MPI's blocking calls.
bool may_block(Communicator const& over) {
  auto& known = kept<call_policy>(over).may_block;
  if (!known) {
    bool const has_core = has_core_for_each(over); // collective, so first, on all ranks
    bool const thread_moves_rest = mpi::thread_level() >= MPI_THREAD_MULTIPLE; // see progress.hpp
    bool const has_to_return = !has_core || !thread_moves_rest;
    known = largest_of_all(over.context(), has_to_return ? 1 : 0) == 0;
  }
  return *known;
}

} // namespace

bool is_begun_natively(Communicator const& over, collective_definition const& call) {
  return has_native_call(over, call) && !is_started_by_seam(over, call);
}

bool is_native(Communicator const& over, collective_definition const& call) {
  return has_native_call(over, call) && !is_planned_by_seam(over, call);
}

operation native_operation(Communicator const& over, collective_definition const& call) {
  auto begin = [native = native_of(over, call), context = native_contexts::take(over)](
                   MPI_Request* request) { return native(context->native(), request); };
  return operation(std::make_shared<native_activity>(over.keep_alive(), std::move(begin),
                                                     call.name));
}

in_flight start_natively(Communicator const& over, collective_definition const& call) {
  MPI_Request request = MPI_REQUEST_NULL;
  mpi::check(native_of(over, call)(over.context().native(), &request), call.name);
  return in_flight(std::make_shared<native_activity>(over.keep_alive(), request, call.name));
}

void run_natively(Communicator const& over, collective_definition const& call) {
  auto const& native = native_of(over, call);
  if (may_block(over)) {
    wait_scope const waiting;
    return mpi::check(native(over.context().native(), nullptr), call.name);
  }
  MPI_Request request = MPI_REQUEST_NULL;
  mpi::check(native(over.context().native(), &request), call.name);
  native_activity({}, request, call.name).wait();
}

} // namespace seam::detail
