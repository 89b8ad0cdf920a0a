/* Every other name of endpoints_mpi.h, which attach.c and hybrid.c do not use: on endpoints it means
 * what MPI's own means among processes. Each endpoint has a thread, and all call all of them. Exits
 * with 0 if all ranks are right. */
#include <mpi.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#include <seam/c/endpoints_mpi.h>

#define num_endpoints 2

static int wrong;

static void expect(int is_right, char const* what) {
  if (!is_right) {
    fprintf(stderr, "names: %s\n", what);
#pragma omp atomic
    wrong++;
  }
}

static int sum_below(int n) { return n * (n - 1) / 2; }

static void messages(int rank, int size) {
  int const next = (rank + 1) % size, before = (rank + size - 1) % size;
  int value = rank, found = 0, done = 0, seen[2] = {-1, -1};
  MPI_Status status;
  MPI_Request pair[2];
  MPI_Isend(&value, 1, MPI_INT, next, 1, MPI_COMM_ENDPOINTS, &pair[0]);
  while (!found)
    MPI_Iprobe(before, 1, MPI_COMM_ENDPOINTS, &found, &status);
  MPI_Probe(MPI_ANY_SOURCE, 1, MPI_COMM_ENDPOINTS, &status);
  expect(status.MPI_SOURCE == before && status.MPI_TAG == 1, "MPI_Probe");
  MPI_Irecv(&seen[0], 1, MPI_INT, before, 1, MPI_COMM_ENDPOINTS, &pair[1]);
  MPI_Waitall(2, pair, MPI_STATUSES_IGNORE);
  expect(seen[0] == before, "MPI_Waitall");

  MPI_Send_init(&value, 1, MPI_INT, next, 2, MPI_COMM_ENDPOINTS, &pair[0]);
  MPI_Recv_init(&seen[1], 1, MPI_INT, before, 2, MPI_COMM_ENDPOINTS, &pair[1]);
  for (int round = 0; round < 3; round++) {
    value = 10 * round + rank;
    if (round == 0) {
      MPI_Start(&pair[1]);
      MPI_Start(&pair[0]);
    } else {
      MPI_Startall(2, pair);
    }
    done = 0;
    while (!done)
      MPI_Testall(2, pair, &done, MPI_STATUSES_IGNORE);
    expect(seen[1] == 10 * round + before, "MPI_Startall");
  }
  MPI_Request_free(&pair[0]);
  MPI_Request_free(&pair[1]);

  MPI_Isend(&value, 1, MPI_INT, next, 3, MPI_COMM_ENDPOINTS, &pair[0]);
  MPI_Recv(&seen[0], 1, MPI_INT, before, 3, MPI_COMM_ENDPOINTS, &status);
  done = 0;
  while (!done)
    MPI_Test(&pair[0], &done, MPI_STATUS_IGNORE);
  expect(seen[0] == 20 + before, "MPI_Test");
}

static void collectives(int rank, int size) {
  int const root = size - 1;
  int *all = malloc(sizeof(int) * size), *other = malloc(sizeof(int) * size);
  int *counts = malloc(sizeof(int) * size), *places = malloc(sizeof(int) * size);
  int value = rank == root ? 5 : 0, sum = 0, same = 0;
  MPI_Barrier(MPI_COMM_ENDPOINTS);
  MPI_Bcast(&value, 1, MPI_INT, root, MPI_COMM_ENDPOINTS);
  expect(value == 5, "MPI_Bcast");
  for (int k = 0; k < size; k++) {
    counts[k] = 1;
    places[k] = size - 1 - k;
  }
  MPI_Gather(&rank, 1, MPI_INT, all, 1, MPI_INT, root, MPI_COMM_ENDPOINTS);
  MPI_Gatherv(&rank, 1, MPI_INT, other, counts, places, MPI_INT, root, MPI_COMM_ENDPOINTS);
  for (int k = 0; k < size && rank == root; k++)
    same += all[k] == k && other[size - 1 - k] == k;
  expect(rank != root || same == size, "MPI_Gather, MPI_Gatherv");
  MPI_Scatter(all, 1, MPI_INT, &value, 1, MPI_INT, root, MPI_COMM_ENDPOINTS);
  expect(value == rank, "MPI_Scatter");
  MPI_Allgather(&rank, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_ENDPOINTS);
  for (int k = 0; k < size; k++)
    all[k] = all[k] == k ? size * rank + k : -1;
  MPI_Alltoall(all, 1, MPI_INT, other, 1, MPI_INT, MPI_COMM_ENDPOINTS);
  for (int k = 0; k < size; k++)
    expect(other[k] == size * k + rank, "MPI_Allgather, MPI_Alltoall");
  MPI_Reduce(&rank, &sum, 1, MPI_INT, MPI_SUM, root, MPI_COMM_ENDPOINTS);
  expect(rank != root || sum == sum_below(size), "MPI_Reduce");
  MPI_Scan(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_ENDPOINTS);
  expect(sum == sum_below(rank + 1), "MPI_Scan");
  free(all);
  free(other);
  free(counts);
  free(places);
}

static int is_fatal(MPI_Comm comm) {
  MPI_Errhandler handler;
  MPI_Comm_get_errhandler(comm, &handler);
  int const is = handler == MPI_ERRORS_ARE_FATAL;
  MPI_Errhandler_free(&handler);
  return is;
}

static void communicators(int index, int rank) {
  MPI_Comm part;
  int rank_in_part = -1, size_of_part = 0, size_of_clique = 0, size_of_self = 0;
  MPI_Comm_split(MPI_COMM_ENDPOINTS, index, -rank, &part);
  MPI_Comm_rank(part, &rank_in_part);
  MPI_Comm_size(part, &size_of_part);
  MPI_Comm_size(MPI_COMM_CLIQUE, &size_of_clique);
  MPI_Comm_size(MPI_COMM_SELF, &size_of_self);
  expect(rank_in_part == size_of_part - 1 - rank / num_endpoints, "MPI_Comm_split");
  expect(size_of_clique == num_endpoints && size_of_self == 1, "MPI_Comm_size");
  expect(is_fatal(MPI_COMM_ENDPOINTS) && is_fatal(MPI_COMM_CLIQUE) && is_fatal(MPI_COMM_SELF) &&
             is_fatal(part),
         "errors end the program unless it has a handler");
  if (index == 0) {
    int size_of_world = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &size_of_world);
    expect(size_of_world == size_of_part, "MPI_COMM_WORLD");
  }
  MPI_Comm_free(&part);
}

static void windows(int rank, int size) {
  int const next = (rank + 1) % size, before = (rank + size - 1) % size, one = 1;
  int memory[2] = {-1, 0}, seen = -1, *count = NULL;
  MPI_Win win = MPI_WIN_NULL;
  MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_ENDPOINTS, &win);
  MPI_Win_fence(0, win);
  MPI_Put(&rank, 1, MPI_INT, next, 0, 1, MPI_INT, win);
  MPI_Accumulate(&rank, 1, MPI_INT, 0, 1, 1, MPI_INT, MPI_SUM, win);
  MPI_Win_fence(0, win);
  MPI_Get(&seen, 1, MPI_INT, next, 0, 1, MPI_INT, win);
  MPI_Win_fence(0, win);
  expect(memory[0] == before && seen == rank, "MPI_Put, MPI_Get");
  expect(memory[1] == (rank == 0 ? sum_below(size) : 0), "MPI_Accumulate");
  MPI_Win_free(&win);
  expect(win == MPI_WIN_NULL, "MPI_Win_free");

  MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_ENDPOINTS, &count, &win);
  MPI_Win_fence(0, win);
  *count = 0;
  MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
  MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
  MPI_Accumulate(&one, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, win);
  MPI_Win_unlock(0, win);
  MPI_Barrier(MPI_COMM_ENDPOINTS);
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
  MPI_Get(&seen, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
  MPI_Win_unlock(0, win);
  expect(seen == size, "MPI_Win_lock");
  MPI_Win_free(&win);
}

int main(void) {
  int size, first;
  MPI_Init_endpoint(NULL, NULL, num_endpoints, MPI_THREAD_MULTIPLE, &size, &first);
#pragma omp parallel num_threads(num_endpoints)
  {
    int const index = omp_get_thread_num();
    int rank, all;
    MPI_Thread_attach(index, MPI_COMM_CLIQUE);
    MPI_Comm_rank(MPI_COMM_ENDPOINTS, &rank);
    MPI_Comm_size(MPI_COMM_ENDPOINTS, &all);
    messages(rank, all);
    collectives(rank, all);
    communicators(index, rank);
    windows(rank, all);
  }
  MPI_Thread_attach(0, MPI_COMM_CLIQUE);
  if (first == 0)
    printf("names: %d wrong\n", wrong);
  MPI_Finalize();
  return wrong;
}
