/// Explanations: what a halo costs, in one screen.
///
///     print(runtime, explain(u));
///
///     field u: 256x256 cells of 8 bytes, blocks of about 128x128 on 2x2 processes, ghosts 1 wide
///     rank 0: 3 neighbors, 4128 bytes for each halo in 4 messages
///       rank 1: 2064 bytes by memory of the node
///       ...
///     mapping: identity: node 0/0 to node 0/0; 0 of 4 ranks moved in 0.1 ms on 'node:1 core:4'
#pragma once

#include <seam/stencil/field.hpp>
#include <seam/stencil/halo.hpp>

#include <string>

namespace seam {
namespace detail {

/// The text for a grid of any dimension.
struct halo_facts {
  std::string field;
  std::vector<std::int64_t> cells, block;
  std::vector<int> processes;
  std::int64_t widest_ghosts, element_bytes, bytes;
  int num_messages;
};
std::string explain(Communicator const& graph, plan const& halo, reordering_report const& mapping,
                    halo_facts const& facts);

} // namespace detail

/// How the ghosts of `field` come: its grid's blocks, the neighbors of rank 0 with the bytes that
/// go to each and what carries them, and what the order of the ranks brought. The same on all
/// ranks. Collective: over the field's grid.
template <class T, int D>
std::string explain(Field<T, D>& field) {
  Grid<D> const& grid = field.grid();
  auto const halo = make_halo(field);
  detail::halo_facts facts{field.name(),       {}, {}, {}, 0, sizeof(T), halo.num_bytes(),
                           halo.num_messages()};
  for (int axis = 0; axis < D; ++axis) {
    auto const a = static_cast<std::size_t>(axis);
    facts.cells.push_back(grid.cells()[a]);
    facts.block.push_back(grid.owned().extent(axis));
    facts.processes.push_back(grid.processes()[a]);
    facts.widest_ghosts = std::max(facts.widest_ghosts, grid.ghosts().of(axis));
  }
  return detail::explain(grid.graph(), grid.halo_plan(), grid.report(), facts);
}

} // namespace seam
