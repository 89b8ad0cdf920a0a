/* The C interface of seam: endpoints, ranks that are threads, of
 *
 *   [Endpoints2011] Hybrid Programming Working Group: MPI3: the behavior of MPI processes sharing
 *                   memory. MPI Forum, 2011,
 *
 * with the paper's names, Seam_ before those of MPI, and of the later proposal, in which a handle
 * says by itself which endpoint it belongs to. docs/papers.md maps the paper to this header.
 *
 *     #include <seam/c/orthogonal.h>
 *     int size, rank;
 *     long value = 7, all[4];
 *     Seam_Init_endpoint(NULL, NULL, 4, MPI_THREAD_MULTIPLE, &size, &rank);
 *     Seam_Thread_attach(0, SEAM_COMM_CLIQUE);     // 1, 2 and 3 in three more threads
 *     Seam_Comm_rank(SEAM_COMM_ENDPOINTS, &rank);
 *     Seam_Gather(&value, 1, MPI_LONG, all, 1, MPI_LONG, 0, SEAM_COMM_ENDPOINTS);
 *
 * The functions of orthogonal.h take communicators of endpoints too: collectives, Seam_Send,
 * Seam_Recv, Seam_Comm_dup, Seam_Comm_split, graphs, windows. Calls of MPI take them for communicators of
 * one process; requests are MPI's, and MPI_Wait, MPI_Test and their like complete them.
 * endpoints_mpi.h gives the functions the names that the paper prints. All return MPI_SUCCESS or an
 * error code whose string says what was asked, expected and found.
 */
#ifndef SEAM_EXCHANGE_ENDPOINTS_H
#define SEAM_EXCHANGE_ENDPOINTS_H

#include <seam/framework/c/error_string.h>

#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Starts MPI with MPI_THREAD_MULTIPLE, unless it runs already, and makes `endpoints` endpoints of
 * this process, to which threads attach: with SEAM_ENDPOINTS_OF_ENVIRONMENT as many as the variable
 * SEAM_ENDPOINTS says, as "2" or "2,3,1" for each process, and 1 where it is not set. `required` is the level that holds for each endpoint.
 * size, rank: of all endpoints, and of this process's first; may be NULL. The calling thread is
 * attached to the first endpoint. Collective over MPI_COMM_WORLD; `endpoints` may differ. */
#define SEAM_ENDPOINTS_OF_ENVIRONMENT (-1)
int Seam_Init_endpoint(int* argc, char*** argv, int endpoints, int required, int* size, int* rank);

/* Frees the endpoints, and ends MPI if Seam_Init_endpoint has started it: once for each process,
 * when all calls of its endpoints are complete; an error of the class SEAM_ERR_ENDPOINTS while
 * another thread is in one. Collective over MPI_COMM_WORLD. */
int Seam_Finalize(void);

/* The communicators of the calling thread's endpoint; MPI_COMM_NULL if it has none: the error
 * handler of MPI_COMM_WORLD is called first. Local. */
MPI_Comm Seam_Comm_endpoints(void);
MPI_Comm Seam_Comm_world(void);
MPI_Comm Seam_Comm_clique(void);
MPI_Comm Seam_Comm_self(void);
#define SEAM_COMM_ENDPOINTS Seam_Comm_endpoints()
#define SEAM_COMM_WORLD Seam_Comm_world()
#define SEAM_COMM_CLIQUE Seam_Comm_clique()
#define SEAM_COMM_SELF Seam_Comm_self()

/* MPI's class of errors of attachment, MPI_ERR_ENDPOINTS of the paper. Local. */
int Seam_Error_class_endpoints(void);
#define SEAM_ERR_ENDPOINTS Seam_Error_class_endpoints()

/* Attaches the calling thread to an endpoint of its process; detaches it. Local. */
int Seam_Thread_attach(int rank, MPI_Comm comm);
int Seam_Thread_detach(void);

/* Memory of the calling thread's endpoint, aligned to cache lines and not initialized; *baseptr is
 * its address, `info` is not used. Threads of that endpoint give it back. From another endpoint
 * this is an error of the class SEAM_ERR_ENDPOINTS; with an address that is not known, or that was
 * given back before, one of MPI_ERR_BASE. What is left after Seam_Finalize any thread may give
 * back. A thread that is attached to no endpoint may call neither, unless the process has none. The
 * error handler is that of MPI_COMM_WORLD. Local. [bytes] */
int Seam_Alloc_mem(MPI_Aint size, MPI_Info info, void* baseptr);
int Seam_Free_mem(void* base);

/* Makes `how_many` endpoints of this process, 0 or more; handles[k] is the communicator of all for
 * the k-th. Any thread may use it, and frees it with Seam_Comm_free. Collective over `parent`;
 * `how_many` may differ. `info` is not used. */
int Seam_Comm_create_endpoints(MPI_Comm parent, int how_many, MPI_Info info, MPI_Comm handles[]);

/* As the calls of MPI, also for communicators of processes. Seam_Comm_get_attr knows MPI_TAG_UB of
 * endpoints, too: MPI keeps it with communicators of processes. Endpoints of other calls of
 * Seam_Comm_create_endpoints are others to Seam_Comm_compare. Local, but for Seam_Comm_free. */
int Seam_Comm_rank(MPI_Comm comm, int* rank);
int Seam_Comm_size(MPI_Comm comm, int* size);
int Seam_Comm_compare(MPI_Comm first, MPI_Comm second, int* result);
int Seam_Comm_get_attr(MPI_Comm comm, int keyval, void* value, int* flag);
int Seam_Comm_free(MPI_Comm* comm);

/* Nonblocking messages. Elements lie one behind the other in memory. Threads of the endpoint that has
 * started a message complete it; by another its completion is an error of the class
 * SEAM_ERR_ENDPOINTS. */
int Seam_Isend(void const* buffer, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm,
               MPI_Request* request);
int Seam_Irecv(void* buffer, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
               MPI_Request* request);

/* Looks for a message; waits for one. */
int Seam_Iprobe(int source, int tag, MPI_Comm comm, int* flag, MPI_Status* status);
int Seam_Probe(int source, int tag, MPI_Comm comm, MPI_Status* status);

/* Messages that are started again and again, by MPIX_Start, and completed and freed by the other
 * functions of partitioned.h (between processes also by those of MPI). Any datatype. A request that
 * is freed while it receives is cancelled. */
int Seam_Send_init(void const* buffer, int count, MPI_Datatype type, int dest, int tag,
                   MPI_Comm comm, MPI_Request* request);
int Seam_Recv_init(void* buffer, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
                   MPI_Request* request);

/* A message that a matched probe has found: only Seam_Mrecv or Seam_Imrecv of this handle receives
 * it, which sets the handle to SEAM_MESSAGE_NULL. Elements lie one behind the other. */
typedef struct Seam_Message_s* Seam_Message;
#define SEAM_MESSAGE_NULL ((Seam_Message)0)
int Seam_Improbe(int source, int tag, MPI_Comm comm, int* flag, Seam_Message* message,
                 MPI_Status* status);
int Seam_Mprobe(int source, int tag, MPI_Comm comm, Seam_Message* message, MPI_Status* status);
int Seam_Imrecv(void* buffer, int count, MPI_Datatype type, Seam_Message* message,
                MPI_Request* request);
int Seam_Mrecv(void* buffer, int count, MPI_Datatype type, Seam_Message* message,
               MPI_Status* status);

#ifdef __cplusplus
}
#endif

#endif
