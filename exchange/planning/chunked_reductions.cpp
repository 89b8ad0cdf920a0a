#include <seam/exchange/planning/chunked_reductions.hpp>

#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/planning/scratch.hpp>
#include <seam/exchange/schedule/reduction.hpp>
#include <seam/exchange/schedule/schedule_writer.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace seam::detail {
namespace {

/// `count` elements of `values` from `first` on.
elements slice(elements const& values, std::int64_t first, std::int64_t count) {
  auto const* const data = static_cast<std::byte const*>(values.data);
  return {data + first * extent_of(values.type), count, values.type};
}

/// Writes a schedule whose steps may be added in any order of rounds. A round begins before the
/// messages of the round before have left, so no round may write what the round before sends.
class chunk_writer : private schedule_writer {
public:
  chunk_writer(chunked_terms const& terms, char const* name)
      : own_(is_in_place(terms.send) ? terms.receive : terms.send),
        combine_(combiner_of(terms.op, own_.type)),
        is_dense_(is_dense(own_.type)) {
    std::int64_t const extent = extent_of(own_.type);
    if (extent <= 0)
      refuse(fmt::format("{}: elements of a datatype with extent {} (expected more than 0)", name,
                         extent));
    length_ = std::max<std::int64_t>(1, terms.chunk_bytes / extent);
    plan_.gates = {0};
    // Values that are only combined wait for the gate, too.
    plan_.copies.push_back({.round = 0, .gates = {0, 1}, .sources = {}, .targets = {}});
  }

  elements const& own() const { return own_; }
  std::int64_t chunk_length() const { return length_; }
  std::int64_t num_chunks(std::int64_t count) const { return (count + length_ - 1) / length_; }

  /// Chunk k of `values`; the last may be shorter, and later ones are empty.
  elements chunk_of(elements const& values, std::int64_t k) const {
    std::int64_t const first = std::clamp<std::int64_t>(k * length_, 0, values.count);
    return slice(values, first, std::min(length_, values.count - first));
  }

  /// Scratch memory for elements like `values`.
  elements scratch_like(elements const& values) { return scratch_for(plan_, values); }

  void send(std::int64_t round, elements const& values, int peer) {
    if (values.count == 0)
      return;
    auto const blocks = blocks_of(values);
    plan_.sends.push_back({.round = enter(round),
                           .peer = peer,
                           .gates = {0, round == 0 ? 1 : 0},
                           .sources = append_sources(blocks),
                           .wire = wire_of(blocks, wire_bytes(values))});
  }

  void receive(std::int64_t round, elements const& into, int peer) {
    if (into.count == 0)
      return;
    auto const blocks = blocks_of(into);
    plan_.receives.push_back({.round = enter(round),
                              .peer = peer,
                              .targets = append_targets(blocks, nullptr),
                              .wire = wire_of(blocks, wire_bytes(into))});
  }

  /// Copies at the beginning of the round.
  void copy(std::int64_t round, elements const& from, elements const& into) {
    if (from.count > 0)
      plan_.copies.push_back({.round = enter(round),
                              .gates = {0, round == 0 ? 1 : 0},
                              .sources = append_sources(blocks_of(from)),
                              .targets = append_targets(blocks_of(into), nullptr)});
  }

  /// At the end of the round: into = from op into.
  void combine(std::int64_t round, elements const& from, elements const& into) {
    add_combine(round, from, into, combine_);
  }

  /// At the end of the round: into = from.
  void replace(std::int64_t round, elements const& from, elements const& into) {
    add_combine(round, from, into, nullptr);
  }

  void will_leave(int peer, elements const& values) { note(plan_.leaving, peer, values); }
  void will_arrive(int peer, elements const& values) { note(plan_.arriving, peer, values); }

  schedule finish() {
    auto const sort = [](auto& steps) {
      std::ranges::stable_sort(steps, {}, [](auto const& step) { return step.round; });
    };
    sort(plan_.sends);
    sort(plan_.receives);
    sort(plan_.copies);
    sort(plan_.combines);
    return std::move(plan_);
  }

private:
  int enter(std::int64_t round) {
    plan_.num_rounds = std::max(plan_.num_rounds, static_cast<int>(round) + 1);
    return static_cast<int>(round);
  }

  void add_combine(std::int64_t round, elements const& from, elements const& into,
                   combiner const& how) {
    if (from.count == 0)
      return;
    bool const by_blocks = how == nullptr && !is_dense_;
    plan_.combines.push_back(
        {.round = enter(round),
         .wire_offset = 0,
         .sources = append_sources(by_blocks ? blocks_of(from) : std::vector{whole(from)}),
         .targets = append_targets(by_blocks ? blocks_of(into) : std::vector{whole(into)}, how)});
  }

  static void note(std::vector<edge_load>& loads, int peer, elements const& values) {
    if (values.count > 0)
      loads.push_back({peer, wire_bytes(values)});
  }

  elements own_;
  combiner combine_;
  bool is_dense_;
  std::int64_t length_ = 1;
};

/// The neighbors of a process in the chain of a scan.
struct chain {
  explicit chain(collective_edges const& over)
      : before(over.rank - 1), after(over.rank + 1), has_after(after < over.num_peers) {}

  bool has_before() const { return before >= 0; }

  int before, after;
  bool has_after;
};

schedule inclusive_scan(chunk_writer steps, chain const& at, elements const& receive) {
  elements const own = steps.own();
  elements const arrived = steps.scratch_like(steps.chunk_of(own, 0));
  for (std::int64_t k = 0; k < steps.num_chunks(own.count); ++k) {
    elements const values = steps.chunk_of(own, k), result = steps.chunk_of(receive, k);
    if (values.data != result.data)
      steps.copy(k, values, result);
    if (at.has_before()) {
      elements const left = slice(arrived, 0, result.count);
      steps.receive(k, left, at.before);
      steps.combine(k, left, result);
    }
    if (at.has_after)
      steps.send(k + 1, result, at.after);
  }
  return steps.finish();
}

/// The process's own values are copied one round before values arrive that may overwrite them.
schedule exclusive_scan(chunk_writer steps, chain const& at, elements const& receive) {
  elements const own = steps.own();
  bool const combines = at.has_before() && at.has_after;
  elements const passed_on = combines ? steps.scratch_like(own) : own;
  for (std::int64_t k = 0; k < steps.num_chunks(own.count); ++k) {
    elements const left = steps.chunk_of(receive, k), leaving = steps.chunk_of(passed_on, k);
    if (combines) {
      steps.copy(k, steps.chunk_of(own, k), leaving);
      steps.combine(k + 1, left, leaving);
    }
    if (at.has_before())
      steps.receive(k + 1, left, at.before);
    if (at.has_after)
      steps.send(k + 2, leaving, at.after);
  }
  return steps.finish();
}

/// The blocks of a reduce-scatter at one process: it sends those of its peers, and combines its own
/// with the blocks that they send.
class scattered_blocks {
public:
  /// @param counts  [num_peers] elements of the block of each rank
  scattered_blocks(chunk_writer& steps, collective_edges const& over,
                   std::vector<std::int64_t> const& counts)
      : steps_(steps), rank_(over.rank) {
    std::int64_t place = 0;
    for (std::int64_t const count : counts) {
      blocks_.push_back(slice(steps.own(), place, count));
      place += count;
    }
    for (int peer = 0; peer < over.num_peers; ++peer) {
      arrived_.push_back(peer == rank_ ? own() : steps.scratch_like(steps.chunk_of(own(), 0)));
      if (peer == rank_)
        continue;
      steps.will_leave(peer, blocks_[peer]);
      steps.will_arrive(peer, own());
    }
  }

  elements const& own() const { return blocks_[rank_]; }

  /// Exchanges chunk k of each block, and combines those of the own block in `into`, from the last
  /// rank's to the first's.
  void write_round(std::int64_t k, elements const& into) {
    int const last = static_cast<int>(blocks_.size()) - 1;
    for (int peer = last; peer >= 0; --peer) {
      bool const is_own = peer == rank_;
      elements const values =
          is_own ? steps_.chunk_of(own(), k) : slice(arrived_[peer], 0, into.count);
      if (!is_own) {
        steps_.send(k, steps_.chunk_of(blocks_[peer], k), peer);
        steps_.receive(k, values, peer);
      }
      if (peer == last)
        steps_.replace(k, values, into);
      else
        steps_.combine(k, values, into);
    }
  }

private:
  chunk_writer& steps_;
  int rank_;
  std::vector<elements> blocks_, arrived_; ///< [num_peers] that leave, or stay; that arrive
};

/// A part of an array of elements.
struct element_range {
  std::int64_t first, count;
};

/// The part of chunk `k`, of chunks of `length` elements from 0 on, that lies in a range.
element_range in_chunk(element_range const& range, std::int64_t k, std::int64_t length) {
  std::int64_t const begin = std::max(range.first, k * length);
  return {begin,
          std::max<std::int64_t>(0, std::min(range.first + range.count, (k + 1) * length) - begin)};
}

/// Writes a reduce-scatter between two sides.
/// @param leaving   [num_peers] values for each peer
/// @param arriving  elements of each peer's message
/// @param own       those among them that are combined, in `result`
schedule exchange_and_combine(chunk_writer steps, std::vector<elements> const& leaving,
                              elements const& arriving, element_range const& own,
                              elements const& result) {
  int const num_peers = static_cast<int>(leaving.size());
  std::vector<elements> arrived;
  for (int peer = 0; peer < num_peers; ++peer) {
    arrived.push_back(steps.scratch_like(steps.chunk_of(arriving, 0)));
    steps.will_leave(peer, leaving[peer]);
    steps.will_arrive(peer, arriving);
  }
  std::int64_t const length = steps.chunk_length();
  std::int64_t const longest = std::max(leaving.front().count, arriving.count);
  for (std::int64_t k = 0; k < steps.num_chunks(longest); ++k) {
    element_range const combined = in_chunk(own, k, length);
    for (int peer = num_peers - 1; peer >= 0; --peer) { // the last is the rightmost operand
      steps.send(k, steps.chunk_of(leaving[peer], k), peer);
      steps.receive(k, slice(arrived[peer], 0, steps.chunk_of(arriving, k).count), peer);
      elements const values = slice(arrived[peer], combined.first - k * length, combined.count);
      elements const into = slice(result, combined.first - own.first, combined.count);
      if (peer == num_peers - 1)
        steps.replace(k, values, into);
      else
        steps.combine(k, values, into);
    }
  }
  return steps.finish();
}

/// Terms whose chunks are equally long on both sides.
chunked_terms with_chunks_of_both(Communicator const& over, int num_peers, chunked_terms terms) {
  terms.chunk_bytes /= over.size() + num_peers;
  return terms;
}

} // namespace

schedule chunked_scan(collective_edges const& over, chunked_terms const& terms, bool exclusive) {
  chunk_writer steps(terms, exclusive ? "exscan" : "scan");
  chain const at(over);
  if (at.has_after)
    steps.will_leave(at.after, steps.own());
  if (at.has_before())
    steps.will_arrive(at.before, steps.own());
  return exclusive ? exclusive_scan(std::move(steps), at, terms.receive)
                   : inclusive_scan(std::move(steps), at, terms.receive);
}

schedule chunked_reduce_scatter(collective_edges const& over, chunked_terms const& terms,
                                std::vector<std::int64_t> const& counts) {
  chunked_terms each = terms;
  each.chunk_bytes /= over.num_peers; // a chunk of each peer arrives in a round
  chunk_writer steps(each, "reduce_scatter");
  scattered_blocks blocks(steps, over, counts);
  elements const own = blocks.own();
  bool const in_place = is_in_place(terms.send);
  elements const result =
      in_place ? steps.scratch_like(own) : elements{terms.receive.data, own.count, own.type};
  std::int64_t const num_rounds = steps.num_chunks(*std::max_element(counts.begin(), counts.end()));
  for (std::int64_t k = 0; k < num_rounds; ++k)
    blocks.write_round(k, steps.chunk_of(result, k));
  if (in_place)
    steps.replace(std::max<std::int64_t>(num_rounds, 1) - 1, result,
                  {terms.receive.data, own.count, own.type});
  return steps.finish();
}

schedule chunked_reduce_scatter_between(Communicator const& over, chunked_terms const& terms) {
  int const num_peers = num_peers_of(over.view().native());
  elements const &sent = terms.send, &result = terms.receive;
  if (sent.count % num_peers != 0)
    refuse(MPI_ERR_COUNT, fmt::format("reduce_scatter_block: {} elements for {} ranks of the other "
                                      "side (expected blocks of one length)",
                                      sent.count, num_peers));
  std::int64_t const count = sent.count / num_peers;
  std::vector<elements> leaving;
  for (int peer = 0; peer < num_peers; ++peer)
    leaving.push_back(slice(sent, peer * count, count));
  return exchange_and_combine({with_chunks_of_both(over, num_peers, terms), "reduce_scatter_block"},
                              leaving, result, {0, result.count}, result);
}

schedule chunked_reduce_scatter_between(Communicator const& over, chunked_terms const& terms,
                                        std::vector<std::int64_t> const& counts) {
  int const num_peers = num_peers_of(over.view().native());
  std::int64_t const count = counts[over.rank()];
  std::int64_t const first =
      std::accumulate(counts.begin(), counts.begin() + over.rank(), std::int64_t{0});
  return exchange_and_combine({with_chunks_of_both(over, num_peers, terms), "reduce_scatter"},
                              std::vector(num_peers, terms.send), terms.send, {first, count},
                              {terms.receive.data, count, terms.send.type});
}

} // namespace seam::detail
