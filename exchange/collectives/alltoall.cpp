#include <seam/exchange/collectives/alltoall.hpp>

#include <seam/exchange/collectives/combining.hpp>
#include <seam/exchange/error.hpp>

#include <fmt/format.h>

namespace seam {
namespace {

/// Whether blocks of this length travel in combined messages. [bytes] The same on all ranks: all
/// would have a part in it, but a process without edges need not know how long blocks are.
bool is_combined(ports const& over, std::int64_t block_bytes) {
  return over.structure != nullptr && over.structure->all_have_edges && block_bytes > 0 &&
         combining_pays(*over.structure, direct_counts(*over.structure),
                        combined_alltoall_counts(*over.structure), block_bytes);
}

schedule plan_combined(ports const& over, std::vector<elements> const& sends,
                       std::vector<elements> const& receives) {
  schedule steps = make_combined_alltoall(*over.structure, sends, receives);
  steps.leaving = loads_of(over.topology.destinations(), sends);
  steps.arriving = loads_of(over.topology.sources(), receives);
  return steps;
}

schedule plan_blocks(ports const& over, elements const& send, elements const& receive) {
  auto const receives = blocks_from(receive, over.topology.sources().size());
  if (is_in_place(send))
    return along_edges(over, receives, receives, true);
  auto const sends = blocks_from(send, over.topology.destinations().size());
  if (is_combined(over, wire_bytes(receive.count > 0 ? receive : send)))
    return plan_combined(over, sends, receives);
  return along_edges(over, sends, receives);
}

/// One of `degree` equal parts of `all`.
elements part_of(elements const& all, std::size_t degree, char const* edges) {
  auto const parts = static_cast<std::int64_t>(degree);
  if (parts == 0)
    return {all.data, 0, all.type};
  if (all.count % parts != 0)
    refuse(fmt::format("alltoall: {} elements for {} {} (expected a multiple)", all.count, parts,
                       edges));
  return {all.data, all.count / parts, all.type};
}

} // namespace

collective alltoall(elements const& send, elements const& receive) {
  collective what{.name = "alltoall",
                  .plan = [=](ports const& over) { return plan_blocks(over, send, receive); }};
  what.key = call_key(send, receive);
  what.common.values = receive;
  if (fits_int(send) && fits_int(receive))
    what.complete = what.bipartite = [=](MPI_Comm comm, MPI_Request* request) {
      return MPI_Ialltoall(send.data, static_cast<int>(send.count), send.type,
                           const_cast<void*>(receive.data), static_cast<int>(receive.count),
                           receive.type, comm, request);
    };
  return what;
}

collective alltoallw(std::vector<elements> sends, std::vector<elements> receives) {
  call_key key(sends, receives);
  return {.name = "alltoallw",
          .plan =
              [sends = std::move(sends), receives = std::move(receives)](ports const& over) {
                bool const in_place =
                    sends.empty() && !receives.empty() && !over.topology.destinations().empty();
                return along_edges(over, in_place ? receives : sends, receives, in_place);
              },
          .key = std::move(key)};
}

collective detail::alltoall_of_all(elements const& send, elements const& receive) {
  collective what{
      .name = "alltoall", .plan = [=](ports const& over) {
        return plan_blocks(over, part_of(send, over.topology.destinations().size(), "destinations"),
                           part_of(receive, over.topology.sources().size(), "sources"));
      }};
  what.key = call_key(send, receive, all_blocks);
  what.common.values = receive;
  if (fits_int(send) && fits_int(receive))
    what.complete = what.bipartite = [=](MPI_Comm comm, MPI_Request* request) {
      auto const peers = static_cast<std::size_t>(num_peers_of(comm));
      elements const out = part_of(send, peers, "processes");
      elements const in = part_of(receive, peers, "processes");
      return MPI_Ialltoall(out.data, static_cast<int>(out.count), out.type,
                           const_cast<void*>(in.data), static_cast<int>(in.count), in.type, comm,
                           request);
    };
  return what;
}

collective detail::alltoall_by_counts(elements const& send, std::vector<int> const& send_counts,
                                      elements const& receive,
                                      std::vector<int> const& receive_counts) {
  auto const sends = blocks_of_counts(send, send_counts);
  auto const receives = blocks_of_counts(receive, receive_counts);
  return {.name = "alltoallv",
          .plan =
              [=](ports const& over) {
                check_counts("alltoallv", send, send_counts);
                check_counts("alltoallv", receive, receive_counts);
                return along_edges(over, sends, receives);
              },
          .key = call_key(sends, receives, send.count, receive.count)};
}

} // namespace seam
