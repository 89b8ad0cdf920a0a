/// Calls of the MPI library that have a blocking form and a nonblocking one.
#pragma once

#include <mpi.h>

namespace seam::mpi {

/// Begins the nonblocking form, which takes the arguments of the blocking one and a request;
/// without a request, calls the blocking form.
/// @return  the code of the call
template <class Blocking, class Nonblocking, class... Arguments>
int call(Blocking* blocking, Nonblocking* nonblocking, MPI_Request* pending,
         Arguments... arguments) {
  return pending == nullptr ? blocking(arguments...) : nonblocking(arguments..., pending);
}

/// A barrier between the two `sides`, whose nonblocking form is a reduction of the other
/// side's values: MPI_Ibarrier of Open MPI 4.1 lets processes go before all of the other side came.
/// @return  the code of the call
inline int barrier_between_sides(MPI_Comm sides, MPI_Request* pending) {
  static constinit int own = 0, ignored = 0;
  return pending == nullptr ? MPI_Barrier(sides)
                            : MPI_Iallreduce(&own, &ignored, 1, MPI_INT, MPI_MAX, sides, pending);
}

} // namespace seam::mpi
