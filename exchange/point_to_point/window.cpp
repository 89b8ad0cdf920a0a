#include <seam/exchange/point_to_point/window.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/communicator/refuse_topology.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/mpi/detail/context.hpp>
#include <seam/exchange/mpi/detail/names.hpp>
#include <seam/exchange/planning/detail/arguments.hpp>
#include <seam/exchange/planning/detail/collective_edges.hpp>
#include <seam/exchange/point_to_point/point_to_point.hpp>
#include <seam/exchange/point_to_point/window_carrier.hpp>
#include <seam/exchange/point_to_point/window_targets.hpp>
#include <seam/exchange/waiting/detail/call_scope.hpp>

#include <fmt/format.h>

#include <cstdint>
#include <cstring>
#include <exception>
#include <map>
#include <set>

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

/// Refuses a communicator on which windows have no meaning, and memory that cannot be opened. Local.
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

/// Refuses an access outside of the target's memory; counts in elements if units are elements.
/// @param call  begins the error line
/// @param at    displacement in the target's memory [units]
/// Local.
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

/// Refuses an access whose two ends have different numbers of bytes. Local.
void check_bytes(char const* call, int target, elements const& here, elements const& there) {
  check_memory(call, here);
  check_elements(call, there);
  if (wire_bytes(here) != wire_bytes(there))
    refuse(MPI_ERR_COUNT, fmt::format("{} rank {}: {} bytes there for {} bytes here (expected as "
                                      "many)",
                                      call, target, wire_bytes(there), wire_bytes(here)));
}

/// A wait in the MPI library for `target`, and for the processes whose accesses it carries out.
class wait_for_target {
public:
  /// @param name  lives as long as the program
  wait_for_target(char const* name, mpi::comm_view over, int target)
      : record_(call_record::of_peers(over, {&target, 1})), here_(name, *record_, 1) {}

private:
  std::shared_ptr<call_record> record_;
  call_scope here_;
  wait_scope waiting_;
};

} // namespace

struct untyped_window::state {
  state(Communicator const& over, opened_memory const& own)
      : keeps(over.keep_alive()), context(over.context()), edges(edges_of(over)) {
    collectively(context, [&] { check_window(over, own); });
    is_graph = over.topology().is_graph();
    carrier = mpi::context_of(context) != nullptr ? make_endpoint_window(over, own, edges)
                                                  : make_native_window(over, own, edges);
    if (!own.data && own.length > 0)
      std::memset(carrier->data(), 0, own.length);
    targets2extents = extents_of_targets(over, edges, {own.length, own.unit});
    epochs = over.calls()->begin_part();
    mpi::barrier(context);
  }

  ~state() {
    if (std::uncaught_exceptions() > 0 || !mpi::is_running())
      carrier->abandon(); // freeing is collective, and others may not take part
    else if (seam_has_ended())
      end(); // the carrier's end frees the window, without a report
    else
      free();
  }

  /// Ends open accesses and frees the window. Collective: over the communicator.
  void free() {
    call_scope const here("the end of a window", *epochs);
    wait_scope const waiting;
    end();
    carrier->free();
  }

  /// Ends open locks and an open epoch.
  void end() {
    for (int target : locked)
      carrier->unlock(target);
    if (fenced)
      end_epoch(true);
  }

  void begin_epoch() {
    carrier->begin_epoch(!fenced);
    fenced = true;
  }

  /// @param is_last  no epoch begins at once
  void end_epoch(bool is_last) {
    carrier->end_epoch(is_last);
    fenced = fenced && !is_last;
  }

  extents const& extents_of(int target, char const* call) const {
    if (!is_graph)
      check_rank(call, target, edges.num_peers);
    auto const found = targets2extents.find(target);
    if (found == targets2extents.end())
      refuse_stranger(edges.rank, edges.topology.destinations(), target, call);
    return found->second;
  }

  window_access checked(int target, std::int64_t at, elements const& here, elements const& there,
                        char const* call) const {
    extents const& memory = extents_of(target, call);
    if (!fenced && !locked.contains(target))
      refuse(MPI_ERR_RMA_SYNC,
             fmt::format("{} rank {}: no access is open (expected a fence or a lock before)", call,
                         target));
    check_bytes(call, target, here, there);
    check_span(call, target, memory, at, there);
    return {target, at, memory.unit, here, there};
  }

  std::shared_ptr<void const> keeps;
  mpi::comm_view context;
  std::shared_ptr<call_record> epochs; ///< calls that begin or end an epoch
  bool is_graph = false;
  collective_edges edges;
  std::unique_ptr<window_carrier> carrier;
  std::map<int, extents> targets2extents; ///< of the ranks that this one may access
  bool fenced = false;                    ///< a fence has opened an epoch
  std::set<int> locked;
};

untyped_window::untyped_window(Communicator const& over, opened_memory const& own)
    : state_(std::make_unique<state>(over, own)) {}
untyped_window::untyped_window(untyped_window&&) noexcept = default;
untyped_window::~untyped_window() = default;

untyped_window::state& untyped_window::opened(char const* call) const {
  if (state_ == nullptr)
    refuse(MPI_ERR_WIN,
           fmt::format("{}: a window that has been moved from (expected an open one)", call));
  return *state_;
}

void* untyped_window::data() const { return opened("local").carrier->data(); }

void untyped_window::fence() {
  state& own = opened("fence");
  if (!own.locked.empty())
    refuse(MPI_ERR_RMA_SYNC,
           fmt::format("fence: rank {} is locked (expected unlock before)", *own.locked.begin()));
  call_scope const here("a fence of a window", *own.epochs);
  wait_scope const waiting;
  if (own.fenced)
    own.end_epoch(false);
  own.begin_epoch();
}

void untyped_window::close_epoch() {
  state& own = opened("close_epoch");
  if (!own.fenced)
    refuse(MPI_ERR_RMA_SYNC, "close_epoch: no epoch is open (expected a fence before)");
  call_scope const here("the end of an epoch of a window", *own.epochs);
  wait_scope const waiting;
  own.end_epoch(true);
}

void untyped_window::lock(int target, lock_kind kind) {
  state& own = opened("lock");
  static_cast<void>(own.extents_of(target, "lock"));
  if (own.fenced)
    refuse(MPI_ERR_RMA_SYNC,
           fmt::format("lock rank {}: a fence has opened an epoch (expected close_epoch before)",
                       target));
  if (own.locked.contains(target))
    refuse(MPI_ERR_RMA_SYNC,
           fmt::format("lock rank {}: it is locked already (expected unlock before)", target));
  wait_for_target const waiting("the lock of a window", own.context, target);
  own.carrier->lock(target, kind);
  own.locked.insert(target);
}

void untyped_window::unlock(int target) {
  state& own = opened("unlock");
  if (own.locked.erase(target) == 0)
    refuse(MPI_ERR_RMA_SYNC,
           fmt::format("unlock rank {}: it is not locked (expected lock before)", target));
  wait_for_target const waiting("the unlock of a window", own.context, target);
  own.carrier->unlock(target);
}

void untyped_window::put(int target, std::int64_t at, elements const& from, elements const& there) {
  state const& own = opened("put");
  own.carrier->put(own.checked(target, at, from, there, "put to"));
}

void untyped_window::get(int target, std::int64_t at, elements const& into, elements const& there) {
  state const& own = opened("get");
  own.carrier->get(own.checked(target, at, into, there, "get from"));
}

void untyped_window::accumulate(int target, std::int64_t at, elements const& from,
                                elements const& there, MPI_Op op) {
  state const& own = opened("accumulate");
  auto const access = own.checked(target, at, from, there, "accumulate at");
  if (op == MPI_OP_NULL || !mpi::is_named(op))
    refuse(MPI_ERR_OP, fmt::format("accumulate at rank {}: {} (expected one of MPI's)", target,
                                   op == MPI_OP_NULL ? "MPI_OP_NULL" : mpi::name_of_op(op)));
  own.carrier->accumulate(access, op);
}

} // namespace seam::detail
