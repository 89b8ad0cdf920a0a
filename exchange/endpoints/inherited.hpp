/// Inheritance: a new thread begins at the endpoint of the thread that has made it.
///
/// The program's pthread_create is seam's, which passes the endpoint on, so that threads of the
/// standard library and of OpenMP inherit as well. SEAM_INHERIT_ENDPOINTS=off keeps it from doing
/// so: then threads begin at the first endpoint of their process.
#pragma once

namespace seam::detail {

/// Makes the linker take seam's pthread_create, which nothing else refers to. Local.
/// @throws usage_error  SEAM_INHERIT_ENDPOINTS is neither on nor off
void let_threads_inherit();

} // namespace seam::detail
