#include <seam/exchange/partitioned/reductions.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/collectives/bcast.hpp>
#include <seam/exchange/collectives/gather.hpp>
#include <seam/exchange/collectives/reduce.hpp>
#include <seam/exchange/ground/checks.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/mpi/names.hpp>
#include <seam/exchange/partitioned/channel_tags.hpp>
#include <seam/exchange/partitioned/edges.hpp>
#include <seam/exchange/partitioned/in_place_reduction.hpp>
#include <seam/exchange/partitioned/overlap.hpp>
#include <seam/exchange/partitioned/pipelines.hpp>
#include <seam/exchange/partitioned/reduction_rounds.hpp>
#include <seam/exchange/planning/detail/arguments.hpp>
#include <seam/exchange/transport/message/message.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <set>

namespace seam {
using namespace detail;

namespace {

/// `count` elements of `buffer` from `first` on; of MPI_IN_PLACE the address stays.
elements slice(partitioned_buffer const& buffer, std::int64_t first, std::int64_t count) {
  auto const* const data = static_cast<std::byte const*>(buffer.data);
  if (is_in_place(buffer) || count == 0)
    return {buffer.data, count, buffer.type};
  return {data + first * extent_of(buffer.type), count, buffer.type};
}

/// The two buffers of a reduction; `send` may be MPI_IN_PLACE.
struct reduction_buffers {
  partitioned_buffer send, receive;

  partitioned_buffer const& values() const { return is_in_place(send) ? receive : send; }

  reduction_terms terms(Communicator const& over, MPI_Op op, std::int64_t first, std::int64_t count,
                        bool has_result) const {
    return {.own = slice(values(), first, count),
            .result = has_result ? slice(receive, first, count) : elements{},
            .op = op,
            .rank = over.rank(),
            .size = over.size()};
  }
};

/// Compiles elements [first, first + count) of the buffers.
using piece_planner = std::function<schedule(std::int64_t first, std::int64_t count)>;

/// Where the partitions of `buffer` begin, and where the last ends.
std::set<std::int64_t> cuts_of(partitioned_buffer const& buffer) {
  std::set<std::int64_t> cuts;
  for (int p = 0; p <= buffer.partitions; ++p)
    cuts.insert(p * buffer.count);
  return cuts;
}

/// A pipeline for each piece between two of `cuts`, among which are those of `own`.
pipeline_plan plan_pieces(std::set<std::int64_t> const& cuts, partitioned_buffer const& own,
                          piece_planner const& plan) {
  pipeline_plan made;
  std::vector<std::int64_t> const begins(cuts.begin(), cuts.end());
  for (int k = 0; k + 1 < std::ssize(begins); ++k)
    made.pieces.push_back(plan(begins[k], begins[k + 1] - begins[k]));
  for (int p = 0; p <= own.partitions; ++p)
    made.partitions2pieces.push_back(
        static_cast<int>(std::ranges::lower_bound(begins, p * own.count) - begins.begin()));
  return made;
}

std::string words_of(partitioned_buffer const& buffer) {
  return fmt::format("{} partition{} of {} {}", buffer.partitions,
                     buffer.partitions == 1 ? "" : "s", buffer.count, mpi::name_of(buffer.type));
}

/// Refuses buffers of a process with a result that differ, and types for which `op` is not defined.
void check_alike(char const* name, reduction_buffers const& buffers, bool has_result, MPI_Op op) {
  check_buffer(name, buffers.values());
  if (has_result)
    check_buffer(name, buffers.receive);
  check_op(name, op, {buffers.values().data, 1, buffers.values().type});
  auto const& [send, receive] = buffers;
  if (has_result && !is_in_place(send) &&
      (send.partitions != receive.partitions || send.count != receive.count ||
       send.type != receive.type))
    refuse(fmt::format("{}: {} into {} (expected as many, of the same type)", name, words_of(send),
                       words_of(receive)));
  if (has_result && !is_in_place(send) && checks_are_on())
    check_apart(name, {&send, 1}, {&receive, 1});
}

/// Plans messages that say that a process has started, to the processes whose values it gets.
schedule plan_tokens(Communicator const& over) {
  if (over.topology().is_complete())
    return barrier_rounds(over.rank(), over.size());
  static std::array<std::byte, 2> tokens{};
  collective_edges back = edges_of(over);
  back.topology = back.topology.inverse();
  return along_edges(back,
                     std::vector(back.topology.destinations().size(), elements{&tokens[0], 1}),
                     std::vector(back.topology.sources().size(), elements{&tokens[1], 1}));
}

/// Makes the operation of one pipeline plan, or of one for each destination.
class reduction_maker {
public:
  reduction_maker(Communicator const& over, char const* name)
      : over_(over), tokens_(plan_tokens(over)), made_{.name = name, .keeps = over.keep_alive()} {}

  /// @param edge  of the partitions that leave
  void add(pipeline_plan plan, int edge) {
    plans_.push_back(std::move(plan));
    edges_.push_back(edge);
  }

  /// Makes the operation. Its k-th part is what wrap(k, part) returns for the part of the plan that
  /// has been added k-th. Collective.
  template <class Wrap>
  partitioned_operation finish(Wrap wrap) {
    draw_tags();
    std::vector<std::array<bool, 2>> values_and_result; // of each plan
    for (pipeline_plan const& plan : plans_)
      values_and_result.push_back({plan.has_values, plan.has_result});
    auto all = make_pipelines(over_, std::move(plans_));
    for (int k = 0; k < std::ssize(all); ++k) {
      made_.parts.push_back(wrap(k, std::move(all[k])));
      part* const piece = made_.parts.back().get();
      if (values_and_result[k][0])
        made_.leaving.push_back({piece, edges_[k]});
      if (values_and_result[k][1])
        made_.arriving.push_back({piece});
    }
    made_.record = over_.calls()->begin_part();
    return partitioned_operation(std::move(made_));
  }

  partitioned_operation finish() {
    return finish([](int, std::unique_ptr<part> piece) { return piece; });
  }

private:
  /// Draws as many tags on all ranks, although some have fewer messages, or pieces.
  void draw_tags() {
    std::vector<int> most{num_channels(tokens_)};
    for (pipeline_plan const& plan : plans_) {
      int channels = 0;
      for (schedule const& piece : plan.pieces)
        channels = std::max(channels, num_channels(piece));
      most.push_back(channels);
      most.push_back(static_cast<int>(plan.pieces.size()));
    }
    largest_of_all(over_.context(), most);
    made_.parts.push_back(make_readiness(over_, std::move(tokens_),
                                         draw_reduction_tags(over_, most[0])));
    for (int k = 0; k < std::ssize(plans_); ++k)
      for (int piece = 0; piece < most[2 * k + 2]; ++piece)
        plans_[k].tags.push_back(draw_reduction_tags(over_, most[2 * k + 1]));
  }

  Communicator const& over_;
  schedule tokens_;
  std::vector<pipeline_plan> plans_;
  std::vector<int> edges_; ///< [plans]
  partitioned_parts made_;
};

/// A reduction of the same partitions on all ranks.
partitioned_operation make_symmetric(Communicator const& over, char const* name, bool along_edges,
                                     reduction_buffers const& buffers, MPI_Op op,
                                     piece_planner const& plan) {
  check_call(over, {.name = name,
                    .terms = fmt::format("{}, {}", mpi::name_of(op), words_of(buffers.values())),
                    .along_edges = along_edges});
  auto pieces = collectively(over.context(), [&] {
    check_alike(name, buffers, true, op);
    return plan_pieces(cuts_of(buffers.values()), buffers.values(), plan);
  });
  reduction_maker maker(over, name);
  maker.add(std::move(pieces), part_end::no_edge);
  return maker.finish();
}

/// The partitions of the process `rank`. Collective.
partitioned_buffer partitions_of(Communicator const& over, partitioned_buffer const& mine,
                                 int rank) {
  std::array<std::int64_t, 2> numbers{mine.partitions, mine.count};
  mpi::bcast(over.context(), std::span<std::int64_t>(numbers), rank);
  return {nullptr, static_cast<int>(numbers[0]), numbers[1], mine.type};
}

/// The places where the root cuts, and those where the other ranks cut. Collective.
std::set<std::int64_t> cuts_of_reduce(Communicator const& over, partitioned_buffer const& mine,
                                      int root) {
  auto const of_root = partitions_of(over, mine, root);
  auto const of_leaf = partitions_of(over, mine, (root + 1) % over.size());
  collectively(over.context(), [&] {
    auto const& expected = over.rank() == root ? of_root : of_leaf;
    if (mine.partitions != expected.partitions || mine.count != expected.count)
      refuse(fmt::format("preduce_init: {} (expected {} as on other ranks that are not the root)",
                         words_of(mine), words_of(expected)));
    if (mine.num_elements() != of_root.num_elements())
      refuse(fmt::format("preduce_init: {} (expected {} elements as at the root)", words_of(mine),
                         of_root.num_elements()));
  });
  auto cuts = cuts_of(of_root);
  cuts.merge(cuts_of(of_leaf));
  return cuts;
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
    if (root == MPI_PROC_NULL || root == MPI_ROOT)
      return;
    if (own != both[1])
      refuse(fmt::format("preduce_init: {} (expected {} as on other ranks of this side)",
                         words_of(mine), words_of(of_leaf)));
    if (mine.num_elements() != of_root.num_elements())
      refuse(fmt::format("preduce_init: {} (expected {} elements as at the root)", words_of(mine),
                         of_root.num_elements()));
  });
  auto cuts = cuts_of(of_root);
  cuts.merge(cuts_of(of_leaf));
  return cuts;
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
    return gather(buffers.send.all(), buffers.receive.all(), root).moves(edges_of(over));
  });
  require_edges_between_sides(over, name, moved);
  auto const cuts = cuts_between_sides(over, own, root);
  auto pieces = collectively(over.context(), [&] {
    if (!takes_part)
      return pipeline_plan{.pieces = {}, .partitions2pieces = {0}};
    return plan_pieces(cuts, own, [&](std::int64_t first, std::int64_t count) {
      elements const values = slice(own, first, count);
      return reduce(values, is_root ? values : elements{}, op, root).plan(edges_of(over));
    });
  });
  pieces.has_result = is_root;
  pieces.has_values = takes_part && !is_root;
  reduction_maker maker(over, name);
  maker.add(std::move(pieces), part_end::no_edge);
  return maker.finish();
}

void check_root(Communicator const& over, int root) {
  if (root < 0 || root >= over.size())
    throw usage_error(fmt::format("preduce_init: root {} (expected 0 to {}) [{}]", root,
                                  over.size() - 1, where()),
                      true, MPI_ERR_ROOT);
}

partitioned_operation make_scan(Communicator const& over, char const* name, bool exclusive,
                                reduction_buffers const& buffers, MPI_Op op) {
  return make_symmetric(
      over, name, false, buffers, op, [&](std::int64_t first, std::int64_t count) {
        return scan_rounds(buffers.terms(over, op, first, count, true), exclusive);
      });
}

void check_blocks(Communicator const& over, char const* name,
                  std::vector<partitioned_buffer> const& sends, partitioned_buffer const& receive,
                  MPI_Op op) {
  if (std::ssize(sends) != over.size())
    refuse(fmt::format("{}: {} blocks (expected one for each of {} ranks)", name, sends.size(),
                       over.size()));
  for (partitioned_buffer const& block : sends) {
    if (is_in_place(block))
      refuse(fmt::format("{}: MPI_IN_PLACE for some blocks (expected for all or none)", name));
    check_buffer(name, block);
  }
  check_alike(name, {sends[over.rank()], receive}, true, op);
  if (checks_are_on())
    check_apart(name, sends, {&receive, 1});
}

/// The blocks in memory of their own if they lie where the result does, otherwise nullptr.
std::shared_ptr<in_place_values> values_in_place(
    char const* name, std::vector<partitioned_buffer> sends, partitioned_buffer const& receive) {
  if (!std::ranges::all_of(sends, [](auto const& block) { return is_in_place(block); }))
    return nullptr;
  check_buffer(name, receive);
  for (partitioned_buffer& block : sends) {
    block.type = receive.type;
    check_buffer(name, block);
  }
  if (!is_dense(receive.type))
    refuse(fmt::format("{}: MPI_IN_PLACE of a type with gaps (expected one without)", name));
  return std::make_shared<in_place_values>(sends, receive);
}

/// A reduction of each block to the rank that gets it.
std::vector<pipeline_plan> plans_of_roots(Communicator const& over,
                                          std::vector<partitioned_buffer> const& sends,
                                          partitioned_buffer const& receive, MPI_Op op) {
  std::vector<pipeline_plan> plans;
  for (int root = 0; root < over.size(); ++root) {
    reduction_buffers const block{sends[root], receive};
    bool const has_result = root == over.rank();
    plans.push_back(
        plan_pieces(cuts_of(block.send), block.send, [&](std::int64_t first, std::int64_t count) {
          return reduce_rounds(block.terms(over, op, first, count, has_result), root);
        }));
    plans.back().has_result = has_result;
  }
  return plans;
}

/// `count` blocks that lie one behind the other from `first` on.
std::vector<partitioned_buffer> blocks_from(partitioned_buffer const& first, int count) {
  std::vector<partitioned_buffer> blocks;
  for (int k = 0; k < count; ++k)
    blocks.push_back({nth_block(first.all(), k).data, first.partitions, first.count, first.type});
  return blocks;
}

partitioned_operation make_reduce_scatter(Communicator const& over, char const* name,
                                          std::vector<partitioned_buffer> sends,
                                          partitioned_buffer receive, MPI_Op op) {
  std::string blocks = mpi::name_of(op);
  for (partitioned_buffer const& send : sends)
    blocks += ", " + words_of(send);
  check_call(over, {.name = name, .terms = blocks, .along_edges = false});
  auto const in_place =
      collectively(over.context(), [&] { return values_in_place(name, sends, receive); });
  if (in_place != nullptr) {
    sends = in_place->values();
    receive = in_place->result();
  }
  collectively(over.context(), [&] { check_blocks(over, name, sends, receive, op); });
  auto plans =
      collectively(over.context(), [&] { return plans_of_roots(over, sends, receive, op); });
  reduction_maker maker(over, name);
  for (int root = 0; root < over.size(); ++root)
    maker.add(std::move(plans[root]), root);
  return maker.finish([&](int root, std::unique_ptr<part> reduction) {
    return in_place == nullptr ? std::move(reduction)
                               : make_in_place_reduction(in_place, root, std::move(reduction));
  });
}

} // namespace

partitioned_operation pallreduce_init(Communicator const& over, partitioned_buffer const& send,
                                      partitioned_buffer const& receive, MPI_Op op) {
  reduction_buffers const buffers{send, receive};
  return make_symmetric(
      over, "pallreduce_init", true, buffers, op, [&](std::int64_t first, std::int64_t count) {
        if (over.topology().is_complete())
          return allreduce_rounds(buffers.terms(over, op, first, count, true));
        return allreduce(slice(send, first, count), slice(receive, first, count), op)
            .plan(edges_of(over));
      });
}

partitioned_operation preduce_init(Communicator const& over, partitioned_buffer const& send,
                                   partitioned_buffer const& receive, MPI_Op op, int root) {
  if (over.topology().is_bipartite())
    return reduce_between_sides(over, {send, receive}, op, root);
  reduction_buffers const buffers{send, receive};
  check_call(over,
             {.name = "preduce_init", .terms = fmt::format("{}, root {}", mpi::name_of(op), root)});
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
        .plan(edges_of(over));
  };
  auto pieces =
      collectively(over.context(), [&] { return plan_pieces(cuts, buffers.values(), plan); });
  pieces.has_result = is_root;
  reduction_maker maker(over, "preduce_init");
  maker.add(std::move(pieces), part_end::no_edge);
  return maker.finish();
}

partitioned_operation preduce_scatter_block_init(Communicator const& over,
                                                 partitioned_buffer const& send,
                                                 partitioned_buffer const& receive, MPI_Op op) {
  int const size = over.size();
  auto const blocks = collectively(over.context(), [&] {
    return is_in_place(send) ? std::vector(size, partitioned_buffer{send.data, receive.partitions,
                                                                    receive.count, receive.type})
                             : blocks_from(send, size);
  });
  return make_reduce_scatter(over, "preduce_scatter_block_init", blocks, receive, op);
}

partitioned_operation preduce_scatter_init(Communicator const& over,
                                           std::vector<partitioned_buffer> const& sends,
                                           partitioned_buffer const& receive, MPI_Op op) {
  return make_reduce_scatter(over, "preduce_scatter_init", sends, receive, op);
}

partitioned_operation pscan_init(Communicator const& over, partitioned_buffer const& send,
                                 partitioned_buffer const& receive, MPI_Op op) {
  return make_scan(over, "pscan_init", false, {send, receive}, op);
}

partitioned_operation pexscan_init(Communicator const& over, partitioned_buffer const& send,
                                   partitioned_buffer const& receive, MPI_Op op) {
  return make_scan(over, "pexscan_init", true, {send, receive}, op);
}

} // namespace seam
