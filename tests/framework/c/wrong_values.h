/* Programs in C that count the wrong values that they find: each prints the number of all ranks. To be
 * included after an interface of seam. */
#ifndef SEAM_TESTS_FRAMEWORK_C_WRONG_VALUES_H
#define SEAM_TESTS_FRAMEWORK_C_WRONG_VALUES_H

#include <mpi.h>
#include <stdio.h>
#include <string.h>

static int rank, size;
static long wrong = 0;

/* Starts MPI, whose errors return. */
static void begin(int* argc, char*** argv) {
  int provided;
  MPI_Init_thread(argc, argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
}

/* Prints the number of wrong values, and ends MPI. Returns main's result. */
static int end(char const* program) {
  long all = 0;
  MPI_Reduce(&wrong, &all, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("%s: %ld wrong values\n", program, all);
  MPI_Finalize();
  return 0;
}

/* The call must succeed. */
static void must(int code) {
  char text[MPI_MAX_ERROR_STRING];
  int length;
  if (code == MPI_SUCCESS)
    return;
  Seam_Error_string(code, text, &length);
  fprintf(stderr, "%s\n", text);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

/* The call must fail with an error that says `what`, of `error_class` unless that is MPI_SUCCESS. */
static void refused(int code, int error_class, char const* what, int line) {
  char text[MPI_MAX_ERROR_STRING];
  int length, its_class = MPI_SUCCESS;
  text[0] = '\0';
  if (code != MPI_SUCCESS) {
    Seam_Error_string(code, text, &length);
    MPI_Error_class(code, &its_class);
  }
  if (strstr(text, what) != NULL && (error_class == MPI_SUCCESS || its_class == error_class))
    return;
  fprintf(stderr, "rank %d, line %d: class %d '%s' instead of %d '%s'\n", rank, line, its_class,
          text, error_class, what);
  ++wrong;
}
#define REFUSED(code, error_class, what) refused(code, error_class, what, __LINE__)
#define MUST_REFUSE(code, what) refused(code, MPI_SUCCESS, what, __LINE__)

#endif
