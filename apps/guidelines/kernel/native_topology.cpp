#include "kernel/native_topology.hpp"

#include <algorithm>
#include <map>
#include <numeric>

namespace guidelines {
namespace {

using seam::mpi::check;

int length(std::vector<int> const& list) { return static_cast<int>(list.size()); }

/// The lists of `numbers` of all processes, one behind the other, and where each begins.
struct gathered_lists {
  std::vector<int> firsts, numbers;

  auto begin(int rank) const { return numbers.begin() + firsts[rank]; }
  auto end(int rank) const { return begin(rank + 1); }
};

gathered_lists gather(seam::mpi::comm_view over, std::vector<int> const& own) {
  gathered_lists all;
  int const size = over.size();
  std::vector<int> lengths(size);
  int const own_length = length(own);
  check(MPI_Allgather(&own_length, 1, MPI_INT, lengths.data(), 1, MPI_INT, over.native()),
        "MPI_Allgather");
  all.firsts.resize(size + 1);
  std::partial_sum(lengths.begin(), lengths.end(), all.firsts.begin() + 1);
  all.numbers.resize(all.firsts.back());
  check(MPI_Allgatherv(own.data(), own_length, MPI_INT, all.numbers.data(), lengths.data(),
                       all.firsts.data(), MPI_INT, over.native()),
        "MPI_Allgatherv");
  return all;
}

} // namespace

native_topology::native_topology(experiment const& described, seam::mpi::comm_view over)
    : described_(described), over_(over), lists_(lists_of(described, over.size(), over.rank())) {
  auto const grid = grid_of(described, over.size());
  dims_.assign(grid.order().begin(), grid.order().end());
  periods_.assign(grid.periodic().begin(), grid.periodic().end());
}

seam::mpi::comm native_topology::make() const {
  seam::mpi::comm made;
  int const reorder = described_.reorder ? 1 : 0;
  switch (described_.made_by) {
  case constructor::none:
    check(MPI_Comm_dup(over_.native(), made.receive()), "MPI_Comm_dup");
    break;
  case constructor::cart_create:
    check(MPI_Cart_create(over_.native(), length(dims_), dims_.data(), periods_.data(), reorder,
                          made.receive()),
          "MPI_Cart_create");
    break;
  case constructor::dist_graph_create: {
    int const rank = over_.rank(), degree = length(lists_.destinations);
    check(MPI_Dist_graph_create(over_.native(), degree > 0 ? 1 : 0, &rank, &degree,
                                lists_.destinations.data(), MPI_UNWEIGHTED, MPI_INFO_NULL, reorder,
                                made.receive()),
          "MPI_Dist_graph_create");
    break;
  }
  case constructor::dist_graph_create_adjacent:
    check(MPI_Dist_graph_create_adjacent(over_.native(), length(lists_.sources),
                                         lists_.sources.data(), MPI_UNWEIGHTED,
                                         length(lists_.destinations), lists_.destinations.data(),
                                         MPI_UNWEIGHTED, MPI_INFO_NULL, reorder, made.receive()),
          "MPI_Dist_graph_create_adjacent");
    break;
  }
  return made;
}

bool native_topology::is_that_of(seam::mpi::comm_view made) const {
  auto const asked = lists_of(described_, made.size(), made.rank());
  if (described_.made_by == constructor::cart_create) {
    std::vector<int> neighbors(asked.destinations.size());
    for (int axis = 0; axis < std::ssize(dims_); ++axis)
      check(MPI_Cart_shift(made.native(), axis, 1, &neighbors[2 * axis], &neighbors[2 * axis + 1]),
            "MPI_Cart_shift");
    return neighbors == asked.destinations;
  }
  auto const found = lists_in(made);
  if (described_.made_by == constructor::dist_graph_create)
    return sorted(found.sources) == sorted(asked.sources) &&
           sorted(found.destinations) == sorted(asked.destinations);
  return found == asked;
}

neighbor_lists lists_in(seam::mpi::comm_view graph) {
  int num_in = 0, num_out = 0, is_weighted = 0;
  check(MPI_Dist_graph_neighbors_count(graph.native(), &num_in, &num_out, &is_weighted),
        "MPI_Dist_graph_neighbors_count");
  neighbor_lists lists{std::vector<int>(num_in), std::vector<int>(num_out)};
  check(MPI_Dist_graph_neighbors(graph.native(), num_in, lists.sources.data(), MPI_UNWEIGHTED,
                                 num_out, lists.destinations.data(), MPI_UNWEIGHTED),
        "MPI_Dist_graph_neighbors");
  return lists;
}

std::vector<arrival> arrivals_in_graph(seam::mpi::comm_view over, neighbor_lists const& own) {
  auto const destinations = gather(over, own.destinations);
  std::vector<arrival> arrivals;
  std::map<int, int> next_from; // for each peer, the block after the last that was found
  for (int peer : own.sources) {
    if (peer == MPI_PROC_NULL) {
      arrivals.push_back({peer, 0});
      continue;
    }
    auto const begin = destinations.begin(peer), end = destinations.end(peer);
    auto const found = std::find(begin + next_from[peer], end, over.rank());
    int const block = static_cast<int>(found - begin);
    next_from[peer] = found == end ? block : block + 1;
    arrivals.push_back({peer, found == end ? -1 : block});
  }
  return arrivals;
}

std::vector<arrival> arrivals_in_cartesian(std::vector<int> const& neighbors) {
  std::vector<arrival> arrivals;
  for (int side = 0; side < length(neighbors); ++side)
    arrivals.push_back({neighbors[side], side ^ 1});
  return arrivals;
}

} // namespace guidelines
