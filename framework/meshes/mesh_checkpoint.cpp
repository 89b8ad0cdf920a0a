#include <seam/framework/meshes/mesh_checkpoint.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/ground/digest.hpp>
#include <seam/exchange/numbering/order.hpp>
#include <seam/framework/checkpoint/detail/stored_rows.hpp>
#include <seam/mesh/entities/groups.hpp>
#include <seam/mesh/fields/stale_copies.hpp>
#include <seam/mesh/input/elements.hpp>
#include <seam/mesh/input/id_homes.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

namespace seam {
using namespace detail;

namespace {

using byte_rows = std::shared_ptr<std::vector<std::byte>>;

constexpr std::int64_t most_vertices = 8; ///< of an element; rows of others end with no_id

template <class T>
byte_rows as_rows(std::vector<T> const& values) {
  auto const bytes = std::as_bytes(std::span(values));
  return std::make_shared<std::vector<std::byte>>(bytes.begin(), bytes.end());
}

template <class T>
std::vector<T> as_values(byte_rows const& rows) {
  std::vector<T> values(rows->size() / sizeof(T));
  if (!values.empty())
    std::memcpy(values.data(), rows->data(), rows->size());
  return values;
}

template <class T>
void append_rows(std::vector<stored_array>& to, std::string name,
                 std::shared_ptr<row_positions const> const& at, std::vector<T> const& values,
                 std::int64_t width = 1) {
  to.push_back(stored_rows(std::move(name), at, as_rows(values), width, element_format_of<T>()));
}

/// Keys of elements of several dimensions, whose ids may be the same.
std::vector<global_id> keys_of(element_list const& elements) {
  std::vector<global_id> keys;
  for (std::int64_t e = 0; e < std::ssize(elements.ids); ++e)
    keys.push_back(4 * elements.ids[e] + dimensions_of(elements.shapes[e]));
  return keys;
}

std::vector<std::uint8_t> numbers_of(std::vector<shape> const& shapes) {
  std::vector<std::uint8_t> numbers;
  for (shape const of : shapes)
    numbers.push_back(static_cast<std::uint8_t>(of));
  return numbers;
}

/// The vertices of each element, in rows of most_vertices.
std::vector<global_id> padded_vertices(element_list const& elements) {
  std::vector<global_id> rows(elements.ids.size() * most_vertices, no_id);
  for (std::int64_t e = 0; e < std::ssize(elements.ids); ++e)
    std::copy(elements.vertices.begin() + elements.elements2vertices[e],
              elements.vertices.begin() + elements.elements2vertices[e + 1],
              rows.begin() + static_cast<std::ptrdiff_t>(e * most_vertices));
  return rows;
}

void append_elements(std::vector<stored_array>& to, Communicator const& over,
                     std::string const& name, element_list const& elements) {
  auto const at = find_row_positions(over, keys_of(elements));
  append_rows(to, name, at, elements.ids);
  append_rows(to, fmt::format("{}.shapes", name), at, numbers_of(elements.shapes));
  append_rows(to, fmt::format("{}.tags", name), at, elements.tags);
  append_rows(to, fmt::format("{}.vertices", name), at, padded_vertices(elements), most_vertices);
}

/// The images of the vertices of each cell, in rows as padded_vertices().
std::vector<std::int8_t> padded_images(element_list const& cells) {
  std::vector<std::int8_t> rows;
  for (std::int64_t c = 0; c < std::ssize(cells.ids); ++c) {
    for (vertex_image const& image : images_of(cells, c))
      rows.insert(rows.end(), image.steps.begin(), image.steps.end());
    rows.resize(3 * most_vertices * (c + 1));
  }
  return rows;
}

std::vector<vertex_image> unpadded_images(std::vector<std::int8_t> const& rows,
                                          element_list const& cells) {
  std::vector<vertex_image> images(cells.vertices.size());
  for (std::int64_t c = 0; c < std::ssize(cells.ids); ++c)
    for (auto v = cells.elements2vertices[c]; v < cells.elements2vertices[c + 1]; ++v) {
      auto const at = most_vertices * c + v - cells.elements2vertices[c];
      std::copy_n(rows.begin() + 3 * at, 3, images[v].steps.begin());
    }
  return images;
}

/// The lines of groups, which all ranks have.
/// @param lines  outlives the result
stored_array stored_groups(std::string& lines) {
  return stored_value("mesh.groups", reinterpret_cast<std::byte*>(lines.data()),
                      {name_with_length("names of groups", lines.size()), std::ssize(lines)});
}

/// Numbers of rows and the periods, which stand in the file as a value.
struct mesh_sizes {
  static constexpr char const* checkpoint_name = "sizes of a mesh 3";
  std::int64_t num_dimensions, vertices, cells, boundary, bytes_of_groups, num_periods;
  std::array<vector3, 3> periods;
};

/// Arrays into which this rank's share of elements is read.
struct elements_to_read {
  byte_rows ids = std::make_shared<std::vector<std::byte>>();
  byte_rows shapes = std::make_shared<std::vector<std::byte>>();
  byte_rows tags = std::make_shared<std::vector<std::byte>>();
  byte_rows vertices = std::make_shared<std::vector<std::byte>>();

  void append_to(std::vector<stored_array>& all, Communicator const& over, std::string const& name,
                 std::int64_t total) const {
    all.push_back(rows_to_read(over, name, total, ids, 1, element_format_of<global_id>()));
    all.push_back(rows_to_read(over, fmt::format("{}.shapes", name), total, shapes, 1,
                               element_format_of<std::uint8_t>()));
    all.push_back(rows_to_read(over, fmt::format("{}.tags", name), total, tags, 1,
                               element_format_of<std::int32_t>()));
    all.push_back(rows_to_read(over, fmt::format("{}.vertices", name), total, vertices,
                               most_vertices, element_format_of<global_id>()));
  }

  element_list elements() const {
    element_list made;
    made.ids = as_values<global_id>(ids);
    made.tags = as_values<std::int32_t>(tags);
    made.elements2vertices.push_back(0);
    auto const padded = as_values<global_id>(vertices);
    auto const numbers = as_values<std::uint8_t>(shapes);
    for (std::int64_t e = 0; e < std::ssize(numbers); ++e) {
      auto const of = static_cast<shape>(numbers[e]);
      made.shapes.push_back(of);
      auto const row = padded.begin() + static_cast<std::ptrdiff_t>(e * most_vertices);
      made.vertices.insert(made.vertices.end(), row, row + num_vertices_of(of));
      made.elements2vertices.push_back(std::ssize(made.vertices));
    }
    return made;
  }
};

} // namespace

void detail::append_stored(std::vector<stored_array>& to, Mesh const& mesh) {
  Communicator const& over = mesh.base();
  auto const own = std::make_shared<mesh_input>(mesh.share());
  auto const at = find_row_positions(over, own->vertex_ids);
  append_rows(to, "mesh.vertices", at, own->vertex_ids);
  append_rows(to, "mesh.coordinates", at, own->coordinates, 3);
  append_elements(to, over, "mesh.cells", own->cells);
  append_elements(to, over, "mesh.boundary", own->boundary);
  auto const boundary =
      mpi::allreduce(over.context(), std::int64_t{std::ssize(own->boundary.ids)}, MPI_SUM);
  auto const groups = std::make_shared<std::string>(lines_of_groups(own->groups));
  if (!groups->empty()) {
    to.push_back(stored_groups(*groups));
    to.back().loaded = [groups] {}; // keeps them alive
  }
  auto const sizes = std::make_shared<mesh_sizes>(mesh_sizes{mesh.num_dimensions(),
                                                             at->total,
                                                             mesh.cells().num_global,
                                                             boundary,
                                                             std::ssize(*groups),
                                                             std::ssize(own->periods),
                                                             {}});
  std::ranges::copy(own->periods, sizes->periods.begin());
  if (!own->periods.empty())
    append_rows(to, "mesh.images", find_row_positions(over, keys_of(own->cells)),
                padded_images(own->cells), 3 * most_vertices);
  to.push_back(stored_value("mesh.sizes", reinterpret_cast<std::byte*>(sizes.get()),
                            element_format_of<mesh_sizes>()));
  to.back().loaded = [sizes] {};
}

Mesh load_mesh(Communicator const& over, checkpoint_place const& place, ghost_layers ghosts) {
  call_scope const here("load_mesh");
  mesh_sizes sizes{};
  load(over, place, value("mesh.sizes", sizes));
  std::vector<stored_array> all;
  auto const ids = std::make_shared<std::vector<std::byte>>();
  auto const coordinates = std::make_shared<std::vector<std::byte>>();
  elements_to_read const cells, boundary;
  all.push_back(rows_to_read(over, "mesh.vertices", sizes.vertices, ids, 1,
                             element_format_of<global_id>()));
  all.push_back(rows_to_read(over, "mesh.coordinates", sizes.vertices, coordinates, 3,
                             element_format_of<double>()));
  cells.append_to(all, over, "mesh.cells", sizes.cells);
  boundary.append_to(all, over, "mesh.boundary", sizes.boundary);
  auto const images = std::make_shared<std::vector<std::byte>>();
  if (sizes.num_periods > 0)
    all.push_back(rows_to_read(over, "mesh.images", sizes.cells, images, 3 * most_vertices,
                               element_format_of<std::int8_t>()));
  std::string groups(sizes.bytes_of_groups, '\n');
  if (!groups.empty())
    all.push_back(stored_groups(groups));
  load_checkpoint(over, place.path, "", all);
  mesh_input input;
  input.groups = groups_of_lines(groups);
  input.num_dimensions = static_cast<int>(sizes.num_dimensions);
  input.vertex_ids = as_values<global_id>(ids);
  input.coordinates = as_values<double>(coordinates);
  input.cells = cells.elements();
  input.boundary = boundary.elements();
  input.periods.assign(sizes.periods.begin(), sizes.periods.begin() + sizes.num_periods);
  if (sizes.num_periods > 0)
    input.cells.images = unpadded_images(as_values<std::int8_t>(images), input.cells);
  return Mesh(over, input, ghosts);
}

} // namespace seam

namespace seam::detail {
namespace {

/// A number that two lists of ids share only by chance, whatever their order and their division.
/// Collective: over `over`.
std::uint64_t digest_of(Communicator const& over, std::span<global_id const> ids) {
  std::uint64_t sum = 0;
  for (global_id const id : ids)
    sum += scrambled(static_cast<std::uint64_t>(id));
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
  made.loaded = [field] { note_copies(*field); };
  return made;
}

} // namespace seam::detail
