/* Partitioned requests beside MPI's own in one array, in all calls that complete requests, and what
 * these calls refuse. Prints the number of wrong values of all ranks. */
#include <seam/c/partitioned.h>

#include "../wrong_values.h"

#include <mpi.h>
#include <stdio.h>
#include <string.h>

#define PARTS 4
#define COUNT 3
#define LENGTH (PARTS * COUNT)

/* In all arrays below. */
enum place { SENDS, NOTHING, RECEIVES, PLAIN_SEND, PERSISTENT, PLAIN_RECEIVE, NUM_PLACES };

static int next, before;
static int out[LENGTH], in[LENGTH], plain_out, plain_in;
static MPIX_Request all[NUM_PLACES];
static MPI_Status statuses[NUM_PLACES];

static void expect(int is_right, int line) {
  if (is_right)
    return;
  fprintf(stderr, "rank %d: wrong in line %d\n", rank, line);
  ++wrong;
}
#define EXPECT(what) expect(what, __LINE__)

static int is_empty(MPI_Status const* status) {
  int count = -1;
  MPI_Get_count(status, MPI_INT, &count);
  return status->MPI_SOURCE == MPI_ANY_SOURCE && status->MPI_TAG == MPI_ANY_TAG && count == 0;
}

static int is_message(MPI_Status const* status, int tag, int length) {
  int count = -1;
  MPI_Get_count(status, MPI_INT, &count);
  return status->MPI_SOURCE == before && status->MPI_TAG == tag && count == length;
}

/* Requests that calls for any or some of them find: MPICH 4.0 takes a started one to no process for
 * inactive. */
static int num_found(void) {
  int nothing = 0, index = 0;
  MPI_Request to_none;
  must(MPI_Send_init(&nothing, 0, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &to_none));
  must(MPI_Start(&to_none));
  must(MPI_Waitany(1, &to_none, &index, MPI_STATUS_IGNORE));
  must(MPI_Request_free(&to_none));
  return index == MPI_UNDEFINED ? 4 : 5;
}

static void make_all(void) {
  must(MPIX_Psend_init(out, PARTS, COUNT, MPI_INT, next, 9, MPI_COMM_WORLD, MPI_INFO_NULL,
                       &all[SENDS]));
  must(MPIX_Precv_init(in, COUNT, PARTS, MPI_INT, before, 9, MPI_COMM_WORLD, MPI_INFO_NULL,
                       &all[RECEIVES]));
  must(MPI_Send_init(&plain_out, 0, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &all[PERSISTENT]));
  all[NOTHING] = all[PLAIN_SEND] = all[PLAIN_RECEIVE] = MPIX_REQUEST_NULL;
}

static void free_all(void) {
  must(MPIX_Request_free(&all[SENDS]));
  must(MPIX_Request_free(&all[RECEIVES]));
  must(MPIX_Request_free(&all[PERSISTENT]));
  EXPECT(all[SENDS] == MPIX_REQUEST_NULL && all[PERSISTENT] == MPIX_REQUEST_NULL);
}

/* Starts everything but for the partitions. */
static void start_all(int epoch) {
  int k;
  for (k = 0; k < LENGTH; ++k) {
    out[k] = 1000 * rank + 100 * epoch + k;
    in[k] = -1;
  }
  plain_out = 7 * rank + epoch;
  plain_in = -1;
  must(MPIX_Start(&all[RECEIVES]));
  must(MPIX_Startall(1, &all[SENDS]));
  must(MPIX_Start(&all[PERSISTENT]));
  must(MPI_Irecv(&plain_in, 1, MPI_INT, before, 9, MPI_COMM_WORLD, &all[PLAIN_RECEIVE]));
  must(MPI_Isend(&plain_out, 1, MPI_INT, next, 9, MPI_COMM_WORLD, &all[PLAIN_SEND]));
}

static void mark_all(void) { must(MPIX_Pready_range(0, PARTS - 1, all[SENDS])); }

static void check_all(int epoch) {
  int k;
  for (k = 0; k < LENGTH; ++k)
    EXPECT(in[k] == 1000 * before + 100 * epoch + k);
  EXPECT(plain_in == 7 * before + epoch);
  EXPECT(all[PLAIN_SEND] == MPI_REQUEST_NULL && all[PLAIN_RECEIVE] == MPI_REQUEST_NULL);
  EXPECT(all[SENDS] != MPIX_REQUEST_NULL && all[PERSISTENT] != MPI_REQUEST_NULL);
}

static void check_statuses(void) {
  EXPECT(is_empty(&statuses[NOTHING]));
  EXPECT(is_message(&statuses[RECEIVES], 9, LENGTH));
  EXPECT(is_message(&statuses[PLAIN_RECEIVE], 9, 1));
}

static void all_at_once(void) {
  int epoch, flag;
  for (epoch = 0; epoch < 4; ++epoch) {
    start_all(epoch);
    must(MPIX_Testall(NUM_PLACES, all, &flag, statuses));
    EXPECT(!flag && all[PLAIN_SEND] != MPI_REQUEST_NULL);
    mark_all();
    if (epoch % 2 == 0)
      must(MPIX_Waitall(NUM_PLACES, all, epoch == 0 ? statuses : MPI_STATUSES_IGNORE));
    else
      for (flag = 0; !flag;)
        must(MPIX_Testall(NUM_PLACES, all, &flag, statuses));
    if (epoch < 2)
      check_statuses();
    check_all(epoch);
    must(MPIX_Testall(NUM_PLACES, all, &flag, statuses));
    EXPECT(flag && is_empty(&statuses[RECEIVES]) && is_empty(&statuses[PERSISTENT]));
  }
}

static void one_by_one(int waits) {
  int const found = num_found();
  int k, index, flag, seen[NUM_PLACES];
  MPI_Status status;
  start_all(5);
  mark_all();
  memset(seen, 0, sizeof seen);
  for (k = 0; k < found; ++k) {
    if (waits)
      must(MPIX_Waitany(NUM_PLACES, all, &index, &status));
    else
      for (flag = 0; !flag;)
        must(MPIX_Testany(NUM_PLACES, all, &index, &flag, &status));
    EXPECT(index >= 0 && index < NUM_PLACES && index != NOTHING);
    if (index >= 0 && index < NUM_PLACES)
      EXPECT(seen[index]++ == 0);
    if (index == RECEIVES)
      EXPECT(is_message(&status, 9, LENGTH));
    if (index == PLAIN_RECEIVE)
      EXPECT(is_message(&status, 9, 1));
  }
  check_all(5);
  index = 77;
  must(MPIX_Waitany(NUM_PLACES, all, &index, &status));
  EXPECT(index == MPI_UNDEFINED && is_empty(&status));
  index = 77;
  must(MPIX_Testany(NUM_PLACES, all, &index, &flag, &status));
  EXPECT(flag && index == MPI_UNDEFINED && is_empty(&status));
}

static void some_by_some(int waits) {
  int const found = num_found();
  int k, left, count, is_marked = 0, indices[NUM_PLACES], seen[NUM_PLACES];
  start_all(6);
  memset(seen, 0, sizeof seen);
  for (left = found; left > 0; left -= count) {
    if (left <= found - 2 && !is_marked++) /* some complete before */
      mark_all();
    must((waits ? MPIX_Waitsome : MPIX_Testsome)(NUM_PLACES, all, &count, indices, statuses));
    EXPECT(count >= (waits ? 1 : 0) && count <= left);
    if (count < 0 || count > left)
      return;
    for (k = 0; k < count; ++k) {
      EXPECT(seen[indices[k]]++ == 0);
      if (indices[k] == RECEIVES)
        EXPECT(is_message(&statuses[k], 9, LENGTH));
      if (indices[k] == PLAIN_RECEIVE)
        EXPECT(is_message(&statuses[k], 9, 1));
    }
  }
  check_all(6);
  must((waits ? MPIX_Waitsome : MPIX_Testsome)(NUM_PLACES, all, &count, indices, statuses));
  EXPECT(count == MPI_UNDEFINED);
}

static void looked_at(void) {
  int flag = 7;
  MPI_Status status;
  must(MPIX_Request_get_status(all[RECEIVES], &flag, &status));
  EXPECT(flag && is_empty(&status));
  must(MPIX_Request_get_status(MPIX_REQUEST_NULL, &flag, &status));
  EXPECT(flag && is_empty(&status));
  start_all(8);
  must(MPIX_Request_get_status(all[SENDS], &flag, &status));
  EXPECT(!flag);
  mark_all();
  for (flag = 0; !flag;)
    must(MPIX_Request_get_status(all[RECEIVES], &flag, &status));
  EXPECT(is_message(&status, 9, LENGTH));
  for (flag = 0; !flag;)
    must(MPIX_Request_get_status(all[PLAIN_RECEIVE], &flag, &status));
  REFUSED(MPIX_Start(&all[RECEIVES]), MPI_ERR_REQUEST, "is active already");
  must(MPIX_Test(&all[RECEIVES], &flag, &status)); /* still active: completion was not told */
  EXPECT(flag && is_message(&status, 9, LENGTH));
  must(MPIX_Wait(&all[RECEIVES], &status));
  EXPECT(is_empty(&status));
  must(MPIX_Waitall(NUM_PLACES, all, statuses));
  check_all(8);
}

static void scattered(void) {
  int parts[64], places_of[64 * 2], room[2] = {-1, -1}, k;
  MPI_Count counts[64];
  MPI_Aint places[64];
  MPI_Datatype types[64];
  MPIX_Request request;
  for (k = 0; k < size; ++k) {
    parts[k] = 2;
    counts[k] = 1;
    places[k] = (MPI_Aint)(2 * (size - 1 - k)) * (MPI_Aint)sizeof(int);
    types[k] = MPI_INT;
    places_of[2 * k] = 10 * k;
    places_of[2 * k + 1] = 10 * k + 1;
  }
  must(MPIX_Pscatterw_init(places_of, parts, counts, places, types, room, 1, 2, MPI_INT, 0,
                           MPI_COMM_WORLD, MPI_INFO_NULL, &request));
  must(MPIX_Start(&request));
  for (k = 0; rank == 0 && k < 2 * size; ++k)
    must(MPIX_Pready(k, request));
  must(MPIX_Wait(&request, MPI_STATUS_IGNORE));
  EXPECT(room[0] == 10 * (size - 1 - rank) && room[1] == room[0] + 1);
  must(MPIX_Request_free(&request));
}

static void refusals(void) {
  MPIX_Request request;
  int flag = 1, index, count;
  MPI_Status status;
  REFUSED(MPIX_Parrived(all[RECEIVES], LENGTH, &flag), MPI_ERR_ARG, "(expected 0 to 2)");
  EXPECT(flag == 0);
  flag = 1;
  REFUSED(MPIX_Parrived_extended(&all[RECEIVES], 0, size + 1, &flag), MPI_ERR_RANK, "source");
  EXPECT(flag == 0);
  flag = 1;
  REFUSED(MPIX_Parrived(all[PERSISTENT], 0, &flag), MPI_ERR_REQUEST, "request of MPI's own");
  EXPECT(flag == 0);
  REFUSED(MPIX_Pready(0, all[PERSISTENT]), MPI_ERR_REQUEST, "request of MPI's own");
  REFUSED(MPIX_Pready_list(2, NULL, all[SENDS]), MPI_ERR_ARG, "a null pointer");
  REFUSED(MPIX_Parrived(all[RECEIVES], 0, NULL), MPI_ERR_ARG, "a null pointer");
  REFUSED(MPIX_Waitall(2, NULL, MPI_STATUSES_IGNORE), MPI_ERR_ARG, "a null pointer");
  REFUSED(MPIX_Waitall(-1, all, MPI_STATUSES_IGNORE), MPI_ERR_COUNT, "-1 requests");
  REFUSED(MPIX_Startall(3, NULL), MPI_ERR_ARG, "a null pointer");
  REFUSED(MPIX_Waitany(2, all, NULL, &status), MPI_ERR_ARG, "a null pointer");
  REFUSED(MPIX_Testsome(2, all, &count, NULL, MPI_STATUSES_IGNORE), MPI_ERR_ARG, "a null pointer");
  REFUSED(MPIX_Testany(2, all, &index, NULL, &status), MPI_ERR_ARG, "a null pointer");
  REFUSED(MPIX_Wait(NULL, &status), MPI_ERR_ARG, "a null pointer");
  REFUSED(MPIX_Psend_init(NULL, 2, 2, MPI_INT, next, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request),
          MPI_ERR_BUFFER, "a null pointer");
  REFUSED(MPIX_Psend_init(out, 2, 2, MPI_INT, next, 0, MPI_COMM_NULL, MPI_INFO_NULL, &request),
          MPI_ERR_COMM, "MPI_COMM_NULL");
  REFUSED(MPIX_Psend_init(out, 2, -2, MPI_INT, next, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request),
          MPI_ERR_COUNT, "of -2 elements");
  REFUSED(MPIX_Psend_init(out, 2, 2, MPI_INT, next, -3, MPI_COMM_WORLD, MPI_INFO_NULL, &request),
          MPI_ERR_TAG, "tag -3");
  REFUSED(MPIX_Psend_init(out, 2, 2, MPI_INT, size, 3, MPI_COMM_WORLD, MPI_INFO_NULL, &request),
          MPI_ERR_RANK, "destination");
  REFUSED(MPIX_Pallreduce_init(out, NULL, 2, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL,
                               &request),
          MPI_ERR_BUFFER, "a null pointer");
  REFUSED(MPIX_Palltoallv_init(out, NULL, NULL, NULL, MPI_INT, in, NULL, NULL, NULL, MPI_INT,
                               MPI_COMM_WORLD, MPI_INFO_NULL, &request),
          MPI_ERR_ARG, "a null pointer");
  REFUSED(MPIX_Preduce_init(out, in, 2, 2, MPI_INT, MPI_SUM, size, MPI_COMM_WORLD, MPI_INFO_NULL,
                            &request),
          MPI_ERR_ROOT, "root");
}

/* Of one text there is one code. */
static void one_code(void) {
  int k, code, first = MPIX_Pready(0, MPIX_REQUEST_NULL);
  for (k = 0; k < 1000; ++k) {
    code = MPIX_Pready(0, MPIX_REQUEST_NULL);
    EXPECT(code == first);
  }
}

static int num_handled = 0;

static void handle(MPI_Comm* comm, int* code, ...) {
  (void)comm;
  (void)code;
  ++num_handled;
}

/* The handler that a communicator had when a request was made is called, also once it is gone. */
static void freed_communicator(void) {
  MPI_Comm comm;
  MPI_Errhandler handler;
  MPIX_Request sum, send;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_create_errhandler(handle, &handler);
  MPI_Comm_set_errhandler(comm, handler);
  must(MPIX_Pallreduce_init(out, in, PARTS, COUNT, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, &sum));
  must(MPIX_Psend_init(out, PARTS, COUNT, MPI_INT, MPI_PROC_NULL, 0, comm, MPI_INFO_NULL, &send));
  REFUSED(MPIX_Pready(0, sum), MPI_ERR_REQUEST, "which is inactive");
  EXPECT(num_handled == 1);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_ARE_FATAL);
  REFUSED(MPIX_Pready(0, sum), MPI_ERR_REQUEST, "which is inactive");
  EXPECT(num_handled == 2);
  MPI_Comm_free(&comm);
  REFUSED(MPIX_Pready(0, sum), MPI_ERR_REQUEST, "which is inactive");
  EXPECT(num_handled == 3);
  REFUSED(MPIX_Start(&send), MPI_ERR_COMM, "whose communicator has been freed");
  EXPECT(num_handled == 4);
  must(MPIX_Start(&sum)); /* collectives have a context of their own */
  must(MPIX_Pready_range(0, PARTS - 1, sum));
  must(MPIX_Wait(&sum, MPI_STATUS_IGNORE));
  must(MPIX_Request_free(&sum));
  must(MPIX_Request_free(&send));
  MPI_Errhandler_free(&handler);
}

int main(int argc, char** argv) {
  begin(&argc, &argv);
  next = (rank + 1) % size;
  before = (rank + size - 1) % size;
  make_all();
  all_at_once();
  one_by_one(1);
  one_by_one(0);
  some_by_some(1);
  some_by_some(0);
  looked_at();
  refusals();
  free_all();
  scattered();
  one_code();
  freed_communicator();
  return end("mixed");
}
