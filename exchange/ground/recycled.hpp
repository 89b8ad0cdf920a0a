/// Recycled memory: an allocator for objects that a program makes and ends over and over, such as
/// messages in flight. Each thread keeps the memory of those that it ended last, up to a limit, and
/// takes it again without a lock.
///
///     auto const made = std::allocate_shared<message>(recycled<message>(), bytes, peer);
#pragma once

#include <cstddef>
#include <memory>
#include <new>

namespace seam::detail {

/// Pieces of memory for one T each that a thread has given back.
/// Threads: each has its own.
template <class T>
class spare_memory {
public:
  static constexpr int most_pieces = 256;

  /// A piece, or nullptr if there is none.
  static void* take() noexcept {
    piece* const taken = spare.first;
    if (taken != nullptr) {
      spare.first = taken->next;
      --spare.count;
    }
    return taken;
  }

  /// Keeps a piece; false if there are enough, or the thread ends.
  static bool keep(void* memory) noexcept {
    if (spare.count == most_pieces)
      return false;
    thread_local release_at_end const at_end;
    static_cast<void>(at_end);
    spare.first = new (memory) piece{spare.first};
    ++spare.count;
    return true;
  }

private:
  struct piece {
    piece* next;
  };
  static_assert(sizeof(T) >= sizeof(piece));
  static_assert(alignof(T) >= alignof(piece));

  struct pieces {
    piece* first = nullptr;
    int count = 0;
  };

  struct release_at_end {
    release_at_end() = default;
    release_at_end(release_at_end const&) = delete;
    release_at_end& operator=(release_at_end const&) = delete;
    ~release_at_end() {
      while (void* const left = take())
        std::allocator<T>().deallocate(static_cast<T*>(left), 1);
      spare.count = most_pieces; // objects that end later are not kept
    }
  };

  inline static constinit thread_local pieces spare = {};
};

/// Allocates as std::allocator does, single objects from the thread's spare memory.
/// Threads: what one has allocated another may give back, which then keeps it.
template <class T>
struct recycled {
  using value_type = T;

  recycled() = default;
  template <class U>
  recycled(recycled<U> const&) noexcept {}

  T* allocate(std::size_t count) {
    void* const spare = count == 1 ? spare_memory<T>::take() : nullptr;
    return spare != nullptr ? static_cast<T*>(spare) : std::allocator<T>().allocate(count);
  }

  void deallocate(T* memory, std::size_t count) noexcept {
    if (count != 1 || !spare_memory<T>::keep(memory))
      std::allocator<T>().deallocate(memory, count);
  }

  friend bool operator==(recycled const&, recycled const&) noexcept { return true; }
};

} // namespace seam::detail
