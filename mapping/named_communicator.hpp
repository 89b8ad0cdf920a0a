/// Communicators whose processes have Cartesian names.
///
///     auto const dims = dims_create(comm.size(), std::array{0, 0});
///     name(comm, CartesianNaming(comm.size(), dims, {true, true}));
///     CartesianNaming const* naming = naming_of(comm);       // nullptr: comm has no naming
///     mpi::comm rows = make_sub(comm, {true, false});        // one communicator per row, unnamed
///
/// A naming is a property of one communicator: no communicator made from it inherits it.
#pragma once

#include <seam/exchange/mpi/comm.hpp>
#include <seam/mapping/cartesian_naming.hpp>

#include <vector>

namespace seam {

/// Names the processes of `comm`, in place of an earlier naming. The naming goes with `comm`.
///
/// All ranks give the same naming; check_same_naming() verifies it.
/// @throws usage_error  the naming is for another number of processes, or `comm` is bipartite
/// Local.
/// Threads: one thread per communicator at a time.
/// Source: [Traeff2021] listing 3 (Cart_name).
void name(mpi::comm_view comm, CartesianNaming naming);

/// The naming of `comm`, or nullptr if it has none. Valid until `comm` is named anew or freed.
/// Local.
/// Source: [Traeff2021] listing 3 (Cart_test, Cart_get).
CartesianNaming const* naming_of(mpi::comm_view comm);

/// The naming of `comm`, after a check that all ranks have the same one.
/// @throws usage_error  a rank has named `comm` differently or not at all (on all ranks)
/// Collective: over comm.
CartesianNaming const& check_same_naming(mpi::comm_view comm);

/// Splits `cart` into one communicator for each combination of coordinates in excluded dimensions.
///
/// The processes of one result differ in the remaining dimensions, and keep their order: named by
/// sub_naming() they keep their remaining coordinates. The results are unnamed; processes that have
/// no name in `cart` get an empty handle.
///
/// @param excluded      [num_dimensions], the same on all ranks
/// @throws usage_error  ranks disagree on the naming or on `excluded` (on all ranks)
/// Collective: over cart.
/// Source: [Traeff2021] listing 5 (Cart_create_sub).
mpi::comm make_sub(mpi::comm_view cart, std::vector<bool> const& excluded);

} // namespace seam
