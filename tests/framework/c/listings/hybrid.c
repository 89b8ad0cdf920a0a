/* The hybrid program of [Endpoints2011] listing 1: its text line by line, in which MPI's names mean
 * seam's (endpoints_mpi.h). Each endpoint has a thread; endpoint 0 gathers the ids of all threads and
 * prints them. Exits with 0 if there are as many different ids as endpoints of this process.
 *
 * Slips of the listing are mended: <posix.h> is <pthread.h>; MPI_Comm_size and MPI_Comm_rank get
 * addresses, and the gather the buffer instead of the address of its variable; MPIENDPOINTS is
 * MPI_COMM_ENDPOINTS; long values are printed as such; max_thread_level, size and rank are declared.
 * A thread reads its id from pthread_self, since the main thread may not have stored it yet, and main
 * waits for the threads and ends MPI, where the listing leaves both out. */
#include <mpi.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <seam/c/endpoints_mpi.h>

#define max_endpoints 8

static int const max_thread_level = MPI_THREAD_MULTIPLE;
static int wrong_ids;

pthread_t thread[max_endpoints];

/* code executed by each thread */
void* foo(void* id) {
  int i = (int)(intptr_t)id;
  long tid = (long)pthread_self();
  int rank, size;
  long* recvbuf = NULL;

  MPI_Thread_attach(i, MPI_COMM_CLIQUE);
  MPI_Comm_size(MPI_COMM_ENDPOINTS, &size);
  MPI_Comm_rank(MPI_COMM_ENDPOINTS, &rank);
  if (rank == 0)
    recvbuf = (long*)malloc(size * sizeof(long));
  MPI_Gather(&tid, 1, MPI_LONG, recvbuf, 1, MPI_LONG, 0, MPI_COMM_ENDPOINTS);
  if (rank == 0) {
    printf("number_of_endpoints_is_%d;_their_thread_ids_are:_", size);
    for (int j = 0; j < size; j++)
      printf("%ld ", *(recvbuf + j));
    printf("\n");
    for (int j = 0; j < max_endpoints; j++)
      for (int k = 0; k < j; k++)
        wrong_ids += recvbuf[j] == recvbuf[k];
    free(recvbuf);
  }
  pthread_exit(NULL);
}

int main(void) {
  int size, rank;
  MPI_Init_endpoint(NULL, NULL, max_endpoints, max_thread_level, &size, &rank);

  /* create a thread for each endpoint */
  for (int i = 0; i < max_endpoints; i++)
    pthread_create(&thread[i], NULL, foo, (void*)(intptr_t)i);
  for (int i = 0; i < max_endpoints; i++)
    pthread_join(thread[i], NULL);
  if (rank == 0)
    printf("hybrid: %d wrong ids\n", wrong_ids);
  MPI_Finalize();
  return wrong_ids;
}
