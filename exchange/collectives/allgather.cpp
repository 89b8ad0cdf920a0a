#include <seam/exchange/collectives/allgather.hpp>

#include <seam/exchange/calls/detail/collective_definition.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/mpi/forms.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <memory>

namespace seam {
using namespace detail;

namespace {

/// The block that a process sends: `send`, or its own block among those that it receives.
moved_block block_to_send(collective_edges const& over, elements const& send,
                          std::vector<elements> const& receives) {
  auto const sources = over.topology.sources();
  for (int e = 0; is_in_place(send) && e < std::min(std::ssize(sources), std::ssize(receives)); ++e)
    if (sources[e].rank == over.rank)
      return {.values = receives[e], .lies_in = e};
  return {send};
}

movement move_to_all(collective_edges const& over, elements const& send,
                     std::vector<elements> const& receives) {
  return {.leaving = moved_blocks(over.topology.destinations().size(),
                                  block_to_send(over, send, receives)),
          .arriving = moved_along(receives),
          .is_for_all = true,
          .has_block = true};
}

/// Moves blocks that are equally long on all processes.
movement move_equal(collective_edges const& over, elements const& send, elements const& receive) {
  auto moved = move_to_all(over, send, blocks_from(receive, over.topology.sources().size()));
  if (!is_in_place(send))
    moved.as_long_as_all = send;
  return moved;
}

void check_room(elements const& send, elements const& receive, std::int64_t num_blocks) {
  if (receive.count != send.count * num_blocks)
    refuse(fmt::format("allgather: room for {} elements, and {} from each of {} sources (expected "
                       "room for all)",
                       receive.count, send.count, num_blocks));
}

void define_allgather(collective_definition& definition, elements const& send,
                      elements const& receive) {
  definition.moves = [=](collective_edges const& over) { return move_equal(over, send, receive); };
  definition.uses_all_edges = true;
  definition.common.values = is_in_place(send) ? receive : send;
  definition.check = [=](call_arguments const& call) {
    call.check_sent(send, call.num_leaving());
    call.check_addressed(receive, call.num_arriving());
  };
  if (fits_int(send) && fits_int(receive))
    definition.complete = definition.bipartite = [=](MPI_Comm comm, MPI_Request* request) {
      return mpi::call(MPI_Allgather, MPI_Iallgather, request, send.data,
                       static_cast<int>(send.count), send.type, const_cast<void*>(receive.data),
                       static_cast<int>(receive.count), receive.type, comm);
    };
}

} // namespace

collective allgather(elements const& send, elements const& receive) {
  collective made("allgather");
  made.key.add(send, receive);
  made.define = [=](collective_definition& definition) {
    define_allgather(definition, send, receive);
  };
  return made;
}

collective allgatherw(elements const& send, std::vector<elements> listed) {
  collective made("allgatherw");
  made.key.add_lists(std::span(&send, 1), listed);
  made.define = [send, listed = std::move(listed)](collective_definition& definition) {
    auto const receives = std::make_shared<std::vector<elements> const>(listed);
    definition.moves = [=](collective_edges const& over) {
      return move_to_all(over, send, *receives);
    };
    definition.uses_all_edges = true;
    definition.check = [=](call_arguments const& call) {
      call.check_sent(send, call.num_leaving());
      call.check_blocks(*receives);
    };
  };
  return made;
}

collective detail::allgather_into_all(elements const& send, elements const& receive) {
  collective made("allgather");
  made.key.add(send, receive, all_blocks);
  made.define = [=](collective_definition& definition) {
    elements const first{receive.data, send.count, receive.type};
    define_allgather(definition, send, first);
    definition.moves = [=](collective_edges const& over) {
      check_room(send, receive, over.topology.sources().size());
      return move_equal(over, send, first);
    };
    if (auto const native = definition.complete)
      definition.complete = definition.bipartite = [=](MPI_Comm comm, MPI_Request* request) {
        check_room(send, receive, num_peers_of(comm));
        return native(comm, request);
      };
  };
  return made;
}

collective detail::allgather_by_counts(elements const& send, elements const& receive,
                                       std::vector<int> const& counts) {
  counted_blocks const receives{receive, kept_counts(counts)};
  collective made("allgatherv");
  made.key.add(send, receive);
  made.key.add_counts(counts);
  made.define = [=](collective_definition& definition) {
    definition.uses_all_edges = true;
    definition.moves = [=](collective_edges const& over) {
      return move_to_all(over, send, receives.each());
    };
    definition.check = [=](call_arguments const& call) {
      call.check_sent(send, call.num_leaving());
      call.check_blocks(receives.all, receives.counts.span());
    };
  };
  return made;
}

} // namespace seam
