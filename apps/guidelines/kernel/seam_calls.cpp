// seam's collectives in their four forms, and the constructions of seam's topologies.
#include "kernel/calls.hpp"
#include "kernel/native_topology.hpp"
#include "kernel/neighbor_lists.hpp"

#include <seam/exchange.hpp>
#include <seam/mapping.hpp>
#include <seam/partitioned.hpp>
#include <seam/sparse.hpp>

#include <algorithm>
#include <memory>
#include <span>

namespace guidelines {
namespace {

/// The construction of a topology of seam, ready to be repeated.
///
/// Dist_graph_create lists the edges at their sources, any others at both ends. Processes of a grid
/// are named, so that seam finds out whether their graph is Cartesian. The edges of Cartesian and
/// those beyond borders are as lists_of() has them.
class seam_topology {
public:
  /// Names a copy of `world` and computes this process's edges.
  /// Collective: over `world`.
  seam_topology(experiment const& described, seam::Communicator const& world);

  /// Makes the communicator; for Complete a copy of the processes.
  /// Collective: over the processes.
  seam::Communicator make() const;

  /// True if `made` has the topology that was asked for. Local.
  bool is_that_of(seam::Communicator const& made) const;

private:
  seam::Topology topology() const;

  experiment described_;
  seam::Communicator over_;
  neighbor_lists lists_;
};

std::vector<seam::edge> edges_to(std::vector<int> const& ranks) {
  std::vector<seam::edge> edges;
  edges.reserve(ranks.size());
  for (int rank : ranks)
    edges.push_back({rank});
  return edges;
}

std::vector<int> ranks_of(std::span<seam::edge const> edges) {
  std::vector<int> ranks;
  ranks.reserve(edges.size());
  for (seam::edge const& listed : edges)
    ranks.push_back(listed.rank);
  return ranks;
}

/// The ranks at the other ends of the edges of this process. Local.
neighbor_lists lists_in(seam::Communicator const& graph) {
  return {ranks_of(graph.topology().sources()), ranks_of(graph.topology().destinations())};
}

seam_topology::seam_topology(experiment const& described, seam::Communicator const& world)
    : described_(described),
      over_(world.dup()),
      lists_(lists_of(described, world.size(), world.rank())) {
  if (described.dimensions > 0)
    seam::name(over_, grid_of(described, world.size()));
}

seam::Topology seam_topology::topology() const {
  if (described_.made_by != constructor::dist_graph_create)
    return seam::Topology::graph(edges_to(lists_.sources), edges_to(lists_.destinations))
        .unweighted();
  std::vector<seam::listed_edge> edges;
  for (int destination : lists_.destinations)
    edges.push_back({over_.rank(), destination});
  return seam::topology_from(over_, edges);
}

seam::Communicator seam_topology::make() const {
  if (described_.around == guidelines::topology::complete)
    return over_.dup();
  auto const edges = topology();
  return described_.reorder ? seam::make_reordered_graph(over_, edges).comm
                            : seam::make_named_graph(over_, edges);
}

bool seam_topology::is_that_of(seam::Communicator const& made) const {
  auto const asked = lists_of(described_, made.size(), made.rank());
  auto const found = lists_in(made);
  return found.destinations == asked.destinations &&
         (described_.made_by == constructor::dist_graph_create
              ? sorted(found.sources) == sorted(asked.sources)
              : found.sources == asked.sources);
}

using seam_scene = scene<seam::Communicator>;

std::shared_ptr<seam_scene> make_seam_scene(experiment const& described,
                                            seam::Communicator const& world) {
  auto comm = seam_topology(described, world).make();
  int const rank = comm.rank(), size = comm.size();
  if (comm.topology().is_complete())
    return make_scene(described, std::move(comm), rank, size, arrivals_from_all(size, rank));
  auto const lists = lists_in(comm);
  auto arrivals = arrivals_in_graph(comm, lists);
  return make_scene(described, std::move(comm), rank, std::ssize(lists.destinations),
                    std::move(arrivals));
}

seam::elements first_of(buffers& moved, blocks& all) {
  return {all.memory.data(), moved.count, moved.type};
}

std::vector<seam::elements> list_of(buffers& moved, blocks& all) {
  std::vector<seam::elements> list;
  list.reserve(all.size());
  for (int k = 0; k < all.size(); ++k)
    list.push_back({all.block(k), moved.count, moved.type});
  return list;
}

/// The value of a call. The v-forms count bytes: their ranges have one type, whatever the datatype.
using value_maker = seam::collective (*)(buffers&, std::vector<int> const&,
                                         std::vector<int> const&);

value_maker maker_of(std::string const& operation) {
  using counts = std::vector<int> const&;
  if (operation == "allgather")
    return [](buffers& on, counts, counts) {
      return seam::allgather(first_of(on, on.out), first_of(on, on.in));
    };
  if (operation == "allgatherv")
    return [](buffers& on, counts, counts in) {
      return seam::allgatherv(on.out.memory, on.in.memory, in);
    };
  if (operation == "allgatherw")
    return [](buffers& on, counts, counts) {
      return seam::allgatherw(first_of(on, on.out), list_of(on, on.in));
    };
  if (operation == "alltoall")
    return [](buffers& on, counts, counts) {
      return seam::alltoall(first_of(on, on.out), first_of(on, on.in));
    };
  if (operation == "alltoallv")
    return [](buffers& on, counts out, counts in) {
      return seam::alltoallv(on.out.memory, out, on.in.memory, in);
    };
  return [](buffers& on, counts, counts) {
    return seam::alltoallw(list_of(on, on.out), list_of(on, on.in));
  };
}

/// Marks the partitions of all blocks in turn, each behind its share of the work. In an allgather a
/// partition leaves for all at once.
void mark_in_turn(seam::partitioned_operation& turn, int partitions, std::uint64_t work) {
  int const num_blocks = turn.num_leaving() / partitions;
  auto const shares = static_cast<std::uint64_t>(partitions);
  for (int partition = 0; partition < partitions; ++partition) {
    count_down(work / shares + (static_cast<std::uint64_t>(partition) < work % shares ? 1 : 0));
    for (int block = 0; block < num_blocks; ++block)
      turn.ready(block * partitions + partition);
  }
}

repeated partitioned(std::shared_ptr<seam_scene> const& on, seam::collective const& call,
                     int partitions) {
  auto const turn = std::make_shared<seam::partitioned_operation>(
      seam::prepare_partitioned(on->comm, call, partitions, partitions));
  return [on, turn, partitions](std::uint64_t work) {
    turn->start();
    mark_in_turn(*turn, partitions, work);
    turn->wait();
  };
}

repeated persistent(std::shared_ptr<seam_scene> const& on, seam::collective const& call) {
  auto const kept = std::make_shared<seam::operation>(seam::prepare(on->comm, call));
  return [on, kept](std::uint64_t work) {
    if (work == 0)
      return kept->run();
    auto flying = kept->start();
    count_down(work);
    flying.wait();
  };
}

repeated call_of(experiment const& described, std::shared_ptr<seam_scene> const& on) {
  auto const make = maker_of(described.call->operation);
  std::vector<int> const out(on->moved.out.size(), described.bytes);
  std::vector<int> const in(on->moved.in.size(), described.bytes);
  switch (described.call->how) {
  case form::persistent: return persistent(on, make(on->moved, out, in));
  case form::partitioned: return partitioned(on, make(on->moved, out, in), described.partitions);
  case form::nonblocking:
    return [=](std::uint64_t work) {
      auto flying = seam::start(on->comm, make(on->moved, out, in));
      count_down(work);
      flying.wait();
    };
  case form::blocking: break;
  }
  return [=](std::uint64_t work) {
    seam::run(on->comm, make(on->moved, out, in));
    count_down(work);
  };
}

} // namespace

measured_call make_seam_call(experiment const& described, seam::Communicator const& world) {
  auto const scene = make_seam_scene(described, world);
  return {.run = call_of(described, scene),
          .is_right = [scene] { return scene->moved.hold(scene->arrivals); }};
}

measured_call make_seam_creation(experiment const& described, seam::Communicator const& world) {
  return creation_of(std::make_shared<seam_topology const>(described, world));
}

} // namespace guidelines
