/// Runs: consecutive records of one kind in a Gmsh file.
#pragma once

#include <seam/mesh/input/gmsh/format.hpp>

#include <cstdint>

namespace seam::detail {

enum class msh_record : std::uint8_t {
  entity,     ///< 4.0 and 4.1: a part of the geometry and its physical tags
  node,       ///< 2.2 and 4.0: id and coordinates
  node_id,    ///< 4.1: the ids of a block come first,
  node_place, ///< then its coordinates
  element_2,  ///< 2.2: id, (in text) type, tags, nodes
  element_4   ///< 4.0 and 4.1: id, nodes
};

/// Consecutive records, in text a line each. `first` and `total` count entities, nodes or elements.
struct msh_run {
  msh_record kind{};
  std::int32_t dimension = 0; ///< of the entity; of nodes: the number of their parameters
  std::int32_t entity = 0;    ///< 4.0 and 4.1: its tag
  std::int32_t type = 0;      ///< Gmsh's number; unknown for elements in text of 2.2
  std::int32_t num_tags = 0;  ///< of each element in a binary file of 2.2
  std::int64_t first = 0;     ///< number of the first record in its section
  std::int64_t count = 0;
  std::int64_t total = 0;          ///< entities, nodes or elements in the section
  std::int64_t bytes = 0;          ///< of a record in a binary file
  std::int64_t stride = 0;         ///< from one record to the next in a binary file [bytes]
  bool has_any_parameters = false; ///< 2.2: a node's record goes on with what is not read
};

/// Records that one rank reads.
struct msh_piece {
  msh_run run;
  msh_place at; ///< of the first record
};

} // namespace seam::detail
