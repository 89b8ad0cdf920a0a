/// A table of objects by MPI's request handles, which are found without a lock.
#pragma once

#include <mpi.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <type_traits>
#include <vector>

namespace seam::detail {

/// Open addressing; an entry lies in the first free place from its hash on. Handles are those of
/// live requests, each in the table once. Threads: any; a handle is looked for after it has been
/// added.
template <class Object>
class request_table {
public:
  request_table() { grow(16); }

  Object* find(MPI_Request handle) const noexcept {
    std::uintptr_t const key = key_of(handle);
    places const& in = *now_.load(std::memory_order_acquire);
    for (std::size_t at = hash(key), end = at + in.size(); at < end; ++at) {
      place const& here = in[at % in.size()];
      std::uintptr_t const found = here.key.load(std::memory_order_acquire);
      if (found == key)
        if (Object* const what = here.what.load(std::memory_order_acquire))
          return what;
      if (found == 0)
        return nullptr;
    }
    return nullptr;
  }

  void add(MPI_Request handle, Object* what) {
    std::scoped_lock const lock(changing_);
    if (2 * ++num_used_ > all_.back()->size())
      grow(2 * all_.back()->size());
    put(*all_.back(), key_of(handle), what);
  }

  /// The object, which is no longer in the table.
  Object* remove(MPI_Request handle) {
    std::scoped_lock const lock(changing_);
    std::uintptr_t const key = key_of(handle);
    places& in = *all_.back();
    for (std::size_t at = hash(key), end = at + in.size(); at < end; ++at)
      if (place& here = in[at % in.size()]; here.key.load() == key && here.what.load() != nullptr) {
        --num_used_;
        Object* const removed = here.what.exchange(nullptr);
        free_unused(in, at);
        return removed;
      }
    return nullptr;
  }

private:
  /// No key: free. A key without an object: of one that has been removed, to be used again.
  struct place {
    std::atomic<std::uintptr_t> key = 0;
    std::atomic<Object*> what = nullptr;
  };
  using places = std::vector<place>;

  /// MPI's handles are pointers or integers.
  template <class Handle>
  static std::uintptr_t key_of(Handle handle) noexcept {
    if constexpr (std::is_pointer_v<Handle>)
      return reinterpret_cast<std::uintptr_t>(handle);
    else
      return static_cast<std::uintptr_t>(handle);
  }

  static std::size_t hash(std::uintptr_t key) noexcept {
    return static_cast<std::size_t>((std::uint64_t{key} * 0x9e3779b97f4a7c15U) >> 32);
  }

  static void put(places& in, std::uintptr_t key, Object* what) {
    std::size_t at = hash(key);
    while (in[at % in.size()].what.load() != nullptr)
      ++at;
    in[at % in.size()].key.store(key);
    in[at % in.size()].what.store(what, std::memory_order_release);
  }

  /// Places up to `last` that no search has to pass are free again.
  static void free_unused(places& in, std::size_t last) {
    auto const at = [&](std::size_t k) -> place& { return in[k % in.size()]; };
    for (std::size_t k = last + in.size(); k > last && at(k + 1).key.load() == 0 &&
                                           at(k).key.load() != 0 && at(k).what.load() == nullptr;
         --k)
      at(k).key.store(0);
  }

  /// Places that are left behind stay, as a thread may be looking there.
  void grow(std::size_t size) {
    auto larger = std::make_unique<places>(size);
    if (!all_.empty())
      for (place const& one : *all_.back())
        if (Object* const what = one.what.load())
          put(*larger, one.key.load(), what);
    all_.push_back(std::move(larger));
    now_.store(all_.back().get(), std::memory_order_release);
  }

  std::atomic<places const*> now_ = nullptr;
  std::vector<std::unique_ptr<places>> all_; ///< each twice as large as the one before
  std::size_t num_used_ = 0;
  std::mutex changing_;
};

} // namespace seam::detail
