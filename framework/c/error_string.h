/* The strings of the error codes that the functions of seam's C interfaces return. */
#ifndef SEAM_FRAMEWORK_C_ERROR_STRING_H
#define SEAM_FRAMEWORK_C_ERROR_STRING_H

#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

/* As MPI_Error_string, for codes of seam and for all others: what was asked, expected and found.
 * MPI_Error_string gives the same, but not of all libraries: MPICH 4.0 forgets the strings of codes
 * that have been added to its own error classes, and gives others. `string` has room for
 * MPI_MAX_ERROR_STRING characters. Local. Threads: any. */
int Seam_Error_string(int code, char* string, int* length);

#ifdef __cplusplus
}
#endif

#endif
