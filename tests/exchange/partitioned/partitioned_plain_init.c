/* Partitioned operations need threads that may call MPI: where MPI has none they are refused. */
#include <seam/exchange/partitioned/partitioned.h>

#include <mpi.h>
#include <stdio.h>
#include <string.h>

static int is_refused(int code) {
  char text[MPI_MAX_ERROR_STRING];
  int length;
  text[0] = '\0';
  if (code != MPI_SUCCESS)
    MPI_Error_string(code, text, &length);
  return strstr(text, "(expected MPI_THREAD_MULTIPLE") != NULL;
}

int main(int argc, char** argv) {
  MPIX_Request request;
  int in[4], out[4], rank, refused, all;
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  refused = is_refused(MPIX_Pallreduce_init(out, in, 2, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD,
                                            MPI_INFO_NULL, &request)) &&
            is_refused(MPIX_Pbcast_init(out, 2, 2, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL,
                                        &request)) &&
            is_refused(MPIX_Psend_init(out, 2, 2, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_INFO_NULL,
                                       &request));
  MPI_Reduce(&refused, &all, 1, MPI_INT, MPI_MIN, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("partitioned: %s\n", all ? "refused everywhere" : "not refused");
  MPI_Finalize();
  return 0;
}
