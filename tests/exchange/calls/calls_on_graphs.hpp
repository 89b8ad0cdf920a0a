/// Graphs, and calls of collectives on them, for tests of blocking and nonblocking calls.
#pragma once

#include <seam/exchange/collectives/allgather.hpp>
#include <seam/exchange/collectives/alltoall.hpp>
#include <seam/exchange/collectives/barrier.hpp>
#include <seam/exchange/collectives/bcast.hpp>
#include <seam/exchange/collectives/gather.hpp>
#include <seam/exchange/collectives/reduce.hpp>
#include <seam/exchange/communicator/node.hpp>

#include <exchange/collectives/collective_cases.hpp>

#include <algorithm>

namespace seam::testing {

/// A graph from each rank to the next and the one before, in a circle.
inline Communicator ring_of(Communicator const& world) {
  int const next = (world.rank() + 1) % world.size();
  int const before = (world.rank() + world.size() - 1) % world.size();
  return make_graph(world, Topology::graph({{before}, {next}}, {{next}, {before}}));
}

/// True if a process of `all` is on another node. Collective.
inline bool has_far_process(Communicator const& all) {
  for (int rank = 0; rank < all.size(); ++rank)
    if (all.node().local_rank(rank) == detail::node::elsewhere)
      return true;
  return false;
}

/// True if a source of this process is on another node. Collective.
inline bool has_far_neighbor(Communicator const& graph) {
  return std::ranges::any_of(graph.topology().sources(), [&](edge const& source) {
    return graph.node().local_rank(source.rank) == detail::node::elsewhere;
  });
}

/// A graph from each rank to the next one, except the last: no message comes back.
inline Communicator chain_of(Communicator const& world) {
  std::vector<edge> in, out;
  if (world.rank() > 0)
    in.push_back({world.rank() - 1});
  if (world.rank() + 1 < world.size())
    out.push_back({world.rank() + 1});
  return make_graph(world, Topology::graph(in, out));
}

/// A call with blocks of `length`, which differs from all others of the same `number`.
class some_call {
public:
  some_call(graph_case const& on, int which, int number, std::int64_t length)
      : which_(which), number_(number), root_(number % on.world.size()), length_(length) {
    std::size_t const most = std::max({on.in.size(), on.out.size(), std::size_t{1}});
    out_.resize(most * std::size_t(length));
    in_.resize(out_.size(), untouched);
    for (std::size_t k = 0; k < out_.size(); ++k)
      out_[k] = 1'000'000 * on.rank + 10'000 * number + std::int64_t(k);
  }

  collective make_call(graph_case const& on) const {
    auto const n = std::size_t(length_);
    std::span const sent(out_), one(sent.first(n));
    std::span received(in_), first(received.first(n));
    switch (which_) {
    case 0: return alltoall(sent.first(n * on.out.size()), received.first(n * on.in.size()));
    case 1: return allgather(one, received.first(n * on.in.size()));
    case 2: return allreduce(one, first, std::plus<>());
    case 3: return bcast(on.rank == root_ ? std::span(out_).first(n) : first, root_);
    case 4: return gather(one, received.first(on.rank == root_ ? n * on.in.size() : 0), root_);
    default: return barrier();
    }
  }

  static constexpr int num_kinds = 6;

  values const& received() const { return in_; }

private:
  int which_, number_, root_;
  std::int64_t length_;
  mutable values out_, in_;
};

} // namespace seam::testing
