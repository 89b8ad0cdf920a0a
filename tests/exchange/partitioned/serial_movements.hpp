/// Collectives that move blocks, as a serial program that knows all processes carries them out:
/// graphs, blocks and what each process has in the end.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <random>
#include <vector>

namespace seam::testing::movements {

inline constexpr int nowhere = -1;
using ranks = std::vector<int>;

/// The edges of all processes.
struct all_edges {
  std::vector<ranks> sources, destinations;

  explicit all_edges(int size) : sources(std::size_t(size)), destinations(std::size_t(size)) {}

  void add(int from, int to) {
    if (from != nowhere)
      destinations[std::size_t(from)].push_back(to);
    if (to != nowhere)
      sources[std::size_t(to)].push_back(from);
  }

  /// The index, among the destinations of the process where it begins, of source `e` of `rank`.
  int other_end(int rank, std::size_t e) const {
    auto const& in = sources[std::size_t(rank)];
    auto nth = std::count(in.begin(), in.begin() + std::ptrdiff_t(e), in[e]);
    auto const& out = destinations[std::size_t(in[e])];
    int d = 0;
    while (out[std::size_t(d)] != rank || nth-- > 0)
      ++d;
    return d;
  }
};

inline int below(int limit, std::mt19937& random) {
  return std::uniform_int_distribution(0, limit - 1)(random);
}

inline void shuffle(std::vector<ranks>& lists, std::mt19937& random) {
  for (ranks& list : lists)
    std::ranges::shuffle(list, random);
}

/// Edges between any processes, some of which lead nowhere or come from nowhere.
inline all_edges any_graph(int size, std::mt19937& random) {
  all_edges graph(size);
  for (int left = below(4 * size, random); left > 0; --left)
    graph.add(below(size + 1, random) - 1, below(size + 1, random) - 1);
  shuffle(graph.sources, random);
  shuffle(graph.destinations, random);
  return graph;
}

/// As any_graph(), with an edge of each process to itself.
inline all_edges graph_with_own_edges(int size, std::mt19937& random) {
  all_edges graph = any_graph(size, random);
  for (int rank = 0; rank < size; ++rank)
    graph.add(rank, rank);
  shuffle(graph.sources, random);
  shuffle(graph.destinations, random);
  return graph;
}

/// Destinations and sources are the same processes in the same order.
inline all_edges two_way_graph(int size, std::mt19937& random) {
  all_edges graph(size);
  for (int left = below(3 * size, random); left > 0; --left) {
    int const one = below(size, random), other = below(size + 1, random) - 1;
    graph.destinations[std::size_t(one)].push_back(other);
    if (other != nowhere && other != one)
      graph.destinations[std::size_t(other)].push_back(one);
  }
  shuffle(graph.destinations, random);
  graph.sources = graph.destinations;
  return graph;
}

inline all_edges complete_graph(int size) {
  all_edges graph(size);
  for (int from = 0; from < size; ++from)
    for (int to = 0; to < size; ++to)
      graph.add(from, to);
  return graph;
}

enum class kind { alltoall, allgather, gather, scatter, bcast };
enum class blocks { equal, counted, listed };

struct subject {
  kind moves;
  blocks lie;
  bool in_place;
};

/// The collective of one case, on all processes.
struct case_of {
  subject what;
  all_edges edges;
  int root, seed;

  bool has_root() const { return what.moves != kind::alltoall && what.moves != kind::allgather; }

  /// Elements of the block along the nth edge between two processes: equal in both directions.
  std::int64_t length_between(int from, int to, std::int64_t nth) const {
    if (what.lie == blocks::equal || what.moves == kind::bcast)
      return drawn(0);
    if (what.moves == kind::allgather || what.moves == kind::gather)
      return drawn(from + 1);
    return drawn((from + 1) * (to + 1) + 3 * std::abs(from - to) + 7 * int(nth));
  }
  std::int64_t leaving_length(int rank, std::size_t d) const {
    auto const& out = edges.destinations[std::size_t(rank)];
    return length_between(rank, out[d], std::count(out.begin(), out.begin() + int(d), out[d]));
  }
  std::int64_t arriving_length(int rank, std::size_t e) const {
    auto const& in = edges.sources[std::size_t(rank)];
    return length_between(in[e], rank, std::count(in.begin(), in.begin() + int(e), in[e]));
  }

private:
  std::int64_t drawn(int number) const {
    constexpr std::array<std::int64_t, 6> lengths{12, 0, 24, 1200, 12, 12000};
    return lengths[std::size_t((seed + 5 * number) % std::ssize(lengths))];
  }
};

/// Blocks in one memory: one behind the other, or apart and in the other order.
struct room {
  std::vector<std::size_t> firsts;
  std::vector<std::int64_t> lengths;
  values memory;

  room(std::vector<std::int64_t> of_blocks, bool apart)
      : firsts(of_blocks.size()), lengths(std::move(of_blocks)) {
    std::size_t next = apart ? 2 : 0;
    for (std::size_t k = 0; k < lengths.size(); ++k) {
      std::size_t const b = apart ? lengths.size() - 1 - k : k;
      firsts[b] = next;
      next += std::size_t(lengths[b]) + (apart ? 3 : 0);
    }
    memory.assign(next, untouched);
  }

  std::int64_t* begin(std::size_t b) { return memory.data() + firsts[b]; }
};

/// Element k of block `block` that a process sends.
inline std::int64_t sent_value(int rank, int block, std::int64_t k, int epoch) {
  return 100'000'000 * (rank + 1) + 1'000'000 * block + 100'000 * epoch + k;
}

inline void put(room& into, std::size_t b, int rank, int block, int epoch) {
  for (std::int64_t k = 0; k < into.lengths[b]; ++k)
    into.begin(b)[k] = sent_value(rank, block, k, epoch);
}

/// The memory of one process in one case.
class process {
public:
  process(case_of const& on, int rank)
      : on_(on),
        rank_(rank),
        out_(on.edges.destinations[std::size_t(rank)]),
        in_(on.edges.sources[std::size_t(rank)]),
        send(lengths_sent(), is_apart()),
        receive(lengths_received(), is_apart()) {}

  /// Writes the values before the call: those to send, and those in place.
  void reset(int epoch) {
    std::ranges::fill(receive.memory, untouched);
    for (std::size_t b = 0; b < send.lengths.size(); ++b)
      put(send, b, rank_, int(b), epoch);
    if (on_.what.moves == kind::bcast && is_root())
      put(receive, 0, rank_, 0, epoch);
    if (!on_.what.in_place)
      return;
    if (on_.what.moves == kind::alltoall)
      for (std::size_t b = 0; b < in_.size(); ++b)
        put(receive, b, rank_, int(b), epoch);
    if (on_.what.moves == kind::allgather)
      put(receive, first_own(), rank_, 0, epoch);
    if (on_.what.moves == kind::gather && is_root())
      for (std::size_t b = 0; b < in_.size(); ++b)
        if (in_[b] == rank_)
          put(receive, b, rank_, 90 + int(b), epoch);
  }

  /// Carries out the collective: writes the values after the call.
  void carry_out(int epoch) {
    reset(epoch);
    if (on_.what.moves == kind::bcast)
      receive_from_root(epoch, 0);
    else if (on_.what.moves == kind::scatter)
      receive_from_root(epoch, last_edge_from_root());
    else if (on_.what.moves != kind::gather || is_root())
      for (std::size_t e = 0; e < in_.size(); ++e)
        receive_from(e, epoch);
  }

  bool is_root() const { return rank_ == on_.root; }

  /// True if this process has blocks to send, and to receive, apart from a single one.
  bool has_list_to_send() const { return on_.what.moves != kind::scatter || is_root(); }
  bool has_list_to_receive() const { return on_.what.moves != kind::gather || is_root(); }

private:
  bool is_apart() const { return on_.what.lie == blocks::listed; }

  std::vector<std::int64_t> lengths_sent() const {
    std::vector<std::int64_t> lengths;
    bool const has_list = on_.what.moves == kind::alltoall || on_.what.moves == kind::scatter;
    for (std::size_t d = 0; has_list && has_list_to_send() && d < out_.size(); ++d)
      lengths.push_back(on_.leaving_length(rank_, d));
    if (on_.what.moves == kind::allgather || on_.what.moves == kind::gather)
      lengths.push_back(on_.length_between(rank_, rank_, 0));
    return lengths;
  }

  std::vector<std::int64_t> lengths_received() const {
    if (on_.what.moves == kind::bcast)
      return {on_.length_between(0, 0, 0)};
    if (on_.what.moves == kind::scatter)
      return {scattered_length()};
    std::vector<std::int64_t> lengths;
    for (std::size_t e = 0; has_list_to_receive() && e < in_.size(); ++e)
      lengths.push_back(on_.arriving_length(rank_, e));
    return lengths;
  }

  int last_edge_from_root() const {
    auto const& of_root = on_.edges.destinations[std::size_t(on_.root)];
    int last = nowhere;
    for (int d = 0; d < std::ssize(of_root); ++d)
      if (of_root[std::size_t(d)] == rank_)
        last = d;
    return last;
  }

  std::int64_t scattered_length() const {
    int const last = last_edge_from_root();
    return last == nowhere ? 5 : on_.leaving_length(on_.root, std::size_t(last));
  }

  void receive_from_root(int epoch, int block) {
    bool const stays = is_root() && (on_.what.in_place || on_.what.moves == kind::bcast);
    if (last_edge_from_root() != nowhere && !stays)
      put(receive, 0, on_.root, block, epoch);
  }

  void receive_from(std::size_t e, int epoch) {
    bool const stays = on_.what.moves == kind::gather && on_.what.in_place && in_[e] == rank_;
    if (in_[e] == nowhere || stays)
      return;
    int const block = on_.what.moves == kind::alltoall ? on_.edges.other_end(rank_, e) : 0;
    put(receive, e, in_[e], block, epoch);
  }

  std::size_t first_own() const { return std::size_t(std::ranges::find(in_, rank_) - in_.begin()); }

  case_of const& on_;
  int rank_;
  ranks out_, in_;

public:
  room send, receive;
};

} // namespace seam::testing::movements
