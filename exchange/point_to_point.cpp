#include <seam/exchange/point_to_point.hpp>

#include <seam/exchange/collectives/edges.hpp>
#include <seam/exchange/error.hpp>
#include <seam/exchange/mpi/large_count.hpp>
#include <seam/exchange/native_activity.hpp>
#include <seam/exchange/patience.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

namespace seam {
namespace {

/// "1, 3, 8", or the first of many.
std::string list_of(std::span<edge const> edges) {
  constexpr std::size_t most = 8;
  std::set<int> ranks;
  for (edge const& one : edges)
    if (!one.leads_nowhere())
      ranks.insert(one.rank);
  if (ranks.empty())
    return "nobody, for lack of such edges";
  std::vector<int> const all(ranks.begin(), ranks.end());
  auto const listed = std::span(all).first(std::min(all.size(), most));
  return fmt::format("{}{}", fmt::join(listed, ", "), all.size() > most ? ", ..." : "");
}

/// Returns if `peer` can be reached along `edges`, those of `over` that leave or that arrive.
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

request_maker send_call(mpi::comm_view over, Topology const& topology, elements const& what,
                        int destination, int tag) {
  check_is_neighbor(over, topology.is_graph(), topology.destinations(), destination, "send to");
  check_tag("send to", tag, false);
  check_memory("send", what);
  auto const size = std::make_shared<mpi::large_count>(what.count, what.type);
  return [=](MPI_Request* request) {
    return MPI_Isend(what.data, size->count(), size->type(), destination, tag, over.native(),
                     request);
  };
}

request_maker receive_call(mpi::comm_view over, Topology const& topology, elements const& into,
                           int source, int tag) {
  if (source != MPI_ANY_SOURCE)
    check_is_neighbor(over, topology.is_graph(), topology.sources(), source, "receive from");
  check_tag("receive from", tag, true);
  check_memory("receive", into);
  auto const size = std::make_shared<mpi::large_count>(into.count, into.type);
  return [=](MPI_Request* request) {
    return MPI_Irecv(const_cast<void*>(into.data), size->count(), size->type(), source, tag,
                     over.native(), request);
  };
}

/// Makes the request and waits for it, giving way to others.
MPI_Status complete(request_maker const& make, char const* name) {
  call_scope const here(name);
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Status status;
  mpi::check(make(&request), name);
  int done = 0;
  for (patience wait;; wait.pause()) {
    mpi::check(MPI_Test(&request, &done, &status), name);
    if (done != 0)
      return status;
  }
}

in_flight begin(Communicator const& over, request_maker const& make, char const* name) {
  MPI_Request flying = MPI_REQUEST_NULL;
  mpi::check(make(&flying), name);
  return in_flight(std::make_shared<native_activity>(over.keep_alive(), flying, name));
}

} // namespace

void refuse_stranger(int rank, std::span<edge const> edges, int peer, char const* call) {
  refuse(MPI_ERR_RANK, fmt::format("{} rank {}: no neighbor of rank {} on this graph (expected {}; "
                                   "base() reaches everybody)",
                                   call, peer, rank, list_of(edges)));
}

void send(mpi::comm_view over, Topology const& topology, elements const& what, int destination,
          int tag) {
  complete(send_call(over, topology, what, destination, tag), "MPI_Isend");
}

received_message receive(mpi::comm_view over, Topology const& topology, elements const& into,
                         int source, int tag) {
  MPI_Status const status = complete(receive_call(over, topology, into, source, tag), "MPI_Irecv");
  MPI_Count bytes = 0;
  mpi::check(MPI_Get_elements_x(&status, MPI_BYTE, &bytes), "MPI_Get_elements_x");
  return {status.MPI_SOURCE, status.MPI_TAG, bytes};
}

void send(Communicator const& over, elements const& what, int destination, int tag) {
  send(over.view(), over.topology(), what, destination, tag);
}

received_message receive(Communicator const& over, elements const& into, int source, int tag) {
  return receive(over.view(), over.topology(), into, source, tag);
}

in_flight start_send(Communicator const& over, elements const& what, int destination, int tag) {
  return begin(over, send_call(over.view(), over.topology(), what, destination, tag), "MPI_Isend");
}

in_flight start_receive(Communicator const& over, elements const& into, int source, int tag) {
  return begin(over, receive_call(over.view(), over.topology(), into, source, tag), "MPI_Irecv");
}

} // namespace seam
