#include <seam/exchange/point_to_point/point_to_point.hpp>

#include <seam/exchange/endpoints/detail/collectives.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/ground/recycled.hpp>
#include <seam/exchange/mpi/detail/context.hpp>
#include <seam/exchange/mpi/detail/context_request.hpp>
#include <seam/exchange/mpi/large_count.hpp>
#include <seam/exchange/mpi/type_size.hpp>
#include <seam/exchange/planning/detail/edges.hpp>
#include <seam/exchange/point_to_point/endpoint_message.hpp>
#include <seam/exchange/waiting/detail/call_scope.hpp>
#include <seam/exchange/waiting/detail/patience.hpp>
#include <seam/exchange/waiting/native_activity.hpp>
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
  constexpr std::ptrdiff_t most = 8;
  std::set<int> ranks;
  for (edge const& listed : edges)
    if (!listed.leads_nowhere())
      ranks.insert(listed.rank);
  if (ranks.empty())
    return "none, for lack of such edges";
  std::vector<int> const all(ranks.begin(), ranks.end());
  auto const first_ranks = std::span(all).first(std::min(std::ssize(all), most));
  return fmt::format("{}{}", fmt::join(first_ranks, ", "), std::ssize(all) > most ? ", ..." : "");
}

/// Returns if `peer` is at the other end of one of `edges`, the caller's outgoing or incoming ones.
void check_is_neighbor(mpi::comm_view over, bool is_graph, std::span<edge const> edges, int peer,
                       char const* call) {
  if (is_graph)
    return require_neighbor(over.rank(), edges, peer, call);
  if (peer != MPI_PROC_NULL)
    check_rank(call, peer, num_peers_of(over.native()));
}

void check_tag(mpi::comm_view over, char const* call, int tag, bool may_be_any) {
  if (tag < 0 && !(may_be_any && tag == MPI_ANY_TAG))
    refuse(MPI_ERR_TAG, fmt::format("{} a rank by tag {} (expected 0 or more)", call, tag));
  if (tag >= mpi::end_of_tags && mpi::context_of(over) != nullptr)
    refuse(MPI_ERR_TAG, fmt::format("{} an endpoint by tag {} (expected 0 to {})", call, tag,
                                    mpi::end_of_tags - 1));
}

/// True for a message to or from an endpoint whose arguments need no closer look. Short messages take
/// less time than all checks.
bool is_plain(mpi::context const& over, Topology const& topology, elements const& values, int peer,
              int tag) {
  return !topology.is_graph() && peer >= 0 && peer < std::ssize(over.peers()) && tag >= 0 &&
         tag < mpi::end_of_tags && values.data != nullptr && values.count >= 0 &&
         mpi::is_common(values.type);
}

using request_maker = std::function<int(MPI_Request*)>;

/// A send or a receive between processes.
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
    return call_record::of_peers(over, {&peer, 1});
  std::vector<int> ranks;
  for (edge const& listed : edges)
    ranks.push_back(listed.rank);
  if (!is_graph) {
    ranks.resize(num_peers_of(over.native()));
    std::iota(ranks.begin(), ranks.end(), 0);
  }
  return call_record::of_peers(over, ranks);
}

void check_sending(mpi::comm_view over, Topology const& topology, elements const& values,
                   int destination, int tag) {
  check_is_neighbor(over, topology.is_graph(), topology.destinations(), destination, "send to");
  check_tag(over, "send to", tag, false);
  check_memory("send", values);
}

void check_receiving(mpi::comm_view over, Topology const& topology, elements const& into,
                     int source, int tag) {
  if (source != MPI_ANY_SOURCE)
    check_is_neighbor(over, topology.is_graph(), topology.sources(), source, "receive from");
  check_tag(over, "receive from", tag, true);
  check_memory("receive", into);
}

transfer sending(mpi::comm_view over, Topology const& topology, elements const& values,
                 int destination, int tag) {
  auto const edges = topology.destinations();
  check_sending(over, topology, values, destination, tag);
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
  check_receiving(over, topology, into, source, tag);
  auto const size = std::make_shared<mpi::large_count>(into.count, into.type);
  return {"receive", "MPI_Irecv", record_of_ends(over, topology.is_graph(), edges, source),
          [=](MPI_Request* request) {
            return MPI_Irecv(const_cast<void*>(into.data), size->count(), size->type(), source, tag,
                             over.native(), request);
          }};
}

/// Number of the only wait of a transfer.
constexpr std::int64_t only_wait = 1;

/// A blocking message of an endpoint whose elements lie one behind the other: no memory, no record.
received_message move_dense(mpi::context& over, endpoint_message::direction way,
                            elements const& values, int peer, int tag) {
  auto* const data = static_cast<std::byte*>(const_cast<void*>(values.data));
  std::span<std::byte> const bytes(data, wire_bytes(values));
  bool const is_send = way == endpoint_message::direction::send;
  mpi::transfer message(bytes, is_send ? peer : mpi::own_source(peer),
                        is_send ? tag : mpi::own_tag(tag));
  if (is_send)
    over.send(message);
  else
    over.receive(message);
  detail::wait_for(over, message);
  if (message.is_truncated)
    refuse_truncated({message.peer, message.tag, message.bytes}, std::ssize(bytes));
  return {message.peer, message.tag, message.bytes};
}

/// Sends or receives a message of an endpoint, and waits for it.
received_message move_between_endpoints(mpi::context& over, char const* name,
                                        endpoint_message::direction way, elements const& values,
                                        int peer, int tag) {
  call_scope const here(name);
  over.check_thread(name);
  if (peer != MPI_PROC_NULL && is_dense(values.type))
    return move_dense(over, way, values, peer, tag);
  endpoint_message moved(over, way, values, peer, tag);
  moved.count_on(call_record::unknown(), name);
  moved.start();
  moved.wait();
  auto const received = moved.received();
  return {received.source, received.tag, received.bytes};
}

/// Makes the request and waits for it, while other operations make progress.
received_message complete(transfer const& message) {
  call_scope const here(message.name, *message.record, only_wait);
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Status status;
  mpi::check(message.make(&request), message.native_name);
  int done = 0;
  for (patience wait;; wait.pause()) {
    mpi::check(MPI_Test(&request, &done, &status), message.native_name);
    if (done != 0)
      break;
  }
  return {status.MPI_SOURCE, status.MPI_TAG, mpi::bytes_of(status)};
}

in_flight begin(Communicator const& over, transfer const& message) {
  call_scope const here(message.name, *message.record, only_wait);
  MPI_Request request = MPI_REQUEST_NULL;
  mpi::check(message.make(&request), message.native_name);
  return in_flight(std::make_shared<native_activity>(over.keep_alive(), request,
                                                     message.native_name))
      .as_started_by(here, message.record, message.name);
}

/// Makes a message of an endpoint.
std::shared_ptr<endpoint_message> make_message(mpi::context& ranks, char const* name,
                                               endpoint_message::direction way,
                                               elements const& values, int peer, int tag) {
  auto made = std::allocate_shared<endpoint_message>(recycled<endpoint_message>(), ranks, way,
                                                     values, peer, tag);
  made->count_on(call_record::unknown(), name);
  return made;
}

/// Starts a message of an endpoint.
in_flight begin_between_endpoints(mpi::context& ranks, char const* name,
                                  endpoint_message::direction way, elements const& values, int peer,
                                  int tag) {
  call_scope const here(name);
  auto made = make_message(ranks, name, way, values, peer, tag);
  made->belongs_to(here);
  made->start();
  return in_flight(std::move(made));
}

/// A message between processes, whose request is made at each start.
operation prepared(Communicator const& over, transfer const& message) {
  auto const made =
      std::make_shared<native_activity>(over.keep_alive(), message.make, message.native_name);
  made->count_on(message.record, message.name);
  return operation(made);
}

} // namespace

void refuse_stranger(int rank, std::span<edge const> edges, int peer, char const* call) {
  refuse(MPI_ERR_RANK, fmt::format("{} rank {}: no neighbor of rank {} on this graph (expected {}; "
                                   "base() reaches all ranks)",
                                   call, peer, rank, list_of(edges)));
}

void require_neighbor(int rank, std::span<edge const> edges, int peer, char const* call) {
  if (peer != MPI_PROC_NULL && std::ranges::find(edges, peer, &edge::rank) == edges.end())
    refuse_stranger(rank, edges, peer, call);
}

void send(mpi::comm_view over, Topology const& topology, elements const& values, int destination,
          int tag) {
  if (mpi::context* const endpoints = mpi::context_of(over)) {
    if (!is_plain(*endpoints, topology, values, destination, tag))
      check_sending(over, topology, values, destination, tag);
    move_between_endpoints(*endpoints, "send", endpoint_message::direction::send, values,
                           destination, tag);
    return;
  }
  complete(sending(over, topology, values, destination, tag));
}

received_message receive(mpi::comm_view over, Topology const& topology, elements const& into,
                         int source, int tag) {
  if (mpi::context* const endpoints = mpi::context_of(over)) {
    if (!is_plain(*endpoints, topology, into, source, tag))
      check_receiving(over, topology, into, source, tag);
    return move_between_endpoints(*endpoints, "receive", endpoint_message::direction::receive, into,
                                  source, tag);
  }
  return complete(receiving(over, topology, into, source, tag));
}

void send(Communicator const& over, elements const& values, int destination, int tag) {
  send(over.view(), over.topology(), values, destination, tag);
}

received_message receive(Communicator const& over, elements const& into, int source, int tag) {
  return receive(over.view(), over.topology(), into, source, tag);
}

in_flight start_send(Communicator const& over, elements const& values, int destination, int tag) {
  if (mpi::context* const endpoints = mpi::context_of(over.view())) {
    if (!is_plain(*endpoints, over.topology(), values, destination, tag))
      check_sending(over.view(), over.topology(), values, destination, tag);
    return begin_between_endpoints(*endpoints, "send", endpoint_message::direction::send, values,
                                   destination, tag);
  }
  return begin(over, sending(over.view(), over.topology(), values, destination, tag));
}

in_flight start_receive(Communicator const& over, elements const& into, int source, int tag) {
  if (mpi::context* const endpoints = mpi::context_of(over.view())) {
    if (!is_plain(*endpoints, over.topology(), into, source, tag))
      check_receiving(over.view(), over.topology(), into, source, tag);
    return begin_between_endpoints(*endpoints, "receive", endpoint_message::direction::receive,
                                   into, source, tag);
  }
  return begin(over, receiving(over.view(), over.topology(), into, source, tag));
}

operation prepare_send(Communicator const& over, elements const& values, int destination, int tag) {
  if (mpi::context* const endpoints = mpi::context_of(over.view())) {
    check_sending(over.view(), over.topology(), values, destination, tag);
    return operation(make_message(*endpoints, "send", endpoint_message::direction::send, values,
                                  destination, tag));
  }
  return prepared(over, sending(over.view(), over.topology(), values, destination, tag));
}

operation prepare_receive(Communicator const& over, elements const& into, int source, int tag) {
  if (mpi::context* const endpoints = mpi::context_of(over.view())) {
    check_receiving(over.view(), over.topology(), into, source, tag);
    return operation(make_message(*endpoints, "receive", endpoint_message::direction::receive, into,
                                  source, tag));
  }
  return prepared(over, receiving(over.view(), over.topology(), into, source, tag));
}

} // namespace seam
