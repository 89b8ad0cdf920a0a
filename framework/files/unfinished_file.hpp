/// Unfinished files: what output_file writes to until the file is whole, and what killed runs
/// leave.
///
///     u.vtkhdf.seam-5f3a09c1-4711-0.part
///
/// lies beside u.vtkhdf and is written by process 4711 of the machine 5f3a09c1; 0 is its first
/// attempt at a name.
#pragma once

#include <string>

namespace seam::detail {

/// Creates an empty file beside `place` that did not exist before. Of names that leave no room for
/// what is appended the end is cut off.
/// @return  its path; empty where none can be created, for the reason in errno. Local.
std::string create_unfinished(std::string const& place);

/// Removes the unfinished files in the folder of `place` whose processes have ended: those of this
/// machine that do not run, and those of others that have not been written to for a day. Looks into
/// each folder once. Local, any thread.
void remove_leftovers(std::string const& place);

} // namespace seam::detail
