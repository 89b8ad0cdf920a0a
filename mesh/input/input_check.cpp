#include <seam/mesh/input/input_check.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/numbering/rendezvous.hpp>
#include <seam/mesh/input/elements.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace seam::detail {
namespace {

void check_id(global_id id, char const* of) {
  if (id < 0 || id == std::numeric_limits<global_id>::max())
    refuse(fmt::format("mesh: {} with id {} (expected 0 to 2^63 - 2)", of, id));
}

void check_count(std::int64_t count, char const* of) {
  if (count > std::numeric_limits<local_id>::max())
    refuse(fmt::format("mesh: {} {} on one rank (expected less than 2^31)", count, of));
}

void check_vertices(mesh_input const& input) {
  check_count(std::ssize(input.vertex_ids), "vertices");
  if (input.coordinates.size() != 3 * input.vertex_ids.size())
    refuse(fmt::format("mesh: {} coordinates (expected 3 for each of {} vertices)",
                       input.coordinates.size(), input.vertex_ids.size()));
  for (global_id const id : input.vertex_ids)
    check_id(id, "a vertex");
  for (std::int64_t i = 0; i < std::ssize(input.coordinates); ++i)
    if (!std::isfinite(input.coordinates[i]))
      refuse(fmt::format("mesh: coordinate {} of vertex {} (expected a finite one)",
                         input.coordinates[i], input.vertex_ids[i / 3]));
}

void check_lengths(element_list const& list, char const* of) {
  check_count(std::ssize(list.ids), of);
  auto const count = list.ids.size();
  bool const has_rows =
      list.elements2vertices.size() == count + 1 || (count == 0 && list.elements2vertices.empty());
  if (list.shapes.size() != count || list.tags.size() != count || !has_rows)
    refuse(fmt::format("mesh: {} {} with {} shapes, {} tags and {} ends of rows (expected one of "
                       "each for an id, and a row end more)",
                       count, of, list.shapes.size(), list.tags.size(),
                       list.elements2vertices.size()));
  if (!std::ranges::is_sorted(list.elements2vertices) ||
      (count > 0 && (list.elements2vertices.front() != 0 ||
                     list.elements2vertices.back() != std::ssize(list.vertices))))
    refuse(fmt::format("mesh: rows of {} that do not cover {} vertices (expected ascending rows "
                       "from 0)",
                       of, list.vertices.size()));
}

void check_images(mesh_input const& input) {
  element_list const& cells = input.cells;
  bool const has_images = !cells.images.empty(), needs_images = !input.periods.empty();
  if (input.periods.size() > 3 || (has_images && cells.images.size() != cells.vertices.size()) ||
      has_images != (needs_images && !cells.vertices.empty()))
    refuse(fmt::format("mesh: {} periods and {} images of {} vertices of cells (expected none, or "
                       "at most 3 and an image of each)",
                       input.periods.size(), cells.images.size(), cells.vertices.size()));
  if (needs_images && !input.joined.empty())
    refuse(fmt::format("mesh: {} joined vertices of a mesh with periods (expected one of both)",
                       input.joined.size()));
}

void check_element(element_list const& list, local_id e, char const* of) {
  auto const vertices = vertices_of(list, e);
  if (std::ssize(vertices) != num_vertices_of(list.shapes[e]))
    refuse(fmt::format("mesh: {} vertices of {} {} (expected {} for its shape)", vertices.size(),
                       of, list.ids[e], num_vertices_of(list.shapes[e])));
  std::array<global_id, 8> sorted{};
  std::ranges::copy(vertices, sorted.begin());
  auto const own = std::span(sorted).first(vertices.size());
  sort_few(own);
  if (std::ranges::adjacent_find(own) != own.end())
    refuse(fmt::format("mesh: vertices {} of {} {} (expected distinct ones)",
                       fmt::join(vertices, ", "), of, list.ids[e]));
  check_id(sorted.front(), "an element's vertex");
  check_id(list.ids[e], of);
}

void check_elements(element_list const& list, char const* of, int fewest_dimensions,
                    int most_dimensions) {
  check_lengths(list, of);
  for (local_id e = 0; e < list.num_elements(); ++e) {
    int const found = dimensions_of(list.shapes[e]);
    if (found < fewest_dimensions || found > most_dimensions)
      refuse(fmt::format("mesh: {} {} has {} dimensions (expected {} to {})", of, list.ids[e],
                         found, fewest_dimensions, most_dimensions));
    check_element(list, e, of);
  }
}

std::string words_of_groups(mesh_input const& input) {
  std::string all;
  for (mesh_group const& group : input.groups)
    all += fmt::format("{}:{}:{} ", group.dimension, group.tag, group.name);
  return all;
}

/// Collective: over `over`.
void check_distinct(Communicator const& over, std::span<global_id const> ids, char const* of) {
  std::vector<int> ranks;
  for (global_id const id : ids)
    ranks.push_back(static_cast<int>(id % over.size()));
  auto met = send_records(over, ids, ranks).records;
  collectively(over.context(), [&] {
    std::ranges::sort(met);
    auto const twice = std::ranges::adjacent_find(met);
    if (twice != met.end())
      refuse(fmt::format("mesh: {} {} is given twice (expected by one rank, once)", of, *twice));
  });
}

} // namespace

void check_input(Communicator const& over, mesh_input const& input) {
  require_same(over.context(), "mesh: number of dimensions",
               fmt::format("{}", input.num_dimensions));
  require_same(over.context(), "mesh: names of groups", words_of_groups(input));
  collectively(over.context(), [&] {
    int const dimensions = input.num_dimensions;
    if (dimensions < 1 || dimensions > 3)
      refuse(fmt::format("mesh: {} dimensions (expected 1 to 3)", dimensions));
    check_vertices(input);
    check_elements(input.cells, "cell", dimensions, dimensions);
    check_elements(input.boundary, "boundary element", 0, dimensions - 1);
    check_images(input);
  });
  check_distinct(over, input.vertex_ids, "vertex");
  check_distinct(over, input.cells.ids, "cell");
}

} // namespace seam::detail
