/// Meetings: how the two ends of a channel find each other, whichever was made first.
///
///     sender    hello: the user's tag, the channel's tags, lengths   --->   receiver (lobby.hpp)
///     sender                                               lengths   <---   receiver
///
/// Ends match in the order in which they are made, once for all epochs. After the answer each end
/// can compare the other's lengths with its own. Making an end is local: no process waits.
#pragma once

#include <seam/exchange/communicator/communicator.hpp>
#include <seam/exchange/partitioned/channel_tags.hpp>
#include <seam/exchange/partitioned/lobby.hpp>

#include <memory>
#include <optional>
#include <string>

namespace seam::detail {

/// The meeting as one end of a channel sees it. Threads: one at a time.
class meeting {
public:
  /// For a sender whose channel has `tags`; `tag` is the user's. Local.
  meeting(Communicator const& over, int peer, int tag, channel_tags tags, end_description own);

  /// For a receiver. Local.
  meeting(Communicator const& over, int peer, int tag, end_description const& own);
  meeting(meeting const&) = delete;
  meeting& operator=(meeting const&) = delete;
  ~meeting();

  /// Makes progress; returns true once the other end is known.
  bool test();

  /// The description that the other end has sent; empty before they have met.
  std::optional<end_description> const& other() const noexcept { return other_; }

  /// Says why the ends do not fit together; empty if they do, or have not met.
  /// @param name   of this end, begins the line
  /// @param alike  both ends are asserted to have as many partitions
  std::optional<std::string> mismatch(std::string const& name, bool alike) const;

  /// @throws usage_error  there is a mismatch
  void check_match(std::string const& name, bool alike) const;

  /// The channel's tags; a receiver knows them once the ends have met.
  channel_tags tags() const noexcept { return tags_; }

private:
  bool is_sender() const noexcept { return !guest_; }
  void receive_own_message() noexcept;
  bool test_sender();
  bool test_receiver();

  mpi::comm_view context_;
  std::shared_ptr<lobby> lobby_;
  int peer_;
  end_description own_, arriving_;
  channel_tags tags_;
  std::optional<lobby::guest> guest_; ///< of a receiver
  MPI_Request sent_ = MPI_REQUEST_NULL, received_ = MPI_REQUEST_NULL;
  std::optional<end_description> other_;
};

} // namespace seam::detail
