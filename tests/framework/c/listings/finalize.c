/* MPI ends once for each process, when all calls of its endpoints are complete ([Endpoints2011] 0.0.4,
 * Finalize): Seam_Finalize while a thread waits for a message is an error of the class ENDPOINTS, after
 * which all goes on. Exits with 0 if it is so. */
#include <mpi.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <seam/c/endpoints.h>
#include <seam/c/orthogonal.h>

static int wrong;
static atomic_int receives;

static void expect(int is_right, char const* what) {
  if (!is_right) {
    fprintf(stderr, "finalize: %s\n", what);
    wrong++;
  }
}

/* Waits for the message of endpoint 0 of its process. */
static void* receive(void* value) {
  Seam_Thread_attach(1, SEAM_COMM_CLIQUE);
  receives = 1;
  Seam_Recv(value, 1, MPI_INT, 0, 0, SEAM_COMM_CLIQUE, MPI_STATUS_IGNORE);
  return NULL;
}

int main(void) {
  int value = 7, received = 0, class = MPI_SUCCESS, length = 0, rank = 0;
  char line[MPI_MAX_ERROR_STRING] = "";
  pthread_t other;
  Seam_Init_endpoint(NULL, NULL, 2, MPI_THREAD_MULTIPLE, NULL, &rank);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  pthread_create(&other, NULL, receive, &received);

  struct timespec const moment = {.tv_sec = 0, .tv_nsec = 200000000};
  while (!receives)
    nanosleep(&moment, NULL);
  nanosleep(&moment, NULL); // the thread is in its call

  int const code = Seam_Finalize();
  MPI_Error_class(code, &class);
  Seam_Error_string(code, line, &length);
  expect(class == SEAM_ERR_ENDPOINTS, "another class of error");
  expect(strstr(line, "Seam_Finalize: another thread of the process is in a call, ") != NULL, line);

  Seam_Send(&value, 1, MPI_INT, 1, 0, SEAM_COMM_CLIQUE);
  pthread_join(other, NULL);
  expect(received == 7, "the message is lost");
  if (rank == 0)
    printf("finalize: %d wrong\n", wrong);
  expect(Seam_Finalize() == MPI_SUCCESS, "the end is refused");
  return wrong;
}
