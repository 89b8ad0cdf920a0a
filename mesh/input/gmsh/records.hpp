/// Records of a Gmsh file, read one after another.
#pragma once

#include <seam/exchange/numbering/ids.hpp>
#include <seam/mesh/input/gmsh/format.hpp>
#include <seam/mesh/input/gmsh/runs.hpp>
#include <seam/mesh/input/mesh_input.hpp>
#include <seam/mesh/shapes/shape.hpp>

#include <array>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace seam::detail {

/// A node, or in 4.1 its id or its coordinates, which are stored apart.
struct msh_node {
  std::int64_t number = 0; ///< of all nodes in the file, from 0
  std::optional<global_id> id;
  std::optional<std::array<double, 3>> place;
  msh_place at;
};

struct msh_element {
  shape kind{};
  global_id id = 0;
  std::int32_t entity = 0;          ///< 4.1, else 0
  std::int32_t tag = 0;             ///< 2.2, else 0
  std::span<global_id const> nodes; ///< at the corners
  bool is_second_order = false;
  msh_place at;
};

/// An entity of 4.1 with its first physical tag, 0 if it has none.
struct msh_entity {
  std::int32_t dimension = 0, tag = 0, physical = 0;
};

/// Call `visit` for each record of a piece, in order.
/// @throws usage_error  a record is malformed
/// Local.
void for_each_node(file_window& file, msh_format const& format, msh_piece const& piece,
                   std::function<void(msh_node const&)> const& visit);
void for_each_element(file_window& file, msh_format const& format, msh_piece const& piece,
                      std::function<void(msh_element const&)> const& visit);
void for_each_entity(file_window& file, msh_format const& format, msh_piece const& piece,
                     std::function<void(msh_entity const&)> const& visit);

/// The names of groups.
/// @param at  behind the line $PhysicalNames
/// @throws usage_error  the section is malformed: the line names the place
/// Local.
std::vector<mesh_group> read_group_names(file_window& file, msh_place at);

/// A rank's share of the pairs of nodes that are one: of P ranks each takes every P-th pair.
/// @param at  behind the line $Periodic
/// @throws usage_error  as above
/// Local.
/// Cost: every rank reads the section.
std::vector<joined_vertices> read_joined_nodes(file_window& file, msh_format const& format,
                                               msh_place at, int rank, int num_ranks);

} // namespace seam::detail
