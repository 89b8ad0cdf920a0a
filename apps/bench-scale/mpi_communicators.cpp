// The functions of MPI that make communicators and shared windows. A new communicator takes an agreement on
// its number; one whose processes are chosen by color and key takes these of all processes.
#include "counting.hpp"

using namespace scale_bench;

namespace {

constexpr int bytes_of_number = 4;
constexpr int bytes_of_color_and_key = 8;
constexpr int bytes_of_window = 8;

} // namespace

extern "C" {
int MPI_Comm_dup(MPI_Comm comm, MPI_Comm* made) {
  count_tree(comm, bytes_of_number);
  return PMPI_Comm_dup(comm, made);
}
int MPI_Comm_idup(MPI_Comm comm, MPI_Comm* made, MPI_Request* request) {
  count_tree(comm, bytes_of_number);
  return PMPI_Comm_idup(comm, made, request);
}
int MPI_Comm_create(MPI_Comm comm, MPI_Group group, MPI_Comm* made) {
  count_tree(comm, bytes_of_number);
  return PMPI_Comm_create(comm, group, made);
}
int MPI_Comm_create_group(MPI_Comm comm, MPI_Group group, int tag, MPI_Comm* made) {
  count_tree(comm, bytes_of_number);
  return PMPI_Comm_create_group(comm, group, tag, made);
}
int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm* made) {
  count_gathering(comm, bytes_of_color_and_key);
  return PMPI_Comm_split(comm, color, key, made);
}
int MPI_Comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm* made) {
  count_gathering(comm, bytes_of_color_and_key);
  return PMPI_Comm_split_type(comm, type, key, info, made);
}
int MPI_Dist_graph_create_adjacent(MPI_Comm comm, int num_sources, int const sources[],
                                   int const source_weights[], int num_destinations,
                                   int const destinations[], int const destination_weights[],
                                   MPI_Info info, int reorder, MPI_Comm* made) {
  count_tree(comm, bytes_of_number);
  return PMPI_Dist_graph_create_adjacent(comm, num_sources, sources, source_weights,
                                         num_destinations, destinations, destination_weights, info,
                                         reorder, made);
}
int MPI_Win_allocate_shared(MPI_Aint bytes, int unit, MPI_Info info, MPI_Comm comm, void* first,
                            MPI_Win* made) {
  count_gathering(comm, bytes_of_window);
  return PMPI_Win_allocate_shared(bytes, unit, info, comm, first, made);
}
}
