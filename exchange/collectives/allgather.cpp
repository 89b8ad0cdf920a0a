#include <seam/exchange/collectives/allgather.hpp>

#include <seam/exchange/collectives/combining.hpp>
#include <seam/exchange/error.hpp>

#include <fmt/format.h>

namespace seam {
namespace {

/// What a process sends: `send`, or its own block among those that it receives.
elements block_to_send(ports const& over, elements const& send,
                       std::vector<elements> const& receives) {
  if (!is_in_place(send))
    return send;
  auto const sources = over.topology.sources();
  for (std::size_t e = 0; e < sources.size(); ++e)
    if (sources[e].rank == over.rank)
      return receives[e];
  refuse("allgather: MPI_IN_PLACE without an edge from the process to itself (expected one, where "
         "its block lies)");
}

schedule plan_direct(ports const& over, elements const& send,
                     std::vector<elements> const& receives) {
  return along_edges(
      over, std::vector(over.topology.destinations().size(), block_to_send(over, send, receives)),
      receives);
}

/// Whether blocks of this length travel in combined messages. [bytes] The same on all ranks: all
/// would have a part in it, but a process without edges need not know how long blocks are.
bool is_combined(ports const& over, std::int64_t block_bytes) {
  return over.structure != nullptr && over.structure->all_have_edges && block_bytes > 0 &&
         combining_pays(*over.structure, direct_counts(*over.structure),
                        combined_allgather_counts(*over.structure), block_bytes);
}

schedule plan_combined(ports const& over, elements const& send,
                       std::vector<elements> const& receives) {
  schedule steps = make_combined_allgather(*over.structure, send, receives);
  auto const destinations = over.topology.destinations();
  steps.leaving = loads_of(destinations, std::vector(destinations.size(), send));
  steps.arriving = loads_of(over.topology.sources(), receives);
  return steps;
}

void check_room(elements const& send, elements const& receive, std::size_t num_blocks) {
  if (receive.count != send.count * static_cast<std::int64_t>(num_blocks))
    refuse(fmt::format("allgather: room for {} elements, and {} from each of {} sources (expected "
                       "room for all)",
                       receive.count, send.count, num_blocks));
}

} // namespace

collective allgather(elements const& send, elements const& receive) {
  collective what{.name = "allgather", .plan = [=](ports const& over) {
                    auto const receives = blocks_from(receive, over.topology.sources().size());
                    if (!is_in_place(send) && is_combined(over, wire_bytes(send)))
                      return plan_combined(over, send, receives);
                    return plan_direct(over, send, receives);
                  }};
  what.key = call_key(send, receive);
  what.common.values = is_in_place(send) ? receive : send;
  if (fits_int(send) && fits_int(receive))
    what.complete = what.bipartite = [=](MPI_Comm comm, MPI_Request* request) {
      return MPI_Iallgather(send.data, static_cast<int>(send.count), send.type,
                            const_cast<void*>(receive.data), static_cast<int>(receive.count),
                            receive.type, comm, request);
    };
  return what;
}

collective allgatherw(elements const& send, std::vector<elements> receives) {
  call_key key({send}, receives);
  return {.name = "allgatherw",
          .plan =
              [=, receives = std::move(receives)](ports const& over) {
                if (is_in_place(send) && receives.size() != over.topology.sources().size())
                  refuse(fmt::format("allgatherw: {} blocks for {} sources (expected one for each)",
                                     receives.size(), over.topology.sources().size()));
                return plan_direct(over, send, receives);
              },
          .key = std::move(key)};
}

collective detail::allgather_into_all(elements const& send, elements const& receive) {
  elements const first{receive.data, send.count, receive.type};
  collective what = allgather(send, first);
  what.key = call_key(send, receive, all_blocks);
  what.plan = [=, plan = what.plan](ports const& over) {
    check_room(send, receive, over.topology.sources().size());
    return plan(over);
  };
  if (auto const native = what.complete)
    what.complete = what.bipartite = [=](MPI_Comm comm, MPI_Request* request) {
      check_room(send, receive, static_cast<std::size_t>(num_peers_of(comm)));
      return native(comm, request);
    };
  return what;
}

collective detail::allgather_by_counts(elements const& send, elements const& receive,
                                       std::vector<int> const& counts) {
  auto const blocks = blocks_of_counts(receive, counts);
  collective what = allgatherw(send, blocks);
  what.key = call_key({send}, blocks, receive.count);
  what.plan = [=, plan = std::move(what.plan)](ports const& over) {
    check_counts("allgatherv", receive, counts);
    return plan(over);
  };
  return what;
}

} // namespace seam
