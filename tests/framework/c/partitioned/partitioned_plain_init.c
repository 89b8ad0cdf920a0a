/* Partitioned operations of a program that starts MPI without threads: all calls come from one. */
#include <seam/c/partitioned.h>

#include <mpi.h>
#include <stdio.h>

#define PARTS 6
#define COUNT 50
#define LENGTH (PARTS * COUNT)
#define NUM_REQUESTS 4

static int rank, size;
static long wrong = 0;
static int out[LENGTH], in[LENGTH], sum[LENGTH], common[LENGTH];

static void must(int code) {
  if (code != MPI_SUCCESS)
    ++wrong;
}

static void make(MPIX_Request* all) {
  must(MPIX_Psend_init(out, PARTS, COUNT, MPI_INT, (rank + 1) % size, 5, MPI_COMM_WORLD,
                       MPI_INFO_NULL, &all[0]));
  must(MPIX_Precv_init(in, PARTS / 2, 2 * COUNT, MPI_INT, (rank + size - 1) % size, 5,
                       MPI_COMM_WORLD, MPI_INFO_NULL, &all[1]));
  must(MPIX_Pallreduce_init(out, sum, PARTS, COUNT, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL,
                            &all[2]));
  must(MPIX_Pbcast_init(common, PARTS, COUNT, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &all[3]));
}

static void run_epoch(MPIX_Request* all, int epoch) {
  int p, k;
  for (k = 0; k < LENGTH; ++k) {
    out[k] = 1000 * rank + 10 * epoch + k;
    in[k] = sum[k] = -1;
    common[k] = rank == 0 ? 3 * k + epoch : -1;
  }
  must(MPIX_Startall(NUM_REQUESTS, all));
  for (p = 0; p < PARTS; ++p) {
    must(MPIX_Pready((p + epoch) % PARTS, all[0]));
    must(MPIX_Pready(p, all[2]));
    if (rank == 0)
      must(MPIX_Pready(p, all[3]));
  }
  must(MPIX_Waitall(NUM_REQUESTS, all, MPI_STATUSES_IGNORE));
  for (k = 0; k < LENGTH; ++k) {
    wrong += in[k] != 1000 * ((rank + size - 1) % size) + 10 * epoch + k;
    wrong += sum[k] != 1000 * (size * (size - 1) / 2) + size * (10 * epoch + k);
    wrong += common[k] != 3 * k + epoch;
  }
}

int main(int argc, char** argv) {
  MPIX_Request all[NUM_REQUESTS];
  long everywhere = 0;
  int epoch, k;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  make(all);
  for (epoch = 0; epoch < 20; ++epoch)
    run_epoch(all, epoch);
  for (k = 0; k < NUM_REQUESTS; ++k)
    must(MPIX_Request_free(&all[k]));
  MPI_Reduce(&wrong, &everywhere, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("partitioned: %ld wrong values without threads\n", everywhere);
  MPI_Finalize();
  return 0;
}
