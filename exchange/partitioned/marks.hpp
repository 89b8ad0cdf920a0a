/// Marks: which partitions are ready, or have arrived, set from any thread without a lock.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

namespace seam::detail {

/// One bit for each of `size` partitions, 64 to a word, each word on a cache line of its own.
///
/// Threads: all functions but clear() from any thread. If two threads each set a mark and then read
/// the other's, at least one of them finds it set.
class marks {
public:
  explicit marks(int size);

  int size() const noexcept { return size_; }

  /// Sets partitions [first, last), by one atomic operation for each 64 of them. If one is set
  /// already, sets nothing and returns the first of these; otherwise returns -1.
  int set(int first, int last) noexcept;

  bool is_set(int partition) const noexcept;
  bool are_all_set(int first, int last) const noexcept;
  bool are_all_set() const noexcept { return are_all_set(0, size_); }

  /// Partitions that are not set. Allocates.
  std::vector<int> unset() const;

  void clear() noexcept;

private:
  struct alignas(64) word {
    std::atomic<std::uint64_t> bits = 0;

    /// Sets the bits of `mask` unless one of them is set already. Returns the bits before.
    std::uint64_t set_all_or_none(std::uint64_t mask) noexcept;
  };

  int size_;
  std::vector<word> words_;
};

} // namespace seam::detail
