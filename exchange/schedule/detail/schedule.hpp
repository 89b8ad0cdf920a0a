/// Schedules: an operation on a topology as flat data, ready to start.
///
///     Schedule = plan(Operation, Topology, buffers, partitions)
///
/// Every operation is compiled to a schedule (planning/), and the engine knows nothing else. A
/// schedule is a list of steps in rounds. A round's steps may run in any order; a round begins when
/// all arrivals of the one before it are in place. A step that sends waits for its gate: the
/// partition of the user's data that it reads ([Holmes2021] sec. V).
///
///     round 0    send -> peer 1    receive <- peer 3    copy inside this process
///                combine, once all of round 0 has arrived
///     round 1    send ...
#pragma once

#include <seam/exchange/schedule/detail/region.hpp>
#include <seam/exchange/schedule/reduction.hpp>

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

namespace seam::detail {

/// A block, and how arriving data are combined into it.
struct target {
  block where;
  combiner combine = nullptr;
};

/// Consecutive entries of one of a schedule's arrays.
struct range {
  std::int32_t begin = 0, end = 0;
  std::int32_t size() const noexcept { return end - begin; }
};

/// A step's bytes on the wire: `offset` in the staging buffer, or the user's memory itself.
struct wire_span {
  std::int64_t offset = 0;
  std::int64_t bytes = 0;
  std::byte* direct = nullptr; ///< not null: one contiguous block that needs no staging
};

/// Sends `sources` as one message to `peer` once all of `gates` are open.
struct send_step {
  int round, peer;
  range gates, sources;
  wire_span wire;
};

/// Receives one message from `peer` into `targets`.
struct receive_step {
  int round, peer;
  range targets;
  wire_span wire;
};

/// Moves the k-th of `sources` to the k-th of `targets` inside this process once `gates` are open.
struct copy_step {
  int round;
  range gates, sources, targets;
};

/// Combines data into `targets` after all messages of the round have arrived: from the wire at
/// `wire_offset`, or from `sources` of this process if there are any.
struct combine_step {
  int round;
  std::int64_t wire_offset;
  range sources, targets;
};

/// The bytes that travel along one edge, in any number of messages.
struct edge_load {
  int peer;
  std::int64_t bytes;
};

/// One rank's part of an operation. Steps of each kind stand in the order of their rounds; combine
/// steps within a round are carried out one after another, so that a result does not depend on the
/// order of arrival. The k-th step that sends from a to b and the k-th that receives at b from a,
/// in the order of the lists, are the two ends of one message.
struct schedule {
  std::vector<block> sources;
  std::vector<target> targets;
  std::vector<int> gates;
  std::vector<send_step> sends;
  std::vector<receive_step> receives;
  std::vector<copy_step> copies;
  std::vector<combine_step> combines;
  std::vector<std::shared_ptr<void const>> keeps; ///< memory that blocks of the schedule lie in
  std::vector<edge_load> leaving, arriving; ///< for checks: loaded edges, in order for each peer
  /// [sources, plan after plan] the step that brings the data of an edge: a receive, the ~ of a
  /// copy, or no_step. Empty if the planner does not give it.
  std::vector<int> arrivals;
  static constexpr int no_step = std::numeric_limits<int>::min();
  std::int64_t staging_bytes = 0;
  int num_rounds = 1;
  int num_gates = 1;
  bool sources_stay = false; ///< no step writes a source that its round or an earlier one sends
  bool overlapping = false;  ///< targets overlap sources: a round writes no target before all
                             ///< sources that it sends or copies have been read

  std::span<block const> sources_of(range r) const { return part(sources, r); }
  std::span<target const> targets_of(range r) const { return part(targets, r); }
  std::span<int const> gates_of(range r) const { return part(gates, r); }

  /// Appends the rounds of `then`, which has the same gates.
  void append(schedule const& then);

  /// Ranges, gates and rounds exist, rounds ascend, wires lie inside the staging buffer.
  bool is_valid() const;

private:
  template <class T>
  static std::span<T const> part(std::vector<T> const& all, range r) {
    return {all.data() + r.begin, static_cast<std::size_t>(r.size())};
  }
};

} // namespace seam::detail
