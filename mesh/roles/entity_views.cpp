#include <seam/mesh/roles/entity_views.hpp>

namespace seam::detail {

double outward_from(entity_position const& cell, int k) {
  return cell.mesh->first_cell(cell.around[k]) == cell.mesh->cells().ids[cell.place] ? 1 : -1;
}

} // namespace seam::detail
