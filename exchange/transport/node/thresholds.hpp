/// Thresholds of messages through the memory of a node: lengths as measured, and numbers of places,
/// bytes and looks.
#pragma once

#include <chrono>
#include <cstdint>

namespace seam::detail {

// How a message travels.

/// Beyond this length it is faster to lend a message than to write it to lines that another core
/// has read. [bytes]
inline constexpr std::int64_t longest_in_lines = std::int64_t{36} * 56;

/// Two copies of a message cost less than a call of MPI, which copies it once, up to here. [bytes]
inline constexpr std::int64_t longest_packed = std::int64_t{64} << 10;

/// Bytes that a sender packs before it tells its receiver, which unpacks them meanwhile. [bytes]
inline constexpr std::int64_t longest_piece = std::int64_t{32} << 10;

/// Packing the partitions of an epoch up to this length costs less than waiting for the receiver.
/// [bytes]
inline constexpr std::int64_t longest_short_epoch = 4096;

// Places, which are powers of two.

/// Epochs for which a link has lines. One whose receiver answers in each epoch needs no more.
constexpr std::uint64_t places_of_lines(bool is_answered) { return is_answered ? 2 : 8; }

/// Epochs for which a link has slots: one can be packed while the one before has not been taken.
inline constexpr std::uint64_t places_of_slots = 2;

/// Nonblocking calls that may be in flight on a link: later ones are sent by MPI.
inline constexpr std::uint64_t places_of_starts = 8;

/// Epochs for which a lane has slots, if they are short: a sender need not wait for its receiver.
inline constexpr std::uint64_t places_of_short_epochs = 4;

// Memory. Larger communicators would need more than a node can spare.

/// Lines for an epoch of blocking calls from one process to another.
inline constexpr std::int64_t lines_of_calls = 64;

/// Slots for an epoch of blocking calls: of all links of a process, and of each. [bytes]
inline constexpr std::int64_t most_in_slots_of_calls = std::int64_t{512} << 10;
inline constexpr std::int64_t longest_slot_of_calls = std::int64_t{256} << 10;
inline constexpr std::int64_t shortest_slot_of_calls = std::int64_t{4} << 10;

/// Lines for an epoch of nonblocking calls from one process to another.
inline constexpr std::int64_t lines_of_starts = 36;

/// A larger complete communicator has no links for blocking calls.
inline constexpr int most_processes_with_links = 64;

/// Lines for an epoch of sparse exchanges from one process to another: the number of bytes, and the
/// message if that is short. Each costs memory for all pairs of processes.
inline constexpr std::int64_t lines_of_parcel = 3;

/// The slot for an epoch of sparse exchanges that all links of a process share, and all slots of a
/// node. [bytes]
inline constexpr std::int64_t longest_slot_of_parcels = std::int64_t{256} << 10;
inline constexpr std::int64_t most_in_slots_of_parcels = std::int64_t{32} << 20;

// Collectives on complete communicators inside a node: the library carries them out by trees, or
// seam by direct messages.

/// Up to this number of processes each sends its blocks directly to all others.
inline constexpr int most_processes_of_direct_calls = 8;

/// Bytes that a process sends directly though a tree would save them, at most. [bytes]
inline constexpr std::int64_t most_bytes_beside_trees = std::int64_t{16} << 10;

// Waits.

/// Looks after which a sender withdraws a lent message and packs it.
inline constexpr int looks_before_packing = 500;

/// Looks between calls of the MPI library, for which other processes may wait.
inline constexpr int looks_between_progress = 1000;

/// The library is called after this time, too, while a process sleeps between its looks, and the
/// looks between two readings of the clock.
inline constexpr std::chrono::milliseconds longest_without_progress{1};
inline constexpr int looks_between_clocks = 16;

/// Looks at a line between two pauses of a wait: they take as long as one test of a request by MPI,
/// for which the numbers of patience.hpp have been chosen.
inline constexpr int looks_between_pauses = 64;

} // namespace seam::detail
