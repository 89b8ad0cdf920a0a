#include <seam/exchange/window.hpp>

#include <seam/exchange/agreement.hpp>
#include <seam/exchange/collectives/edges.hpp>
#include <seam/exchange/error.hpp>
#include <seam/exchange/mpi/collective.hpp>
#include <seam/exchange/mpi/large_count.hpp>
#include <seam/exchange/mpi/names.hpp>
#include <seam/exchange/patience.hpp>
#include <seam/exchange/point_to_point.hpp>

#include <fmt/format.h>

#include <cstring>
#include <exception>
#include <map>
#include <set>
#include <vector>

namespace seam::detail {
namespace {

/// The processes at the other ends of `edges`, each once.
mpi::group group_of(Communicator const& over, std::span<edge const> edges) {
  std::set<int> ranks;
  for (edge const& one : edges)
    if (!one.leads_nowhere())
      ranks.insert(one.rank);
  std::vector<int> const list(ranks.begin(), ranks.end());
  mpi::group all, some;
  mpi::check(MPI_Comm_group(over.view().native(), all.receive()), "MPI_Comm_group");
  mpi::check(MPI_Group_incl(all.native(), static_cast<int>(list.size()), list.data(),
                            some.receive()),
             "MPI_Group_incl");
  return some;
}

/// The lengths of all processes at the ends of destinations. Collective: over `over`.
std::map<int, std::int64_t> lengths_of_targets(Communicator const& over, ports const& edges,
                                               std::int64_t mine) {
  Topology const backwards = edges.topology.inverse();
  std::vector<std::int64_t> theirs(backwards.sources().size());
  std::vector<elements> const sends(backwards.destinations().size(),
                                    elements_of(std::span(&mine, 1)));
  auto const receives = blocks_from({theirs.data(), 1, MPI_INT64_T}, theirs.size());
  ports const turned{backwards, edges.rank, edges.num_peers, nullptr};
  operation::immediate(over, along_edges(turned, sends, receives)).run();
  std::map<int, std::int64_t> lengths;
  for (std::size_t e = 0; e < theirs.size(); ++e)
    if (edge const& one = backwards.sources()[e]; !one.leads_nowhere())
      lengths[one.rank] = theirs[e];
  return lengths;
}

void check_meaning(Communicator const& over, std::int64_t length) {
  if (over.topology().kind() == topology_kind::bipartite)
    refuse("window: has no meaning on a bipartite communicator (expected a graph or a complete "
           "one, such as base())");
  if (length < 0)
    refuse(fmt::format("window: {} elements (expected 0 or more)", length));
}

} // namespace

struct untyped_window::state {
  state(Communicator const& over, std::int64_t length, int bytes_of_element)
      : keeps(over.keep_alive()),
        is_graph(over.topology().is_graph()),
        edges(ports_of(over)),
        element_bytes(bytes_of_element) {
    auto const bytes = static_cast<MPI_Aint>(length * element_bytes);
    collectively(over.context(), [&] { check_meaning(over, length); });
    collectively(over.context(), [&] {
      if (MPI_Win_allocate(bytes, element_bytes, MPI_INFO_NULL, over.context().native(),
                           static_cast<void*>(&data), window.receive()) != MPI_SUCCESS)
        refuse("window: the MPI library offers none among these hosts (expected ranks of one host, "
               "or a network with remote memory access)");
    });
    mpi::check(MPI_Win_set_errhandler(window.native(), MPI_ERRORS_RETURN),
               "MPI_Win_set_errhandler");
    std::memset(data, 0, static_cast<std::size_t>(bytes));
    lengths = lengths_of_targets(over, edges, length);
    if (is_graph) {
      sources = group_of(over, edges.topology.sources());
      targets = group_of(over, edges.topology.destinations());
    }
    mpi::barrier(over.context());
  }

  ~state() {
    if (std::uncaught_exceptions() > 0 || !mpi::is_running())
      static_cast<void>(window.release()); // others may not come to free it with this process
    else
      end();
  }

  /// What is open ends.
  void end() {
    for (int target : locked)
      MPI_Win_unlock(target, window.native());
    if (fenced)
      end_epoch(MPI_MODE_NOSUCCEED);
  }

  void begin_epoch() {
    if (is_graph) {
      mpi::check(MPI_Win_post(sources.native(), 0, window.native()), "MPI_Win_post");
      mpi::check(MPI_Win_start(targets.native(), 0, window.native()), "MPI_Win_start");
    } else if (!fenced) {
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
      mpi::check(MPI_Win_fence(then, window.native()), "MPI_Win_fence");
    }
    fenced = fenced && then == 0;
  }

  std::int64_t length_of(int target, char const* call) const {
    auto const found = lengths.find(target);
    if (found == lengths.end())
      refuse_stranger(edges.rank, edges.topology.destinations(), target, call);
    return found->second;
  }

  /// Where the access begins. [elements]
  MPI_Aint place(int target, std::int64_t at, elements const& what, char const* call) const {
    std::int64_t const length = length_of(target, call);
    if (!fenced && !locked.contains(target))
      refuse(fmt::format("{} rank {}: no access is open (expected a fence or a lock before)", call,
                         target));
    if (at < 0 || at + what.count > length)
      refuse(fmt::format("{} rank {}: elements {} to {} (expected elements of 0 to {})", call,
                         target, at, at + what.count - 1, length - 1));
    return static_cast<MPI_Aint>(at);
  }

  std::shared_ptr<void const> keeps;
  bool is_graph;
  ports edges;
  int element_bytes;
  void* data = nullptr;
  mpi::win window;
  mpi::group sources, targets;         ///< on a graph
  std::map<int, std::int64_t> lengths; ///< of those that this process may access, by rank
  bool fenced = false;                 ///< a fence has opened an epoch
  std::set<int> locked;
};

untyped_window::untyped_window(Communicator const& over, std::int64_t length, int element_bytes)
    : state_(std::make_unique<state>(over, length, element_bytes)) {}
untyped_window::untyped_window(untyped_window&&) noexcept = default;
untyped_window::~untyped_window() = default;

void* untyped_window::data() const { return state_->data; }

void untyped_window::fence() {
  if (!state_->locked.empty())
    refuse(fmt::format("fence: rank {} is locked (expected unlock before)",
                       *state_->locked.begin()));
  if (state_->fenced)
    state_->end_epoch(0);
  state_->begin_epoch();
}

void untyped_window::close_epoch() {
  if (!state_->fenced)
    refuse("close_epoch: no epoch is open (expected a fence before)");
  state_->end_epoch(MPI_MODE_NOSUCCEED);
}

void untyped_window::lock(int target, lock_kind kind) {
  static_cast<void>(state_->length_of(target, "lock"));
  if (state_->fenced)
    refuse(fmt::format("lock rank {}: a fence has opened an epoch (expected close_epoch before)",
                       target));
  if (state_->locked.contains(target))
    refuse(fmt::format("lock rank {}: it is locked already (expected unlock before)", target));
  int const how = kind == lock_kind::shared ? MPI_LOCK_SHARED : MPI_LOCK_EXCLUSIVE;
  mpi::check(MPI_Win_lock(how, target, 0, state_->window.native()), "MPI_Win_lock");
  state_->locked.insert(target);
}

void untyped_window::unlock(int target) {
  state_->locked.erase(target);
  mpi::check(MPI_Win_unlock(target, state_->window.native()), "MPI_Win_unlock");
}

void untyped_window::put(int target, std::int64_t at, elements const& from) {
  MPI_Aint const place = state_->place(target, at, from, "put to");
  mpi::large_count const size(from.count, from.type);
  mpi::check(MPI_Put(from.data, size.count(), size.type(), target, place, size.count(), size.type(),
                     state_->window.native()),
             "MPI_Put");
}

void untyped_window::get(int target, std::int64_t at, elements const& into) {
  MPI_Aint const place = state_->place(target, at, into, "get from");
  mpi::large_count const size(into.count, into.type);
  mpi::check(MPI_Get(const_cast<void*>(into.data), size.count(), size.type(), target, place,
                     size.count(), size.type(), state_->window.native()),
             "MPI_Get");
}

void untyped_window::accumulate(int target, std::int64_t at, elements const& from, MPI_Op op) {
  MPI_Aint const place = state_->place(target, at, from, "accumulate at");
  if (!mpi::is_named(op))
    refuse(fmt::format("accumulate at rank {}: {} (expected one of MPI's)", target,
                       mpi::name_of(op)));
  mpi::large_count const size(from.count, from.type);
  mpi::check(MPI_Accumulate(from.data, size.count(), size.type(), target, place, size.count(),
                            size.type(), op, state_->window.native()),
             "MPI_Accumulate");
}

} // namespace seam::detail
