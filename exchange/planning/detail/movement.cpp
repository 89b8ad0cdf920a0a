#include <seam/exchange/planning/detail/movement.hpp>

#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/planning/combining.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace seam::detail {
namespace {

void check_degree(char const* call, char const* direction, std::ptrdiff_t found,
                  std::ptrdiff_t expected) {
  if (found != expected)
    refuse(fmt::format("{}: {} blocks for {} {} (expected one for each)", call, found, expected,
                       direction));
}

/// The bytes along each vector, if all ranks know them: they have compared them, or all have edges
/// and know that all blocks are equally long.
std::optional<vector_bytes> common_bytes(collective_edges const& over, movement const& moved) {
  if (over.vectors2bytes || over.structure == nullptr)
    return over.vectors2bytes;
  if (!moved.as_long_as_all || !over.structure->all_have_edges)
    return std::nullopt;
  return vector_bytes(over.structure->vectors.size(), wire_bytes(*moved.as_long_as_all));
}

/// True if blocks of these lengths travel in combined messages.
bool pays(cartesian_structure const& on, bool is_for_all, vector_bytes const& bytes) {
  if (!is_for_all)
    return combining_pays(on, direct_counts(on, bytes), combined_alltoall_counts(on, bytes), 1);
  if (bytes.empty() || bytes.front() == 0 ||
      std::ranges::count(bytes, bytes.front()) != std::ssize(bytes))
    return false;
  return combining_pays(on, direct_allgather_counts(on), combined_allgather_counts(on),
                        bytes.front());
}

schedule plan_combined(collective_edges const& over, movement const& moved,
                       vector_bytes const& bytes) {
  auto const sends = travelling(moved.leaving), receives = travelling(moved.arriving);
  elements const block = sends.empty() ? elements{} : sends.front();
  cartesian_structure const& on = *over.structure;
  schedule steps = moved.is_for_all
                       ? make_combined_allgather(on, bytes.front(), block, receives)
                       : make_combined_alltoall(on, bytes, sends, receives, is_in_place(moved));
  steps.leaving = loads_of(over.topology.destinations(), sends);
  steps.arriving = loads_of(over.topology.sources(), receives);
  return steps;
}

} // namespace

moved_blocks moved_along(std::vector<elements> const& blocks) {
  moved_blocks moved;
  for (elements const& values : blocks)
    moved.emplace_back(moved_block{values});
  return moved;
}

moved_blocks none_along(std::span<edge const> edges) { return moved_blocks(edges.size()); }

movement exchanged_in_place(std::vector<elements> const& blocks) {
  movement moved{.leaving = moved_along(blocks), .arriving = moved_along(blocks)};
  for (int e = 0; e < std::ssize(blocks); ++e)
    moved.leaving[e]->lies_in = e;
  return moved;
}

bool is_in_place(movement const& moved) {
  return !moved.is_for_all && !moved.leaving.empty() && moved.leaving.front() &&
         moved.leaving.front()->lies_in;
}

void check_movement(char const* call, collective_edges const& over, movement const& moved) {
  check_degree(call, "destinations", moved.leaving.size(), over.topology.destinations().size());
  check_degree(call, "sources", moved.arriving.size(), over.topology.sources().size());
  for (auto const& block : moved.leaving)
    if (block && is_in_place(block->values))
      refuse(fmt::format("{}: MPI_IN_PLACE without an edge from the process to itself (expected "
                         "one, where its block lies)",
                         call));
}

std::vector<elements> travelling(moved_blocks const& blocks) {
  std::vector<elements> values;
  for (auto const& block : blocks)
    values.push_back(block && block->travels ? block->values : elements{});
  return values;
}

edge_bytes bytes_of(movement const& moved) {
  return {bytes_of_each(travelling(moved.leaving)), bytes_of_each(travelling(moved.arriving))};
}

schedule plan_movement(collective_edges const& over, movement const& moved) {
  auto const bytes = common_bytes(over, moved);
  if (bytes && pays(*over.structure, moved.is_for_all, *bytes))
    return plan_combined(over, moved, *bytes);
  auto const sends = travelling(moved.leaving), receives = travelling(moved.arriving);
  return moved.is_for_all ? once_to_each(over, sends, receives)
                          : along_edges(over, sends, receives, is_in_place(moved));
}

} // namespace seam::detail
