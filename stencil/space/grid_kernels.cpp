#include <seam/stencil/space/grid_kernels.hpp>

#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/steps/program/step_program.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace seam::detail {
namespace {

/// The axis across which blocks are divided into parts: the slowest one but that of the order.
int axis_of_parts(step_kernel const& kernel) {
  return grid_of(kernel).axis_of(kernel.order.axis == 0 ? 1 : 0);
}

/// The arguments of a kernel that writes only some of the values of new memory.
std::vector<carried_access> carried_by(step_program const& program, step_kernel const& kernel) {
  std::vector<carried_access> all;
  std::vector<int> fields;
  for (int a = 0; a < std::ssize(kernel.accesses); ++a) {
    step_access const& access = kernel.accesses[a];
    step_field const& field = *program.fields[access.field];
    if (!access.is_moved() || !kernel.is_partial(access, field.components) ||
        std::ranges::find(fields, access.field) != fields.end())
      continue;
    fields.push_back(access.field);
    all.push_back({a, -access.first, field.components - access.first, field.element_bytes});
  }
  return all;
}

} // namespace

void check_layers(std::string const& kernel, int axis, int layers, int num_axes) {
  if (axis < 0 || axis >= num_axes || layers < 0)
    throw usage_error(fmt::format("steps: kernel '{}' in {} layers along axis {} (expected 0 or "
                                  "more along axis 0 to {})",
                                  kernel, layers, axis, num_axes - 1),
                      true);
}

box3 places_of(step_kernel const& kernel) {
  box3 const all = grid_of(kernel).domain(centering_of(kernel));
  return kernel.where ? intersection(kernel.where(all), all) : all;
}

std::vector<box3> sources_of(step_kernel const& kernel, box3 const& cells) {
  box3 const domain = grid_of(kernel).domain(centering_of(kernel));
  std::vector<box3> all;
  for (index3 const& offset : kernel.added) {
    box3 from = cells;
    for (int a = 0; a < 3; ++a) {
      from.lo[a] -= offset[a];
      from.hi[a] -= offset[a];
      if (kernel.added.size() == 1 && offset[a] == 0)
        continue;
      if (!grid_of(kernel).is_periodic(a)) {
        from.lo[a] = std::max(from.lo[a], domain.lo[a]);
        from.hi[a] = std::min(from.hi[a], domain.hi[a]);
      }
    }
    if (!from.is_empty())
      all.push_back(from);
  }
  return all;
}

std::vector<box3> sources_of(step_kernel const& kernel, step_access const& access,
                             box3 const& cells) {
  return access.is_mask ? std::vector<box3>{cells} : sources_of(kernel, cells);
}

ghost_width<3> reach_of(step_kernel const& kernel) {
  ghost_width<3> width;
  for (step_access const& access : kernel.accesses)
    for (auto const& list : access.offsets)
      for (auto const& offset : list)
        for (int a = 0; a < 3; ++a) {
          width.below[a] = std::max(width.below[a], -offset[a]);
          width.above[a] = std::max(width.above[a], offset[a]);
        }
  ghost_width<3> of_added;
  for (auto const& offset : kernel.added)
    for (int a = 0; a < 3; ++a) {
      of_added.below[a] = std::max(of_added.below[a], offset[a]);
      of_added.above[a] = std::max(of_added.above[a], -offset[a]);
    }
  for (int a = 0; a < 3; ++a) {
    width.below[a] += of_added.below[a];
    width.above[a] += of_added.above[a];
  }
  return width;
}

int axis_of_order(step_kernel const& kernel) { return grid_of(kernel).axis_of(kernel.order.axis); }

int processes_in_order(step_kernel const& kernel) {
  return grid_of(kernel).processes()[axis_of_order(kernel)];
}

bool takes_turns(step_kernel const& kernel) {
  return kernel.order.is_on && processes_in_order(kernel) > 1;
}

int parts_of_blocks(step_kernel const& kernel, int given) {
  constexpr std::int64_t most = 16, fewest_cells = 4096, fewest_layers = 8;
  constexpr std::int64_t fewest_in_rows = 64; // a few cache lines
  if (!takes_turns(kernel) || grid_of(kernel).num_axes() == 1)
    return 1;
  if (given > 0)
    return given;
  index3 thinnest = grid_of(kernel).cells();
  std::int64_t cells = 1;
  for (int a = 0; a < 3; ++a)
    cells *= thinnest[a] /= grid_of(kernel).processes()[a];
  int const across = axis_of_parts(kernel);
  std::int64_t const layers = across == 2 ? fewest_in_rows : fewest_layers;
  return static_cast<int>(
      std::clamp<std::int64_t>(std::min(cells / fewest_cells, thinnest[across] / layers), 1, most));
}

int grid_space::num_passes(step_kernel const& kernel) const {
  if (!kernel.order.is_on)
    return kernel.num_colors;
  return processes_in_order(kernel) + kernel.num_parts - 1;
}

step_region grid_space::turn_of(step_kernel const& kernel, int rank, int pass) const {
  box3 block = grid_of(kernel).owned_by(rank, centering_of(kernel));
  if (!kernel.order.is_on)
    return block;
  int const processes = processes_in_order(kernel);
  int const coordinate = grid_of(kernel).naming().coordinates(rank)[axis_of_order(kernel)];
  int const part = pass - (kernel.order.is_backward ? processes - 1 - coordinate : coordinate);
  if (part < 0 || part >= kernel.num_parts)
    return box3{};
  if (kernel.num_parts == 1)
    return block;
  int const across = axis_of_parts(kernel);
  std::int64_t const extent = block.extent(across), first = block.lo[across];
  block.lo[across] = first + first_cell_of(extent, kernel.num_parts, part);
  block.hi[across] = first + first_cell_of(extent, kernel.num_parts, part + 1);
  return block;
}

void grid_space::prepare(step_program const& program, step_kernel& kernel,
                         int parts_in_order) const {
  kernel.num_parts = parts_of_blocks(kernel, parts_in_order);
  kernel.carried = carried_by(program, kernel);
}

std::string grid_space::against_fusion(step_kernel const& kernel) const {
  if (!takes_turns(kernel))
    return "";
  return fmt::format("kernel '{}' runs in order along axis {}, which {} processes divide (expected "
                     "no fusion, or one process)",
                     kernel.name, kernel.order.axis, processes_in_order(kernel));
}

std::string grid_space::restrictions_in_words(step_kernel const& kernel) const {
  std::string places = kernel.writes_several_kinds ? ", on several centerings" : "";
  if (!kernel.where)
    return places;
  box3 const cells = places_of(kernel);
  return places + (cells.is_empty()
                       ? ", where nothing lies"
                       : fmt::format(", where ({}) to ({})", fmt::join(entries_of(cells.lo), ", "),
                                     fmt::join(entries_of(cells.hi), ", ")));
}

std::string grid_space::passes_in_words(step_kernel const& kernel) const {
  if (!takes_turns(kernel))
    return "";
  return fmt::format(": {} blocks take turns, {} part{} each, in {} passes",
                     processes_in_order(kernel), kernel.num_parts, kernel.num_parts > 1 ? "s" : "",
                     num_passes(kernel));
}

bool has_values_at(step_kernel const& kernel, step_access const& access, box3 const& places) {
  return !kernel.writes_several_kinds || !access.is_written() ||
         !grid_of(kernel).values_at(places, {access.kind}).is_empty();
}

namespace {

/// Cuts places of a kernel into parts at which the same of its fields have values, at least one.
std::vector<step_region> parts_alike(step_kernel const& kernel, box3 const& places) {
  std::vector<box3> parts{places};
  for (int a = 0; a < 3; ++a) {
    std::int64_t const end = grid_of(kernel).cells()[a];
    std::vector<box3> cut;
    for (box3 const& part : parts) {
      auto const [within, last, none] = slices_of(part, a, end, part.hi[a]);
      cut.insert(cut.end(), {within, last});
    }
    if (!grid_of(kernel).is_periodic(a))
      parts = cut;
  }
  std::vector<step_region> kept;
  for (box3 const& part : parts)
    if (!part.is_empty() && std::ranges::any_of(kernel.accesses, [&](step_access const& access) {
          return access.is_written() && has_values_at(kernel, access, part);
        }))
      kept.emplace_back(part);
  return kept;
}

} // namespace

std::vector<step_region> grid_space::computed(step_kernel const& kernel,
                                              step_region const& all) const {
  if (!kernel.where)
    return kernel.writes_several_kinds ? parts_alike(kernel, all.box()) : std::vector{all};
  box3 const& region = all.box();
  box3 const where = places_of(kernel);
  std::vector<step_region> parts;
  box3 images;
  auto const& cells = grid_of(kernel).cells();
  for (int a = 0; a < 3; ++a) {
    bool const wraps = grid_of(kernel).is_periodic(a);
    images.lo[a] = wraps ? (region.lo[a] - cells[a] + 1) / cells[a] - 1 : 0;
    images.hi[a] = wraps ? region.hi[a] / cells[a] + 1 : 1;
  }
  for_each_cell(images, [&](index3 image) {
    for (int a = 0; a < 3; ++a)
      image[a] *= cells[a];
    box3 const part = intersection(region, shift(where, image));
    if (part.is_empty())
      return;
    if (!kernel.writes_several_kinds)
      return static_cast<void>(parts.emplace_back(part));
    auto const cut = parts_alike(kernel, part);
    parts.insert(parts.end(), cut.begin(), cut.end());
  });
  return parts;
}

step_region grid_space::read_by(step_kernel const& kernel, step_access const& access,
                                step_region const& places) const {
  if (access.is_added())
    return places;
  if (!has_values_at(kernel, access, places.box()))
    return box3{};
  box3 read;
  for (box3 const& from : sources_of(kernel, access, places.box()))
    read = hull(read, access.read_by(from));
  return read;
}

} // namespace seam::detail
