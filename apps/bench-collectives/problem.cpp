#include "problem.hpp"

#include <numeric>

namespace collective_bench {
namespace {

constexpr int double_bytes = sizeof(double);

seam::Communicator make_comm(seam::Runtime& runtime, question const& asked) {
  seam::Communicator named = runtime.world().dup();
  if (asked.where() == place::complete)
    return named;
  auto const free = std::vector<int>(asked.dimensions);
  seam::CartesianNaming const naming(named.size(), seam::dims_create(named.size(), free),
                                     std::vector<bool>(free.size(), true));
  seam::name(named, naming);
  auto const around = asked.neighborhood == "faces" ? seam::von_neumann(1) : seam::moore(1);
  return seam::make_named_graph(named, seam::make_topology(naming, named.rank(), around));
}

/// The ranks at the other ends of `edges`; all ranks of a complete communicator.
std::vector<int> peers_of(problem const& on, std::span<seam::edge const> edges) {
  std::vector<int> peers(on.asked.where() == place::complete ? on.comm.size() : std::ssize(edges));
  std::iota(peers.begin(), peers.end(), 0);
  if (on.asked.where() == place::graph)
    std::ranges::transform(edges, peers.begin(), &seam::edge::rank);
  return peers;
}

/// True for v and w forms.
bool has_unequal_blocks(std::string_view operation) {
  return operation.ends_with('v') || operation.ends_with('w') || operation == "reduce_scatter";
}

/// The length of block `k`; if blocks differ, every other one is half as long.
int length(problem const& on, int k) {
  return has_unequal_blocks(on.operation()) && k % 2 != 0 ? (on.count + 1) / 2 : on.count;
}

/// The length of an edge's block, the same at both ends. It depends on the number of the edge, or
/// on both ranks, if blocks differ from edge to edge; else on the rank that sends or receives it.
int length_of_edge(problem const& on, int e, int peer, bool leaves) {
  std::string_view const operation = on.operation();
  if (operation.starts_with("alltoall"))
    return length(on, on.asked.where() == place::graph ? e : on.comm.rank() + peer);
  bool const to_all = operation.starts_with("allgather") || operation.starts_with("gather");
  return length(on, leaves == to_all ? on.comm.rank() : peer);
}

/// Lays blocks out one behind the other, for w forms in the opposite order; if `same`, at one
/// place.
void lay_out(problem const& on, blocks& all, bool same) {
  std::vector<int> order(all.peers.size());
  std::iota(order.begin(), order.end(), 0);
  if (on.operation().ends_with('w'))
    std::ranges::reverse(order);
  std::int64_t end = 0;
  all.places.resize(order.size());
  for (int const e : order) {
    all.places[e] = same ? 0 : seam::mpi::narrow(end, "blocks of a process together");
    end += all.counts[e];
  }
  for (int place : all.places) {
    all.far_places.push_back(MPI_Aint{place} * double_bytes);
    all.byte_places.push_back(static_cast<int>(all.far_places.back()));
  }
  all.types.assign(order.size(), MPI_DOUBLE);
  all.memory.resize(end);
}

blocks make_blocks(problem const& on, std::vector<int> peers, bool leave) {
  blocks all;
  all.peers = std::move(peers);
  for (int e = 0; e < all.num_edges(); ++e)
    all.counts.push_back(length_of_edge(on, e, all.peers[e], leave));
  lay_out(on, all, leave && on.operation() == "allgatherw");
  return all;
}

} // namespace

std::string question::in_words() const {
  if (where() == place::complete)
    return fmt::format("{} complete", operation);
  return fmt::format("{} {}D {}", operation, dimensions, neighborhood);
}

problem make_problem(seam::Runtime& runtime, question const& asked) {
  problem on{.asked = asked,
             .comm = make_comm(runtime, asked),
             .native = MPI_COMM_NULL,
             .count = asked.bytes / double_bytes,
             .own_count = 0,
             .out = {},
             .in = {},
             .arrived = {}};
  on.native = on.comm.view().native();
  on.own_count = length(on, on.comm.rank());
  auto const& topology = on.comm.topology();
  seam::collectively(on.comm.context(), [&] {
    on.out = make_blocks(on, peers_of(on, topology.destinations()), true);
    on.in = make_blocks(on, peers_of(on, topology.sources()), false);
  });
  for (std::int64_t k = 0; k < std::ssize(on.out.memory); ++k)
    on.out.memory[k] = static_cast<double>(k % 1000) + 1000.0 * on.comm.rank();
  return on;
}

} // namespace collective_bench
