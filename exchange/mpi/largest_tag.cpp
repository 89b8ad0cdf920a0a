#include <seam/exchange/mpi/largest_tag.hpp>

#include <seam/exchange/mpi/detail/check.hpp>

#include <mpi.h>

namespace seam::mpi {

int largest_tag() {
  constexpr int largest_of_all = 32767;
  static int const largest = [] {
    void* tag = nullptr;
    int found = 0;
    check(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &tag, &found), "MPI_Comm_get_attr");
    return found != 0 ? *static_cast<int*>(tag) : largest_of_all;
  }();
  return largest;
}

} // namespace seam::mpi
