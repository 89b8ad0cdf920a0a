/// Peers: the processes at the other end of a message, so that a stall of its wait can say what
/// they do instead (watch.hpp).
///
///     auto const record = record_of_peers(over, {&source, 1});
///     call_scope const here("receive", *record, 1);
///
/// Such a record belongs to this process alone. Other processes are asked what they do, not how
/// often they have called.
#pragma once

#include <seam/exchange/mpi/comm.hpp>
#include <seam/exchange/waiting/detail/call_scope.hpp>

#include <cstdint>
#include <memory>
#include <span>

namespace seam::detail {

/// A bit that the ids of records of peers have, and no others.
constexpr std::uint64_t mark_of_peers = std::uint64_t{1} << 63;

/// A record of waits for one of `peers`, ranks of `over`, on the other side if it is bipartite.
/// MPI_PROC_NULL and this process itself are left out. Returns call_record::unknown() if no peer is
/// left, if one is of another MPI_COMM_WORLD, or if no process can be asked. Local, any thread.
std::shared_ptr<call_record> record_of_peers(mpi::comm_view over, std::span<int const> peers);

/// True if `id` is the id of a record of peers.
constexpr bool is_of_peers(std::uint64_t id) noexcept { return (id & mark_of_peers) != 0; }

} // namespace seam::detail
