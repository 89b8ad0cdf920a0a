// The program itself has started MPI and Kokkos, and finds them running after a Runtime has come and
// gone. The Runtime takes an MPI without thread support (argument "single"), and must refuse one
// that has ended ("ended").
#include <seam/framework/program/runtime.hpp>

#include <Kokkos_Core.hpp>
#include <mpi.h>

#include <cstdio>
#include <string_view>

namespace {

void use_runtimes(int& argc, char**& argv) {
  seam::Runtime outer(argc, argv);
  seam::Runtime inner(argc, argv);
  if (inner.rank() != outer.rank() || inner.size() != outer.size())
    std::fprintf(stderr, "the Runtimes differ\n");
}

} // namespace

int main(int argc, char** argv) {
  std::string_view const form = argc > 1 ? argv[1] : "";
  int provided = 0;
  MPI_Init_thread(&argc, &argv, form == "single" ? MPI_THREAD_SINGLE : MPI_THREAD_MULTIPLE,
                  &provided);
  Kokkos::initialize(argc, argv);
  if (form == "ended")
    MPI_Finalize();
  use_runtimes(argc, argv);
  int one = 1, size = 0, ended = 0;
  MPI_Finalized(&ended);
  MPI_Allreduce(&one, &size, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  bool const good = ended == 0 && Kokkos::is_initialized();
  Kokkos::finalize();
  MPI_Finalize();
  if (good)
    std::printf("still running on %d\n", size);
  return good ? 0 : 1;
}
