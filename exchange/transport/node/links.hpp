/// The links of a process with others of its node, which they all make together.
///
/// Each process lays out its ends in memory of the node that it owns, and shows tables of them to
/// the others. The n-th link that a process wants to another is the n-th that the other wants from
/// it.
#pragma once

#include <seam/exchange/communicator/shared_arena.hpp>
#include <seam/exchange/schedule/detail/region.hpp>
#include <seam/exchange/transport/node/link.hpp>
#include <seam/exchange/transport/node/thresholds.hpp>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace seam::detail {

/// A source that other processes can read. Plain numbers.
struct shown_block {
  shared_place first;
  block shape; ///< its pointer means nothing to others
};

/// Shows `sources` to the process `reader`, a rank of MPI_COMM_WORLD. Empty if it cannot read all
/// of them. Local.
std::vector<shown_block> show_blocks(std::span<block const> sources, int reader);

/// A link that a process wants to send by.
struct wanted_sending {
  int peer;           ///< rank in the arena
  std::int64_t bytes; ///< of its messages, for comparison
  std::int64_t slot_bytes = 0;
  std::uint64_t num_slots = places_of_slots; ///< a power of two
  std::vector<shown_block> lent{};           ///< the sources, if they are lent
};

/// A link that a process wants to receive by.
struct wanted_receiving {
  int peer;           ///< rank in the arena
  std::int64_t bytes; ///< of its messages, for comparison
  std::int64_t lines_each = 0;
};

/// The links that a process wants.
struct wanted_links {
  std::vector<wanted_sending> sends{};
  std::vector<wanted_receiving> receives{};
  bool are_answered = true; ///< in each epoch, where links in the other direction are wanted, too
  bool share_slots = false; ///< all have the same slots; each message names its part
};

/// The ends of links at this process.
struct links {
  links() = default;
  links(links const&) = delete;
  links& operator=(links const&) = delete;
  /// Frees the memory once the receivers have noted all that is awaited.
  ~links();

  std::vector<sending_link> sends;      ///< [wanted]
  std::vector<receiving_link> receives; ///< [wanted]
  std::shared_ptr<std::byte> memory;
};

/// Makes links. Returns nothing, on all processes, if shared memory is used up. A link whose other
/// end is_missing() must not be used.
///
/// @param by   the processes of `arena` in their order
/// @param all  one or more, as many on all processes
/// Collective: over `by`, once for all.
std::vector<std::shared_ptr<links>> make_links(shared_arena& arena, mpi::comm_view by,
                                               std::span<wanted_links const> all);

} // namespace seam::detail
