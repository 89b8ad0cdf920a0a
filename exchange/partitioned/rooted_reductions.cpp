#include <seam/exchange/partitioned/reductions.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/collectives/bcast.hpp>
#include <seam/exchange/collectives/gather.hpp>
#include <seam/exchange/collectives/reduce.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/mpi/detail/names.hpp>
#include <seam/exchange/partitioned/edges.hpp>
#include <seam/exchange/partitioned/reduction_pieces.hpp>
#include <seam/exchange/partitioned/reduction_rounds.hpp>
#include <seam/exchange/planning/detail/collective_edges.hpp>

#include <fmt/format.h>

#include <array>
#include <set>
#include <span>
#include <vector>

namespace seam {
using namespace detail;

namespace {

/// The partitions of the process `rank`. Collective.
partitioned_buffer partitions_of(Communicator const& over, partitioned_buffer const& mine,
                                 int rank) {
  std::array<std::int64_t, 2> numbers{mine.partitions, mine.count};
  mpi::bcast(over.context(), std::span<std::int64_t>(numbers), rank);
  return {nullptr, static_cast<int>(numbers[0]), numbers[1], mine.type};
}

/// Refuses partitions of this process that differ from `expected`, those of the other ranks that
/// `others` names, or hold another number of elements than the root's.
void check_partitions(partitioned_buffer const& mine, partitioned_buffer const& expected,
                      partitioned_buffer const& of_root, char const* others) {
  if (mine.partitions != expected.partitions || mine.count != expected.count)
    refuse(fmt::format("preduce_init: {} (expected {} as on other ranks {})", words_of(mine),
                       words_of(expected), others));
  if (mine.num_elements() != of_root.num_elements())
    refuse(fmt::format("preduce_init: {} (expected {} elements as at the root)", words_of(mine),
                       of_root.num_elements()));
}

std::set<std::int64_t> cuts_of_both(partitioned_buffer const& of_root,
                                    partitioned_buffer const& of_leaf) {
  auto cuts = cuts_of(of_root);
  cuts.merge(cuts_of(of_leaf));
  return cuts;
}

/// The places where the root cuts, and those where the other ranks cut. Collective.
std::set<std::int64_t> cuts_of_reduce(Communicator const& over, partitioned_buffer const& mine,
                                      int root) {
  auto const of_root = partitions_of(over, mine, root);
  auto const of_leaf = partitions_of(over, mine, (root + 1) % over.size());
  collectively(over.context(), [&] {
    check_partitions(mine, over.rank() == root ? of_root : of_leaf, of_root,
                     "that are not the root");
  });
  return cuts_of_both(of_root, of_leaf);
}

/// The places where the root cuts, and those where the other side cuts, of a bipartite
/// communicator: the root and a process of the other side tell each other. Collective.
std::set<std::int64_t> cuts_between_sides(Communicator const& over, partitioned_buffer const& mine,
                                          int root) {
  using numbers = std::array<std::int64_t, 2>;
  auto const elements_at = [](numbers const* first, std::int64_t count) {
    return elements{first, 2 * count, MPI_INT64_T};
  };
  numbers const own{mine.partitions, mine.count};
  std::vector<numbers> leaves(edges_of(over).num_peers);
  run(over, gather(elements_at(&own, 1), elements_at(leaves.data(), 1), root));
  std::array<numbers, 2> both{own, leaves.front()}; // of the root and of a leaf
  run(over, bcast(elements_at(both.data(), 2), root));
  auto const buffer_of = [&](numbers const& counts) {
    return partitioned_buffer{nullptr, static_cast<int>(counts[0]), counts[1], mine.type};
  };
  auto const of_root = buffer_of(both[0]), of_leaf = buffer_of(both[1]);
  collectively(over.context(), [&] {
    if (root != MPI_PROC_NULL && root != MPI_ROOT)
      check_partitions(mine, of_leaf, of_root, "of this side");
  });
  return cuts_of_both(of_root, of_leaf);
}

/// A reduction of the values of one side to a process of the other, which adds none.
partitioned_operation reduce_between_sides(Communicator const& over,
                                           reduction_buffers const& buffers, MPI_Op op, int root) {
  constexpr auto* name = "preduce_init";
  check_call(over, {.name = name});
  bool const is_root = root == MPI_ROOT, takes_part = root != MPI_PROC_NULL;
  partitioned_buffer const& own = is_root ? buffers.receive : buffers.send;
  auto const moved = collectively(over.context(), [&] {
    if (takes_part && is_in_place(own))
      refuse(fmt::format("{}: MPI_IN_PLACE between two sides (expected values)", name));
    if (takes_part)
      check_alike(name, {own, own}, false, op);
    return gather(buffers.send.all(), buffers.receive.all(), root)
        .definition()
        .moves(edges_of(over));
  });
  require_edges_between_sides(over, name, moved);
  auto const cuts = cuts_between_sides(over, own, root);
  auto pieces = collectively(over.context(), [&] {
    if (!takes_part)
      return pipeline_plan{.pieces = {}, .partitions2pieces = {0}};
    return plan_pieces(cuts, own, [&](std::int64_t first, std::int64_t count) {
      elements const values = slice(own, first, count);
      return reduce(values, is_root ? values : elements{}, op, root)
          .definition()
          .plan(edges_of(over));
    });
  });
  pieces.has_result = is_root;
  pieces.has_values = takes_part && !is_root;
  return make_reduction(over, name, std::move(pieces));
}

void check_root(Communicator const& over, int root) {
  if (root < 0 || root >= over.size())
    throw usage_error(fmt::format("preduce_init: root {} (expected 0 to {}) [{}]", root,
                                  over.size() - 1, where()),
                      true, MPI_ERR_ROOT);
}

} // namespace

partitioned_operation preduce_init(Communicator const& over, partitioned_buffer const& send,
                                   partitioned_buffer const& receive, MPI_Op op, int root) {
  if (over.topology().is_bipartite())
    return reduce_between_sides(over, {send, receive}, op, root);
  reduction_buffers const buffers{send, receive};
  check_call(over, {.name = "preduce_init",
                    .terms = fmt::format("{}, root {}", mpi::name_of_op(op), root)});
  check_root(over, root);
  bool const is_root = over.rank() == root;
  collectively(over.context(), [&] {
    if (is_in_place(send) && !is_root)
      refuse("preduce_init: MPI_IN_PLACE at a process that is not the root (expected values)");
    check_alike("preduce_init", buffers, is_root, op);
  });
  auto const cuts = cuts_of_reduce(over, buffers.values(), root);
  auto const plan = [&](std::int64_t first, std::int64_t count) {
    if (!over.topology().is_graph())
      return reduce_rounds(buffers.terms(over, op, first, count, is_root), root);
    return reduce(slice(send, first, count), slice(receive, first, count), op, root)
        .definition()
        .plan(edges_of(over));
  };
  auto pieces =
      collectively(over.context(), [&] { return plan_pieces(cuts, buffers.values(), plan); });
  pieces.has_result = is_root;
  return make_reduction(over, "preduce_init", std::move(pieces));
}

} // namespace seam
