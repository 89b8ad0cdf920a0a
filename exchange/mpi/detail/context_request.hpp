/// Messages between endpoints as requests of MPI: generalized requests, which every call of MPI
/// that completes requests takes.
#pragma once

#include <seam/exchange/mpi/detail/context.hpp>

namespace seam::mpi {

/// The threads that may complete a request.
enum class completed_by {
  any_thread, ///< as seam does
  own_threads ///< those that may use the context ([Endpoints2011] sec. 0.0.4)
};

/// Starts to send `bytes` to rank `to`, or MPI_PROC_NULL. A synchronous send is complete only when
/// its receive has begun.
[[nodiscard]] MPI_Request start_send(context& over, std::span<std::byte const> bytes, int to,
                                     int tag, bool is_synchronous,
                                     completed_by by = completed_by::any_thread);

/// Starts to receive from rank `from`, MPI_ANY_SOURCE or MPI_PROC_NULL, with `tag` or MPI_ANY_TAG.
/// The request can be cancelled. A message that is longer than `into` ends it with
/// MPI_ERR_TRUNCATE.
[[nodiscard]] MPI_Request start_receive(context& over, std::span<std::byte> into, int from, int tag,
                                        completed_by by = completed_by::any_thread);

/// Starts to receive a message that a matched probe has taken in `over`. As above.
[[nodiscard]] MPI_Request start_receive(context& over, taken_message& taken,
                                        std::span<std::byte> into,
                                        completed_by by = completed_by::any_thread);

/// Looks for a message and moves those between processes. Takes MPI's wildcards.
std::optional<arrived_message> look_for_message(context& over, int from, int tag);

/// MPI's wildcards as those of contexts.
int own_source(int from) noexcept;
int own_tag(int tag) noexcept;

} // namespace seam::mpi
