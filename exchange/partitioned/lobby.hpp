/// The lobby: gives the hellos of senders to the receivers that expect them.
///
///     sender     hello (the user's tag, a description)   --->   lobby   --->   receiver
///
/// The k-th hello of a source with a tag is for the k-th receiver of that source and tag, even if
/// that receiver is gone when the hello comes: then the lobby drops the hello. All hellos have one
/// tag of MPI, because a context may have fewer tags than users give.
#pragma once

#include <seam/exchange/communicator/shared_arena.hpp>
#include <seam/exchange/mpi/comm.hpp>

#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

namespace seam::detail {

/// The places in shared memory from which a receiver reads the partitions of its sender.
struct shown_lane {
  static constexpr std::int64_t none = -1;
  std::int64_t num_slots =
      none; ///< 0: `data` is the user's memory; none: partitions are sent by MPI
  shared_place words{}, data{};
};

/// The description of one end.
struct end_description {
  std::int64_t bytes = 0;
  std::int32_t partitions = 0;
  std::int32_t tag = 0;                     ///< the user's
  std::int32_t first_tag = 0, back_tag = 0; ///< of the sender's channel
  shown_lane lane{};                        ///< of the sender
};

/// Threads: any.
class lobby {
public:
  /// For one context, in which hellos have the tag `hello_tag`.
  lobby(mpi::comm_view context, int hello_tag) : context_(context), hello_tag_(hello_tag) {}
  lobby(lobby const&) = delete;
  lobby& operator=(lobby const&) = delete;

  int hello_tag() const noexcept { return hello_tag_; }

  /// Receives the hellos that have come from a rank. Local.
  void take_from(int source);

  /// A receiver that expects a hello as long as it lives. Local.
  class guest {
  public:
    guest(lobby& where, int source, int tag);
    guest(guest const&) = delete;
    guest& operator=(guest const&) = delete;
    ~guest();

    /// Receives the hellos that have come from the source. Returns the one for this receiver, once
    /// it is there.
    std::optional<end_description> look();

  private:
    friend class lobby;

    lobby& lobby_;
    std::pair<int, int> source_and_tag_;
    std::optional<end_description> found_;
  };

private:
  /// Hellos without a receiver, or receivers without a hello, of one source and tag.
  struct queue {
    std::deque<end_description> hellos;
    std::deque<guest*> guests; ///< nullptr: one that left before its hello came
  };

  void take_all_from(int source);
  void deliver(std::pair<int, int> source_and_tag, end_description const& hello);
  void erase_if_empty(std::pair<int, int> source_and_tag);

  mpi::comm_view context_;
  int hello_tag_;
  std::mutex mutex_;
  std::map<std::pair<int, int>, queue> queues_; ///< by source and tag
};

} // namespace seam::detail
