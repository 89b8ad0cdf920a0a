// A library for LD_PRELOAD that stands between a program and the MPI library: it slows one
// operation down, or keeps a clock that only these operations move.
//
//     SEAM_FAULT_DELAY=0.1        MPI_Neighbor_alltoall takes a tenth longer
//     SEAM_FAULT_CLOCK=on         MPI_Wtime() advances by 10 us in each MPI_Neighbor_alltoall and
//                                 MPI_Neighbor_alltoallv, with a scatter of 2 %, and by nothing
//                                 else
#include <mpi.h>

#include <cstdlib>
#include <random>
#include <string_view>

#include <unistd.h>

namespace {

double delay() {
  static char const* const text = std::getenv("SEAM_FAULT_DELAY");
  return text == nullptr ? 0 : std::atof(text);
}

bool keeps_clock() {
  static char const* const text = std::getenv("SEAM_FAULT_CLOCK");
  return text != nullptr && std::string_view(text) == "on";
}

double& own_clock() {
  static double seconds = 1;
  return seconds;
}

/// Moves the own clock as if a call took so much longer than usual.
void pass_time(double longer) {
  static std::mt19937 random(std::random_device{}());
  static std::normal_distribution<> scatter(1, 0.02);
  own_clock() += 10e-6 * (1 + longer) * scatter(random);
}

/// Makes a call that takes so much longer than usual.
template <class Call>
int timed(double longer, Call const& call) {
  double const begin = PMPI_Wtime();
  int const code = call();
  double const end = PMPI_Wtime();
  if (keeps_clock())
    pass_time(longer);
  else
    while (PMPI_Wtime() < end + longer * (end - begin)) {
    }
  return code;
}

} // namespace

extern "C" {

int MPI_Neighbor_alltoall(void const* sent, int send_count, MPI_Datatype send_type, void* received,
                          int count, MPI_Datatype type, MPI_Comm comm) {
  return timed(delay(), [&] {
    return PMPI_Neighbor_alltoall(sent, send_count, send_type, received, count, type, comm);
  });
}

int MPI_Neighbor_alltoallv(void const* sent, int const* send_counts, int const* send_places,
                           MPI_Datatype send_type, void* received, int const* counts,
                           int const* places, MPI_Datatype type, MPI_Comm comm) {
  return timed(0, [&] {
    return PMPI_Neighbor_alltoallv(sent, send_counts, send_places, send_type, received, counts,
                                   places, type, comm);
  });
}

double MPI_Wtime() { return keeps_clock() ? own_clock() : PMPI_Wtime(); }

} // extern "C"
