#include <seam/exchange/collectives/allgather.hpp>

#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/mpi/forms.hpp>
#include <seam/exchange/planning/combining.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <memory>

namespace seam {
namespace {

/// The block that a process sends: `send`, or its own block in `receives`.
elements block_to_send(collective_edges const& over, elements const& send,
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

schedule plan_direct(collective_edges const& over, elements const& send,
                     std::vector<elements> const& receives) {
  return once_to_each(
      over, std::vector(over.topology.destinations().size(), block_to_send(over, send, receives)),
      receives);
}

/// True if blocks of this length travel in combined messages. [bytes]
bool pays(cartesian_structure const& on, std::int64_t block_bytes) {
  return block_bytes > 0 && combining_pays(on, direct_allgather_counts(on),
                                           combined_allgather_counts(on), block_bytes);
}

/// True if messages are combined without a comparison of lengths. The same on all ranks: if all
/// have edges, all know the length of the blocks.
bool is_combined(collective_edges const& over, std::int64_t block_bytes) {
  return over.structure != nullptr && over.structure->all_have_edges &&
         pays(*over.structure, block_bytes);
}

schedule plan_combined(collective_edges const& over, std::int64_t block_bytes, elements const& send,
                       std::vector<elements> const& receives) {
  schedule steps = make_combined_allgather(*over.structure, block_bytes, send, receives);
  auto const destinations = over.topology.destinations();
  steps.leaving = loads_of(destinations, std::vector(destinations.size(), send));
  steps.arriving = loads_of(over.topology.sources(), receives);
  return steps;
}

/// The length of all blocks if the processes have found them equal; else 0. [bytes]
std::int64_t common_bytes(collective_edges const& over) {
  if (!over.vectors2bytes || over.vectors2bytes->empty())
    return 0;
  std::int64_t const first = over.vectors2bytes->front();
  return std::ranges::count(*over.vectors2bytes, first) == std::ssize(*over.vectors2bytes) ? first
                                                                                           : 0;
}

schedule plan_edges(collective_edges const& over, elements const& send,
                    std::vector<elements> const& receives) {
  if (std::int64_t const bytes = common_bytes(over); bytes > 0 && pays(*over.structure, bytes))
    return plan_combined(over, bytes, block_to_send(over, send, receives), receives);
  return plan_direct(over, send, receives);
}

/// The bytes of each edge. All vectors agree only if all processes send equally many bytes.
edge_bytes bytes_along_edges(collective_edges const& over, elements const& send,
                             std::vector<elements> const& receives) {
  auto const block = wire_bytes(block_to_send(over, send, receives));
  return {std::vector(over.topology.destinations().size(), block), bytes_of_each(receives)};
}

/// Refuses MPI_IN_PLACE with a list of blocks that does not fit the sources.
void check_degree(elements const& send, std::vector<elements> const& receives,
                  std::size_t num_sources) {
  if (is_in_place(send) && receives.size() != num_sources)
    refuse(fmt::format("allgatherw: {} blocks for {} sources (expected one for each)",
                       receives.size(), num_sources));
}

void check_room(elements const& send, elements const& receive, std::size_t num_blocks) {
  if (receive.count != send.count * static_cast<std::int64_t>(num_blocks))
    refuse(fmt::format("allgather: room for {} elements, and {} from each of {} sources (expected "
                       "room for all)",
                       receive.count, send.count, num_blocks));
}

} // namespace

collective allgather(elements const& send, elements const& receive) {
  collective definition{.name = "allgather", .plan = [=](collective_edges const& over) {
                          auto const receives =
                              blocks_from(receive, over.topology.sources().size());
                          if (over.vectors2bytes)
                            return plan_edges(over, send, receives);
                          if (!is_in_place(send) && is_combined(over, wire_bytes(send)))
                            return plan_combined(over, wire_bytes(send), send, receives);
                          return plan_direct(over, send, receives);
                        }};
  definition.bytes = [=](collective_edges const& over) {
    return bytes_along_edges(over, send, blocks_from(receive, over.topology.sources().size()));
  };
  definition.key = call_key(send, receive);
  definition.common.values = is_in_place(send) ? receive : send;
  definition.check = [=](Communicator const& over) {
    call_arguments const call("allgather", over);
    call.check_sent(send, call.num_leaving());
    call.check_addressed(receive, call.num_arriving());
  };
  if (fits_int(send) && fits_int(receive))
    definition.complete = definition.bipartite = [=](MPI_Comm comm, MPI_Request* request) {
      return mpi::call(MPI_Allgather, MPI_Iallgather, request, send.data,
                       static_cast<int>(send.count), send.type, const_cast<void*>(receive.data),
                       static_cast<int>(receive.count), receive.type, comm);
    };
  return definition;
}

collective allgatherw(elements const& send, std::vector<elements> listed) {
  call_key key(std::span(&send, 1), listed);
  auto const receives = std::make_shared<std::vector<elements> const>(std::move(listed));
  return {.name = "allgatherw",
          .plan =
              [=](collective_edges const& over) {
                check_degree(send, *receives, over.topology.sources().size());
                return plan_edges(over, send, *receives);
              },
          .bytes =
              [=](collective_edges const& over) {
                check_degree(send, *receives, over.topology.sources().size());
                return bytes_along_edges(over, send, *receives);
              },
          .key = std::move(key),
          .check =
              [=](Communicator const& over) {
                call_arguments const call("allgatherw", over);
                call.check_sent(send, call.num_leaving());
                call.check_blocks(*receives);
              }};
}

collective detail::allgather_into_all(elements const& send, elements const& receive) {
  elements const first{receive.data, send.count, receive.type};
  collective definition = allgather(send, first);
  definition.key = call_key(send, receive, all_blocks);
  definition.plan = [=, plan = definition.plan](collective_edges const& over) {
    check_room(send, receive, over.topology.sources().size());
    return plan(over);
  };
  if (auto const native = definition.complete)
    definition.complete = definition.bipartite = [=](MPI_Comm comm, MPI_Request* request) {
      check_room(send, receive, static_cast<std::size_t>(num_peers_of(comm)));
      return native(comm, request);
    };
  return definition;
}

collective detail::allgather_by_counts(elements const& send, elements const& receive,
                                       std::vector<int> const& counts) {
  counted_blocks const receives{receive, kept_counts(counts)};
  auto const checked = [=](collective_edges const& over) {
    auto blocks = receives.each();
    check_degree(send, blocks, over.topology.sources().size());
    return blocks;
  };
  collective definition{.name = "allgatherv"};
  definition.key = call_key(send, receive);
  definition.key.append_counts(counts);
  definition.plan = [=](collective_edges const& over) {
    return plan_edges(over, send, checked(over));
  };
  definition.bytes = [=](collective_edges const& over) {
    return bytes_along_edges(over, send, checked(over));
  };
  definition.check = [=](Communicator const& over) {
    call_arguments const call("allgatherv", over);
    call.check_sent(send, call.num_leaving());
    call.check_blocks(receives.all, receives.counts.span());
  };
  return definition;
}

} // namespace seam
