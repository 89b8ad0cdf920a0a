/// Copies that two threads make together: one that moves a long message, and one that waits for it.
/// Two cores move more bytes at a time than one, above all between caches far apart.
///
///     helper.copy(to, from, bytes);                      // one thread
///     while (!is_done()) helper.help();                  // another
#pragma once

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace seam::detail {

/// Bytes of a copy, in pieces that threads take in turn.
class shared_copy {
public:
  shared_copy(std::byte* to, std::byte const* from, std::int64_t bytes)
      : to_(to), from_(from), bytes_(bytes) {}

  /// Copies pieces until all are taken. Threads: any.
  void copy_pieces() noexcept {
    for (;;) {
      std::int64_t const begin = next_.fetch_add(piece, std::memory_order_relaxed);
      if (begin >= bytes_)
        return;
      std::memcpy(to_ + begin, from_ + begin, std::min(piece, bytes_ - begin));
    }
  }

private:
  static constexpr std::int64_t piece = 32768;

  std::byte* to_;
  std::byte const* from_;
  std::int64_t bytes_;
  std::atomic<std::int64_t> next_ = 0;
};

/// Where threads that wait for a copy find it.
class copy_helper {
public:
  /// Shorter copies are made by one thread. [bytes]
  static constexpr std::int64_t shortest = 131072;

  /// Copies `bytes`, with the help of threads that call help() meanwhile.
  /// Threads: one.
  void copy(std::byte* to, std::byte const* from, std::int64_t bytes) noexcept {
    if (bytes < shortest) {
      if (bytes > 0)
        std::memcpy(to, from, bytes);
      return;
    }
    shared_copy all(to, from, bytes);
    offered_.store(&all);
    all.copy_pieces();
    offered_.store(nullptr);
    for (int looks = 1; num_helping_.load() != 0; ++looks)
      if (looks % looks_between_yields == 0)
        sched_yield();
  }

  /// Takes part in a copy, if there is one.
  /// Threads: any.
  void help() noexcept {
    if (offered_.load(std::memory_order_relaxed) == nullptr)
      return;
    ++num_helping_; // before the next look: copy() returns only when this count is 0
    if (shared_copy* const all = offered_.load())
      all->copy_pieces();
    --num_helping_;
  }

private:
  static constexpr int looks_between_yields = 128;

  std::atomic<shared_copy*> offered_ = nullptr;
  std::atomic<int> num_helping_ = 0;
};

} // namespace seam::detail
