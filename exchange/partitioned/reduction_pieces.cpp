#include <seam/exchange/partitioned/reduction_pieces.hpp>

#include <seam/exchange/ground/checks.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/mpi/detail/names.hpp>
#include <seam/exchange/partitioned/overlap.hpp>
#include <seam/exchange/planning/detail/arguments.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <vector>

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

} // namespace seam::detail
