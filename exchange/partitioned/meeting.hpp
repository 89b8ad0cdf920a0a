/// Meetings: how the two ends of a channel find each other, whichever was made first.
///
/// The sender says hello by the user's tag, with the tags of the channel; that is how ends match in
/// the order of their making, once and for all epochs. The receiver answers. Both then know what
/// the other takes the channel for. Nobody waits: making an end is local.
#pragma once

#include <seam/exchange/communicator.hpp>
#include <seam/exchange/partitioned/channel_tags.hpp>
#include <seam/exchange/shared_arena.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace seam {

/// What a receiver has to know to read partitions from the memory of their sender.
struct shown_lane {
  static constexpr std::int64_t none = -1;
  std::int64_t num_slots = none; ///< 0: `data` is the user's memory; none: by messages
  shared_place words{}, data{};
};

/// What an end tells the other.
struct end_description {
  std::int64_t bytes = 0;
  std::int32_t partitions = 0;
  std::int32_t first_tag = 0; ///< of the sender's
  shown_lane lane{};          ///< of the sender
};

/// One end's part in a meeting. Threads: one at a time.
class meeting {
public:
  enum class end { sender, receiver };

  /// Local.
  meeting(Communicator const& over, end which, int peer, int tag, end_description const& mine);
  meeting(meeting const&) = delete;
  meeting& operator=(meeting const&) = delete;
  ~meeting();

  /// Makes progress; true once the other end is known.
  bool test();

  /// What the other end has said; nothing before they have met.
  std::optional<end_description> const& other() const noexcept { return other_; }

  /// Why the ends do not fit together, or nothing. `name` is this end's; `alike`: partitions are
  /// said to be as many at both.
  std::optional<std::string> mismatch(std::string const& name, bool alike) const;

  /// @throws usage_error  there is a mismatch
  void check_match(std::string const& name, bool alike) const;

  /// The channel's tags; a receiver knows them once they have met.
  channel_tags tags() const noexcept { return tags_; }

private:
  void answer();

  mpi::comm_view context_;
  end which_;
  int peer_;
  end_description mine_, arriving_;
  channel_tags tags_;
  MPI_Request sent_ = MPI_REQUEST_NULL, received_ = MPI_REQUEST_NULL;
  std::optional<end_description> other_;
};

} // namespace seam
