#include <seam/exchange/planning/alltoallw.hpp>

#include <seam/exchange/ground/cache_line.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/planning/scratch.hpp>
#include <seam/exchange/transport/message/message.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace seam::detail {
namespace {

/// One edge of this process with the number of bytes that travel along it.
struct loaded_edge {
  int index, peer;
  range blocks;
  std::int64_t bytes;
};

template <class Block>
std::vector<loaded_edge> load_edges(std::span<edge const> edges, std::vector<int> const& offsets,
                                    std::vector<Block> const& blocks) {
  auto const bytes_of = [](Block const& memory) {
    if constexpr (requires { memory.where; })
      return memory.where.bytes();
    else
      return memory.bytes();
  };
  std::vector<loaded_edge> all;
  for (int e = 0; e < std::ssize(edges); ++e) {
    if (edges[e].leads_nowhere())
      continue;
    loaded_edge loaded{e, edges[e].rank, {offsets[e], offsets[e + 1]}, 0};
    for (int b = loaded.blocks.begin; b < loaded.blocks.end; ++b)
      loaded.bytes += bytes_of(blocks[b]);
    all.push_back(loaded);
  }
  return all;
}

std::vector<edge_load> loads_of(std::vector<loaded_edge> const& edges) {
  std::vector<edge_load> loads;
  for (loaded_edge const& loaded : edges)
    if (loaded.bytes > 0)
      loads.push_back({loaded.peer, loaded.bytes});
  return loads;
}

/// Groups edges by peer, nearest following rank first; edges to the process itself come first.
/// Edges to the same peer stay in order, so that the k-th edges of both sides match.
void order_by_peer(std::vector<loaded_edge>& edges, int rank, int num_processes) {
  auto const distance = [&](loaded_edge const& loaded) {
    return (loaded.peer - rank + num_processes) % num_processes;
  };
  std::ranges::stable_sort(edges, {}, distance);
}

/// Writes a schedule. send() and receive() take the edges of one message each.
class writer {
public:
  explicit writer(alltoallw_buffers const& buffers) : buffers_(buffers) {
    plan_.arrivals.assign(buffers.sources2targets.size() - 1, schedule::no_step);
    plan_.num_gates = 1;
    for (int gate : buffers.gates)
      plan_.num_gates = std::max(plan_.num_gates, gate + 1);
    combines_ = std::ranges::any_of(buffers.targets,
                                    [](target const& memory) { return memory.combine != nullptr; });
  }

  void send(std::span<loaded_edge const> edges) {
    send_step step{
        .round = 0, .peer = edges[0].peer, .gates = gates(edges), .sources = {}, .wire = {}};
    step.sources = append_sources(edges);
    auto const blocks = plan_.sources_of(step.sources);
    bool const direct = !buffers_.overlapping && blocks.size() == 1 && blocks[0].is_contiguous();
    step.wire = wire(edges, direct ? blocks[0].first : nullptr);
    if (step.wire.bytes > 0)
      plan_.sends.push_back(step);
  }

  void receive(std::span<loaded_edge const> edges) {
    receive_step step{.round = 0, .peer = edges[0].peer, .targets = {}, .wire = {}};
    range const all = append_targets(edges);
    auto const blocks = plan_.targets_of(all);
    bool const direct = !combines_ && !buffers_.overlapping && blocks.size() == 1 &&
                        blocks[0].where.is_contiguous();
    step.wire = wire(edges, direct ? blocks[0].where.first : nullptr);
    if (combines_)
      combine_later(edges, step.wire.offset, all.begin);
    else
      step.targets = all;
    if (step.wire.bytes == 0)
      return;
    note_arrivals(edges, static_cast<int>(plan_.receives.size()));
    plan_.receives.push_back(step);
  }

  void copy_inside(std::span<loaded_edge const> leaving, std::span<loaded_edge const> arriving) {
    range const sources = append_sources(leaving), targets = append_targets(arriving);
    note_arrivals(arriving, ~static_cast<int>(plan_.copies.size()));
    bool const in_turn = buffers_.overlapping && sources.size() > 0;
    if (!combines_ && !in_turn)
      plan_.copies.push_back({0, gates(leaving), sources, targets});
    else if (in_turn)
      move_later(arriving, copy_aside(gates(leaving), sources), targets.begin);
    else {
      plan_.copies.push_back({0, gates(leaving), {}, {}}); // combined blocks wait for gates, too
      move_later(arriving, sources.begin, targets.begin);
    }
  }

  schedule finish() {
    std::ranges::sort(ordered_, {}, &ordered_combine::edge);
    for (ordered_combine const& ordered : ordered_)
      plan_.combines.push_back(ordered.step);
    plan_.sources_stay = !buffers_.overlapping;
    plan_.overlapping = buffers_.overlapping;
    return std::move(plan_);
  }

private:
  struct ordered_combine {
    int edge;
    combine_step step;
  };

  /// Notes that the data of `edges` is in place after `step`.
  void note_arrivals(std::span<loaded_edge const> edges, int step) {
    for (loaded_edge const& loaded : edges)
      plan_.arrivals[loaded.index] = step;
  }

  /// Copies `sources` to scratch memory. Returns the index of the first block there.
  int copy_aside(range const& opened_by, range const& sources) {
    std::vector<block> copies;
    for (block const& from : plan_.sources_of(sources))
      copies.push_back({.first = scratch(plan_, from.bytes()), .row_bytes = from.bytes()});
    auto const first = static_cast<int>(plan_.targets.size());
    for (block const& memory : copies)
      plan_.targets.push_back({memory});
    plan_.copies.push_back(
        {0, opened_by, sources, {first, static_cast<int>(plan_.targets.size())}});
    plan_.sources.insert(plan_.sources.end(), copies.begin(), copies.end());
    return static_cast<int>(plan_.sources.size() - copies.size());
  }

  /// Copies the blocks of `edges` at the end of the round: blocks `source`, source + 1, ... to
  /// blocks `target`, target + 1, ...
  void move_later(std::span<loaded_edge const> edges, int source, int target) {
    for (loaded_edge const& loaded : edges) {
      int const count = loaded.blocks.size();
      ordered_.push_back({loaded.index,
                          {0, 0, {source, source + count}, {target, target + count}}});
      source += count;
      target += count;
    }
  }

  /// The gates that `edges` wait for, each once.
  range gates(std::span<loaded_edge const> edges) {
    auto const begin = static_cast<int>(plan_.gates.size());
    for (loaded_edge const& loaded : edges) {
      int const gate = buffers_.gates.empty() ? 0 : buffers_.gates[loaded.index];
      if (std::find(plan_.gates.begin() + begin, plan_.gates.end(), gate) == plan_.gates.end())
        plan_.gates.push_back(gate);
    }
    return {begin, static_cast<int>(plan_.gates.size())};
  }

  template <class Block>
  static range append(std::vector<Block>& into, std::vector<Block> const& from,
                      std::span<loaded_edge const> edges) {
    auto const begin = static_cast<int>(into.size());
    for (loaded_edge const& loaded : edges)
      into.insert(into.end(), from.begin() + loaded.blocks.begin, from.begin() + loaded.blocks.end);
    return {begin, static_cast<int>(into.size())};
  }
  range append_sources(std::span<loaded_edge const> edges) {
    return append(plan_.sources, buffers_.sources, edges);
  }
  range append_targets(std::span<loaded_edge const> edges) {
    return append(plan_.targets, buffers_.targets, edges);
  }

  /// The wire of the bytes of `edges`: at `direct`, or the next free lines of the staging buffer.
  wire_span wire(std::span<loaded_edge const> edges, std::byte* direct) {
    wire_span span{.offset = plan_.staging_bytes, .bytes = 0, .direct = direct};
    for (loaded_edge const& loaded : edges)
      span.bytes += loaded.bytes;
    if (direct == nullptr)
      plan_.staging_bytes += in_whole_lines(span.bytes);
    return span;
  }

  void combine_later(std::span<loaded_edge const> edges, std::int64_t wire_offset, int first) {
    for (loaded_edge const& loaded : edges) {
      range const targets{first, first + loaded.blocks.size()};
      ordered_.push_back({loaded.index, {0, wire_offset, {}, targets}});
      wire_offset += loaded.bytes;
      first = targets.end;
    }
  }

  alltoallw_buffers const& buffers_;
  schedule plan_;
  std::vector<ordered_combine> ordered_;
  bool combines_ = false;
};

/// True if two edges should not share a message, as two short messages are cheaper than a long one.
bool pays_apart(std::vector<loaded_edge> const& merged) {
  return merged.size() == 2 &&
         std::max(merged[0].bytes, merged[1].bytes) <= longest_short_message &&
         merged[0].bytes + merged[1].bytes > longest_short_message;
}

/// The edges of each message. Small edges to the same peer share messages; a large edge has its
/// own, so that its blocks may travel without being packed. Both ends of an edge know its bytes,
/// and so form the same messages in the same order.
std::vector<std::vector<loaded_edge>> form_messages(std::vector<loaded_edge> const& edges) {
  std::vector<std::vector<loaded_edge>> messages;
  int shared = 0; // the message that small edges join
  std::int64_t bytes_free = 0;
  for (int e = 0; e < std::ssize(edges); ++e) {
    bool const new_peer = e == 0 || edges[e].peer != edges[e - 1].peer;
    if (!new_peer && edges[e].bytes <= bytes_free) {
      messages[shared].push_back(edges[e]);
      bytes_free -= edges[e].bytes;
      continue;
    }
    std::int64_t const left = most_merged_bytes - edges[e].bytes;
    if (new_peer || left > bytes_free) {
      shared = messages.size();
      bytes_free = left;
    }
    messages.push_back({edges[e]});
  }
  for (auto m = std::ssize(messages); m-- > 0;)
    if (pays_apart(messages[m])) {
      loaded_edge const second = messages[m].back();
      messages[m].pop_back();
      messages.insert(messages.begin() + m + 1, {second});
    }
  return messages;
}

/// Removes the edges to the process itself from the front of `edges`, and returns them.
std::vector<loaded_edge> take_own(std::vector<loaded_edge>& edges, int rank) {
  auto const own =
      std::ranges::find_if(edges, [&](loaded_edge const& loaded) { return loaded.peer != rank; });
  std::vector<loaded_edge> taken(edges.begin(), own);
  edges.erase(edges.begin(), own);
  return taken;
}

/// Refuses self-edges whose k-th outgoing end has other blocks than the k-th incoming end.
void check_own(int rank, std::vector<loaded_edge> const& leaving,
               std::vector<loaded_edge> const& arriving) {
  for (int k = 0; k < std::max(std::ssize(leaving), std::ssize(arriving)); ++k)
    check_own_bytes(rank, k < std::ssize(leaving) ? leaving[k].bytes : 0,
                    k < std::ssize(arriving) ? arriving[k].bytes : 0);
  auto const num_blocks = [](loaded_edge const& loaded) { return loaded.blocks.size(); };
  if (!std::ranges::equal(leaving, arriving, {}, num_blocks, num_blocks))
    refuse(fmt::format("alltoallw: edges of rank {} to itself in other blocks than from itself "
                       "(expected the same)",
                       rank));
}

} // namespace

void check_own_bytes(int rank, std::int64_t sent, std::int64_t expected) {
  if (sent != expected)
    refuse(fmt::format("alltoallw: rank {} sends {} bytes to itself and expects {} from there "
                       "(expected the same)",
                       rank, sent, expected));
}

schedule make_alltoallw(int rank, int num_processes, Topology const& topology,
                        alltoallw_buffers const& buffers) {
  auto leaving = load_edges(topology.destinations(), buffers.destinations2sources, buffers.sources);
  auto arriving = load_edges(topology.sources(), buffers.sources2targets, buffers.targets);
  auto leaving_loads = loads_of(leaving), arriving_loads = loads_of(arriving);
  order_by_peer(leaving, rank, num_processes);
  order_by_peer(arriving, rank, num_processes);
  auto const own_leaving = take_own(leaving, rank), own_arriving = take_own(arriving, rank);
  check_own(rank, own_leaving, own_arriving);

  writer write(buffers);
  for (auto const& message : form_messages(leaving))
    write.send(message);
  for (auto const& message : form_messages(arriving))
    write.receive(message);
  if (!own_leaving.empty())
    write.copy_inside(own_leaving, own_arriving);
  schedule steps = write.finish();
  steps.leaving = std::move(leaving_loads);
  steps.arriving = std::move(arriving_loads);
  return steps;
}

} // namespace seam::detail
