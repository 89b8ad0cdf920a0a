#include <seam/exchange/point_to_point/window.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/agreement/reported_call.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/mpi/detail/handle.hpp>
#include <seam/exchange/mpi/detail/names.hpp>
#include <seam/exchange/mpi/large_count.hpp>
#include <seam/exchange/mpi/ordered_type.hpp>
#include <seam/exchange/planning/detail/collective_edges.hpp>
#include <seam/exchange/point_to_point/point_to_point.hpp>
#include <seam/exchange/point_to_point/window_checks.hpp>
#include <seam/exchange/point_to_point/window_targets.hpp>
#include <seam/exchange/waiting/detail/patience.hpp>
#include <seam/exchange/waiting/peers.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <exception>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

namespace seam::detail {
namespace {

/// The processes at the other ends of `edges`, each once.
mpi::group group_of(Communicator const& over, std::span<edge const> edges) {
  std::set<int> ranks;
  for (edge const& listed : edges)
    if (!listed.leads_nowhere())
      ranks.insert(listed.rank);
  std::vector<int> const list(ranks.begin(), ranks.end());
  mpi::group all, some;
  mpi::check(MPI_Comm_group(over.view().native(), all.receive()), "MPI_Comm_group");
  mpi::check(MPI_Group_incl(all.native(), static_cast<int>(list.size()), list.data(),
                            some.receive()),
             "MPI_Group_incl");
  return some;
}

/// A wait in the MPI library for `target`, and for the processes whose accesses it carries out.
class wait_for_target {
public:
  /// @param name  lives as long as the program
  wait_for_target(char const* name, mpi::comm_view over, int target)
      : record_(record_of_peers(over, {&target, 1})), here_(name, *record_, 1) {}

private:
  std::shared_ptr<call_record> record_;
  call_scope here_;
  wait_scope waiting_;
};

} // namespace

struct untyped_window::state {
  state(Communicator const& over, opened_memory const& own)
      : keeps(over.keep_alive()),
        context(over.context()),
        is_graph(over.topology().is_graph()),
        edges(edges_of(over)) {
    collectively(over.context(), [&] { check_window(over, own); });
    collectively(over.context(), [&] {
      if (open(over.context().native(), own) != MPI_SUCCESS)
        refuse("window: the MPI library offers none among these hosts (expected ranks of one host, "
               "or a network with remote memory access)");
    });
    mpi::check(MPI_Win_set_errhandler(window.native(), MPI_ERRORS_RETURN),
               "MPI_Win_set_errhandler");
    if (!own.data && own.length > 0)
      std::memset(data, 0, own.length);
    targets2extents = extents_of_targets(over, edges, {own.length, own.unit});
    epochs = over.calls()->begin_part();
    if (is_graph) {
      sources = group_of(over, edges.topology.sources());
      targets = group_of(over, edges.topology.destinations());
      if (mpi::must_meet(context))
        exposed.emplace(over, edges);
    }
    mpi::barrier(over.context());
  }

  ~state() {
    if (std::uncaught_exceptions() > 0 || !mpi::is_running())
      static_cast<void>(window.release()); // freeing is collective, and others may not take part
    else if (seam_has_ended())
      end(); // the MPI library frees the window, without a report
    else
      free();
  }

  /// Ends open accesses and frees the window. Collective: over the communicator.
  void free() {
    call_scope const here("the end of a window", *epochs);
    wait_scope const waiting;
    end();
    mpi::meet_if_reported(context);
    window = {};
  }

  /// Creates the window. Collective: over `comm`.
  int open(MPI_Comm comm, opened_memory const& own) {
    auto const length = static_cast<MPI_Aint>(own.length);
    auto const unit = mpi::narrow(own.unit, "window");
    mpi::reported_call const now(comm, "MPI_Win_create");
    if (!own.data)
      return MPI_Win_allocate(length, unit, MPI_INFO_NULL, comm, static_cast<void*>(&data),
                              window.receive());
    data = *own.data;
    return MPI_Win_create(data, length, unit, MPI_INFO_NULL, comm, window.receive());
  }

  /// Ends open locks and an open epoch.
  void end() {
    for (int target : locked)
      MPI_Win_unlock(target, window.native());
    if (fenced)
      end_epoch(MPI_MODE_NOSUCCEED);
  }

  void begin_epoch() {
    if (is_graph) {
      mpi::check(MPI_Win_post(sources.native(), 0, window.native()), "MPI_Win_post");
      if (exposed)
        exposed->exchange();
      mpi::check(MPI_Win_start(targets.native(), 0, window.native()), "MPI_Win_start");
    } else if (!fenced) {
      mpi::meet_if_reported(context);
      mpi::check(MPI_Win_fence(MPI_MODE_NOPRECEDE, window.native()), "MPI_Win_fence");
    }
    fenced = true;
  }

  /// @param then  MPI_MODE_NOSUCCEED, or 0 if the next epoch begins at once
  void end_epoch(int then) {
    if (is_graph) {
      mpi::check(MPI_Win_complete(window.native()), "MPI_Win_complete");
      int done = 0;
      for (patience wait;; wait.pause()) {
        mpi::check(MPI_Win_test(window.native(), &done), "MPI_Win_test");
        if (done != 0)
          break;
      }
    } else {
      mpi::meet_if_reported(context);
      mpi::check(MPI_Win_fence(then, window.native()), "MPI_Win_fence");
    }
    fenced = fenced && then == 0;
  }

  extents const& extents_of(int target, char const* call) const {
    auto const found = targets2extents.find(target);
    if (found == targets2extents.end())
      refuse_stranger(edges.rank, edges.topology.destinations(), target, call);
    return found->second;
  }

  /// Checks an access; returns its displacement. [units of the target]
  MPI_Aint place(int target, std::int64_t at, elements const& here, elements const& there,
                 char const* call) const {
    extents const& memory = extents_of(target, call);
    if (!fenced && !locked.contains(target))
      refuse(MPI_ERR_RMA_SYNC,
             fmt::format("{} rank {}: no access is open (expected a fence or a lock before)", call,
                         target));
    check_bytes(call, target, here, there);
    check_span(call, target, memory, at, there);
    return static_cast<MPI_Aint>(at);
  }

  std::shared_ptr<void const> keeps;
  mpi::comm_view context;
  std::shared_ptr<call_record> epochs; ///< calls that begin or end an epoch
  bool is_graph;
  collective_edges edges;
  void* data = nullptr;
  mpi::win window;
  mpi::group sources, targets;     ///< on a graph
  std::optional<exposure> exposed; ///< on a graph, where seam has to wait (reported_call.hpp)
  std::map<int, extents> targets2extents; ///< of the processes that this one may access
  bool fenced = false;                    ///< a fence has opened an epoch
  std::set<int> locked;
};

untyped_window::untyped_window(Communicator const& over, opened_memory const& own)
    : state_(std::make_unique<state>(over, own)) {}
untyped_window::untyped_window(untyped_window&&) noexcept = default;
untyped_window::~untyped_window() = default;

void* untyped_window::data() const { return state_->data; }

void untyped_window::fence() {
  if (!state_->locked.empty())
    refuse(MPI_ERR_RMA_SYNC, fmt::format("fence: rank {} is locked (expected unlock before)",
                                         *state_->locked.begin()));
  call_scope const here("a fence of a window", *state_->epochs);
  wait_scope const waiting;
  if (state_->fenced)
    state_->end_epoch(0);
  state_->begin_epoch();
}

void untyped_window::close_epoch() {
  if (!state_->fenced)
    refuse(MPI_ERR_RMA_SYNC, "close_epoch: no epoch is open (expected a fence before)");
  call_scope const here("the end of an epoch of a window", *state_->epochs);
  wait_scope const waiting;
  state_->end_epoch(MPI_MODE_NOSUCCEED);
}

void untyped_window::lock(int target, lock_kind kind) {
  static_cast<void>(state_->extents_of(target, "lock"));
  if (state_->fenced)
    refuse(MPI_ERR_RMA_SYNC,
           fmt::format("lock rank {}: a fence has opened an epoch (expected close_epoch before)",
                       target));
  if (state_->locked.contains(target))
    refuse(MPI_ERR_RMA_SYNC,
           fmt::format("lock rank {}: it is locked already (expected unlock before)", target));
  int const mpi_kind = kind == lock_kind::shared ? MPI_LOCK_SHARED : MPI_LOCK_EXCLUSIVE;
  wait_for_target const waiting("the lock of a window", state_->context, target);
  mpi::check(MPI_Win_lock(mpi_kind, target, 0, state_->window.native()), "MPI_Win_lock");
  state_->locked.insert(target);
}

void untyped_window::unlock(int target) {
  if (state_->locked.erase(target) == 0)
    refuse(MPI_ERR_RMA_SYNC,
           fmt::format("unlock rank {}: it is not locked (expected lock before)", target));
  wait_for_target const waiting("the unlock of a window", state_->context, target);
  mpi::check(MPI_Win_unlock(target, state_->window.native()), "MPI_Win_unlock");
}

void untyped_window::put(int target, std::int64_t at, elements const& from, elements const& there) {
  MPI_Aint const place = state_->place(target, at, from, there, "put to");
  mpi::large_count const here(from.count, from.type), size(there.count, there.type);
  mpi::check(MPI_Put(from.data, here.count(), here.type(), target, place, size.count(), size.type(),
                     state_->window.native()),
             "MPI_Put");
}

void untyped_window::get(int target, std::int64_t at, elements const& into, elements const& there) {
  MPI_Aint const place = state_->place(target, at, into, there, "get from");
  mpi::large_count const here(into.count, into.type), size(there.count, there.type);
  mpi::check(MPI_Get(const_cast<void*>(into.data), here.count(), here.type(), target, place,
                     size.count(), size.type(), state_->window.native()),
             "MPI_Get");
}

void untyped_window::accumulate(int target, std::int64_t at, elements const& from,
                                elements const& there, MPI_Op op) {
  MPI_Aint const place = state_->place(target, at, from, there, "accumulate at");
  if (op == MPI_OP_NULL || !mpi::is_named(op))
    refuse(MPI_ERR_OP, fmt::format("accumulate at rank {}: {} (expected one of MPI's)", target,
                                   op == MPI_OP_NULL ? "MPI_OP_NULL" : mpi::name_of(op)));
  mpi::large_count const here(from.count, mpi::ordered_type(op, from.type)),
      size(there.count, mpi::ordered_type(op, there.type));
  mpi::check(MPI_Accumulate(from.data, here.count(), here.type(), target, place, size.count(),
                            size.type(), op, state_->window.native()),
             "MPI_Accumulate");
}

} // namespace seam::detail
