/// Matching lengths: a comparison of the lengths that both ends of messages expect, made before any
/// message is sent.
#pragma once

#include <seam/exchange/communicator/communicator.hpp>
#include <seam/exchange/ground/digest.hpp>
#include <seam/exchange/schedule/detail/schedule.hpp>

#include <cstdint>
#include <span>

namespace seam::detail {

/// Throws on all ranks unless the messages that `all` schedules of one rank send to another are as
/// long as those that the other's schedules receive from it, one by one.
///
/// @throws usage_error  with MPI_ERR_TRUNCATE
/// Collective: over `over`.
/// Cost: a small message to each rank that a schedule sends to, a barrier that overlaps with these,
/// and an allreduce.
void require_matching_lengths(Communicator const& over, std::span<schedule const> all);

/// A number below 65536 that most probably differs if the lengths do, or their order. [bytes]
class length_check {
public:
  void add(std::int64_t bytes) noexcept { digest_.add(static_cast<std::uint64_t>(bytes)); }

  std::uint64_t value() const noexcept {
    return (digest_.folded() ^ digest_.folded() >> 16) & 0xffff;
  }

private:
  digest digest_;
};

} // namespace seam::detail
