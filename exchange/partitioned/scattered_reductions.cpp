#include <seam/exchange/partitioned/reductions.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/ground/checks.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/mpi/detail/names.hpp>
#include <seam/exchange/partitioned/edges.hpp>
#include <seam/exchange/partitioned/in_place_reduction.hpp>
#include <seam/exchange/partitioned/overlap.hpp>
#include <seam/exchange/partitioned/reduction_maker.hpp>
#include <seam/exchange/partitioned/reduction_pieces.hpp>
#include <seam/exchange/partitioned/reduction_rounds.hpp>
#include <seam/exchange/planning/detail/arguments.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

namespace seam {
using namespace detail;

namespace {

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
  std::string blocks = mpi::name_of_op(op);
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

} // namespace seam
