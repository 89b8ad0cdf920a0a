#include <seam/exchange/transport/matching_lengths.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/agreement/new_comm.hpp>
#include <seam/exchange/endpoints/detail/collectives.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/mpi/detail/check.hpp>
#include <seam/exchange/waiting/detail/patience.hpp>
#include <seam/exchange/waiting/mpi_bytes.hpp>

#include <fmt/format.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace seam::detail {
namespace {

/// The lengths of messages, in order, by the rank of the peer. [bytes]
using lengths_by_peer = std::map<int, std::vector<std::int64_t>>;

template <class Step>
void add_lengths(lengths_by_peer& to, std::vector<Step> const& steps) {
  for (Step const& step : steps)
    to[step.peer].push_back(step.wire.bytes);
}

/// The barrier of the nonblocking consensus: begins when the lists of this process are received,
/// and is reached when those of all processes are.
class consensus_barrier {
public:
  explicit consensus_barrier(mpi::comm_view all) : all_(all) {
    if (mpi::context* const endpoints = mpi::context_of(all))
      of_endpoints_.emplace(*endpoints);
  }

  void begin() {
    if (!has_begun_ && of_endpoints_)
      of_endpoints_->start();
    else if (!has_begun_)
      mpi::check(MPI_Ibarrier(all_.native(), &barrier_), "MPI_Ibarrier");
    has_begun_ = true;
  }

  bool is_reached() {
    if (of_endpoints_)
      return of_endpoints_->test();
    int done = 0;
    if (has_begun_)
      mpi::check(MPI_Test(&barrier_, &done, MPI_STATUS_IGNORE), "MPI_Test");
    return done != 0;
  }

private:
  mpi::comm_view all_;
  MPI_Request barrier_ = MPI_REQUEST_NULL;
  std::optional<pending_barrier> of_endpoints_;
  bool has_begun_ = false;
};

/// Starts to receive a list of lengths if one has arrived.
bool receive_list(mpi::comm_view context, int tag, lengths_by_peer& received,
                  mpi::requests& receives) {
  auto const found = mpi::look_for_message(context, MPI_ANY_SOURCE, tag);
  if (!found)
    return false;
  auto& list = received[found->source];
  list.resize(found->bytes / sizeof(std::int64_t));
  receives.add(mpi::start_receive(context, std::as_writable_bytes(std::span(list)), found->source,
                                  tag));
  return true;
}

/// Sends each peer the lengths of the messages to it, by nonblocking consensus
/// (sparse/algorithms/consensus.hpp), since a peer may expect none. Returns the lengths that other
/// processes send to this one.
lengths_by_peer exchange_lists(mpi::comm_view context, int tag, lengths_by_peer const& leaving) {
  mpi::requests sends, receives;
  for (auto const& [peer, list] : leaving)
    sends.add(mpi::start_synchronous_send(context, std::as_bytes(std::span(list)), peer, tag));
  lengths_by_peer received;
  consensus_barrier end(mpi::all_processes(context));
  for (patience wait; !end.is_reached();) {
    bool const has_received = receive_list(context, tag, received, receives);
    if (sends.test())
      end.begin();
    if (!has_received)
      wait.pause();
  }
  receives.wait();
  return received;
}

/// "a message of 8 bytes", "no message"
std::string words_of(std::vector<std::int64_t> const& lengths, int k) {
  return k < std::ssize(lengths) ? fmt::format("a message of {} bytes", lengths[k]) : "no message";
}

[[noreturn]] void refuse_lengths(int peer, int rank, std::vector<std::int64_t> const& sent,
                                 std::vector<std::int64_t> const& expected) {
  int k = 0;
  while (k < std::ssize(sent) && k < std::ssize(expected) && sent[k] == expected[k])
    ++k;
  refuse(
      MPI_ERR_TRUNCATE,
      fmt::format("exchange: rank {} sends {} to rank {}, which expects {} (expected the same at "
                  "both ends)",
                  peer, words_of(sent, k), rank, words_of(expected, k)));
}

void compare_lengths(int rank, lengths_by_peer received, lengths_by_peer expected) {
  for (auto const& [peer, _] : received)
    expected.try_emplace(peer);
  for (auto const& [peer, list] : expected)
    if (auto const& sent = received[peer]; sent != list)
      refuse_lengths(peer, rank, sent, list);
}

} // namespace

void require_matching_lengths(Communicator const& over, std::span<schedule const> all) {
  call_scope const here("a comparison of lengths", *over.calls());
  lengths_by_peer leaving, expected;
  for (schedule const& steps : all) {
    add_lengths(leaving, steps.sends);
    add_lengths(expected, steps.receives);
  }
  auto received = exchange_lists(over.context(), over.tags_of_starts()(), leaving);
  collectively(over.context(),
               [&] { compare_lengths(over.rank(), std::move(received), std::move(expected)); });
}

} // namespace seam::detail
