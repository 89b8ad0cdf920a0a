#include <seam/exchange/planning/alltoallw.hpp>

#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/planning/scratch.hpp>
#include <seam/exchange/transport/message/message.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace seam {
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
  auto const bytes_of = [](Block const& one) {
    if constexpr (requires { one.where; })
      return one.where.bytes();
    else
      return one.bytes();
  };
  std::vector<loaded_edge> loaded;
  for (int e = 0; e < std::ssize(edges); ++e) {
    auto const at = static_cast<std::size_t>(e);
    if (edges[at].leads_nowhere())
      continue;
    loaded_edge one{e, edges[at].rank, {offsets[at], offsets[at + 1]}, 0};
    for (int b = one.blocks.begin; b < one.blocks.end; ++b)
      one.bytes += bytes_of(blocks[static_cast<std::size_t>(b)]);
    loaded.push_back(one);
  }
  return loaded;
}

std::vector<edge_load> loads_of(std::vector<loaded_edge> const& edges) {
  std::vector<edge_load> loads;
  for (loaded_edge const& one : edges)
    if (one.bytes > 0)
      loads.push_back({one.peer, one.bytes});
  return loads;
}

/// Groups edges by peer, nearest following rank first; the process itself comes first of all. The
/// order of edges to the same peer stays, which is what makes the k-th edges of both sides meet.
void order_by_peer(std::vector<loaded_edge>& edges, int rank, int num_processes) {
  auto const distance = [&](loaded_edge const& one) {
    return (one.peer - rank + num_processes) % num_processes;
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
                                    [](target const& one) { return one.combine != nullptr; });
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
    arrive(edges, static_cast<int>(plan_.receives.size()));
    plan_.receives.push_back(step);
  }

  void keep(std::span<loaded_edge const> leaving, std::span<loaded_edge const> arriving) {
    range const sources = append_sources(leaving), targets = append_targets(arriving);
    arrive(arriving, ~static_cast<int>(plan_.copies.size()));
    bool const in_turn = buffers_.overlapping && sources.size() > 0;
    if (!combines_ && !in_turn)
      plan_.copies.push_back({0, gates(leaving), sources, targets});
    else if (in_turn)
      move_later(arriving, put_aside(gates(leaving), sources), targets.begin);
    else {
      plan_.copies.push_back({0, gates(leaving), {}, {}}); // what is combined waits for gates, too
      move_later(arriving, sources.begin, targets.begin);
    }
  }

  schedule finish() {
    std::ranges::sort(ordered_, {}, &ordered_combine::edge);
    for (ordered_combine const& one : ordered_)
      plan_.combines.push_back(one.step);
    plan_.sources_stay = !buffers_.overlapping;
    plan_.overlapping = buffers_.overlapping;
    return std::move(plan_);
  }

private:
  struct ordered_combine {
    int edge;
    combine_step step;
  };

  /// `step` is what brings the data of `edges`.
  void arrive(std::span<loaded_edge const> edges, int step) {
    for (loaded_edge const& one : edges)
      plan_.arrivals[static_cast<std::size_t>(one.index)] = step;
  }

  /// Copies `sources` to memory of the schedule. Returns the index of the first block there: block
  /// by block what the sources hold.
  int put_aside(range const& opened_by, range const& sources) {
    std::vector<block> aside;
    for (block const& from : plan_.sources_of(sources))
      aside.push_back({.first = scratch(plan_, from.bytes()), .row_bytes = from.bytes()});
    auto const first = static_cast<int>(plan_.targets.size());
    for (block const& where : aside)
      plan_.targets.push_back({where});
    plan_.copies.push_back(
        {0, opened_by, sources, {first, static_cast<int>(plan_.targets.size())}});
    plan_.sources.insert(plan_.sources.end(), aside.begin(), aside.end());
    return static_cast<int>(plan_.sources.size() - aside.size());
  }

  /// Moves blocks from `source` on to those of `edges`, from `target` on, at the end of the round.
  void move_later(std::span<loaded_edge const> edges, int source, int target) {
    for (loaded_edge const& one : edges) {
      int const count = one.blocks.size();
      ordered_.push_back({one.index, {0, 0, {source, source + count}, {target, target + count}}});
      source += count;
      target += count;
    }
  }

  /// The gates that `edges` wait for, each once.
  range gates(std::span<loaded_edge const> edges) {
    auto const begin = static_cast<int>(plan_.gates.size());
    for (loaded_edge const& one : edges) {
      int const gate =
          buffers_.gates.empty() ? 0 : buffers_.gates[static_cast<std::size_t>(one.index)];
      if (std::find(plan_.gates.begin() + begin, plan_.gates.end(), gate) == plan_.gates.end())
        plan_.gates.push_back(gate);
    }
    return {begin, static_cast<int>(plan_.gates.size())};
  }

  template <class Block>
  static range append(std::vector<Block>& into, std::vector<Block> const& from,
                      std::span<loaded_edge const> edges) {
    auto const begin = static_cast<int>(into.size());
    for (loaded_edge const& one : edges)
      into.insert(into.end(), from.begin() + one.blocks.begin, from.begin() + one.blocks.end);
    return {begin, static_cast<int>(into.size())};
  }
  range append_sources(std::span<loaded_edge const> edges) {
    return append(plan_.sources, buffers_.sources, edges);
  }
  range append_targets(std::span<loaded_edge const> edges) {
    return append(plan_.targets, buffers_.targets, edges);
  }

  /// Where the bytes of `edges` travel: at `direct`, or in the next free lines of the staging
  /// buffer.
  wire_span wire(std::span<loaded_edge const> edges, std::byte* direct) {
    constexpr std::int64_t cache_line = 64;
    wire_span span{.offset = plan_.staging_bytes, .bytes = 0, .direct = direct};
    for (loaded_edge const& one : edges)
      span.bytes += one.bytes;
    if (direct == nullptr)
      plan_.staging_bytes += (span.bytes + cache_line - 1) / cache_line * cache_line;
    return span;
  }

  void combine_later(std::span<loaded_edge const> edges, std::int64_t wire_offset, int first) {
    for (loaded_edge const& one : edges) {
      range const targets{first, first + one.blocks.size()};
      ordered_.push_back({one.index, {0, wire_offset, {}, targets}});
      wire_offset += one.bytes;
      first = targets.end;
    }
  }

  alltoallw_buffers const& buffers_;
  schedule plan_;
  std::vector<ordered_combine> ordered_;
  bool combines_ = false;
};

/// Two short messages are cheaper than one that is not.
bool pays_apart(std::vector<loaded_edge> const& merged) {
  return merged.size() == 2 &&
         std::max(merged[0].bytes, merged[1].bytes) <= longest_short_message &&
         merged[0].bytes + merged[1].bytes > longest_short_message;
}

/// The edges of each message. Small ones to the same peer share messages; a large one, whose blocks
/// may then travel from where they lie to where they belong, has its own. Both ends of an edge know
/// its bytes, and so form the same messages in the same order.
std::vector<std::vector<loaded_edge>> form_messages(std::vector<loaded_edge> const& edges) {
  std::vector<std::vector<loaded_edge>> messages;
  std::size_t shared = 0; // the message that small edges join
  std::int64_t room = 0;
  for (std::size_t e = 0; e < edges.size(); ++e) {
    bool const new_peer = e == 0 || edges[e].peer != edges[e - 1].peer;
    if (!new_peer && edges[e].bytes <= room) {
      messages[shared].push_back(edges[e]);
      room -= edges[e].bytes;
      continue;
    }
    std::int64_t const left = most_merged_bytes - edges[e].bytes;
    if (new_peer || left > room) {
      shared = messages.size();
      room = left;
    }
    messages.push_back({edges[e]});
  }
  for (std::size_t m = messages.size(); m-- > 0;)
    if (pays_apart(messages[m])) {
      loaded_edge const second = messages[m].back();
      messages[m].pop_back();
      messages.insert(messages.begin() + static_cast<std::ptrdiff_t>(m) + 1, {second});
    }
  return messages;
}

/// Takes the edges to the process itself off the front of `edges`.
std::vector<loaded_edge> take_own(std::vector<loaded_edge>& edges, int rank) {
  auto const own =
      std::ranges::find_if(edges, [&](loaded_edge const& one) { return one.peer != rank; });
  std::vector<loaded_edge> kept(edges.begin(), own);
  edges.erase(edges.begin(), own);
  return kept;
}

/// The k-th edge out of this process back into it and the k-th edge in carry the same blocks.
void check_own(int rank, std::vector<loaded_edge> const& leaving,
               std::vector<loaded_edge> const& arriving) {
  for (std::size_t k = 0; k < std::max(leaving.size(), arriving.size()); ++k)
    check_own_bytes(rank, k < leaving.size() ? leaving[k].bytes : 0,
                    k < arriving.size() ? arriving[k].bytes : 0);
  auto const num_blocks = [](loaded_edge const& one) { return one.blocks.size(); };
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
    write.keep(own_leaving, own_arriving);
  schedule made = write.finish();
  made.leaving = std::move(leaving_loads);
  made.arriving = std::move(arriving_loads);
  return made;
}

} // namespace seam
