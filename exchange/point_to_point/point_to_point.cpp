#include <seam/exchange/point_to_point/point_to_point.hpp>

#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/mpi/large_count.hpp>
#include <seam/exchange/planning/detail/edges.hpp>
#include <seam/exchange/waiting/detail/patience.hpp>
#include <seam/exchange/waiting/native_activity.hpp>
#include <seam/exchange/waiting/peers.hpp>
#include <seam/exchange/waiting/watch.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <set>

namespace seam {
using namespace detail;

namespace {

/// "1, 3, 8", or the first of many.
std::string list_of(std::span<edge const> edges) {
  constexpr std::size_t most = 8;
  std::set<int> ranks;
  for (edge const& listed : edges)
    if (!listed.leads_nowhere())
      ranks.insert(listed.rank);
  if (ranks.empty())
    return "none, for lack of such edges";
  std::vector<int> const all(ranks.begin(), ranks.end());
  auto const first_ranks = std::span(all).first(std::min(all.size(), most));
  return fmt::format("{}{}", fmt::join(first_ranks, ", "), all.size() > most ? ", ..." : "");
}

/// Returns if `peer` is at the other end of one of `edges`, the caller's outgoing or incoming ones.
void check_is_neighbor(mpi::comm_view over, bool is_graph, std::span<edge const> edges, int peer,
                       char const* call) {
  if (peer == MPI_PROC_NULL)
    return;
  if (is_graph) {
    if (std::ranges::find(edges, peer, &edge::rank) == edges.end())
      refuse_stranger(over.rank(), edges, peer, call);
    return;
  }
  check_rank(call, peer, num_peers_of(over.native()));
}

void check_tag(char const* call, int tag, bool may_be_any) {
  if (tag < 0 && !(may_be_any && tag == MPI_ANY_TAG))
    refuse(MPI_ERR_TAG, fmt::format("{} a rank by tag {} (expected 0 or more)", call, tag));
}

using request_maker = std::function<int(MPI_Request*)>;

/// A send or a receive of this process.
struct transfer {
  char const* name;
  char const* native_name;             ///< name of the MPI call that makes the request
  std::shared_ptr<call_record> record; ///< records waits for the peer
  request_maker make;
};

/// The record of waits for `peer`; for MPI_ANY_SOURCE of waits for all peers of `edges`.
std::shared_ptr<call_record> record_of_ends(mpi::comm_view over, bool is_graph,
                                            std::span<edge const> edges, int peer) {
  if (peer != MPI_ANY_SOURCE || !is_watched())
    return record_of_peers(over, {&peer, 1});
  std::vector<int> ranks;
  for (edge const& listed : edges)
    ranks.push_back(listed.rank);
  if (!is_graph) {
    ranks.resize(num_peers_of(over.native()));
    std::iota(ranks.begin(), ranks.end(), 0);
  }
  return record_of_peers(over, ranks);
}

transfer sending(mpi::comm_view over, Topology const& topology, elements const& values,
                 int destination, int tag) {
  auto const edges = topology.destinations();
  check_is_neighbor(over, topology.is_graph(), edges, destination, "send to");
  check_tag("send to", tag, false);
  check_memory("send", values);
  auto const size = std::make_shared<mpi::large_count>(values.count, values.type);
  return {"send", "MPI_Isend", record_of_ends(over, topology.is_graph(), edges, destination),
          [=](MPI_Request* request) {
            return MPI_Isend(values.data, size->count(), size->type(), destination, tag,
                             over.native(), request);
          }};
}

transfer receiving(mpi::comm_view over, Topology const& topology, elements const& into, int source,
                   int tag) {
  auto const edges = topology.sources();
  if (source != MPI_ANY_SOURCE)
    check_is_neighbor(over, topology.is_graph(), edges, source, "receive from");
  check_tag("receive from", tag, true);
  check_memory("receive", into);
  auto const size = std::make_shared<mpi::large_count>(into.count, into.type);
  return {"receive", "MPI_Irecv", record_of_ends(over, topology.is_graph(), edges, source),
          [=](MPI_Request* request) {
            return MPI_Irecv(const_cast<void*>(into.data), size->count(), size->type(), source, tag,
                             over.native(), request);
          }};
}

/// Number of the only wait of a transfer.
constexpr std::int64_t only_wait = 1;

/// Makes the request and waits for it, while other operations make progress.
MPI_Status complete(transfer const& message) {
  call_scope const here(message.name, *message.record, only_wait);
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Status status;
  mpi::check(message.make(&request), message.native_name);
  int done = 0;
  for (patience wait;; wait.pause()) {
    mpi::check(MPI_Test(&request, &done, &status), message.native_name);
    if (done != 0)
      return status;
  }
}

in_flight begin(Communicator const& over, transfer const& message) {
  call_scope const here(message.name, *message.record, only_wait);
  MPI_Request request = MPI_REQUEST_NULL;
  mpi::check(message.make(&request), message.native_name);
  return in_flight(std::make_shared<native_activity>(over.keep_alive(), request,
                                                     message.native_name))
      .as_started_by(here, message.record, message.name);
}

} // namespace

void refuse_stranger(int rank, std::span<edge const> edges, int peer, char const* call) {
  refuse(MPI_ERR_RANK, fmt::format("{} rank {}: no neighbor of rank {} on this graph (expected {}; "
                                   "base() reaches all ranks)",
                                   call, peer, rank, list_of(edges)));
}

void send(mpi::comm_view over, Topology const& topology, elements const& values, int destination,
          int tag) {
  complete(sending(over, topology, values, destination, tag));
}

received_message receive(mpi::comm_view over, Topology const& topology, elements const& into,
                         int source, int tag) {
  MPI_Status const status = complete(receiving(over, topology, into, source, tag));
  MPI_Count bytes = 0;
  mpi::check(MPI_Get_elements_x(&status, MPI_BYTE, &bytes), "MPI_Get_elements_x");
  return {status.MPI_SOURCE, status.MPI_TAG, bytes};
}

void send(Communicator const& over, elements const& values, int destination, int tag) {
  send(over.view(), over.topology(), values, destination, tag);
}

received_message receive(Communicator const& over, elements const& into, int source, int tag) {
  return receive(over.view(), over.topology(), into, source, tag);
}

in_flight start_send(Communicator const& over, elements const& values, int destination, int tag) {
  return begin(over, sending(over.view(), over.topology(), values, destination, tag));
}

in_flight start_receive(Communicator const& over, elements const& into, int source, int tag) {
  return begin(over, receiving(over.view(), over.topology(), into, source, tag));
}

} // namespace seam
