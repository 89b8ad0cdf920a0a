/* Calls that a program on endpoints makes by MPI's names: each reaches all endpoints. The number of
 * endpoints of each process is that of SEAM_ENDPOINTS. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>

#include <seam/c/endpoints_mpi.h>

#define MOST 8
#define EACH(statement)                                                                            \
  for (int r = 0; r < size; ++r)                                                                   \
  statement

static MPI_Comm clique;
static int num_wrong[MOST];

static void collectives(int rank, int size, int* wrong) {
  MPI_Comm const all = MPI_COMM_ENDPOINTS;
  int const own = rank + 1, sum = size * (size + 1) / 2;
  int ones[MOST], places[MOST], bytes[MOST], mine[MOST], got[MOST], result = -1;
  MPI_Datatype ints[MOST];
  MPI_Request requests[4];
  EACH((ones[r] = 1, places[r] = r, bytes[r] = r * (int)sizeof(int), ints[r] = MPI_INT));
  EACH(mine[r] = 10 * rank + r);

  MPI_Allgatherv(&own, 1, MPI_INT, got, ones, places, MPI_INT, all);
  EACH(*wrong += got[r] != r + 1);
  MPI_Alltoallv(mine, ones, places, MPI_INT, got, ones, places, MPI_INT, all);
  EACH(*wrong += got[r] != 10 * r + rank);
  EACH(got[r] = -1);
  MPI_Alltoallw(mine, ones, bytes, ints, got, ones, bytes, ints, all);
  EACH(*wrong += got[r] != 10 * r + rank);
  MPI_Scatterv(mine, ones, places, MPI_INT, &result, 1, MPI_INT, 0, all);
  *wrong += result != rank;
  result = 0;
  MPI_Exscan(&own, &result, 1, MPI_INT, MPI_SUM, all);
  *wrong += result != rank * (rank + 1) / 2;
  MPI_Reduce_scatter(mine, &result, ones, MPI_INT, MPI_SUM, all);
  *wrong += result != 10 * (sum - size) + size * rank;
  MPI_Reduce_scatter_block(mine, &result, 1, MPI_INT, MPI_SUM, all);
  *wrong += result != 10 * (sum - size) + size * rank;

  result = -1;
  EACH(got[r] = -1);
  MPI_Iallreduce(&own, &result, 1, MPI_INT, MPI_SUM, all, &requests[0]);
  MPI_Ialltoallw(mine, ones, bytes, ints, got, ones, bytes, ints, all, &requests[1]);
  MPI_Ibarrier(all, &requests[2]);
  MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
  *wrong += result != sum || requests[0] != MPI_REQUEST_NULL;
  EACH(*wrong += got[r] != 10 * r + rank);

  MPI_Allreduce_init(&own, &result, 1, MPI_INT, MPI_SUM, all, MPI_INFO_NULL, &requests[0]);
  for (int start = 0; start < 3; ++start) {
    result = -1;
    MPI_Start(&requests[0]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    *wrong += result != sum;
  }
  MPI_Request_free(&requests[0]);
}

static void messages(int rank, int size, int* wrong) {
  MPI_Comm const all = MPI_COMM_ENDPOINTS;
  int const next = (rank + 1) % size, before = (rank + size - 1) % size;
  int got[2] = {-1, -1}, index, done, num_done, indices[2];
  MPI_Request requests[2];
  MPI_Status status;
  MPI_Sendrecv(&rank, 1, MPI_INT, next, 5, got, 1, MPI_INT, before, 5, all, &status);
  *wrong += got[0] != before || status.MPI_SOURCE != before || status.MPI_TAG != 5;
  for (int round = 0; round < 2; ++round) {
    got[0] = got[1] = -1;
    for (int k = 0; k < 2; ++k)
      MPI_Irecv(&got[k], 1, MPI_INT, before, k, all, &requests[k]);
    for (int k = 0; k < 2; ++k)
      MPI_Send(&rank, 1, MPI_INT, next, k, all);
    for (int k = 0; round == 0 && k < 2; ++k)
      MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE);
    for (int k = 0; round == 1 && k < 2; k += num_done)
      MPI_Waitsome(2, requests, &num_done, indices, MPI_STATUSES_IGNORE);
    MPI_Testany(2, requests, &index, &done, MPI_STATUS_IGNORE);
    *wrong += got[0] != before || got[1] != before || index != MPI_UNDEFINED;
  }
}

static void graphs(int rank, int size, int* wrong) {
  MPI_Comm ring, copy;
  int const next = (rank + 1) % size, before = (rank + size - 1) % size;
  int in = 0, out = 0, weighted = 1, source = -1, destination = -1, got = -1, result, found = 0;
  int* largest_tag = NULL;
  MPI_Dist_graph_create_adjacent(MPI_COMM_ENDPOINTS, 1, &before, MPI_UNWEIGHTED, 1, &next,
                                 MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &ring);
  MPI_Dist_graph_neighbors_count(ring, &in, &out, &weighted);
  MPI_Dist_graph_neighbors(ring, 1, &source, MPI_UNWEIGHTED, 1, &destination, MPI_UNWEIGHTED);
  *wrong += in != 1 || out != 1 || weighted != 0 || source != before || destination != next;
  MPI_Alltoall(&rank, 1, MPI_INT, &got, 1, MPI_INT, ring);
  *wrong += got != before;
  MPI_Comm_dup(MPI_COMM_ENDPOINTS, &copy);
  MPI_Comm_compare(MPI_COMM_ENDPOINTS, copy, &result);
  *wrong += result != MPI_CONGRUENT;
  MPI_Comm_get_attr(copy, MPI_TAG_UB, &largest_tag, &found);
  *wrong += found == 0 || *largest_tag < 32767;
  MPI_Comm_free(&copy);
  MPI_Comm_free(&ring);
}

static void* work(void* number) {
  int const k = (int)(long)number;
  int rank, size;
  MPI_Thread_attach(k, clique);
  MPI_Comm_rank(MPI_COMM_ENDPOINTS, &rank);
  MPI_Comm_size(MPI_COMM_ENDPOINTS, &size);
  collectives(rank, size, &num_wrong[k]);
  messages(rank, size, &num_wrong[k]);
  graphs(rank, size, &num_wrong[k]);
  MPI_Reduce(rank == 0 ? MPI_IN_PLACE : &num_wrong[k], &num_wrong[k], 1, MPI_INT, MPI_SUM, 0,
             MPI_COMM_ENDPOINTS);
  if (rank == 0)
    printf("all_names: %d wrong on %d endpoints\n", num_wrong[k], size);
  return NULL;
}

int main(int argc, char** argv) {
  pthread_t threads[MOST];
  int own = 0;
  MPI_Init(&argc, &argv);
  clique = MPI_COMM_CLIQUE;
  MPI_Comm_size(clique, &own);
  for (long k = 1; k < own; ++k)
    pthread_create(&threads[k], NULL, work, (void*)k);
  work((void*)0); /* this thread is attached to the first */
  for (int k = 1; k < own; ++k)
    pthread_join(threads[k], NULL);
  return MPI_Finalize();
}
