/// Meetings: how the two ends of a channel find each other, whichever was made first.
///
/// The sender says hello, with the user's tag and the tags of the channel; a lobby brings it to the
/// receiver. So ends match in the order of their making, once and for all epochs. The receiver
/// answers. Both then know what the other takes the channel for. Making an end is local: no process
/// waits.
#pragma once

#include <seam/exchange/communicator/communicator.hpp>
#include <seam/exchange/partitioned/channel_tags.hpp>
#include <seam/exchange/partitioned/lobby.hpp>

#include <memory>
#include <optional>
#include <string>

namespace seam {

/// One end's part in a meeting. Threads: one at a time.
class meeting {
public:
  /// A sender's part, of a channel with `tags`, where `tag` is the user's. Local.
  meeting(Communicator const& over, int peer, int tag, channel_tags tags, end_description mine);

  /// A receiver's. Local.
  meeting(Communicator const& over, int peer, int tag, end_description const& mine);
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
  bool is_sender() const noexcept { return !guest_; }
  bool test_sender();
  bool test_receiver();

  mpi::comm_view context_;
  std::shared_ptr<lobby> lobby_;
  int peer_;
  end_description mine_, arriving_;
  channel_tags tags_;
  std::optional<lobby::guest> guest_; ///< of a receiver
  MPI_Request sent_ = MPI_REQUEST_NULL, received_ = MPI_REQUEST_NULL;
  std::optional<end_description> other_;
};

} // namespace seam
