#include <seam/exchange/transport/node/call_links.hpp>

#include <seam/exchange/communicator/kept.hpp>
#include <seam/exchange/communicator/node.hpp>
#include <seam/exchange/communicator/shared_memory.hpp>
#include <seam/exchange/mpi/detail/context.hpp>

#include <algorithm>
#include <set>
#include <span>
#include <utility>

namespace seam::detail {
namespace {

/// The on-node processes at the other ends of `edges`, or all where the topology is no graph; not
/// this process itself.
std::vector<int> near_peers(Communicator const& over, std::span<edge const> edges) {
  std::set<int> peers;
  for (edge const& listed : edges)
    peers.insert(listed.rank);
  if (!over.topology().is_graph())
    for (int rank = 0; rank < over.size(); ++rank)
      peers.insert(rank);
  std::erase_if(peers, [&](int rank) {
    return rank == MPI_PROC_NULL || rank == over.rank() ||
           over.node().local_rank(rank) == node::elsewhere;
  });
  return {peers.begin(), peers.end()};
}

std::int64_t slot_bytes_for(std::int64_t num_links) {
  return std::clamp(most_in_slots_of_calls / std::max<std::int64_t>(num_links, 1) / cache_line *
                        cache_line,
                    shortest_slot_of_calls, longest_slot_of_calls);
}

/// Makes the links in a new communicator, so that threads with different communicators do not meet
/// in that of the node.
std::shared_ptr<call_links> make_call_links(Communicator const& over) {
  node const& on = over.node();
  mpi::comm const processes = on.processes(over.context(), mpi::comm_view(MPI_COMM_WORLD).rank());
  if (on.is_alone())
    return nullptr;
  auto const to = near_peers(over, over.topology().destinations());
  auto const from = near_peers(over, over.topology().sources());
  std::int64_t const slot = slot_bytes_for(std::ssize(to));
  wanted_links wanted{.are_answered = false};
  for (int peer : to)
    wanted.sends.push_back({.peer = on.local_rank(peer), .bytes = slot, .slot_bytes = slot});
  for (int peer : from)
    wanted.receives.push_back({on.local_rank(peer), 0, lines_of_calls});
  auto const made = make_links(on.memory(), processes, {&wanted, 1});
  return made.empty() ? nullptr : std::make_shared<call_links>(made.front(), to, from);
}

bool may_have_links(Communicator const& over) {
  if (mpi::context_of(over) != nullptr) // the transport of endpoints needs no links
    return false;
  switch (over.topology().kind()) {
  case topology_kind::graph: return true;
  case topology_kind::complete: return over.size() <= most_processes_with_links;
  case topology_kind::bipartite: break;
  }
  return false;
}

/// The links that a communicator keeps after the first call of call_links_of(), or nullptr.
struct kept_call_links {
  std::shared_ptr<call_links> made;
};

/// The end with `peer` among `ends`, which ascend.
template <class End>
End* find_end(std::vector<End>& ends, int peer) {
  auto const found = std::ranges::lower_bound(ends, peer, {}, &End::peer);
  bool const is_there = found != ends.end() && found->peer == peer && !found->by.is_missing();
  return is_there ? &*found : nullptr;
}

} // namespace

call_links::call_links(std::shared_ptr<links> ends, std::vector<int> const& sends,
                       std::vector<int> const& receives)
    : ends_(std::move(ends)) {
  for (int s = 0; s < std::ssize(sends); ++s)
    out_.push_back({sends[s], ends_->sends[s]});
  for (int r = 0; r < std::ssize(receives); ++r)
    in_.push_back({receives[r], ends_->receives[r]});
}

call_links::~call_links() {
  for (int s = 0; s < std::ssize(out_); ++s)
    ends_->sends[s].awaited = out_[s].by.awaited;
}

call_sender* call_links::to(int peer) { return find_end(out_, peer); }
call_receiver* call_links::from(int peer) { return find_end(in_, peer); }

std::shared_ptr<call_links> const& call_links_of(Communicator const& over) {
  static std::shared_ptr<call_links> const none;
  if (!shared_memory_is_on())
    return none;
  auto const make = [&] {
    return kept_call_links{may_have_links(over) ? make_call_links(over) : nullptr};
  };
  return kept<kept_call_links>(over, make).made;
}

} // namespace seam::detail
