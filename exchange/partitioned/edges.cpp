#include <seam/exchange/partitioned/edges.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/calls/call_check.hpp>
#include <seam/exchange/communicator/explanations.hpp>
#include <seam/exchange/communicator/node.hpp>
#include <seam/exchange/communicator/shared_memory.hpp>
#include <seam/exchange/ground/checks.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/partitioned/channel.hpp>
#include <seam/exchange/partitioned/lane.hpp>
#include <seam/exchange/partitioned/overlap.hpp>
#include <seam/exchange/waiting/detail/patience.hpp>
#include <seam/exchange/waiting/detail/progress.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>

namespace seam {
namespace {

/// True if both ends of each edge are asserted to fit, so that they need not compare.
bool is_settled(partitioned_settings const& settings) {
  bool const alike = settings.pairs_are_alike || settings.leaves_are_alike ||
                     (settings.senders_are_alike && settings.receivers_are_alike);
  return alike && !settings.root_partitions_are_unknown;
}

int destination_of(collective_edges const& edges, edge_end const& end) {
  auto const e = static_cast<std::size_t>(end.edge);
  return end.leads_nowhere ? MPI_PROC_NULL : edges.topology.destinations()[e].rank;
}

int source_of(collective_edges const& edges, edge_end const& end) {
  auto const e = static_cast<std::size_t>(end.edge);
  return end.leads_nowhere ? MPI_PROC_NULL : edges.topology.sources()[e].rank;
}

/// The buffers of the edges from the process to itself, in their order.
struct own_pairs {
  std::vector<partitioned_buffer const*> from, into;
};

own_pairs own_buffers(collective_edges const& edges, edge_bundle const& bundle) {
  own_pairs own;
  for (edge_end const& end : bundle.leaving)
    if (destination_of(edges, end) == edges.rank)
      own.from.push_back(&end.buffer);
  for (edge_end const& end : bundle.arriving)
    if (source_of(edges, end) == edges.rank)
      own.into.push_back(&end.buffer);
  return own;
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
        bytes += seam::lane_bytes(over, maker.end_of("to", peer, end.buffer));
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
    std::size_t leaving = 0, arriving = 0;
  };

  own_ends own_edges(edge_bundle const& bundle) {
    auto const [from, into] = own_buffers(edges_, bundle);
    own_ends own;
    for (std::size_t k = 0; k < std::max(from.size(), into.size()); ++k)
      own.parts.push_back(
          add(k < from.size() && k < into.size()
                  ? make_own_edge(*from[k], *into[k])
                  : half_own_edge(k < from.size() ? *from[k] : *into[k], k < from.size())));
    return own;
  }

  /// A part for data that is in its place already, of which the collective names one end.
  static std::unique_ptr<part> half_own_edge(partitioned_buffer const& buffer, bool leaves) {
    partitioned_buffer const nothing{nullptr, leaves ? 0 : buffer.partitions, 0, MPI_BYTE};
    return leaves ? make_own_edge({nullptr, buffer.partitions, 0, MPI_BYTE}, nothing)
                  : make_own_edge({nullptr, 0, 0, MPI_BYTE}, nothing);
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
    std::string const peer_name = peer == MPI_PROC_NULL ? "nobody" : fmt::format("rank {}", peer);
    return {.name = fmt::format("{} {} {}", call_.name, direction, peer_name),
            .peer = peer,
            .tag = tag_of_collectives,
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
      sender.memory = take(seam::lane_bytes(over_, sender));
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

void check_assertions(Communicator const& over, partitioned_call const& call,
                      edge_bundle const& bundle) {
  if (call.settings.senders_are_alike)
    require_alike(over, call, "sending end", bundle.leaving);
  if (call.settings.receivers_are_alike || call.settings.leaves_are_alike)
    require_alike(over, call, "receiving end", bundle.arriving);
}

/// The bytes that move along `edges`.
std::vector<edge_load> loads_of(std::span<edge const> edges, std::vector<edge_end> const& ends) {
  std::vector<edge_load> loads;
  for (edge_end const& end : ends)
    if (std::int64_t const bytes = wire_bytes(end.buffer.all());
        end.edge != part_end::no_edge && bytes > 0)
      loads.push_back({edges[static_cast<std::size_t>(end.edge)].rank, bytes});
  return loads;
}

/// Refuses receive buffers that overlap send buffers, unless a block of the process itself lies in
/// its place.
void check_overlaps(partitioned_call const& call, collective_edges const& edges,
                    edge_bundle const& bundle) {
  std::vector<partitioned_buffer> leaving, arriving;
  auto const own = own_buffers(edges, bundle);
  for (edge_end const& end : bundle.arriving)
    if (!end.leads_nowhere)
      arriving.push_back(end.buffer);
  auto const is_in_its_place = [&](partitioned_buffer const& buffer) {
    return std::ranges::any_of(own.into,
                               [&](auto const* place) { return place->data == buffer.data; });
  };
  for (edge_end const& end : bundle.leaving)
    if (!end.leads_nowhere && !is_in_its_place(end.buffer))
      leaving.push_back(end.buffer);
  check_apart(call.name, leaving, arriving);
}

/// Finds all errors of this rank alone, because nothing may fail once channels are made.
void check_buffers(partitioned_call const& call, collective_edges const& edges,
                   edge_bundle const& bundle) {
  for (auto const* ends : {&bundle.leaving, &bundle.arriving})
    for (edge_end const& end : *ends)
      check_buffer(call.name, end.buffer);
  auto const [from, into] = own_buffers(edges, bundle);
  for (std::size_t k = 0; k < std::min(from.size(), into.size()); ++k) {
    std::int64_t const bytes = wire_bytes(from[k]->all()), room = wire_bytes(into[k]->all());
    if (bytes != room)
      refuse(fmt::format("{}: {} bytes for the process itself, and room for {} (expected as many)",
                         call.name, bytes, room));
    if (call.settings.pairs_are_alike && from[k]->partitions != into[k]->partitions)
      refuse(fmt::format("{}: {} partitions for the process itself, which receives {} (expected as "
                         "many, as has been asserted)",
                         call.name, from[k]->partitions, into[k]->partitions));
  }
  int most_partitions = 0;
  for (edge_end const& end : bundle.leaving)
    most_partitions = std::max(most_partitions, end.buffer.partitions);
  check_messages(call.name, call.settings, most_partitions);
  if (checks_are_on())
    check_overlaps(call, edges, bundle);
}

} // namespace

void check_call(Communicator const& over, partitioned_call const& call) {
  bool const is_graph = over.topology().is_graph();
  if (!over.topology().is_complete() && !call.along_edges)
    throw usage_error(fmt::format("{}: has no meaning on a {} communicator (expected a complete "
                                  "one, such as base()) [{}]",
                                  call.name, is_graph ? "graph" : "bipartite", where()),
                      true);
  auto const& [_, unknown, leaves, pairs, senders, receivers] = call.settings;
  require_same(over.context(), "partitioned",
               fmt::format("{}({}{}{}{}{}{})", call.name, call.terms,
                           unknown ? ", root unknown" : "", leaves ? ", leaves alike" : "",
                           pairs ? ", pairs alike" : "", senders ? ", senders alike" : "",
                           receivers ? ", receivers alike" : ""));
}

std::string words_of_root(Communicator const& over, int root) {
  bool const bipartite = over.topology().is_bipartite();
  return bipartite ? std::string() : fmt::format("root {}", root);
}

void require_edges_between_sides(Communicator const& over, char const* name,
                                 edge_bundle const& bundle) {
  collective_edges const edges = edges_of(over);
  require_match(over, {.call = fmt::format("{}()", name),
                       .leaving = loads_of(edges.topology.destinations(), bundle.leaving),
                       .arriving = loads_of(edges.topology.sources(), bundle.arriving),
                       .error = {}});
}

partitioned_operation make_bundle(Communicator const& over, partitioned_call const& call,
                                  std::function<edge_bundle(collective_edges const&)> const& plan) {
  call_scope const here(lasting_name(call.name), *over.calls());
  check_call(over, call);
  collective_edges const edges = edges_of(over);
  edge_bundle const bundle = collectively(over.context(), [&] {
    edge_bundle made = plan(edges);
    check_buffers(call, edges, made);
    return made;
  });
  if (over.topology().is_bipartite())
    require_edges_between_sides(over, call.name, bundle);
  if (checks_are_on())
    check_assertions(over, call, bundle);
  auto memory = memory_for_lanes(over, call, edges, bundle);
  partitioned_parts parts = collectively(over.context(), [&] {
    return bundle_maker(over, call, edges, std::move(memory)).make(bundle);
  });
  if (checks_are_on() || !is_settled(call.settings))
    agree(over.context(), meet(parts));
  parts.record = over.calls()->begin_part();
  return partitioned_operation(std::move(parts));
}

std::vector<partitioned_buffer> blocks_from(partitioned_buffer const& first, std::size_t count) {
  std::vector<partitioned_buffer> blocks;
  for (std::size_t k = 0; k < count; ++k)
    blocks.push_back({seam::nth_block(first.all(), static_cast<std::int64_t>(k)).data,
                      first.partitions, first.count, first.type});
  return blocks;
}

} // namespace seam
