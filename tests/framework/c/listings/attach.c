/* Both snippets of [Endpoints2011], on cliques like the second of its figure 1, with three endpoints
 * in each process, in which MPI's names mean seam's. A thread attaches to rank 2 of the clique, and
 * sends as rank 2 of the clique, as its rank of all endpoints, and as the same rank of a duplicate.
 * The threads are OpenMP's: [Endpoints2011] 0.0.5 calls this thread-compatible, and attachment by
 * each task, in the end, task-compatible. Exits with 0 if all ranks are right.
 *
 * Slips: MPI_Comm_Dup is MPI_Comm_dup, and gets an address; MPI_COMM_UNIVERSE is
 * MPI_COMM_ENDPOINTS. */
#include <mpi.h>
#include <omp.h>
#include <stdio.h>

#include <seam/c/endpoints_mpi.h>

#define num_endpoints 3
#define num_tasks 60

static int wrong;

static void expect(int is_right) {
  if (!is_right) {
#pragma omp atomic
    wrong++;
  }
}

static void send_as_the_third(int first) {
  int value = 7;
  MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_CLIQUE);        // sender rank is 2
  MPI_Send(&value, 1, MPI_INT, first, 1, MPI_COMM_ENDPOINTS); // sender rank is 4 in the figure
}

static void receive_as_the_first(int first) {
  int value = 0;
  MPI_Status status;
  MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_CLIQUE, &status);
  expect(status.MPI_SOURCE == 2 && value == 7);
  MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_ENDPOINTS, &status);
  expect(status.MPI_SOURCE == first + 2 && value == 7);
}

static void work(int index, int first) {
  int rank, rank_of_copy, sum = 0;
  MPI_Comm newcomm;
  MPI_Thread_attach(index, MPI_COMM_CLIQUE);
  if (index == 2)
    send_as_the_third(first);
  if (index == 0)
    receive_as_the_first(first);
  MPI_Comm_dup(MPI_COMM_ENDPOINTS, &newcomm);
  MPI_Comm_rank(MPI_COMM_ENDPOINTS, &rank);
  MPI_Comm_rank(newcomm, &rank_of_copy);
  expect(rank == first + index && rank_of_copy == rank);
  MPI_Allreduce(&index, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_CLIQUE);
  expect(sum == num_endpoints * (num_endpoints - 1) / 2);
  MPI_Comm_free(&newcomm);
}

/* One message of a ring of tasks, which threads carry out in any order: each attaches to the
 * endpoint that it works for. */
static void do_task(int task) {
  int const index = task % num_endpoints;
  int value = task;
  MPI_Request request;
  MPI_Thread_attach(index, MPI_COMM_CLIQUE);
  MPI_Isend(&value, 1, MPI_INT, (index + 1) % num_endpoints, 10 + task, MPI_COMM_CLIQUE, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE); // a short message, which is kept for its receiver
}

int main(void) {
  int size, first;
  MPI_Init_endpoint(NULL, NULL, num_endpoints, MPI_THREAD_MULTIPLE, &size, &first);

#pragma omp parallel num_threads(num_endpoints)
  work(omp_get_thread_num(), first);

#pragma omp parallel num_threads(num_endpoints)
#pragma omp single
  for (int task = 0; task < num_tasks; task++) {
#pragma omp task
    do_task(task);
  }
  for (int task = 0; task < num_tasks; task++) {
    int value = -1;
    MPI_Thread_attach((task + 1) % num_endpoints, MPI_COMM_CLIQUE);
    MPI_Recv(&value, 1, MPI_INT, task % num_endpoints, 10 + task, MPI_COMM_CLIQUE,
             MPI_STATUS_IGNORE);
    expect(value == task);
  }
  MPI_Thread_attach(0, MPI_COMM_CLIQUE);
  if (first == 0)
    printf("attach: %d wrong\n", wrong);
  MPI_Finalize();
  return wrong;
}
