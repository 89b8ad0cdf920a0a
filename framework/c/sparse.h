/* The C interface of dynamic sparse exchange, with names and signatures of
 *
 *   [Ibanez2015] D. A. Ibanez: A simple C API for dynamic sparse exchange. 2015.
 *
 *     comm_init(MPI_COMM_WORLD);
 *     COMM_PACK(value, neighbor);
 *     comm_exch();
 *     while (comm_recv()) {
 *       COMM_UNPACK(value);
 *       use(value, comm_from());
 *     }
 *     comm_finalize();
 *
 * A mistake calls the error handler of the communicator that comm_init was given (of MPI_COMM_WORLD
 * in state UNINIT), which ends the program unless another has been set, with a code whose string
 * (MPI_Error_string) names the call and the state. If the handler returns, the call has done
 * nothing. Calls are made by one thread. seam/exchange/sparse/sparse_exchange.hpp says more, and
 * has what there is one of here any number of times.
 */
#ifndef SEAM_EXCHANGE_SPARSE_SPARSE_H
#define SEAM_EXCHANGE_SPARSE_SPARSE_H

#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Section 3.1. Begins, on a duplicate of `comm`, in state IDLE; ends, in state IDLE, so that it may
 * begin again on another. Collective. */
void comm_init(MPI_Comm comm);
void comm_finalize(void);

/* The caller's rank and the number of processes; -1 after an error. Local. */
int comm_rank(void);
int comm_size(void);

/* Listing 2: the duplicate, for collectives beside the exchanges. Local. */
MPI_Comm comm_mpi(void);

/* Adds `size` bytes to the message to rank `to`; with 0 bytes there is a message all the same.
 * Local. */
void comm_pack(void const* data, unsigned size, int to);
#define COMM_PACK(o, to) comm_pack(&(o), sizeof(o), to)

/* Sends all messages and receives those of others, by sender. Collective. */
void comm_exch(void);

/* Goes on: not 0 as long as there is more to unpack, of the same message or of the next, which may
 * be empty. Local. */
int comm_recv(void);

/* Takes the next `size` bytes. Local. */
void comm_unpack(void* data, unsigned size);
#define COMM_UNPACK(o) comm_unpack(&(o), sizeof(o))

/* The sender of the message that is being unpacked; -1 after an error. Local. */
int comm_from(void);

#ifdef __cplusplus
}
#endif

#endif
