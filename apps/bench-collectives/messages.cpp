#include "messages.hpp"

#include <map>

namespace collective_bench {
namespace {

/// How an operation distributes its blocks.
struct nature {
  explicit nature(std::string_view name)
      : alltoall(name.starts_with("alltoall")),
        scatters(name.starts_with("scatter")),
        adds(name == "reduce" || name == "allreduce"),
        to_root(name.starts_with("gather") || name == "reduce"),
        from_root(scatters || name == "bcast"),
        empty(name == "barrier") {}

  bool alltoall; ///< every edge has a block of its own
  bool scatters, adds, to_root, from_root, empty;
};

/// Plans the root's messages to each process that it has an edge to: the same block to all, or, if
/// it scatters, that of the last edge, also to itself.
traffic from_root(problem& on, nature const& kind) {
  traffic made;
  if (std::ranges::find(on.in.peers, on.root) != on.in.peers.end() &&
      (kind.scatters || !on.is_root()))
    made.arriving.push_back({on.root, on.in.data(), on.own_count});
  if (!on.is_root())
    return made;
  std::map<int, int> peers2edges;
  for (int e = 0; e < on.out.num_edges(); ++e)
    peers2edges[on.out.peers[e]] = e;
  if (!kind.scatters)
    peers2edges.erase(on.root);
  for (auto const& [peer, e] : peers2edges)
    if (kind.scatters)
      made.leaving.push_back({peer, on.out.block(e), on.out.count(e)});
    else
      made.leaving.push_back({peer, on.out.data(), on.count});
  return made;
}

/// Adds receives of all sources' blocks: into their places, or into scratch from which they are
/// added up.
void add_arrivals(problem& on, nature const& kind, traffic& made) {
  double* first = on.in.data();
  if (kind.adds) {
    made.room.push_back(std::make_shared<std::vector<double>>(on.in.memory.size()));
    first = made.room.back()->data();
  }
  for (int e = 0; e < on.in.num_edges(); ++e) {
    double* const block = first + on.in.places[e];
    made.arriving.push_back({on.in.peers[e], block, kind.empty ? 0 : on.in.count(e)});
    if (kind.adds)
      made.terms.push_back(block);
  }
}

/// Plans a message for each edge, or for each edge that leads to the root.
traffic along_edges(problem& on, nature const& kind) {
  traffic made;
  if (!kind.to_root || on.is_root())
    add_arrivals(on, kind, made);
  for (int e = 0; e < on.out.num_edges(); ++e) {
    int const peer = on.out.peers[e];
    if (!kind.to_root || peer == on.root)
      made.leaving.push_back({peer, kind.alltoall ? on.out.block(e) : on.out.data(),
                              kind.empty ? 0 : on.out.count(e)});
  }
  return made;
}

using transfers_by_peer = std::map<int, std::vector<transfer>>;

transfers_by_peer sorted_by_peer(std::vector<transfer> const& all) {
  transfers_by_peer sorted;
  for (transfer const& message : all)
    sorted[message.peer].push_back(message);
  return sorted;
}

/// Allocates a buffer in `made` for all of `blocks`, one behind the other.
transfer packed(std::vector<transfer> const& blocks, traffic& made) {
  int count = 0;
  for (transfer const& source : blocks)
    count += source.count;
  made.room.push_back(std::make_shared<std::vector<double>>(count));
  return {blocks[0].peer, made.room.back()->data(), count};
}

/// Adds a message for each process to `messages`; of several blocks it is packed, and
/// add_copy(block, place in the message) is called for each.
template <class AddCopy>
void add_messages(transfers_by_peer const& peers2blocks, traffic& made,
                  std::vector<transfer>& messages, AddCopy const& add_copy) {
  for (auto const& [peer, blocks] : peers2blocks) {
    transfer const message = blocks.size() > 1 ? packed(blocks, made) : blocks[0];
    messages.push_back(message);
    if (blocks.size() == 1)
      continue;
    double* place = message.block;
    for (transfer const& part : blocks) {
      add_copy(part, place);
      place += part.count;
    }
  }
}

/// Packs the blocks of all edges to a process into one message.
traffic pack(int rank, traffic const& edges) {
  traffic made;
  auto leaving = sorted_by_peer(edges.leaving), arriving = sorted_by_peer(edges.arriving);
  for (int k = 0; k < std::ssize(leaving[rank]); ++k)
    made.before.push_back({leaving[rank][k].block, arriving[rank][k].block,
                           leaving[rank][k].count});
  leaving.erase(rank);
  arriving.erase(rank);
  add_messages(leaving, made, made.leaving, [&](transfer const& source, double* place) {
    made.before.push_back({source.block, place, source.count});
  });
  add_messages(arriving, made, made.arriving, [&](transfer const& target, double* place) {
    made.after.push_back({place, target.block, target.count});
  });
  return made;
}

/// Sends one message to each process, whose block is the same along all edges between both.
traffic send_once(int rank, traffic const& edges) {
  traffic made;
  made.room = edges.room;
  for (auto const& [peer, blocks] : sorted_by_peer(edges.leaving))
    if (peer != rank)
      made.leaving.push_back(blocks[0]);
  std::map<int, double*> peers2blocks;
  if (!edges.leaving.empty())
    peers2blocks[rank] = edges.leaving[0].block;
  for (transfer const& target : edges.arriving) {
    auto const [first, is_new] = peers2blocks.try_emplace(target.peer, target.block);
    if (is_new)
      made.arriving.push_back(target);
    if (!edges.terms.empty())
      made.terms.push_back(first->second);
    else if (first->second != target.block)
      made.after.push_back({first->second, target.block, target.count});
  }
  return made;
}

} // namespace

int traffic::num_messages(int rank) const {
  return static_cast<int>(std::ranges::count_if(leaving, [=](transfer const& message) {
    return message.peer != rank;
  }));
}

traffic by_edges(problem& on) {
  nature const kind(on.operation());
  return kind.from_root ? from_root(on, kind) : along_edges(on, kind);
}

traffic by_processes(problem& on) {
  nature const kind(on.operation());
  if (kind.from_root)
    return from_root(on, kind);
  traffic const edges = along_edges(on, kind);
  return kind.alltoall ? pack(on.comm.rank(), edges) : send_once(on.comm.rank(), edges);
}

} // namespace collective_bench
