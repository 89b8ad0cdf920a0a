/// Rings: short messages from one endpoint of a process to another, one cache line each.
///
///     sender    writes message n into line n mod 64, and its number last
///     receiver  looks whether the next line has the next number
///
/// So a message takes as long as one cache line takes from core to core. A ring holds 64 messages,
/// in their order; what does not fit goes through the lock of the receiver's mailbox, after the
/// messages that are in the ring.
#pragma once

#include <seam/exchange/ground/cache_line.hpp>
#include <seam/exchange/mpi/detail/context.hpp>

#include <sched.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <cstring>

namespace seam::detail {

/// The messages of one sender to one mailbox.
class line_ring {
public:
  /// [bytes] of a message
  static constexpr std::int64_t longest = 48;

  /// @param source  rank of the sender in the mailbox's context
  explicit line_ring(int source) : source_(source) {}
  line_ring(line_ring const&) = delete;
  line_ring& operator=(line_ring const&) = delete;
  ~line_ring() = default;

  int source() const noexcept { return source_; }

  /// Writes a message of up to `longest` bytes. False if the ring is full or closed, or if another
  /// thread writes to it.
  /// Threads: those of the sender.
  bool put(mpi::transfer const& message) noexcept {
    if (writing_.test_and_set(std::memory_order_acquire))
      return false;
    bool const has_room = is_open_.load(std::memory_order_relaxed) && find_room();
    if (has_room)
      write(message);
    writing_.clear(std::memory_order_release);
    return has_room;
  }

  /// True if a message has come. Threads: any.
  bool has_message() const noexcept {
    std::uint32_t const taken = num_taken_.load(std::memory_order_relaxed);
    return line_of(taken).number.load(std::memory_order_acquire) == taken + 1;
  }

  /// Calls take(tag, bytes, content) for each message that has come, until is_enough() is true.
  /// Threads: one at a time.
  template <class Take, class IsEnough>
  void drain(Take const& take, IsEnough const& is_enough) {
    while (has_message() && !is_enough()) {
      std::uint32_t const taken = num_taken_.load(std::memory_order_relaxed);
      line const& written = line_of(taken);
      prefetch_to_read(&line_of(taken + 2));
      take(written.tag, written.bytes, written.content.data());
      num_taken_.store(taken + 1, std::memory_order_release);
    }
  }

  /// Rings begin closed. No message comes after close() until the ring is opened. Waits for one that
  /// is being written.
  /// Threads: as drain().
  void close() noexcept {
    is_open_.store(false, std::memory_order_relaxed);
    while (writing_.test_and_set(std::memory_order_acquire))
      sched_yield();
    writing_.clear(std::memory_order_release);
  }
  void open() noexcept { is_open_.store(true, std::memory_order_relaxed); }

  line_ring* next = nullptr; ///< of the mailbox

private:
  static constexpr std::uint32_t num_lines = 64;

  /// The sender fetches a line so many messages before it writes to it. The receiver fetches the
  /// second line after the one that it takes, which the sender has written if it is ahead.
  static constexpr std::uint32_t lines_ahead = 3;

  struct alignas(cache_line) line {
    std::atomic<std::uint32_t> number = 0; ///< of the message, from 1 on
    std::int32_t tag = 0, bytes = 0;
    std::array<std::byte, longest> content;
  };
  static_assert(sizeof(line) == cache_line);

  line const& line_of(std::uint32_t count) const noexcept { return lines_[count % num_lines]; }

  bool find_room() noexcept {
    if (num_written_ - num_seen_taken_ < num_lines)
      return true;
    num_seen_taken_ = num_taken_.load(std::memory_order_acquire);
    return num_written_ - num_seen_taken_ < num_lines;
  }

  void write(mpi::transfer const& message) noexcept {
    line& into = lines_[num_written_ % num_lines];
    into.tag = message.tag;
    into.bytes = static_cast<std::int32_t>(message.bytes);
    if (message.bytes > 0)
      std::memcpy(into.content.data(), message.data, static_cast<std::size_t>(message.bytes));
    into.number.store(++num_written_, std::memory_order_release);
    prefetch_to_write(&lines_[(num_written_ + lines_ahead) % num_lines]);
  }

  // Only the sender touches these, except for close() and open().
  alignas(line_pair) std::atomic_flag writing_;
  std::atomic<bool> is_open_ = false;
  std::uint32_t num_written_ = 0, num_seen_taken_ = 0;

  alignas(line_pair) std::atomic<std::uint32_t> num_taken_ = 0; ///< written by the receiver
  int source_;
  alignas(line_pair) std::array<line, num_lines> lines_;
};

} // namespace seam::detail
