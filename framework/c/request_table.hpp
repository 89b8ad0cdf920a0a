/// A table of objects by MPI request handles, in which threads find them without a lock.
#pragma once

#include <mpi.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <type_traits>
#include <vector>

namespace seam::detail {

/// A hash table with open addressing: an entry lies in the first free place from its hash on. A
/// handle of a live request is in the table at most once.
/// Threads: any; a thread may look for a handle once it has been added.
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
        if (Object* const object = here.object.load(std::memory_order_acquire))
          return object;
      if (found == 0)
        return nullptr;
    }
    return nullptr;
  }

  void add(MPI_Request handle, Object* object) {
    std::scoped_lock const lock(changing_);
    if (2 * ++num_used_ > all_.back()->size())
      grow(2 * all_.back()->size());
    put(*all_.back(), key_of(handle), object);
  }

  /// Takes the object of `handle` from the table and returns it.
  Object* remove(MPI_Request handle) {
    std::scoped_lock const lock(changing_);
    std::uintptr_t const key = key_of(handle);
    places& in = *all_.back();
    for (std::size_t at = hash(key), end = at + in.size(); at < end; ++at)
      if (place& here = in[at % in.size()];
          here.key.load() == key && here.object.load() != nullptr) {
        --num_used_;
        Object* const removed = here.object.exchange(nullptr);
        free_unused(in, at);
        return removed;
      }
    return nullptr;
  }

private:
  /// A place without a key is free. One with a key and no object was used by an object that has
  /// been removed, and may be used again.
  struct place {
    std::atomic<std::uintptr_t> key = 0;
    std::atomic<Object*> object = nullptr;
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
    return (std::uint64_t{key} * 0x9e3779b97f4a7c15U) >> 32;
  }

  static void put(places& in, std::uintptr_t key, Object* object) {
    std::size_t at = hash(key);
    while (in[at % in.size()].object.load() != nullptr)
      ++at;
    in[at % in.size()].key.store(key);
    in[at % in.size()].object.store(object, std::memory_order_release);
  }

  /// Frees the unused places up to `last` that no search has to pass.
  static void free_unused(places& in, std::size_t last) {
    auto const at = [&](std::size_t k) -> place& { return in[k % in.size()]; };
    for (std::size_t k = last + in.size(); k > last && at(k + 1).key.load() == 0 &&
                                           at(k).key.load() != 0 && at(k).object.load() == nullptr;
         --k)
      at(k).key.store(0);
  }

  /// Moves the objects to a larger table. The old places stay, as a thread may be reading them.
  void grow(std::size_t size) {
    auto larger = std::make_unique<places>(size);
    if (!all_.empty())
      for (place const& old : *all_.back())
        if (Object* const object = old.object.load())
          put(*larger, old.key.load(), object);
    all_.push_back(std::move(larger));
    now_.store(all_.back().get(), std::memory_order_release);
  }

  std::atomic<places const*> now_ = nullptr;
  std::vector<std::unique_ptr<places>> all_; ///< each twice as large as the one before
  std::size_t num_used_ = 0;
  std::mutex changing_;
};

} // namespace seam::detail
