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

} // namespace seam::mpi
