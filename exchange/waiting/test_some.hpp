/// Receives of messages in one array, some of which may be over.
#pragma once

#include <mpi.h>

#include <span>

namespace seam::mpi {

/// What MPI_Testsome does for the receives of messages: the indices of those that are over, and their
/// statuses, are written; `count` is MPI_UNDEFINED if no receive is active. Local.
///
/// With MPICH each receive is asked by itself: MPI_Testsome of MPICH 4.0 hands the error of a message
/// to the error handler of MPI_COMM_WORLD, which may end the program, and MPI_Test to that of the
/// message's communicator.
/// @return  the code of the call; MPI_ERR_IN_STATUS if the last status has an error
int test_some(std::span<MPI_Request> receives, int& count, int* indices, MPI_Status* statuses);

} // namespace seam::mpi
