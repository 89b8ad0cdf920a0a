#include <seam/exchange/collectives/alltoall.hpp>

#include <seam/exchange/calls/detail/collective_definition.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/mpi/forms.hpp>

#include <fmt/format.h>

#include <memory>
#include <utility>

namespace seam {
using namespace detail;

namespace {

movement move_blocks(collective_edges const& over, elements const& send, elements const& receive) {
  auto const receives = blocks_from(receive, over.topology.sources().size());
  if (is_in_place(send))
    return exchanged_in_place(receives);
  auto const sends = blocks_from(send, over.topology.destinations().size());
  return {.leaving = moved_along(sends),
          .arriving = moved_along(receives),
          .as_long_as_all = receive.count > 0 ? receive : send};
}

/// Blocks of any address and length, edge by edge. If `sends` is empty, `receives` are sent.
struct edge_blocks {
  std::vector<elements> sends, receives;

  movement along(collective_edges const& over) const {
    if (sends.empty() && !receives.empty() && !over.topology.destinations().empty())
      return exchanged_in_place(receives);
    return {.leaving = moved_along(sends), .arriving = moved_along(receives)};
  }
};

void check_lists(call_arguments const& call, edge_blocks const& blocks) {
  if (blocks.sends.empty() && call.num_leaving() > 0)
    call.check_sent({MPI_IN_PLACE, 0, MPI_BYTE}, call.num_leaving());
  call.check_blocks(blocks.sends);
  call.check_blocks(blocks.receives);
}

void check_both(call_arguments const& call, elements const& send, elements const& receive) {
  call.check_sent(send, call.num_leaving());
  call.check_addressed(receive, call.num_arriving());
}

/// One of `parts` equal parts of `all`.
elements part_of(elements const& all, std::int64_t parts, char const* edges) {
  if (parts == 0)
    return {all.data, 0, all.type};
  if (all.count % parts != 0)
    refuse(fmt::format("alltoall: {} elements for {} {} (expected a multiple)", all.count, parts,
                       edges));
  return {all.data, all.count / parts, all.type};
}

} // namespace

collective alltoall(elements const& send, elements const& receive) {
  collective made("alltoall");
  made.key.add(send, receive);
  made.define = [=](collective_definition& definition) {
    definition.moves = [=](collective_edges const& over) {
      return move_blocks(over, send, receive);
    };
    definition.uses_all_edges = true;
    definition.common.values = receive;
    definition.check = [=](call_arguments const& call) { check_both(call, send, receive); };
    if (fits_int(send) && fits_int(receive))
      definition.complete = definition.bipartite = [=](MPI_Comm comm, MPI_Request* request) {
        return mpi::call(MPI_Alltoall, MPI_Ialltoall, request, send.data,
                         static_cast<int>(send.count), send.type, const_cast<void*>(receive.data),
                         static_cast<int>(receive.count), receive.type, comm);
      };
  };
  return made;
}

collective alltoallw(std::vector<elements> sends, std::vector<elements> receives) {
  collective made("alltoallw");
  made.key.add_lists(sends, receives);
  made.define = [given = edge_blocks{std::move(sends),
                                     std::move(receives)}](collective_definition& definition) {
    auto const blocks = std::make_shared<edge_blocks const>(given);
    definition.moves = [=](collective_edges const& over) { return blocks->along(over); };
    definition.uses_all_edges = true;
    definition.check = [=](call_arguments const& call) { check_lists(call, *blocks); };
  };
  return made;
}

collective detail::alltoall_of_all(elements const& send, elements const& receive) {
  collective made("alltoall");
  made.key.add(send, receive, all_blocks);
  made.define = [=](collective_definition& definition) {
    definition.moves = [=](collective_edges const& over) {
      return move_blocks(over, part_of(send, over.topology.destinations().size(), "destinations"),
                         part_of(receive, over.topology.sources().size(), "sources"));
    };
    definition.uses_all_edges = true;
    definition.common.values = receive;
    definition.check = [=](call_arguments const& call) { check_both(call, send, receive); };
    if (fits_int(send) && fits_int(receive))
      definition.complete = definition.bipartite = [=](MPI_Comm comm, MPI_Request* request) {
        int const peers = num_peers_of(comm);
        elements const out = part_of(send, peers, "processes");
        elements const in = part_of(receive, peers, "processes");
        return mpi::call(MPI_Alltoall, MPI_Ialltoall, request, out.data,
                         static_cast<int>(out.count), out.type, const_cast<void*>(in.data),
                         static_cast<int>(in.count), in.type, comm);
      };
  };
  return made;
}

collective detail::alltoall_by_counts(elements const& send, std::vector<int> const& send_counts,
                                      elements const& receive,
                                      std::vector<int> const& receive_counts) {
  counted_blocks const out{send, kept_counts(send_counts)};
  counted_blocks const in{receive, kept_counts(receive_counts)};
  collective made("alltoallv");
  made.key.add(send, receive);
  made.key.add_counts(send_counts);
  made.key.add_counts(receive_counts);
  made.define = [=](collective_definition& definition) {
    definition.uses_all_edges = true;
    definition.moves = [=](collective_edges const&) {
      return movement{.leaving = moved_along(out.each()), .arriving = moved_along(in.each())};
    };
    definition.check = [=](call_arguments const& call) {
      call.check_blocks(out.all, out.counts.span());
      call.check_blocks(in.all, in.counts.span());
    };
  };
  return made;
}

} // namespace seam
