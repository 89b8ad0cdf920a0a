/// The requests of partitioned.h.
#pragma once

#include <seam/exchange/partitioned/partitioned.h>
#include <seam/exchange/partitioned/partitioned_operation.hpp>

/// A partitioned operation, and what the status of its completion says.
struct mpix_request {
  MPI_Comm comm;
  seam::partitioned_operation what;
  int source = MPI_ANY_SOURCE, tag = MPI_ANY_TAG;
  MPI_Count bytes = 0;
};
