#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/mpi/detail/handle.hpp>
#include <seam/exchange/mpi/large_count.hpp>
#include <seam/exchange/mpi/library.hpp>
#include <seam/exchange/mpi/ordered_type.hpp>
#include <seam/exchange/point_to_point/window_carrier.hpp>
#include <seam/exchange/point_to_point/window_targets.hpp>
#include <seam/exchange/waiting/detail/call_scope.hpp>
#include <seam/exchange/waiting/detail/patience.hpp>

#include <set>
#include <span>
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

/// A window of the MPI library. On a graph an epoch is MPI's post, start, complete and wait.
class native_window final : public window_carrier {
public:
  native_window(Communicator const& over, opened_memory const& own, collective_edges const& edges)
      : context_(over.context()), is_graph_(over.topology().is_graph()) {
    collectively(context_, [&] {
      if (open(context_.native(), own) != MPI_SUCCESS)
        refuse("window: the MPI library offers none among these hosts (expected ranks of one host, "
               "or a network with remote memory access)");
    });
    mpi::check(MPI_Win_set_errhandler(window_.native(), MPI_ERRORS_RETURN),
               "MPI_Win_set_errhandler");
    if (!is_graph_)
      return;
    sources_ = group_of(over, edges.topology.sources());
    targets_ = group_of(over, edges.topology.destinations());
  }

  void* data() const noexcept override { return data_; }

  void begin_epoch(bool is_first) override {
    if (is_graph_) {
      mpi::check(MPI_Win_post(sources_.native(), 0, window_.native()), "MPI_Win_post");
      mpi::check(MPI_Win_start(targets_.native(), 0, window_.native()), "MPI_Win_start");
    } else if (is_first) {
      mpi::check(MPI_Win_fence(MPI_MODE_NOPRECEDE, window_.native()), "MPI_Win_fence");
    }
  }

  void end_epoch(bool is_last) override {
    if (!is_graph_) {
      mpi::check(MPI_Win_fence(is_last ? MPI_MODE_NOSUCCEED : 0, window_.native()),
                 "MPI_Win_fence");
      return;
    }
    mpi::check(MPI_Win_complete(window_.native()), "MPI_Win_complete");
    int done = 0;
    for (patience wait;; wait.pause()) {
      mpi::check(MPI_Win_test(window_.native(), &done), "MPI_Win_test");
      if (done != 0)
        break;
    }
  }

  void lock(int target, lock_kind kind) override {
    int const mpi_kind = kind == lock_kind::shared ? MPI_LOCK_SHARED : MPI_LOCK_EXCLUSIVE;
    mpi::check(MPI_Win_lock(mpi_kind, target, 0, window_.native()), "MPI_Win_lock");
  }

  void unlock(int target) override {
    mpi::check(MPI_Win_unlock(target, window_.native()), "MPI_Win_unlock");
  }

  void put(window_access const& access) override {
    auto const& [target, at, unit, from, there] = access;
    mpi::large_count const here(from.count, from.type), size(there.count, there.type);
    mpi::check(MPI_Put(from.data, here.count(), here.type(), target, static_cast<MPI_Aint>(at),
                       size.count(), size.type(), window_.native()),
               "MPI_Put");
  }

  void get(window_access const& access) override {
    auto const& [target, at, unit, into, there] = access;
    mpi::large_count const here(into.count, into.type), size(there.count, there.type);
    mpi::check(MPI_Get(const_cast<void*>(into.data), here.count(), here.type(), target,
                       static_cast<MPI_Aint>(at), size.count(), size.type(), window_.native()),
               "MPI_Get");
  }

  void accumulate(window_access const& access, MPI_Op op) override {
    auto const& [target, at, unit, from, there] = access;
    mpi::large_count const here(from.count, mpi::ordered_type(op, from.type)),
        size(there.count, mpi::ordered_type(op, there.type));
    mpi::check(MPI_Accumulate(from.data, here.count(), here.type(), target,
                              static_cast<MPI_Aint>(at), size.count(), size.type(), op,
                              window_.native()),
               "MPI_Accumulate");
  }

  void free() override { window_ = {}; }

  void abandon() noexcept override { static_cast<void>(window_.release()); }

private:
  /// Creates the window. Collective: over `comm`.
  int open(MPI_Comm comm, opened_memory const& own) {
    auto const length = static_cast<MPI_Aint>(own.length);
    auto const unit = mpi::narrow(own.unit, "window");
    blocking_call const now(comm, "MPI_Win_create");
    if (!own.data)
      return MPI_Win_allocate(length, unit, mpi::parts_apart().native(), comm,
                              static_cast<void*>(&data_), window_.receive());
    data_ = *own.data;
    return MPI_Win_create(data_, length, unit, MPI_INFO_NULL, comm, window_.receive());
  }

  mpi::comm_view context_;
  bool is_graph_;
  void* data_ = nullptr;
  mpi::win window_;
  mpi::group sources_, targets_; ///< on a graph
};

} // namespace

std::unique_ptr<window_carrier> make_native_window(
    Communicator const& over, opened_memory const& own, collective_edges const& edges) {
  return std::make_unique<native_window>(over, own, edges);
}

} // namespace seam::detail
