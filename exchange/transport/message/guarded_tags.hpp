/// Guarded tags contain a check of the lengths of messages, so that a message of another length
/// than its receiver expects most probably matches no receive.
///
/// A longer message is an error of MPI's receive. But Open MPI 4.1 writes all of it to memory
/// before it says so, unless the message is sent eagerly: by a single copy inside a node, or by TCP
/// between nodes. A message that no receive matches is written nowhere; its receiver looks for it
/// during a long wait.
///
///     bits 0 to 14    the tag that the operation has drawn
///     bits 15 to 30   the guard: a check of the lengths of all messages of the operation from one
///                     process to another, in order, if one of them is long; 0 if all are short
///
/// Guarded tags lie above the tags of partitioned channels, and exist where MPI_TAG_UB is 2^31 - 1,
/// as in Open MPI; elsewhere guards are 0, and only lengths of arrived messages are compared.
#pragma once

#include <seam/exchange/mpi/comm.hpp>
#include <seam/exchange/transport/matching_lengths.hpp>

#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

namespace seam::detail {

/// Longer messages may not be sent eagerly. [bytes]
inline constexpr std::int64_t longest_eager_message = 4000;

/// Computes a guard from the lengths of messages.
class guard_of_lengths {
public:
  void add(std::int64_t bytes) noexcept {
    check_.add(bytes);
    longest_ = std::max(longest_, bytes);
  }

  /// The guard of all messages that have been added. Local.
  int value() const;

private:
  length_check check_;
  std::int64_t longest_ = 0;
};

/// The guard of the messages with the peer of each step. [steps]
///
/// @param steps  all send, or all receive
/// Local.
template <class Step>
std::vector<int> guards_of(std::vector<Step> const& steps) {
  std::map<int, guard_of_lengths> peers2guards;
  for (Step const& step : steps)
    peers2guards[step.peer].add(step.wire.bytes);
  std::vector<int> guards;
  for (Step const& step : steps)
    guards.push_back(peers2guards[step.peer].value());
  return guards;
}

/// `tag` with `guard`; just `tag` if not all MPI libraries have it. Local.
int guarded(int tag, int guard) noexcept;

/// Takes the first message of `peer` that no receive has matched away, so that its sender goes on,
/// if it has the tag `expected` with another guard. True if it had. Local.
bool take_message_of_other_length(mpi::comm_view context, int peer, int expected);

/// Begins to receive a message of up to `bytes` into memory of its own, which is kept until the
/// program ends, so that its sender goes on. Local.
void receive_aside(mpi::comm_view context, int peer, int tag, std::int64_t bytes) noexcept;

} // namespace seam::detail
