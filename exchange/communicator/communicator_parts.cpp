#include <seam/exchange/communicator/communicator.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/agreement/new_comm.hpp>
#include <seam/exchange/communicator/communicator_state.hpp>
#include <seam/exchange/communicator/native_graph.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/mpi/detail/context.hpp>
#include <seam/exchange/waiting/detail/call_scope.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace seam {
using namespace detail;

namespace {

void refuse_bipartite(mpi::comm_view all, char const* call) {
  if (mpi::is_bipartite(all))
    refuse(fmt::format("{}: the communicator is bipartite (expected a complete one or a graph)",
                       call));
}

void refuse_group_of_endpoints(mpi::comm_view all, char const* call) {
  if (mpi::context_of(all) != nullptr)
    refuse(MPI_ERR_GROUP, fmt::format("{}: an MPI_Group for a communicator of endpoints, of which "
                                      "MPI knows nothing (expected a list of ranks)",
                                      call));
}

/// The group of the processes that are `ranks` of `all`.
mpi::group group_of(mpi::comm_view all, std::span<int const> ranks) {
  mpi::group members, chosen;
  mpi::check(MPI_Comm_group(all.native(), members.receive()), "MPI_Comm_group");
  mpi::check(MPI_Group_incl(members.native(), static_cast<int>(ranks.size()), ranks.data(),
                            chosen.receive()),
             "MPI_Group_incl");
  return chosen;
}

/// The caller's own side of a bipartite communicator. The rank of the side's first process in the
/// merged communicator tells the sides apart.
mpi::comm own_side(mpi::comm_view bipartite) {
  mpi::comm_view const merged = mpi::all_processes(bipartite);
  if (mpi::context const* const ranks = mpi::context_of(bipartite))
    return mpi::split(merged, ranks->members().front().number, bipartite.rank());
  mpi::group side, both_sides;
  mpi::check(MPI_Comm_group(bipartite.native(), side.receive()), "MPI_Comm_group");
  mpi::check(MPI_Comm_group(merged.native(), both_sides.receive()), "MPI_Comm_group");
  int const first = 0;
  int color = 0;
  mpi::check(MPI_Group_translate_ranks(side.native(), 1, &first, both_sides.native(), &color),
             "MPI_Group_translate_ranks");
  return mpi::split(merged, color, bipartite.rank());
}

} // namespace

std::optional<Communicator> Communicator::split(int color, int key) const {
  call_scope const here("Communicator::split");
  mpi::comm part = mpi::split(view(), color, key);
  if (!part.is_open())
    return std::nullopt;
  return with_subgraph(view(), topology(), std::move(part));
}

std::optional<Communicator> Communicator::split_type(int type, int key, MPI_Info info) const {
  call_scope const here("Communicator::split_type");
  mpi::comm part = mpi::split_type(view(), type, key, info);
  if (!part.is_open())
    return std::nullopt;
  return with_subgraph(view(), topology(), std::move(part));
}

Communicator Communicator::split_shared() const {
  return *split_type(MPI_COMM_TYPE_SHARED, rank());
}

std::optional<Communicator> Communicator::create(MPI_Group group) const {
  refuse_group_of_endpoints(view(), "create");
  call_scope const here("Communicator::create");
  mpi::comm part;
  {
    blocking_call const now(view(), "MPI_Comm_create");
    mpi::check(MPI_Comm_create(view().native(), group, part.receive()), "MPI_Comm_create");
  }
  if (!part.is_open())
    return std::nullopt;
  mpi::return_errors(part);
  return with_subgraph(view(), topology(), std::move(part));
}

Communicator Communicator::create_group(MPI_Group group, int tag) const {
  return create_group(view(), group, tag);
}

Communicator Communicator::create_group(mpi::comm_view all, MPI_Group group, int tag) {
  refuse_bipartite(all, "create_group");
  refuse_group_of_endpoints(all, "create_group");
  call_scope const here("Communicator::create_group");
  mpi::comm part;
  {
    blocking_call const now(call_record::of_group(group), "MPI_Comm_create_group");
    mpi::check(MPI_Comm_create_group(all.native(), group, tag, part.receive()),
               "MPI_Comm_create_group");
  }
  mpi::return_errors(part);
  return with_subgraph(all, topology_of(all), std::move(part));
}

void Communicator::check_ranks(std::span<int const> ranks, int size, char const* call) {
  std::vector<int> sorted(ranks.begin(), ranks.end());
  std::ranges::sort(sorted);
  if (!sorted.empty() && (sorted.front() < 0 || sorted.back() >= size))
    refuse(MPI_ERR_RANK,
           fmt::format("{}: rank {} (expected 0 to {})", call,
                       sorted.front() < 0 ? sorted.front() : sorted.back(), size - 1));
  if (auto const twice = std::ranges::adjacent_find(sorted); twice != sorted.end())
    refuse(MPI_ERR_RANK, fmt::format("{}: rank {} twice (expected each once)", call, *twice));
}

std::optional<Communicator> Communicator::create(std::span<int const> ranks) const {
  check_ranks(ranks, size(), "create");
  if (mpi::context_of(view()) == nullptr)
    return create(group_of(view(), ranks).native());
  auto const found = std::ranges::find(ranks, rank());
  bool const is_in = found != ranks.end();
  return split(is_in ? 0 : MPI_UNDEFINED, is_in ? static_cast<int>(found - ranks.begin()) : 0);
}

Communicator Communicator::create_group(std::span<int const> ranks, int tag) const {
  refuse_bipartite(view(), "create_group");
  check_ranks(ranks, size(), "create_group");
  mpi::context* const endpoints = mpi::context_of(view());
  if (endpoints == nullptr)
    return create_group(group_of(view(), ranks).native(), tag);
  if (std::ranges::find(ranks, rank()) == ranks.end())
    refuse(MPI_ERR_RANK,
           fmt::format("create_group: rank {} is none of those listed (expected calls "
                       "of these alone)",
                       rank()));
  call_scope const here("Communicator::create_group");
  endpoints->check_thread("create_group");
  return with_subgraph(view(), topology(), endpoints->part({ranks.begin(), ranks.end()}, tag));
}

std::optional<Communicator> Communicator::two_sides(int side) const {
  call_scope const here("Communicator::two_sides");
  collectively(view(), [&] {
    refuse_bipartite(view(), "two_sides");
    if (side != 0 && side != 1)
      refuse(fmt::format("two_sides: side {} (expected 0 or 1)", side));
  });
  int const num_ones = mpi::allreduce(view(), side, MPI_SUM);
  if (num_ones == 0 || num_ones == size())
    return std::nullopt;
  if (mpi::context* const endpoints = mpi::context_of(view()))
    return from_native(endpoints->two_sides(side).release());
  auto const sides = mpi::allgather(view(), side);
  int const leader = static_cast<int>(std::ranges::find(sides, 1 - side) - sides.begin());
  mpi::comm const own = mpi::split(view(), side, rank());
  mpi::comm both;
  blocking_call const now(view(), "MPI_Intercomm_create");
  mpi::check(MPI_Intercomm_create(own.native(), 0, context().native(), leader, 0, both.receive()),
             "MPI_Intercomm_create");
  return from_native(both.release());
}

Communicator Communicator::with_subgraph(mpi::comm_view all, Topology const& topology,
                                         mpi::comm part) {
  if (!topology.is_graph())
    return from_native(part.release());
  auto const inside = [&](std::span<edge const> edges) { return edges_inside(edges, all, part); };
  auto const subgraph =
      topology.with_edges(inside(topology.sources()), inside(topology.destinations()));
  return from_native(make_native_graph(part, subgraph, nullptr).release());
}

Communicator Communicator::base() const {
  call_scope const here("Communicator::base");
  bool const bipartite = topology().is_bipartite();
  mpi::comm all = bipartite ? own_side(view()) : mpi::split(view(), 0, rank());
  Communicator made = from_native(all.release());
  if (!bipartite)
    made.state_->node = state_->node;
  return made;
}

} // namespace seam
