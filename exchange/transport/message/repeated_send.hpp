/// A message that is sent again and again: by a persistent request, or by MPI_Isend if it is short.
#pragma once

#include <seam/exchange/mpi/comm.hpp>
#include <seam/exchange/mpi/large_count.hpp>
#include <seam/exchange/transport/message/message.hpp>

#include <cstddef>
#include <cstdint>

namespace seam::detail {

/// Keeps a persistent request for the message unless it is short: MPI_Isend is then faster than the
/// start of a persistent request. The request lies where the caller keeps it.
/// Threads: different messages may be started at the same time.
class repeated_send {
public:
  /// @param data     [bytes] stays where it is
  /// @param request  null; gets the persistent request
  repeated_send(mpi::comm_view context, std::byte const* data, std::int64_t bytes, int peer,
                int tag, MPI_Request& request)
      : context_(context),
        data_(data),
        size_(bytes),
        peer_(peer),
        tag_(tag),
        is_short_(bytes <= longest_short_message) {
    if (!is_short_)
      mpi::check(MPI_Send_init(data_, size_.count(), size_.type(), peer_, tag_, context_.native(),
                               &request),
                 "MPI_Send_init");
  }

  /// Starts to send the message. `request` is that of the constructor.
  void start(MPI_Request* request) const {
    if (is_short_)
      mpi::check(MPI_Isend(data_, size_.count(), size_.type(), peer_, tag_, context_.native(),
                           request),
                 "MPI_Isend");
    else
      mpi::check(MPI_Start(request), "MPI_Start");
  }

private:
  mpi::comm_view context_;
  std::byte const* data_;
  mpi::large_count size_;
  int peer_, tag_;
  bool is_short_;
};

} // namespace seam::detail
