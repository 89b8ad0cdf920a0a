#include <seam/exchange/partitioned/edges.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/calls/call_check.hpp>
#include <seam/exchange/communicator/communicator.hpp>
#include <seam/exchange/communicator/explanations.hpp>
#include <seam/exchange/communicator/node.hpp>
#include <seam/exchange/communicator/refuse_topology.hpp>
#include <seam/exchange/communicator/shared_memory.hpp>
#include <seam/exchange/ground/checks.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/partitioned/bundle.hpp>
#include <seam/exchange/partitioned/channel.hpp>
#include <seam/exchange/partitioned/channel_tags.hpp>
#include <seam/exchange/partitioned/detail/buffer.hpp>
#include <seam/exchange/partitioned/lane.hpp>
#include <seam/exchange/partitioned/overlap.hpp>
#include <seam/exchange/planning/detail/collective_edges.hpp>
#include <seam/exchange/waiting/detail/patience.hpp>
#include <seam/exchange/waiting/detail/progress.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <vector>

namespace seam::detail {
namespace {

/// Refuses, on all ranks, ends that differ in their numbers of partitions.
void require_alike(Communicator const& over, partitioned_call const& call, char const* which,
                   std::vector<edge_end> const& ends) {
  int most = std::numeric_limits<int>::min(), fewest = std::numeric_limits<int>::max();
  for (edge_end const& end : ends) {
    most = std::max(most, end.buffer.partitions);
    fewest = std::min(fewest, end.buffer.partitions);
  }
  most = largest_of_all(over.context(), most);
  fewest = -largest_of_all(over.context(), -fewest);
  if (most > fewest)
    throw usage_error(
        fmt::format("{}: {} partitions at one {} and {} at another (expected as many, "
                    "as has been asserted) [{}]",
                    call.name, fewest, which, most, where()),
        true);
}

/// Refuses receive buffers that overlap send buffers, unless a block of the process itself lies in
/// its place.
void check_overlaps(partitioned_call const& call, collective_edges const& edges,
                    edge_bundle const& bundle) {
  std::vector<partitioned_buffer> leaving, arriving;
  auto const own = own_buffers(edges, bundle);
  for (edge_end const& end : bundle.arriving)
    arriving.push_back(end.buffer);
  auto const is_in_its_place = [&](partitioned_buffer const& buffer) {
    return std::ranges::any_of(own.into,
                               [&](auto const* place) { return place->data == buffer.data; });
  };
  for (edge_end const& end : bundle.leaving)
    if (destination_of(edges, end) != MPI_PROC_NULL && !is_in_its_place(end.buffer))
      leaving.push_back(end.buffer);
  check_apart(call.name, leaving, arriving);
}

/// Refuses ends of an edge from the process to itself that differ.
void check_own_edge(partitioned_call const& call, partitioned_buffer const& from,
                    partitioned_buffer const& into) {
  std::int64_t const bytes = wire_bytes(from.all()), room = wire_bytes(into.all());
  if (bytes != room)
    refuse(fmt::format("{}: {} bytes for the process itself, and room for {} (expected as many)",
                       call.name, bytes, room));
  if (call.settings.pairs_are_alike && from.partitions != into.partitions)
    refuse(fmt::format("{}: {} partitions for the process itself, which receives {} (expected as "
                       "many, as has been asserted)",
                       call.name, from.partitions, into.partitions));
}

/// Finds all errors that this rank can find by itself: nothing may fail once channels are made.
/// @throws usage_error  ends of an edge from the process to itself differ, partitions cannot travel
///                      in the wanted messages, or, in checked mode, buffers overlap
/// Local.
void check_ends(partitioned_call const& call, collective_edges const& edges,
                edge_bundle const& bundle) {
  auto const [from, into] = own_buffers(edges, bundle);
  partitioned_buffer const none;
  for (int k = 0; k < std::max(std::ssize(from), std::ssize(into)); ++k)
    check_own_edge(call, k < std::ssize(from) ? *from[k] : none,
                   k < std::ssize(into) ? *into[k] : none);
  int most_partitions = 0;
  for (edge_end const& end : bundle.leaving)
    most_partitions = std::max(most_partitions, end.buffer.partitions);
  check_messages(call.name, call.settings, most_partitions);
  if (checks_are_on())
    check_overlaps(call, edges, bundle);
}

/// Refuses, on all ranks, numbers of partitions that differ where the call asserts that they do not.
/// Collective: over `over`.
void check_assertions(Communicator const& over, partitioned_call const& call,
                      edge_bundle const& bundle) {
  if (call.settings.senders_are_alike)
    require_alike(over, call, "sending end", bundle.leaving);
  if (call.settings.receivers_are_alike || call.settings.leaves_are_alike)
    require_alike(over, call, "receiving end", bundle.arriving);
}

/// True if both ends of each edge are asserted to fit, so that they need not compare.
bool is_settled(partitioned_settings const& settings) {
  bool const alike = settings.pairs_are_alike || settings.leaves_are_alike ||
                     (settings.senders_are_alike && settings.receivers_are_alike);
  return alike && !settings.root_partitions_are_unknown;
}

/// Makes the parts of the operation, edge by edge.
class bundle_maker {
public:
  /// @param memory  of the node, [lane_bytes()], or nullptr
  bundle_maker(Communicator const& over, partitioned_call const& call,
               collective_edges const& edges, std::shared_ptr<std::byte> memory)
      : over_(over), call_(call), edges_(edges), memory_(std::move(memory)) {
    made_.name = call.name;
    made_.keeps = over.keep_alive();
  }

  /// Bytes of the node's memory that the lanes need. Local.
  static std::int64_t lane_bytes(Communicator const& over, partitioned_call const& call,
                                 collective_edges const& edges, edge_bundle const& bundle) {
    bundle_maker const maker(over, call, edges, nullptr);
    std::int64_t bytes = 0;
    for (edge_end const& end : bundle.leaving)
      if (int const peer = destination_of(edges, end); peer != edges.rank)
        bytes += detail::lane_bytes(over, maker.end_of("to", peer, end.buffer));
    return bytes;
  }

  partitioned_parts make(edge_bundle const& bundle) {
    made_.for_all = bundle.for_all;
    auto own = own_edges(bundle);
    for (edge_end const& end : bundle.leaving)
      made_.leaving.push_back({add_leaving(end, own), end.edge});
    for (edge_end const& end : bundle.arriving)
      made_.arriving.push_back({add_arriving(end, own), end.edge});
    for (in_place_edge const& joined : bundle.in_place)
      join(joined);
    explain_loads(over_.context(), call_.name, [&] { return peers2loads_; });
    return std::move(made_);
  }

private:
  /// The parts of the edges from the process to itself, and how many ends have been given out.
  struct own_ends {
    std::vector<part*> parts;
    int leaving = 0, arriving = 0;
  };

  own_ends own_edges(edge_bundle const& bundle) {
    auto const [from, into] = own_buffers(edges_, bundle);
    partitioned_buffer const none;
    own_ends own;
    for (int k = 0; k < std::max(std::ssize(from), std::ssize(into)); ++k)
      own.parts.push_back(add(make_own_edge(k < std::ssize(from) ? *from[k] : none,
                                            k < std::ssize(into) ? *into[k] : none)));
    return own;
  }

  /// Makes one part of both ends of the edge.
  void join(in_place_edge const& joined) {
    part*& out = std::ranges::find(made_.leaving, joined.edge, &part_end::edge)->of;
    part*& in = std::ranges::find(made_.arriving, joined.edge, &part_end::edge)->of;
    auto both = make_in_place_block(joined.block, joined.staging, release(out), release(in));
    out = in = add(std::move(both));
  }

  std::unique_ptr<part> release(part const* end) {
    auto const owner = std::ranges::find(made_.parts, end, &std::unique_ptr<part>::get);
    auto released = std::move(*owner);
    made_.parts.erase(owner);
    return released;
  }

  part* add(std::unique_ptr<part> made) { return made_.parts.emplace_back(std::move(made)).get(); }

  channel_end end_of(char const* direction, int peer, partitioned_buffer const& buffer) const {
    std::string const peer_name =
        peer == MPI_PROC_NULL ? "MPI_PROC_NULL" : fmt::format("rank {}", peer);
    return {.name = fmt::format("{} {} {}", call_.name, direction, peer_name),
            .peer = peer,
            .tag = call_.number,
            .buffer = buffer,
            .alike = call_.settings.pairs_are_alike,
            .sending = sending_};
  }

  part* add_leaving(edge_end const& end, own_ends& own) {
    int const peer = destination_of(edges_, end);
    if (peer == edges_.rank)
      return own.parts[own.leaving++];
    channel_end sender = end_of("to", peer, end.buffer);
    if (memory_ != nullptr)
      sender.memory = take(detail::lane_bytes(over_, sender));
    if (peer != MPI_PROC_NULL && explanations_are_on())
      add_load(sender);
    return add(make_sending_end(over_, sender, call_.settings.messages));
  }

  void add_load(channel_end const& sender) {
    outgoing_load const load = load_of(sender);
    outgoing_load& sum = peers2loads_[sender.peer];
    sum.bytes += load.bytes;
    sum.how += (sum.how.empty() ? "" : ", ") + load.how;
  }

  part* add_arriving(edge_end const& end, own_ends& own) {
    int const peer = source_of(edges_, end);
    if (peer == edges_.rank)
      return own.parts[own.arriving++];
    return add(make_receiving_end(over_, end_of("from", peer, end.buffer)));
  }

  std::shared_ptr<std::byte> take(std::int64_t bytes) {
    if (bytes == 0)
      return nullptr;
    std::byte* const begin = memory_.get() + taken_;
    taken_ += bytes;
    return {memory_, begin};
  }

  Communicator const& over_;
  partitioned_call const& call_;
  collective_edges const& edges_;
  partitioned_parts made_;
  std::shared_ptr<std::byte> memory_;
  std::int64_t taken_ = 0; ///< of memory_ [bytes]
  std::shared_ptr<sending_time> sending_ = std::make_shared<sending_time>();
  std::map<int, outgoing_load> peers2loads_;
};

/// Memory of the node for the lanes of a bundle; nullptr if there is none.
/// Collective: over `over`, unless all ends are asserted to fit.
std::shared_ptr<std::byte> memory_for_lanes(Communicator const& over, partitioned_call const& call,
                                            collective_edges const& edges,
                                            edge_bundle const& bundle) {
  bool const has_other_side = over.topology().is_bipartite();
  if (!shared_memory_is_on() || has_other_side || over.node().is_alone())
    return nullptr;
  shared_arena& memory = over.node().memory();
  std::int64_t const bytes = bundle_maker::lane_bytes(over, call, edges, bundle);
  return is_settled(call.settings) ? memory.take(bytes) : memory.allocate(bytes);
}

/// Waits until the ends of all edges know each other; the first error line of ends that do not fit
/// together.
std::optional<std::string> meet(partitioned_parts const& parts) {
  std::optional<std::string> error;
  auto const has_met = [&](part* end) {
    try {
      return end->have_met();
    } catch (usage_error const& problem) {
      error = error.value_or(problem.what());
      return true;
    }
  };
  std::vector<part*> waiting;
  for (auto const& end : parts.parts)
    waiting.push_back(end.get());
  for (patience wait; !waiting.empty(); wait.pause())
    std::erase_if(waiting, has_met);
  return error;
}

/// The root as one of the terms of a call; empty on bipartite communicators, where the side of the
/// root names it differently.
std::string words_of_root(Communicator const& over, int root) {
  bool const is_named = root != common_terms::no_root && !over.topology().is_bipartite();
  return is_named ? fmt::format("root {}", root) : std::string();
}

/// Makes the bundle of one process, and refuses what is wrong with it.
edge_bundle checked_bundle(Communicator const& over, collective_definition const& call,
                           partitioned_call const& terms, collective_edges const& edges,
                           movement const& moved, partition_counts const& sent,
                           partition_counts const& received) {
  check_movement(terms.name, edges, moved);
  edge_bundle bundle = bundle_of(terms.name, moved, sent, received);
  if (call.check)
    call.check(call_arguments(terms.name, over));
  stage_in_place(terms.name, edges, moved, bundle);
  check_ends(terms, edges, bundle);
  return bundle;
}

} // namespace

void check_call(Communicator const& over, partitioned_call const& call) {
  if (!over.topology().is_complete() && !call.along_edges)
    refuse_topology(over, call.name);
  auto const& [_, unknown, leaves, pairs, senders, receivers] = call.settings;
  require_same(over.context(), "partitioned",
               fmt::format("{}({}{}{}{}{}{})", call.name, call.terms,
                           unknown ? ", root unknown" : "", leaves ? ", leaves alike" : "",
                           pairs ? ", pairs alike" : "", senders ? ", senders alike" : "",
                           receivers ? ", receivers alike" : ""));
}

void require_edges_between_sides(Communicator const& over, char const* name,
                                 movement const& moved) {
  Topology const edges = edges_of(over).topology;
  require_match(over, {.call = fmt::format("{}()", name),
                       .leaving = loads_of(edges.destinations(), travelling(moved.leaving)),
                       .arriving = loads_of(edges.sources(), travelling(moved.arriving)),
                       .error = {}});
}

partitioned_operation make_bundle(Communicator const& over, collective_definition const& call,
                                  partition_counts const& sent, partition_counts const& received,
                                  partitioned_settings const& settings) {
  partitioned_call const terms{lasting_name(fmt::format("p{}_init", call.name)),
                               words_of_root(over, call.common.root), settings,
                               draw_collective_number(over)};
  call_scope const here(terms.name, *over.calls());
  check_call(over, terms);
  collective_edges const edges = edges_of(over);
  movement moved;
  edge_bundle const bundle = collectively(over.context(), [&] {
    moved = call.moves(edges);
    return checked_bundle(over, call, terms, edges, moved, sent, received);
  });
  if (over.topology().is_bipartite())
    require_edges_between_sides(over, terms.name, moved);
  if (checks_are_on())
    check_assertions(over, terms, bundle);
  auto memory = memory_for_lanes(over, terms, edges, bundle);
  partitioned_parts parts = collectively(over.context(), [&] {
    return bundle_maker(over, terms, edges, std::move(memory)).make(bundle);
  });
  if (checks_are_on() || !is_settled(settings))
    agree(over.context(), meet(parts));
  parts.record = over.calls()->begin_part();
  return partitioned_operation(std::move(parts));
}

} // namespace seam::detail
