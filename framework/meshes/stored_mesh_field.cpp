#include <seam/framework/meshes/stored_mesh_field.hpp>

#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/numbering/order.hpp>
#include <seam/framework/checkpoint/detail/stored_rows.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace seam::detail {
namespace {

/// A number that two lists of ids share only by chance, whatever their order and their division.
/// Collective: over `over`.
std::uint64_t digest_of(Communicator const& over, std::span<global_id const> ids) {
  std::uint64_t sum = 0;
  for (global_id const id : ids) {
    auto mixed = static_cast<std::uint64_t>(id) + 0x9e3779b97f4a7c15U;
    mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9U;
    mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111ebU;
    sum += mixed ^ mixed >> 31;
  }
  return mpi::allreduce(over.context(), sum, MPI_SUM);
}

/// The rows of a field on this rank, by ascending position.
struct mesh_rows {
  std::vector<std::int64_t> order;       ///< entities by ascending position
  std::vector<std::int64_t> positions;   ///< of each entity
  std::vector<std::int64_t> owned_order; ///< own entities alone

  void visit(mesh_field_state const& field, byte_window window, bool reading,
             run_visitor const& visitor) const {
    std::int64_t const row = field.row_bytes();
    auto const& entities = reading ? order : owned_order;
    auto entity = std::ranges::lower_bound(entities, window.begin / row, {},
                                           [&](std::int64_t e) { return positions[e]; });
    for (; entity != entities.end() && positions[*entity] * row < window.end; ++entity) {
      std::int64_t const at = positions[*entity] * row;
      std::int64_t const from = std::max(at, window.begin);
      std::byte* const memory =
          field.memory.get() + static_cast<std::int64_t>(*entity) * row + (from - at);
      visitor({from, memory, std::min(at + row, window.end) - from});
    }
  }
};

mesh_rows rows_of(Mesh const& mesh, int dimension) {
  mesh_entities const& entities = mesh.entities(dimension);
  mesh_rows made;
  made.positions = positions_of(mesh.base(), entities.ids);
  auto const position = [&](std::int64_t e) { return made.positions[e]; };
  made.order = order_by(std::ssize(entities.ids), position);
  made.owned_order = order_by(entities.num_owned, position);
  return made;
}

} // namespace

stored_array stored_mesh_field(std::shared_ptr<mesh_field_state> const& field,
                               element_format element) {
  mesh_entities const& entities = field->mesh.entities(field->dimension);
  std::span const own = std::span(entities.ids).first(entities.num_owned);
  constexpr std::array names{"vertices", "edges", "faces", "cells"};
  bool const on_cells = field->dimension == field->mesh.num_dimensions();
  stored_array made;
  made.name = field->name;
  made.identity =
      fmt::format("{} on the {} {} of a mesh with ids {:016x}, {} components", element.name,
                  entities.num_global, on_cells ? "cells" : names[field->dimension],
                  digest_of(field->mesh.base(), own), field->num_components);
  made.element = std::move(element);
  made.extents = {entities.num_global};
  if (field->num_components > 1)
    made.extents.push_back(field->num_components);
  made.visit_runs = [field, rows = rows_of(field->mesh, field->dimension)](
                        byte_window window, bool reading, run_visitor const& visitor) {
    rows.visit(*field, window, reading, visitor);
  };
  return made;
}

} // namespace seam::detail
