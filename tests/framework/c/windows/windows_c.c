/* Every function of the C interface's windows, from C: on a ring, along whose edges they reach, and
 * on all processes. Prints the number of wrong values of all ranks. */
#include <seam/c/orthogonal.h>

#include "../wrong_values.h"

#include <mpi.h>
#include <stdio.h>

#define INT_BYTES ((MPI_Aint)sizeof(int))

static int before, after;

static void expect(int found, int expected) {
  if (found != expected) {
    fprintf(stderr, "rank %d: %d instead of %d\n", rank, found, expected);
    ++wrong;
  }
}

/* An edge from each rank to the next. */
static MPI_Comm ring(void) {
  MPI_Comm graph;
  must(Seam_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &before, MPI_UNWEIGHTED, 1, &after,
                                       MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph));
  return graph;
}

/* Memory of the user, in units of bytes at even ranks and of integers at odd ones. */
static void created(MPI_Comm graph) {
  int memory[4], out[2], seen[2], one = 1;
  int const unit = rank % 2 == 0 ? 1 : (int)INT_BYTES;
  MPI_Aint const units = after % 2 == 0 ? INT_BYTES : 1; /* of an integer there */
  MPI_Datatype pair;
  Seam_Win win;
  memory[0] = memory[1] = memory[2] = memory[3] = -1;
  out[0] = 10 + rank, out[1] = 20 + rank;
  must(Seam_Win_create(memory, 4 * INT_BYTES, unit, MPI_INFO_NULL, graph, &win));
  must(Seam_Win_fence(0, win));
  /* Two integers there that lie apart. */
  MPI_Type_vector(2, 1, 2, MPI_INT, &pair);
  MPI_Type_commit(&pair);
  must(Seam_Put(out, 2, MPI_INT, after, units, 1, pair, win));
  must(Seam_Put(out, 2, MPI_INT, MPI_PROC_NULL, 0, 2, MPI_INT, win));
  MUST_REFUSE(Seam_Put(out, 2, MPI_INT, after, 2 * units, 1, pair, win), "bytes 8 to 19");
  MUST_REFUSE(Seam_Put(out, 1, MPI_INT, after, units, 1, pair, win), "expected as many");
  MPI_Type_free(&pair);
  must(Seam_Win_fence(MPI_MODE_NOSUCCEED, win));
  expect(memory[0], -1);
  expect(memory[1], 10 + before);
  expect(memory[2], -1);
  expect(memory[3], 20 + before);
  must(Seam_Win_fence(0, win));
  must(Seam_Accumulate(&one, 1, MPI_INT, after, units, 1, MPI_INT, MPI_SUM, win));
  must(Seam_Win_fence(0, win));
  must(Seam_Get(seen, 2, MPI_INT, after, 0, 2, MPI_INT, win));
  must(Seam_Win_fence(MPI_MODE_NOSUCCEED, win));
  expect(seen[0], -1);
  expect(seen[1], 11 + rank);
  must(Seam_Win_free(&win));
  expect(win == SEAM_WIN_NULL, 1);
}

/* Everybody counts in the memory of rank 0. */
static void locked(void) {
  int *memory, one = 1, seen = -1;
  Seam_Win win;
  must(Seam_Win_allocate(rank == 0 ? INT_BYTES : 0, (int)INT_BYTES, MPI_INFO_NULL, MPI_COMM_WORLD,
                         &memory, &win));
  must(Seam_Win_lock(MPI_LOCK_SHARED, 0, 0, win));
  must(Seam_Accumulate(&one, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, win));
  must(Seam_Win_unlock(0, win));
  MPI_Barrier(MPI_COMM_WORLD);
  must(Seam_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win));
  must(Seam_Get(&seen, 1, MPI_INT, 0, 0, 1, MPI_INT, win));
  MUST_REFUSE(Seam_Win_lock(MPI_LOCK_SHARED, 0, 0, win), "locked already");
  MUST_REFUSE(Seam_Win_fence(0, win), "is locked");
  must(Seam_Win_unlock(0, win));
  MUST_REFUSE(Seam_Win_unlock(0, win), "not locked");
  MUST_REFUSE(Seam_Win_lock(-17, 0, 0, win), "type -17");
  expect(seen, size);
  must(Seam_Win_free(&win));
}

/* Unsigned values in their order, which Open MPI 4.1 does not know of this type, and MPICH 4.0, which
 * carries accumulations out itself, of none. */
static void ordered(void) {
  unsigned long* memory;
  unsigned long const large = ~0UL - (unsigned long)rank;
  Seam_Win win;
  must(Seam_Win_allocate(rank == 0 ? (MPI_Aint)sizeof(large) : 0, (int)sizeof(large), MPI_INFO_NULL,
                         MPI_COMM_WORLD, &memory, &win));
  must(Seam_Win_fence(0, win));
  must(Seam_Accumulate(&large, 1, MPI_UNSIGNED_LONG, 0, 0, 1, MPI_UNSIGNED_LONG, MPI_MAX, win));
  must(Seam_Win_fence(MPI_MODE_NOSUCCEED, win));
#ifndef MPICH_NUMVERSION
  expect(rank != 0 || *memory == ~0UL, 1);
#endif
  must(Seam_Win_free(&win));
}

static int num_errors = 0;
static void count_error(MPI_Comm* comm, int* code, ...) {
  (void)comm, (void)code;
  ++num_errors;
}

/* What the topology does not allow goes to the error handler of the communicator. */
static void refusals(MPI_Comm graph) {
  int value = 0, errors_before;
  int* memory;
  int const stranger = (rank + 2) % size;
  Seam_Win win = SEAM_WIN_NULL;
  MPI_Errhandler counting;
  MPI_Comm_create_errhandler(count_error, &counting);
  MPI_Comm_set_errhandler(graph, counting);
  MPI_Errhandler_free(&counting);
  MUST_REFUSE(Seam_Win_fence(0, win), "SEAM_WIN_NULL");
  MUST_REFUSE(Seam_Win_allocate(rank == 0 ? -1 : 1, 1, MPI_INFO_NULL, graph, &memory, &win),
              "-1 elements");
  MUST_REFUSE(Seam_Win_create(&value, INT_BYTES, 0, MPI_INFO_NULL, graph, &win), "units of 0");
  expect(num_errors, 2);
  must(Seam_Win_allocate(INT_BYTES, 1, MPI_INFO_NULL, graph, &memory, &win));
  expect(*memory, 0);
  errors_before = num_errors;
  MUST_REFUSE(Seam_Put(&value, 1, MPI_INT, after, 0, 1, MPI_INT, win), "no access is open");
  expect(num_errors, errors_before + 1);
  MUST_REFUSE(Seam_Win_fence(MPI_MODE_NOSUCCEED, win), "no epoch is open");
  must(Seam_Win_fence(0, win));
  MUST_REFUSE(Seam_Win_lock(MPI_LOCK_SHARED, after, 0, win), "a fence has opened an epoch");
  if (stranger != after) {
    MUST_REFUSE(Seam_Put(&value, 1, MPI_INT, stranger, 0, 1, MPI_INT, win), "no neighbor");
    MUST_REFUSE(Seam_Get(&value, 1, MPI_INT, stranger, 0, 1, MPI_INT, win), "no neighbor");
    MUST_REFUSE(Seam_Accumulate(&value, 1, MPI_INT, stranger, 0, 1, MPI_INT, MPI_SUM, win),
                "no neighbor");
  }
  must(Seam_Win_fence(MPI_MODE_NOSUCCEED, win));
  if (stranger != after)
    MUST_REFUSE(Seam_Win_lock(MPI_LOCK_SHARED, stranger, 0, win), "no neighbor");
  must(Seam_Win_free(&win));
}

/* Between two sides there are none. */
static void bipartite(void) {
  MPI_Comm half, sides;
  Seam_Win win;
  int* memory;
  if (size < 2)
    return;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 5, &sides);
  MPI_Comm_set_errhandler(sides, MPI_ERRORS_RETURN);
  MUST_REFUSE(Seam_Win_allocate(8, 1, MPI_INFO_NULL, sides, &memory, &win), "bipartite");
  MPI_Comm_free(&sides);
  MPI_Comm_free(&half);
}

int main(int argc, char** argv) {
  MPI_Comm graph;
  begin(&argc, &argv);
  before = (rank + size - 1) % size;
  after = (rank + 1) % size;
  graph = ring();
  if (size > 1) /* Open MPI 4 has no window on the memory of a lone process. */
    created(graph);
  locked();
  ordered();
  refusals(graph);
  bipartite();
  MPI_Comm_free(&graph);
  return end("windows");
}
