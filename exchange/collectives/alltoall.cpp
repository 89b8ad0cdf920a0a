#include <seam/exchange/collectives/alltoall.hpp>

#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/mpi/forms.hpp>
#include <seam/exchange/planning/combining.hpp>

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <utility>

namespace seam {
namespace {

/// True if blocks of these lengths travel in combined messages.
bool pays(cartesian_structure const& on, vector_bytes const& bytes) {
  return combining_pays(on, direct_counts(on, bytes), combined_alltoall_counts(on, bytes), 1);
}

/// The bytes of each vector if messages are combined without a comparison of lengths, else nothing.
/// The same on all ranks: if all have edges, all know the length of the blocks.
std::optional<vector_bytes> combined_bytes(collective_edges const& over, std::int64_t block_bytes) {
  if (over.structure == nullptr || !over.structure->all_have_edges)
    return std::nullopt;
  vector_bytes bytes(over.structure->vectors.size(), block_bytes);
  return pays(*over.structure, bytes) ? std::optional(std::move(bytes)) : std::nullopt;
}

schedule plan_combined(collective_edges const& over, vector_bytes const& bytes,
                       std::vector<elements> const& sends, std::vector<elements> const& receives,
                       bool overlapping) {
  schedule steps = make_combined_alltoall(*over.structure, bytes, sends, receives, overlapping);
  steps.leaving = loads_of(over.topology.destinations(), sends);
  steps.arriving = loads_of(over.topology.sources(), receives);
  return steps;
}

/// Plans combined messages if all ranks have found equal lengths, and combining pays.
schedule plan_edges(collective_edges const& over, std::vector<elements> const& sends,
                    std::vector<elements> const& receives, bool overlapping) {
  if (over.vectors2bytes && pays(*over.structure, *over.vectors2bytes))
    return plan_combined(over, *over.vectors2bytes, sends, receives, overlapping);
  return along_edges(over, sends, receives, overlapping);
}

schedule plan_blocks(collective_edges const& over, elements const& send, elements const& receive) {
  auto const receives = blocks_from(receive, over.topology.sources().size());
  if (is_in_place(send))
    return plan_edges(over, receives, receives, true);
  auto const sends = blocks_from(send, over.topology.destinations().size());
  if (over.vectors2bytes)
    return plan_edges(over, sends, receives, false);
  if (auto const bytes = combined_bytes(over, wire_bytes(receive.count > 0 ? receive : send)))
    return plan_combined(over, *bytes, sends, receives, false);
  return along_edges(over, sends, receives);
}

edge_bytes bytes_of_blocks(collective_edges const& over, elements const& send,
                           elements const& receive) {
  std::vector const arriving(over.topology.sources().size(), wire_bytes(receive));
  if (is_in_place(send))
    return {arriving, arriving};
  return {std::vector(over.topology.destinations().size(), wire_bytes(send)), arriving};
}

/// Blocks of any address and length, edge by edge. If `sends` is empty, `receives` are sent.
struct edge_blocks {
  std::vector<elements> sends, receives;

  bool are_in_place(collective_edges const& over) const {
    return sends.empty() && !receives.empty() && !over.topology.destinations().empty();
  }
  std::vector<elements> const& leaving(collective_edges const& over) const {
    return are_in_place(over) ? receives : sends;
  }
};

void check_lists(Communicator const& over, edge_blocks const& blocks) {
  call_arguments const call("alltoallw", over);
  if (blocks.sends.empty() && call.num_leaving() > 0)
    call.check_sent({MPI_IN_PLACE, 0, MPI_BYTE}, call.num_leaving());
  call.check_blocks(blocks.sends);
  call.check_blocks(blocks.receives);
}

void check_both(Communicator const& over, elements const& send, elements const& receive) {
  call_arguments const call("alltoall", over);
  call.check_sent(send, call.num_leaving());
  call.check_addressed(receive, call.num_arriving());
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
  collective definition{
      .name = "alltoall",
      .plan = [=](collective_edges const& over) { return plan_blocks(over, send, receive); },
      .bytes = [=](collective_edges const& over) { return bytes_of_blocks(over, send, receive); }};
  definition.key = call_key(send, receive);
  definition.common.values = receive;
  definition.check = [=](Communicator const& over) { check_both(over, send, receive); };
  if (fits_int(send) && fits_int(receive))
    definition.complete = definition.bipartite = [=](MPI_Comm comm, MPI_Request* request) {
      return mpi::call(MPI_Alltoall, MPI_Ialltoall, request, send.data,
                       static_cast<int>(send.count), send.type, const_cast<void*>(receive.data),
                       static_cast<int>(receive.count), receive.type, comm);
    };
  return definition;
}

collective alltoallw(std::vector<elements> sends, std::vector<elements> receives) {
  collective definition{.name = "alltoallw"};
  definition.key = call_key(sends, receives);
  auto const blocks =
      std::make_shared<edge_blocks const>(edge_blocks{std::move(sends), std::move(receives)});
  definition.plan = [=](collective_edges const& over) {
    return plan_edges(over, blocks->leaving(over), blocks->receives, blocks->are_in_place(over));
  };
  definition.bytes = [=](collective_edges const& over) {
    return edge_bytes{bytes_of_each(blocks->leaving(over)), bytes_of_each(blocks->receives)};
  };
  definition.check = [=](Communicator const& over) { check_lists(over, *blocks); };
  return definition;
}

collective detail::alltoall_of_all(elements const& send, elements const& receive) {
  auto const with_parts = [=](auto make) {
    return [=](collective_edges const& over) {
      return make(over, part_of(send, over.topology.destinations().size(), "destinations"),
                  part_of(receive, over.topology.sources().size(), "sources"));
    };
  };
  collective definition{
      .name = "alltoall", .plan = with_parts(plan_blocks), .bytes = with_parts(bytes_of_blocks)};
  definition.key = call_key(send, receive, all_blocks);
  definition.common.values = receive;
  definition.check = [=](Communicator const& over) { check_both(over, send, receive); };
  if (fits_int(send) && fits_int(receive))
    definition.complete = definition.bipartite = [=](MPI_Comm comm, MPI_Request* request) {
      auto const peers = static_cast<std::size_t>(num_peers_of(comm));
      elements const out = part_of(send, peers, "processes");
      elements const in = part_of(receive, peers, "processes");
      return mpi::call(MPI_Alltoall, MPI_Ialltoall, request, out.data, static_cast<int>(out.count),
                       out.type, const_cast<void*>(in.data), static_cast<int>(in.count), in.type,
                       comm);
    };
  return definition;
}

collective detail::alltoall_by_counts(elements const& send, std::vector<int> const& send_counts,
                                      elements const& receive,
                                      std::vector<int> const& receive_counts) {
  counted_blocks const out{send, kept_counts(send_counts)};
  counted_blocks const in{receive, kept_counts(receive_counts)};
  collective definition{.name = "alltoallv"};
  definition.key = call_key(send, receive);
  definition.key.append_counts(send_counts);
  definition.key.append_counts(receive_counts);
  definition.plan = [=](collective_edges const& over) {
    return plan_edges(over, out.each(), in.each(), false);
  };
  definition.check = [=](Communicator const& over) {
    call_arguments const call("alltoallv", over);
    call.check_blocks(out.all, out.counts.span());
    call.check_blocks(in.all, in.counts.span());
  };
  definition.bytes = [=](collective_edges const&) {
    return edge_bytes{bytes_of_each(out.each()), bytes_of_each(in.each())};
  };
  return definition;
}

} // namespace seam
