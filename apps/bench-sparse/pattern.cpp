#include "pattern.hpp"

#include <seam/mapping.hpp>

#include <algorithm>
#include <random>
#include <set>

namespace sparse_bench {
namespace {

std::vector<int> random_ranks(int rank, int size, double destinations, std::mt19937& random) {
  std::bernoulli_distribution sends(std::min(0.5, destinations / std::max(1, size - 1)));
  std::vector<int> ranks;
  for (int to = 0; to < size; ++to)
    if (sends(random) && to != rank)
      ranks.push_back(to);
  return ranks;
}

/// The neighbors across faces, edges and corners in a periodic grid.
std::vector<int> mesh_neighbors(int rank, int size) {
  auto const grid = seam::dims_create(size, std::array{0, 0, 0});
  int const place[] = {rank / (grid[1] * grid[2]), rank / grid[2] % grid[1], rank % grid[2]};
  std::set<int> ranks;
  for (int step = 0; step < 27; ++step) {
    int const steps[] = {step / 9 - 1, step / 3 % 3 - 1, step % 3 - 1};
    int neighbor = 0;
    for (int a = 0; a < 3; ++a)
      neighbor = neighbor * grid[a] + (place[a] + steps[a] + grid[a]) % grid[a];
    ranks.insert(neighbor);
  }
  ranks.erase(rank);
  return {ranks.begin(), ranks.end()};
}

/// The neighbors in a periodic grid whose ranks are shifted by `turn`.
std::vector<int> renamed_mesh_neighbors(int turn, int rank, int size) {
  std::vector<int> ranks = mesh_neighbors((rank + turn) % size, size);
  for (int& neighbor : ranks)
    neighbor = (neighbor + size - turn % size) % size;
  std::ranges::sort(ranks);
  return ranks;
}

} // namespace

pattern::pattern(kind which, bool renewed, int size, double destinations)
    : renewed_(renewed), size_(size) {
  std::mt19937 same_on_all_ranks(6); // a seed with which both of two ranks send
  for (int turn = 0; turn < (renewed ? num_turns : 1); ++turn)
    for (int rank = 0; rank < size; ++rank) {
      std::vector<int> ranks;
      if (which == kind::random)
        ranks = random_ranks(rank, size, destinations, same_on_all_ranks);
      else if (which == kind::mesh)
        ranks = renamed_mesh_neighbors(turn, rank, size);
      else if (which == kind::all_to_one && rank != turn % size)
        ranks = {turn % size};
      to_.push_back(ranks);
    }
}

std::vector<int> pattern::sources(int turn, int rank) const {
  std::vector<int> from;
  for (int other = 0; other < size_; ++other)
    if (std::ranges::binary_search(destinations(turn, other), rank))
      from.push_back(other);
  return from;
}

} // namespace sparse_bench
