/// Measurement setups: the calls that experiments can name.
///
///     Neighbor_alltoall  Ineighbor_alltoall  Neighbor_alltoall_init       MPI's, on graphs
///     Alltoall           Ialltoall           Alltoall_init                MPI's, among all
///     Seam_Alltoall      Seam_Ialltoall      Seam_Alltoall_init           seam's, on both
///     Seam_Palltoall_init                                                 seam's, in partitions
///     Create             Seam_create         Work                         and no communication
#pragma once

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

} // namespace guidelines
