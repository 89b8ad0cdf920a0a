#include <seam/mesh/space/mesh_space.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace seam::detail {
namespace {

/// How far kernels read beyond own cells: 2 k, the parts of all cells up to layer k; 2 k + 1, all that
/// touches these.
using reach = int;

int layers_of(reach read) { return (read + 1) / 2; }

/// The reach of what lies around entities of a reach, in rows of a mesh's adjacency.
reach around(reach at, int from, int to) {
  if (to > from)
    return at | 1;
  reach const parts = at + at % 2;
  return to < from ? parts : parts + 2;
}

/// What an access reads or adds to, by kernels that make values of a reach.
reach read_by(step_kernel const& kernel, step_access const& access, reach made) {
  reach at = made;
  if (kernel.sources)
    at = around(at, static_cast<int>(kernel.kind), sources_of(kernel)->from_sources->from);
  if (!access.reach || rows_of(access).is_list())
    return at;
  return around(at, rows_of(access).from, rows_of(access).to);
}

/// The reach at which a kernel makes values that later ones of the same steps read.
reach reach_of(step_dataflow const& flow, int instance, std::vector<reach> const& later) {
  reach made = 0;
  for (step_supply const& supply : flow.supplies())
    if (supply.writer == instance && !supply.is_exchanged)
      for (supply_reader const& reader : supply.readers) {
        auto const& kernel = flow.kernel_of(reader.instance);
        auto const& access = kernel.accesses[reader.access];
        reach const at = later[reader.instance];
        bool const is_at_place = reader.part != values_read::all || access.is_added();
        made = std::max(made, is_at_place ? at : read_by(kernel, access, at));
      }
  return made;
}

/// The dimension of the parts that cells have to share if they are around the same entity of a row.
int shared_by(step_kernel const& kernel, step_access const& access) {
  entity_rows const& rows = rows_of(access);
  int const shared =
      rows.from == rows.to ? std::max(rows.from - 1, 0) : std::min(rows.from, rows.to);
  return kernel.sources ? std::min(shared, static_cast<int>(kernel.kind)) : shared;
}

std::string in_words(mesh_space const& space, step_dataflow const& flow, int instance,
                     step_access const& access, int layers) {
  Mesh const& mesh = space.mesh();
  auto const name = [&](int dimension) { return name_of_entities(mesh, dimension); };
  auto const& kernel = flow.kernel_of(instance);
  auto const& field = *flow.program().fields[access.field];
  auto const [depth, through] = mesh.ghosts();
  std::string const how =
      flow.steps().steps_of_segment > 1
          ? fmt::format("{} steps are fused, and ", flow.steps().steps_of_segment)
          : "";
  int const most = access.reach ? std::min(through, shared_by(kernel, access)) : through;
  return fmt::format(
      "steps: {}kernel '{}' {} '{}' of {}{}, of a mesh with {} layer{} of ghost cells through {} "
      "(expected at least {}, through {})",
      how, kernel.name, name_of(access.role), field.name, name(static_cast<int>(field.kind())),
      access.reach ? fmt::format(" around {}", name(rows_of(access).from)) : "", depth,
      depth == 1 ? "" : "s", name(through), layers, name(most));
}

} // namespace

std::string against_layers(mesh_space const& space, step_dataflow const& flow) {
  if (space.size() == 1)
    return "";
  auto const [depth, through] = space.mesh().ghosts();
  std::vector<reach> made(flow.instances().size());
  int most = depth;
  std::string why;
  for (int i = static_cast<int>(made.size()) - 1; i >= 0; --i) {
    made[i] = reach_of(flow, i, made);
    auto const& kernel = flow.kernel_of(i);
    for (step_access const& access : kernel.accesses) {
      bool const needs_cells = access.reach && !rows_of(access).is_list() &&
                               (access.is_added() || rows_of(access).to >= rows_of(access).from);
      int const layers = layers_of(read_by(kernel, access, made[i]));
      if (layers <= most && !(why.empty() && needs_cells && through > shared_by(kernel, access)))
        continue;
      why = in_words(space, flow, i, access, layers);
      most = std::max(most, layers);
    }
  }
  return why;
}

} // namespace seam::detail
