/// The memory of an endpoint in a window, as the ranks that access it see it: threads of its
/// process, and the server that carries out what other processes ask for.
///
///     lock: first come, first served     waiting:  exclusive 3 | shared 1 | shared 4
///                                        holders:  shared 0, shared 2
#pragma once

#include <seam/exchange/mpi/detail/context.hpp>
#include <seam/exchange/point_to_point/window.hpp>
#include <seam/exchange/schedule/detail/region.hpp>
#include <seam/exchange/schedule/reduction.hpp>

#include <deque>
#include <mutex>
#include <span>
#include <vector>

namespace seam::detail {

/// Tags of messages in the context of a window.
enum window_tag : int {
  tag_of_requests = 0,
  tag_of_grants = 1,   ///< the lock is the receiver's
  tag_of_contents = 2, ///< what a get has read
  tag_of_answers = 3   ///< all requests so far have been carried out
};

/// Threads: any.
class endpoint_memory {
public:
  /// @param owner  of the memory, in the context of the window
  explicit endpoint_memory(mpi::context& owner) : owner_(owner) {}

  /// Combines the bytes at `wire` into the bytes of `there`, or puts them there if `how` is empty.
  /// No other access takes place meanwhile.
  void write(std::span<block const> there, std::byte const* wire, combiner const& how);

  /// Copies the bytes of `there` to `wire`.
  void read(std::span<block const> there, std::byte* wire);

  /// Shows the owner what others have written, and others what the owner has.
  void settle() { std::scoped_lock const alone(accessing_); }

  /// Asks for the lock for `rank`, which gets it when all that have asked before let it: a rank of
  /// this process finds out by is_held_by(), another gets a message.
  void ask(int rank, lock_kind kind);
  bool is_held_by(int rank);
  void give_back(int rank);

private:
  struct claim {
    int rank;
    lock_kind kind;
  };

  std::vector<int> grant();
  void tell(std::vector<int> const& new_holders);

  mpi::context& owner_;
  std::mutex accessing_;
  std::mutex locking_; ///< guards what follows
  std::deque<claim> waiting_;
  std::vector<claim> holders_;
};

} // namespace seam::detail
