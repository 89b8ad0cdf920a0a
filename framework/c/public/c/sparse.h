/* The C interface of dynamic sparse exchange, with names and signatures of
 *
 *   [Ibanez2015] D. A. Ibanez: A simple C API for dynamic sparse exchange. 2015.
 *
 *     int value = 7, neighbor = 0, sum = 0;
 *     comm_init(MPI_COMM_WORLD);
 *     COMM_PACK(value, neighbor);
 *     comm_exch();
 *     while (comm_recv()) {
 *       COMM_UNPACK(value);
 *       sum += value * comm_from();
 *     }
 *     comm_finalize();
 *
 * A call that is wrong calls the error handler of the communicator that comm_init was given (in
 * state UNINIT that of MPI_COMM_WORLD), which ends the program unless another has been set. The
 * error code has a string (Seam_Error_string) that names the call and the state. If the handler
 * returns, the call has done nothing. One thread makes all calls. This interface has one exchange;
 * <seam/sparse.hpp> says more, and makes any number of them.
 */
#ifndef SEAM_EXCHANGE_SPARSE_SPARSE_H
#define SEAM_EXCHANGE_SPARSE_SPARSE_H

#include <seam/framework/c/error_string.h>

#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Section 3.1. comm_init makes the exchange on a duplicate of `comm`, in state IDLE; comm_finalize
 * ends it in state IDLE, and it may then be made again on another.
 * Collective. */
void comm_init(MPI_Comm comm);
void comm_finalize(void);

/* Return the rank and the number of processes; -1 after an error. Local. */
int comm_rank(void);
int comm_size(void);

/* Listing 2: returns the duplicate, for collectives beside the exchanges. Local. */
MPI_Comm comm_mpi(void);

/* Adds `size` bytes to the message to rank `to`; a message of 0 bytes is sent, too.
 * Local. */
void comm_pack(void const* data, unsigned size, int to);
#define COMM_PACK(o, to) comm_pack(&(o), sizeof(o), to)

/* Sends all messages and receives those for this rank, ordered by sender. Collective. */
void comm_exch(void);

/* Returns not 0 as long as there are bytes to unpack in the current message, or a next message,
 * which may be empty. Local. */
int comm_recv(void);

/* Takes the next `size` bytes. Local. */
void comm_unpack(void* data, unsigned size);
#define COMM_UNPACK(o) comm_unpack(&(o), sizeof(o))

/* Returns the sender of the current message; -1 after an error. Local. */
int comm_from(void);

#ifdef __cplusplus
}
#endif

#endif
