/// Lines: short messages written word by word into the receiver's memory.
///
///     line   56 bytes of the message | the epoch that they belong to
///
/// A cache line carries a part of a message and the word that tells that it has arrived: a short
/// message takes as long as one line takes from core to core, and waits for no answer.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace seam::detail {

using shared_word = std::atomic<std::uint64_t>;
static_assert(shared_word::is_always_lock_free, "processes share words without a lock");

/// One cache line of a message.
struct alignas(64) line {
  std::byte data[56];
  shared_word epoch;
};
static_assert(sizeof(line) == 64);

/// Lines of a message of `bytes`.
constexpr std::int64_t lines_of(std::int64_t bytes) {
  constexpr std::int64_t each = sizeof(line::data);
  return (bytes + each - 1) / each;
}

/// Writes the `bytes` at `from` as the message of `epoch`.
inline void write_lines(std::byte const* from, std::int64_t bytes, line* into,
                        std::uint64_t epoch) {
  constexpr std::int64_t each = sizeof(line::data);
  for (; bytes >= each; bytes -= each, from += each, ++into) {
    std::memcpy(into->data, from, each);
    into->epoch.store(epoch, std::memory_order_release);
  }
  if (bytes > 0) {
    std::memcpy(into->data, from, bytes);
    into->epoch.store(epoch, std::memory_order_release);
  }
}

/// Reads the lines that have arrived of the message of `epoch`, from the `done`-th on, into the
/// `bytes` at `into`. Returns how many have been read in all: lines_of(bytes) if all have arrived.
inline std::int64_t read_lines(line const* from, std::int64_t done, std::byte* into,
                               std::int64_t bytes, std::uint64_t epoch) {
  constexpr std::int64_t each = sizeof(line::data);
  std::int64_t const num_whole = bytes / each;
  for (; done < num_whole; ++done) {
    if (from[done].epoch.load(std::memory_order_acquire) != epoch)
      return done;
    std::memcpy(into + done * each, from[done].data, each);
  }
  if (done == num_whole && bytes % each > 0 &&
      from[done].epoch.load(std::memory_order_acquire) == epoch) {
    std::memcpy(into + done * each, from[done].data, bytes % each);
    ++done;
  }
  return done;
}

} // namespace seam::detail
