#include <seam/c/endpoints.h>

#include <seam/exchange/endpoints/attachment.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/framework/c/errors.hpp>

#include <fmt/format.h>

#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <utility>

namespace {

using namespace seam;
using detail::endpoint;
using detail::guarded;
using detail::refuse_endpoint;
using detail::require_address;

constexpr std::align_val_t alignment{64};

/// Where memory that a process without endpoints has allocated belongs to: nowhere.
using owner = std::weak_ptr<endpoint>;

bool is_of(owner const& memory, std::shared_ptr<endpoint> const& thread) noexcept {
  return !memory.owner_before(thread) && !owner(thread).owner_before(memory);
}

/// What Seam_Alloc_mem has given out, by its address.
class allocated_memory {
public:
  void add(void* memory, owner of) {
    std::scoped_lock const lock(using_list_);
    list_.emplace(memory, std::move(of));
  }

  /// Removes `memory`, which a thread of `by` gives back.
  void remove(void* memory, std::shared_ptr<endpoint> const& by) {
    std::scoped_lock const lock(using_list_);
    auto const found = list_.find(memory);
    if (found == list_.end())
      refuse(MPI_ERR_BASE, fmt::format("Seam_Free_mem: memory at {} (expected an address of "
                                       "Seam_Alloc_mem that was not given back yet)",
                                       memory));
    auto const of = found->second.lock();
    if (of != nullptr && !is_of(found->second, by))
      refuse_endpoint(fmt::format("Seam_Free_mem: memory of endpoint {} at {}, by a thread of "
                                  "endpoint {} (expected a thread of its own endpoint)",
                                  of->place.number, memory, by->place.number));
    list_.erase(found);
  }

private:
  std::mutex using_list_;
  std::map<void*, owner> list_;
};

/// Never destroyed: threads may outlive main.
allocated_memory& all_allocated() {
  static auto* const only = new allocated_memory;
  return *only;
}

/// The calling thread's endpoint; nullptr in a process that has none.
std::shared_ptr<endpoint> endpoint_for(char const* call) {
  auto own = detail::endpoint_of_thread();
  if (own == nullptr && detail::has_endpoints())
    refuse_endpoint(fmt::format("{}: the thread is attached to no endpoint (expected one, whose "
                                "memory it is: attach first)",
                                call));
  return own;
}

} // namespace

extern "C" {

int Seam_Alloc_mem(MPI_Aint size, MPI_Info, void* baseptr) {
  return guarded(MPI_COMM_NULL, [&] {
    require_address("Seam_Alloc_mem", baseptr, "a pointer");
    if (size < 0)
      refuse(MPI_ERR_ARG, fmt::format("Seam_Alloc_mem: {} bytes (expected 0 or more)", size));
    auto const own = endpoint_for("Seam_Alloc_mem");
    void* const memory = ::operator new(static_cast<std::size_t>(size), alignment, std::nothrow);
    if (memory == nullptr)
      refuse(MPI_ERR_NO_MEM,
             fmt::format("Seam_Alloc_mem: {} bytes (expected no more than is free)", size));
    all_allocated().add(memory, own);
    *static_cast<void**>(baseptr) = memory;
  });
}

int Seam_Free_mem(void* base) {
  return guarded(MPI_COMM_NULL, [&] {
    all_allocated().remove(base, endpoint_for("Seam_Free_mem"));
    ::operator delete(base, alignment);
  });
}

} // extern "C"
