/// Unfinished files: output_file writes to them until they are whole; killed programs leave them.
///
///     u.vtkhdf.seam-5f3a09c1-4711-0.part
///
/// lies beside u.vtkhdf; process 4711 of the machine 5f3a09c1 writes it; 0 is the process's first
/// attempt at a name. MPI's own files beside it, u.vtkhdf.seam-5f3a09c1-4711-0.part.data.3, count as
/// unfinished, too.
#pragma once

#include <string>

namespace seam::detail {

/// Creates an empty file beside `place` that did not exist before. Long names are cut so that the
/// suffix fits.
/// @return  its path; empty if none can be created, with the reason in errno
/// Local.
std::string create_unfinished(std::string const& place);

/// Removes the unfinished files of processes that have ended from the folder of `place`: of this
/// machine those whose process does not run, of others those not written to for a day. Reads each
/// folder once.
/// Local.
/// Threads: any.
void remove_leftovers(std::string const& place);

} // namespace seam::detail
