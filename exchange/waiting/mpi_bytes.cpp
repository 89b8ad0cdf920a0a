#include <seam/exchange/waiting/mpi_bytes.hpp>

#include <seam/exchange/mpi/detail/context_request.hpp>
#include <seam/exchange/mpi/large_count.hpp>
#include <seam/exchange/waiting/detail/call_scope.hpp>
#include <seam/exchange/waiting/detail/patience.hpp>

namespace seam::mpi {
namespace {

/// A message that a process sends, or an endpoint.
struct outgoing_bytes {
  comm_view over;
  std::span<std::byte const> bytes;
  int to, tag;

  /// @param begin  MPI_Isend or MPI_Issend, which `name` names
  template <class Begin>
  MPI_Request start(Begin* begin, char const* name, bool is_synchronous) const {
    if (context* const ranks = context_of(over))
      return start_send(*ranks, bytes, to, tag, is_synchronous);
    large_count const size(std::ssize(bytes));
    MPI_Request started = MPI_REQUEST_NULL;
    check(begin(bytes.data(), size.count(), size.type(), to, tag, over.native(), &started), name);
    return started;
  }
};

} // namespace

MPI_Request start_send(comm_view over, std::span<std::byte const> bytes, int to, int tag) {
  return outgoing_bytes{over, bytes, to, tag}.start(MPI_Isend, "MPI_Isend", false);
}

MPI_Request start_synchronous_send(comm_view over, std::span<std::byte const> bytes, int to,
                                   int tag) {
  return outgoing_bytes{over, bytes, to, tag}.start(MPI_Issend, "MPI_Issend", true);
}

MPI_Request start_receive(comm_view over, std::span<std::byte> into, int from, int tag) {
  if (context* const ranks = context_of(over))
    return start_receive(*ranks, into, from, tag);
  large_count const size(std::ssize(into));
  MPI_Request started = MPI_REQUEST_NULL;
  check(MPI_Irecv(into.data(), size.count(), size.type(), from, tag, over.native(), &started),
        "MPI_Irecv");
  return started;
}

std::optional<waiting_message> look_for_message(comm_view over, int source, int tag) {
  if (context* const ranks = context_of(over)) {
    auto const arrived = look_for_message(*ranks, source, tag);
    return arrived ? std::optional(waiting_message{arrived->source, arrived->bytes}) : std::nullopt;
  }
  int found = 0;
  MPI_Status status;
  check(MPI_Iprobe(source, tag, over.native(), &found, &status), "MPI_Iprobe");
  if (found == 0)
    return std::nullopt;
  return waiting_message{status.MPI_SOURCE, bytes_of(status)};
}

namespace {

/// Waits for a message that is under way from or to `peer`.
void wait_for(comm_view over, int peer, MPI_Request under_way) {
  auto const record = seam::detail::call_record::of_peers(over, {&peer, 1});
  seam::detail::call_scope const here("a message", *record, 1);
  requests messages;
  messages.add(under_way);
  messages.wait();
}

} // namespace

void send_bytes(comm_view over, std::span<std::byte const> bytes, int to, int tag) {
  wait_for(over, to, start_send(over, bytes, to, tag));
}

void receive_bytes(comm_view over, std::span<std::byte> into, int from, int tag) {
  wait_for(over, from, start_receive(over, into, from, tag));
}

waiting_message wait_for_message(comm_view over, int source, int tag) {
  for (detail::patience wait;; wait.pause())
    if (auto const found = look_for_message(over, source, tag))
      return *found;
}

} // namespace seam::mpi
