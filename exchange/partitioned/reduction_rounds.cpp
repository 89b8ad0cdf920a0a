#include <seam/exchange/partitioned/reduction_rounds.hpp>

#include <seam/exchange/mpi/detail/check.hpp>
#include <seam/exchange/schedule/reduction.hpp>
#include <seam/exchange/schedule/schedule_writer.hpp>

#include <bit>
#include <memory>
#include <optional>

namespace seam::detail {
namespace {

/// Writes a schedule round by round. Values that are sent are never overwritten, because a round
/// begins before the messages of the last one have left. The user's result is written at the end,
/// when they have left.
class rounds : private schedule_writer {
public:
  explicit rounds(reduction_terms const& terms)
      : like_(terms.own), combine_(combiner_of(terms.op, terms.own.type)) {
    plan_.gates = {0};
    plan_.num_rounds = 0;
  }

  /// Begins the next round: messages and combinations that follow belong to it.
  void next() { ++plan_.num_rounds; }

  void send(elements const& values, int peer) {
    if (values.count == 0)
      return;
    auto const blocks = blocks_of(values);
    plan_.sends.push_back({.round = round(),
                           .peer = peer,
                           .gates = {0, round() == 0 ? 1 : 0},
                           .sources = append_sources(blocks),
                           .wire = wire_of(blocks, wire_bytes(values))});
  }

  elements receive(int peer) {
    elements const values = room();
    if (values.count == 0)
      return values;
    auto const blocks = blocks_of(values);
    plan_.receives.push_back({.round = round(),
                              .peer = peer,
                              .targets = append_targets(blocks, nullptr),
                              .wire = wire_of(blocks, wire_bytes(values))});
    return values;
  }

  /// Returns left op right, in the memory of `right`.
  elements combined(elements const& left, elements const& right) {
    combine(left, right, combine_);
    return right;
  }

  elements copy_of(elements const& values) {
    elements const copy = room();
    combine(values, copy, nullptr);
    return copy;
  }

  /// Ends the schedule with `values` in the user's `result`.
  schedule finish(elements const& values, elements const& result) {
    plan_.num_rounds = std::max(plan_.num_rounds, 1);
    if (result.count > 0 && values.data != result.data)
      combine(values, result, nullptr);
    return finish();
  }

  schedule finish() {
    plan_.num_rounds = std::max(plan_.num_rounds, 1);
    return std::move(plan_);
  }

private:
  int round() const { return plan_.num_rounds - 1; }

  /// Memory for one more set of values.
  elements room() {
    auto const memory =
        std::make_shared<std::vector<std::byte>>(like_.count * extent_of(like_.type));
    plan_.keeps.push_back(memory);
    return {memory->data(), like_.count, like_.type};
  }

  void combine(elements const& from, elements const& into, combiner const& how) {
    if (from.count == 0)
      return;
    bool const replaces = how == nullptr;
    plan_.combines.push_back(
        {.round = round(),
         .wire_offset = 0,
         .sources = append_sources(replaces ? blocks_of(from) : std::vector{whole(from)}),
         .targets = append_targets(replaces ? blocks_of(into) : std::vector{whole(into)}, how)});
  }

  /// One block from the first element to the end of the last, gaps included.
  static block whole(elements const& values) {
    auto* const data = static_cast<std::byte*>(const_cast<void*>(values.data));
    return {.first = data, .row_bytes = values.count * extent_of(values.type)};
  }

  elements like_;
  combiner combine_;
};

bool is_commutative(MPI_Op op) {
  int commutes = 0;
  mpi::check(MPI_Op_commutative(op, &commutes), "MPI_Op_commutative");
  return commutes != 0;
}

/// The processes of an allreduce by recursive doubling: a power of two of them have places. Of each
/// of the first `num_extra` pairs of ranks the lower one only adds its values to the other's.
struct doubling_places {
  explicit doubling_places(int size)
      : num_places(static_cast<int>(std::bit_floor(static_cast<unsigned>(size)))),
        num_extra(size - num_places) {}

  bool is_paired(int rank) const { return rank < 2 * num_extra; }
  int place_of(int rank) const { return is_paired(rank) ? rank / 2 : rank - num_extra; }
  int rank_at(int place) const { return place < num_extra ? 2 * place + 1 : place + num_extra; }

  int num_places, num_extra;
};

/// Combines the values of all places on each of them, in the order of the places.
elements combine_places(rounds& steps, elements values, doubling_places const& all, int place) {
  for (int distance = 1; distance < all.num_places; distance *= 2) {
    int const peer_place = place ^ distance;
    int const peer = all.rank_at(peer_place);
    steps.next();
    steps.send(values, peer);
    auto const received = steps.receive(peer);
    values = peer_place < place ? steps.combined(received, steps.copy_of(values))
                                : steps.combined(values, received);
  }
  return values;
}

} // namespace

schedule allreduce_rounds(reduction_terms const& terms) {
  int const rank = terms.rank;
  doubling_places const all(terms.size);
  bool const paired = all.is_paired(rank);
  rounds steps(terms);
  elements values = terms.own;
  if (paired && rank % 2 == 0) {
    steps.next();
    steps.send(values, rank + 1);
    steps.next();
    return steps.finish(steps.receive(rank + 1), terms.result);
  }
  if (paired) {
    steps.next();
    auto const left = steps.receive(rank - 1);
    values = steps.combined(left, steps.copy_of(values));
  }
  values = combine_places(steps, values, all, all.place_of(rank));
  if (paired) {
    steps.next();
    steps.send(values, rank - 1);
  }
  return steps.finish(values, terms.result);
}

schedule reduce_rounds(reduction_terms const& terms, int root) {
  // A tree whose root is not rank 0 rotates the order of operands.
  int const top = is_commutative(terms.op) ? root : 0;
  int const place = (terms.rank - top + terms.size) % terms.size;
  rounds steps(terms);
  elements values = terms.own;
  for (int distance = 1; distance < terms.size && place % distance == 0; distance *= 2) {
    if (place % (2 * distance) != 0) {
      steps.next();
      steps.send(values, (place - distance + top) % terms.size);
    } else if (place + distance < terms.size) {
      steps.next();
      auto const right = steps.receive((place + distance + top) % terms.size);
      values = steps.combined(values, right);
    }
  }
  if (top != root && terms.rank == top) {
    steps.next();
    steps.send(values, root);
  }
  if (terms.rank != root)
    return steps.finish();
  if (top != root) {
    steps.next();
    values = steps.receive(top);
  }
  return steps.finish(values, terms.result);
}

schedule scan_rounds(reduction_terms const& terms, bool exclusive) {
  rounds steps(terms);
  elements values = terms.own;
  std::optional<elements> before;
  for (int distance = 1; distance < terms.size; distance *= 2) {
    steps.next();
    if (terms.rank + distance < terms.size)
      steps.send(values, terms.rank + distance);
    if (terms.rank < distance)
      continue;
    auto const left = steps.receive(terms.rank - distance);
    values = steps.combined(left, steps.copy_of(values));
    if (exclusive)
      before = before ? steps.combined(left, steps.copy_of(*before)) : left;
  }
  if (!exclusive)
    return steps.finish(values, terms.result);
  return before ? steps.finish(*before, terms.result) : steps.finish();
}

schedule barrier_rounds(int rank, int size) {
  static std::byte token{};
  rounds steps(
      {.own = {&token, 1, MPI_BYTE}, .result = {}, .op = MPI_BOR, .rank = rank, .size = size});
  for (int distance = 1; distance < size; distance *= 2) {
    steps.next();
    steps.send({&token, 1, MPI_BYTE}, (rank + distance) % size);
    steps.receive((rank - distance + size) % size);
  }
  return steps.finish();
}

} // namespace seam::detail
