#include <seam/exchange/mpi/detail/context.hpp>

#include <seam/exchange/mpi/attribute.hpp>

#include <array>
#include <functional>
#include <mutex>

namespace seam::mpi {
namespace {

/// True once a context has been made.
constinit std::atomic<bool> are_endpoints_in_use = false;

/// Changes when the meaning of a handle may: MPI gives freed ones out again.
constinit std::atomic<std::uint64_t> num_changes = 1;

/// The handles that a thread has asked for last, with their contexts.
struct known_handle {
  MPI_Comm native;
  context* found;
  std::uint64_t num_changes = 0;
};
thread_local std::array<known_handle, 16> known_handles;

known_handle& place_of(MPI_Comm native) {
  std::size_t const bits = std::hash<MPI_Comm>()(native);
  return known_handles[(bits >> 4 ^ bits >> 9 ^ bits) % known_handles.size()];
}

/// A context that is kept with a handle, and notes its end.
class kept_context {
public:
  explicit kept_context(std::shared_ptr<context> ranks) : ranks_(std::move(ranks)) {}
  kept_context(kept_context const&) = delete;
  kept_context& operator=(kept_context const&) = delete;
  ~kept_context() { num_changes.fetch_add(1); }

  context* get() const noexcept { return ranks_.get(); }

private:
  std::shared_ptr<context> ranks_;
};

context* look_up(MPI_Comm native) {
  if (native == MPI_COMM_NULL)
    return nullptr;
  auto const* const kept = attribute<kept_context>::of(native);
  return kept != nullptr ? kept->get() : nullptr;
}

} // namespace

context* context_of(comm_view over) {
  if (!are_endpoints_in_use.load(std::memory_order_acquire))
    return nullptr;
  auto const native = over.native();
  auto const changes = num_changes.load(std::memory_order_acquire);
  known_handle& known = place_of(native);
  if (known.native != native || known.num_changes != changes)
    known = {native, look_up(native), changes};
  return known.found;
}

comm handle_of(std::shared_ptr<context> ranks, comm_view copied) {
  static std::mutex duplicating; // one call at a time on one communicator
  std::scoped_lock const lock(duplicating);
  comm handle;
  check(MPI_Comm_dup(copied.native(), handle.receive()), "MPI_Comm_dup");
  return_errors(handle);
  attribute<kept_context>::keep(handle, std::make_unique<kept_context>(std::move(ranks)));
  num_changes.fetch_add(1);
  are_endpoints_in_use.store(true, std::memory_order_release);
  return handle;
}

} // namespace seam::mpi
