#include <seam/exchange/partitioned/reduction_pieces.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/ground/checks.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/mpi/detail/names.hpp>
#include <seam/exchange/partitioned/channel_tags.hpp>
#include <seam/exchange/partitioned/overlap.hpp>
#include <seam/exchange/planning/detail/arguments.hpp>
#include <seam/exchange/planning/detail/edges.hpp>
#include <seam/exchange/transport/message/message.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace seam::detail {

elements slice(partitioned_buffer const& buffer, std::int64_t first, std::int64_t count) {
  auto const* const data = static_cast<std::byte const*>(buffer.data);
  if (is_in_place(buffer) || count == 0)
    return {buffer.data, count, buffer.type};
  return {data + first * extent_of(buffer.type), count, buffer.type};
}

reduction_terms reduction_buffers::terms(Communicator const& over, MPI_Op op, std::int64_t first,
                                         std::int64_t count, bool has_result) const {
  return {.own = slice(values(), first, count),
          .result = has_result ? slice(receive, first, count) : elements{},
          .op = op,
          .rank = over.rank(),
          .size = over.size()};
}

std::set<std::int64_t> cuts_of(partitioned_buffer const& buffer) {
  std::set<std::int64_t> cuts;
  for (int p = 0; p <= buffer.partitions; ++p)
    cuts.insert(p * buffer.count);
  return cuts;
}

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
                     buffer.partitions == 1 ? "" : "s", buffer.count,
                     mpi::name_of_type(buffer.type));
}

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

namespace {

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

} // namespace

reduction_maker::reduction_maker(Communicator const& over, char const* name)
    : over_(over), tokens_(plan_tokens(over)), made_{.name = name, .keeps = over.keep_alive()} {}

void reduction_maker::add(pipeline_plan plan, int edge) {
  plans_.push_back(std::move(plan));
  edges_.push_back(edge);
}

partitioned_operation reduction_maker::finish(wrapper const& wrap) {
  draw_tags();
  struct part_kind {
    bool has_values, has_result;
  };
  std::vector<part_kind> kinds; // [plans]
  for (pipeline_plan const& plan : plans_)
    kinds.push_back({plan.has_values, plan.has_result});
  auto all = make_pipelines(over_, std::move(plans_));
  for (int k = 0; k < std::ssize(all); ++k) {
    part* const piece = made_.parts.emplace_back(wrap(k, std::move(all[k]))).get();
    if (kinds[k].has_values)
      made_.leaving.push_back({piece, edges_[k]});
    if (kinds[k].has_result)
      made_.arriving.push_back({piece});
  }
  made_.record = over_.calls()->begin_part();
  return partitioned_operation(std::move(made_));
}

partitioned_operation reduction_maker::finish() {
  return finish([](int, std::unique_ptr<part> piece) { return piece; });
}

/// Draws as many tags on all ranks, although some have fewer messages, or pieces.
void reduction_maker::draw_tags() {
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

partitioned_operation make_reduction(Communicator const& over, char const* name,
                                     pipeline_plan plan) {
  reduction_maker maker(over, name);
  maker.add(std::move(plan), part_end::no_edge);
  return maker.finish();
}

} // namespace seam::detail
