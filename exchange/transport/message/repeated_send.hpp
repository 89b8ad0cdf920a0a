/// A message that is sent again and again, and one that is received so: by persistent requests, or
/// by MPI_Isend if it is short. Endpoints make a new request for each.
#pragma once

#include <seam/exchange/mpi/comm.hpp>
#include <seam/exchange/mpi/detail/context_request.hpp>
#include <seam/exchange/mpi/large_count.hpp>
#include <seam/exchange/transport/message/message.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

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
        is_short_(bytes <= longest_short_message),
        endpoints_(mpi::context_of(context)),
        bytes_(bytes) {
    if (!is_short_ && endpoints_ == nullptr)
      mpi::check(MPI_Send_init(data_, size_.count(), size_.type(), peer_, tag_, context_.native(),
                               &request),
                 "MPI_Send_init");
  }

  /// Starts to send the message. `request` is that of the constructor.
  void start(MPI_Request* request) const {
    if (endpoints_ != nullptr)
      *request = mpi::start_send(*endpoints_, std::span<std::byte const>(data_, bytes_), peer_,
                                 tag_, false);
    else if (is_short_)
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
  mpi::context* endpoints_; ///< nullptr: processes
  std::int64_t bytes_;
};

/// As repeated_send, for a message that is received.
class repeated_receive {
public:
  /// @param data     [bytes] stays where it is
  /// @param request  null; gets the persistent request
  repeated_receive(mpi::comm_view context, std::byte* data, std::int64_t bytes, int peer, int tag,
                   MPI_Request& request)
      : endpoints_(mpi::context_of(context)),
        room_(data, bytes),
        peer_(peer),
        tag_(tag),
        size_(bytes) {
    if (endpoints_ == nullptr)
      mpi::check(MPI_Recv_init(data, size_.count(), size_.type(), peer, tag, context.native(),
                               &request),
                 "MPI_Recv_init");
  }

  /// Starts to receive the message. `request` is that of the constructor.
  void start(MPI_Request* request) const {
    if (endpoints_ != nullptr)
      *request = mpi::start_receive(*endpoints_, room_, peer_, tag_);
    else
      mpi::check(MPI_Startall(1, request), "MPI_Startall");
  }

private:
  mpi::context* endpoints_; ///< nullptr: processes
  std::span<std::byte> room_;
  int peer_, tag_;
  mpi::large_count size_; ///< a type of MPI of a huge message lives as long as its request
};

} // namespace seam::detail
