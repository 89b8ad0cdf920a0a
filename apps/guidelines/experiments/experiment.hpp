/// Experiments: one call with all that its time may depend on, as a line of text and as values.
///
/// The columns of a line, of which some do not apply to some experiments ("-"):
///
///     setup        one of those below
///     datatype     MPI_BYTE, MPI_CHAR, MPI_INT, MPI_FLOAT or MPI_DOUBLE
///     bytes        of the block of one edge
///     partitions   of a block; of partitioned setups
///     repetitions  at least 1
///     work         a number that a loop counts down to 0 while the call is under way
///     topology     Cartesian, vonNeumann, Moore, Full, FullSelf or Complete
///     constructor  Cart_create; Dist_graph_create or Dist_graph_create_adjacent; of Complete none
///     dimensions   of the grid of processes; of Cartesian, vonNeumann and Moore
///     finite       the number of dimensions that are not periodic, which come first
///     radius       of vonNeumann and Moore
///     ordering     FMAJ, LMAJ or RAND of vonNeumann and Moore; LINEAR or RAND of Full, FullSelf
///     seed         of RAND
///     reorder      0 or 1; not of Complete
///
/// Setups, the calls that experiments can name:
///
///     Neighbor_alltoall  Ineighbor_alltoall  Neighbor_alltoall_init       MPI's, on graphs
///     Alltoall           Ialltoall           Alltoall_init                MPI's, among all
///     Seam_Alltoall      Seam_Ialltoall      Seam_Alltoall_init           seam's, on both
///     Seam_Palltoall_init                                                 seam's, in partitions
///     Create             Seam_create         Work                         and no communication
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace guidelines {

/// The kinds of setups.
enum class family {
  neighbor, ///< MPI's neighborhood collectives
  global,   ///< MPI's collectives among all processes
  seam,     ///< seam's collectives, whose meaning follows from the topology
  create,   ///< MPI's constructors of topologies
  seam_create,
  work ///< the work loop alone
};

/// The forms of a collective call.
enum class form { blocking, nonblocking, persistent, partitioned };

/// One measurement setup.
struct setup {
  std::string name;
  family of;
  std::string operation; ///< "alltoallv"; empty unless it is a collective
  form how = form::blocking;
};

/// All setups, in the order of the head of this file.
std::vector<setup> const& all_setups();

/// The setup of this name; nullptr if there is none.
setup const* setup_named(std::string_view name);

/// The columns, in the order of files.
enum column {
  setup_column,
  datatype_column,
  bytes_column,
  partitions_column,
  repetitions_column,
  work_column,
  topology_column,
  constructor_column,
  dimensions_column,
  finite_column,
  radius_column,
  ordering_column,
  seed_column,
  reorder_column,
  num_columns
};

inline constexpr std::array<std::string_view, num_columns> column_names{
    "setup",       "datatype",   "bytes",  "partitions", "repetitions", "work", "topology",
    "constructor", "dimensions", "finite", "radius",     "ordering",    "seed", "reorder"};

/// The value of a column that does not apply.
inline constexpr std::string_view not_applicable = "-";

/// An experiment in words: a value for each column.
using levels = std::array<std::string, num_columns>;

/// A value that cannot be, and the values that can.
struct level_problem {
  column where;
  std::string expected;
};

/// Finds the first value of an experiment that cannot be.
/// @param num_processes  that it runs on, for the number of dimensions; 0 if not known
/// Local.
std::optional<level_problem> problem_with(levels const& experiment, int num_processes = 0);

/// The levels by which results are compared: all columns but the repetitions and the seed, which
/// are the same in a campaign, are kept; those two are cleared.
levels compared_levels(levels experiment);

/// The values joined by commas, as a line of a file has them.
std::string line_of(levels const& experiment);

enum class topology { cartesian, von_neumann, moore, full, full_self, complete };
enum class constructor { none, cart_create, dist_graph_create, dist_graph_create_adjacent };
enum class ordering { none, first_major, last_major, random, linear };

/// An experiment as values; those that do not apply are 0.
struct experiment {
  setup const* call;
  std::string datatype;
  int bytes, partitions, repetitions;
  std::uint64_t work;
  topology around;
  constructor made_by;
  int dimensions, finite, radius;
  ordering order;
  std::uint64_t seed;
  bool reorder;
};

/// The values of an experiment without a problem_with() it.
experiment experiment_of(levels const& words);

/// Bytes of one element of a datatype that columns name; 0 of others.
int bytes_of(std::string_view datatype);

} // namespace guidelines
