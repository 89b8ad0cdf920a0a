/* The C interface of seam's partitioned communication, with the names and signatures of
 *
 *   [MPI4] MPI: a message-passing interface standard, version 4.0, section 4.2,
 *   [Holmes2021] D. Holmes, A. Skjellum, J. Jaeger, R. Grant, P. Bangalore, M. Dosanjh,
 *                A. Bienz, D. Schafer: Partitioned collective communication. ExaMPI, 2021,
 *                figures 1 and 3.
 *
 * Only the functions that start, complete and free requests have names of this header.
 *
 *     double in[800] = {0}, out[800];
 *     int has_arrived;
 *     MPIX_Request request;
 *     MPIX_Pallreduce_init(in, out, 8, 100, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL,
 *                          &request);
 *     MPIX_Start(&request);
 *     for (int p = 0; p < 8; ++p)
 *       MPIX_Pready(p, request);                   // any thread
 *     MPIX_Parrived(request, 7, &has_arrived);     // any thread
 *     MPIX_Wait(&request, MPI_STATUS_IGNORE);
 *     MPIX_Request_free(&request);
 *
 * A count is that of one partition, as in MPI_Psend_init; in collectives with a block for each
 * rank, each block has that number of partitions. All functions return MPI_SUCCESS or an error code
 * of MPI whose class is MPI's (MPI_ERR_ROOT, MPI_ERR_COUNT and so on, where MPI has one) and whose
 * string (Seam_Error_string) says what was asked, expected and found. Before they return an error
 * they call the error handler of the communicator. For a request this is the handler that its
 * communicator had when the request was made, also once the communicator has been freed.
 *
 * Any thread level of MPI will do. Below MPI_THREAD_MULTIPLE the thread that started MPI makes all
 * calls (MPI_THREAD_SERIALIZED: one thread at a time does), and operations move in these alone;
 * with MPI_THREAD_MULTIPLE the progress thread moves them while the program computes, and any
 * thread may mark partitions.
 *
 * <seam/partitioned.hpp> says what each function does. On graph communicators
 * collectives move data along the edges, under either name. On inter-communicators they move it
 * from one side to the other, with MPI_ROOT and MPI_PROC_NULL as in MPI; scans and reduce-scatters
 * are refused there. Where several edges of a graph lead from the root to one process, that process
 * gets one block: a bcast sends it along the first of these edges, and a scatter sends the block of
 * the last.
 */
#ifndef SEAM_EXCHANGE_PARTITIONED_H
#define SEAM_EXCHANGE_PARTITIONED_H

#include <seam/framework/c/error_string.h>

#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A request of MPI's type, so that MPI's own requests may stand in the same arrays. The functions
 * below that start, complete, cancel and free requests accept MPI's own, too. MPI's functions of
 * these names accept the requests of seam: the library defines them, and passes MPI's own requests
 * on by the profiling interface. Where a tool for profiling has taken their place, only the
 * functions below know the requests of seam. */
typedef MPI_Request MPIX_Request;
#define MPIX_REQUEST_NULL MPI_REQUEST_NULL

/* Keys of `info`, with the value "true"; they are assertions of the user ([Holmes2021] sec. V). */
#define MPIX_PBCAST_ROOT_PART_UNKNOWN "MPIX_PBCAST_ROOT_PART_UNKNOWN"
#define MPIX_PBCAST_LEAVES_ALL_PART_SAME "MPIX_PBCAST_LEAVES_ALL_PART_SAME"
#define MPIX_EACH_PARTITION_PAIR_SAME "MPIX_EACH_PARTITION_PAIR_SAME"
#define MPIX_ALL_SEND_PARTITIONS_SAME "MPIX_ALL_SEND_PARTITIONS_SAME"
#define MPIX_ALL_RECV_PARTITIONS_SAME "MPIX_ALL_RECV_PARTITIONS_SAME"

/* A number of messages from 1 to 4092, in which the partitions of an edge leave. By default seam
 * chooses it by observation. More than 4092 partitions share messages in any case. Reductions
 * ignore it and carry each partition by itself. */
#define SEAM_PARTITION_MESSAGES "seam_partition_messages"

/* Start and complete requests as MPI's functions of these names do. An array may hold partitioned
 * requests, MPI's own and MPIX_REQUEST_NULL. Requests that are inactive, or null, are complete and
 * their status is empty. Functions for any or some requests ignore them, and set the index, or the
 * number, to MPI_UNDEFINED if there are no others. Errors of several requests are in the statuses
 * (MPI_ERR_IN_STATUS). MPIX_Cancel cancels what MPI_Cancel does, between endpoints a receive, and
 * leaves inactive requests as they are; operations with partitions and collectives are refused while
 * they are active, as MPI defines no end of them but completion. */
int MPIX_Start(MPIX_Request* request);
int MPIX_Startall(int count, MPIX_Request requests[]);
int MPIX_Test(MPIX_Request* request, int* flag, MPI_Status* status);
int MPIX_Testall(int count, MPIX_Request requests[], int* flag, MPI_Status* statuses);
int MPIX_Testany(int count, MPIX_Request requests[], int* index, int* flag, MPI_Status* status);
int MPIX_Testsome(int count, MPIX_Request requests[], int* num_complete, int indices[],
                  MPI_Status* statuses);
int MPIX_Wait(MPIX_Request* request, MPI_Status* status);
int MPIX_Waitall(int count, MPIX_Request requests[], MPI_Status* statuses);
int MPIX_Waitany(int count, MPIX_Request requests[], int* index, MPI_Status* status);
int MPIX_Waitsome(int count, MPIX_Request requests[], int* num_complete, int indices[],
                  MPI_Status* statuses);
int MPIX_Request_get_status(MPIX_Request request, int* flag, MPI_Status* status);
int MPIX_Cancel(MPIX_Request* request);
int MPIX_Request_free(MPIX_Request* request);

/* Mark partitions and test for their arrival. Figure 3: `dest` and `source` are ranks, on graphs
 * indices of edges. */
int MPIX_Pready(int partition, MPIX_Request request);
int MPIX_Pready_range(int partition_low, int partition_high, MPIX_Request request);
int MPIX_Pready_list(int length, int const array_of_partitions[], MPIX_Request request);
int MPIX_Parrived(MPIX_Request request, int partition, int* flag);
int MPIX_Pready_extended(int partition, int dest, MPIX_Request* request);
int MPIX_Pready_range_extended(int partition_low, int partition_high, int dest,
                               MPIX_Request* request);
int MPIX_Pready_list_extended(int length, int const array_of_partitions[], int dest,
                              MPIX_Request* request);
int MPIX_Parrived_extended(MPIX_Request* request, int partition, int source, int* flag);

/* Section VI.B: return when the buffers of all processes that this one sends to are ready. */
int MPIX_Pbuf_prepare(MPIX_Request request);
int MPIX_Pbuf_prepareall(int count, MPIX_Request requests[]);

/* Messages between two processes ([MPI4] sec. 4.2). They travel in `comm` itself, because making a
 * context for them would involve other processes, with tags above 32767, or above 28671 where
 * MPI_TAG_UB is below 65535. Meanwhile the program may have no open receive with MPI_ANY_TAG on
 * `comm`, and `comm` must live as long as the requests. (psend_init() on a Communicator has a
 * context.) On a graph communicator messages travel along its edges alone. Tags are 0 or more, also
 * beyond MPI_TAG_UB.
 * Local. */
int MPIX_Psend_init(void const* buf, int partitions, MPI_Count count, MPI_Datatype datatype,
                    int dest, int tag, MPI_Comm comm, MPI_Info info, MPIX_Request* request);
int MPIX_Precv_init(void* buf, int partitions, MPI_Count count, MPI_Datatype datatype, int source,
                    int tag, MPI_Comm comm, MPI_Info info, MPIX_Request* request);

/* Collectives of figure 1.
 * Collective: over `comm`, in the same order on all ranks. */
int MPIX_Pbcast_init(void* buf, int partitions, MPI_Count count, MPI_Datatype datatype, int root,
                     MPI_Comm comm, MPI_Info info, MPIX_Request* request);
int MPIX_Pgather_init(void const* sendbuf, int sendparts, MPI_Count sendcount,
                      MPI_Datatype sendtype, void* recvbuf, int recvparts, MPI_Count recvcount,
                      MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info,
                      MPIX_Request* request);
int MPIX_Pgatherv_init(void const* sendbuf, int sendparts, MPI_Count sendcount,
                       MPI_Datatype sendtype, void* recvbuf, int const recvparts[],
                       const MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype,
                       int root, MPI_Comm comm, MPI_Info info, MPIX_Request* request);
int MPIX_Pscatter_init(void const* sendbuf, int sendparts, MPI_Count sendcount,
                       MPI_Datatype sendtype, void* recvbuf, int recvparts, MPI_Count recvcount,
                       MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info,
                       MPIX_Request* request);
int MPIX_Pscatterv_init(void const* sendbuf, int const sendparts[], const MPI_Count sendcounts[],
                        const MPI_Aint displs[], MPI_Datatype sendtype, void* recvbuf,
                        int recvparts, MPI_Count recvcount, MPI_Datatype recvtype, int root,
                        MPI_Comm comm, MPI_Info info, MPIX_Request* request);
/* The w-forms have displacements in bytes, and a type for each block. */
int MPIX_Pscatterw_init(void const* sendbuf, int const sendparts[], const MPI_Count sendcounts[],
                        const MPI_Aint displs[], const MPI_Datatype sendtypes[], void* recvbuf,
                        int recvparts, MPI_Count recvcount, MPI_Datatype recvtype, int root,
                        MPI_Comm comm, MPI_Info info, MPIX_Request* request);
int MPIX_Pallgather_init(void const* sendbuf, int sendparts, MPI_Count sendcount,
                         MPI_Datatype sendtype, void* recvbuf, int recvparts, MPI_Count recvcount,
                         MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                         MPIX_Request* request);
int MPIX_Pallgatherv_init(void const* sendbuf, int sendparts, MPI_Count sendcount,
                          MPI_Datatype sendtype, void* recvbuf, int const recvparts[],
                          const MPI_Count recvcounts[], const MPI_Aint displs[],
                          MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                          MPIX_Request* request);
int MPIX_Palltoall_init(void const* sendbuf, int sendparts, MPI_Count sendcount,
                        MPI_Datatype sendtype, void* recvbuf, int recvparts, MPI_Count recvcount,
                        MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPIX_Request* request);
int MPIX_Palltoallv_init(void const* sendbuf, int const sendparts[], const MPI_Count sendcounts[],
                         const MPI_Aint sdispls[], MPI_Datatype sendtype, void* recvbuf,
                         int const recvparts[], const MPI_Count recvcounts[],
                         const MPI_Aint rdispls[], MPI_Datatype recvtype, MPI_Comm comm,
                         MPI_Info info, MPIX_Request* request);
int MPIX_Palltoallw_init(void const* sendbuf, int const sendparts[], const MPI_Count sendcounts[],
                         const MPI_Aint sdispls[], const MPI_Datatype sendtypes[], void* recvbuf,
                         int const recvparts[], const MPI_Count recvcounts[],
                         const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm,
                         MPI_Info info, MPIX_Request* request);

/* The spelling of the figure. */
#define MPIX_Palloall_init MPIX_Palltoall_init
#define MPIX_Palloallv_init MPIX_Palltoallv_init
#define MPIX_Palloallw_init MPIX_Palltoallw_init

int MPIX_Preduce_init(void const* sendbuf, void* recvbuf, int partitions, MPI_Count count,
                      MPI_Datatype datatype, MPI_Op op, int root, MPI_Comm comm, MPI_Info info,
                      MPIX_Request* request);
int MPIX_Pallreduce_init(void const* sendbuf, void* recvbuf, int partitions, MPI_Count count,
                         MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Info info,
                         MPIX_Request* request);
int MPIX_Preduce_scatter_block_init(void const* sendbuf, void* recvbuf, int partitions,
                                    MPI_Count recvcount, MPI_Datatype datatype, MPI_Op op,
                                    MPI_Comm comm, MPI_Info info, MPIX_Request* request);
int MPIX_Preduce_scatter_init(void const* sendbuf, void* recvbuf, int const partitions[],
                              const MPI_Count recvcounts[], MPI_Datatype datatype, MPI_Op op,
                              MPI_Comm comm, MPI_Info info, MPIX_Request* request);
int MPIX_Pscan_init(void const* sendbuf, void* recvbuf, int partitions, MPI_Count count,
                    MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Info info,
                    MPIX_Request* request);
int MPIX_Pexscan_init(void const* sendbuf, void* recvbuf, int partitions, MPI_Count count,
                      MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Info info,
                      MPIX_Request* request);

/* Collectives along the edges of a graph communicator; other communicators are refused. */
int MPIX_Pneighbor_allgather_init(void const* sendbuf, int sendparts, MPI_Count sendcount,
                                  MPI_Datatype sendtype, void* recvbuf, int recvparts,
                                  MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm,
                                  MPI_Info info, MPIX_Request* request);
int MPIX_Pneighbor_allgatherv_init(void const* sendbuf, int sendparts, MPI_Count sendcount,
                                   MPI_Datatype sendtype, void* recvbuf, int const recvparts[],
                                   const MPI_Count recvcounts[], const MPI_Aint displs[],
                                   MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                                   MPIX_Request* request);
int MPIX_Pneighbor_alltoall_init(void const* sendbuf, int sendparts, MPI_Count sendcount,
                                 MPI_Datatype sendtype, void* recvbuf, int recvparts,
                                 MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm,
                                 MPI_Info info, MPIX_Request* request);
int MPIX_Pneighbor_alltoallv_init(void const* sendbuf, int const sendparts[],
                                  const MPI_Count sendcounts[], const MPI_Aint sdispls[],
                                  MPI_Datatype sendtype, void* recvbuf, int const recvparts[],
                                  const MPI_Count recvcounts[], const MPI_Aint rdispls[],
                                  MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                                  MPIX_Request* request);
int MPIX_Pneighbor_alltoallw_init(void const* sendbuf, int const sendparts[],
                                  const MPI_Count sendcounts[], const MPI_Aint sdispls[],
                                  const MPI_Datatype sendtypes[], void* recvbuf,
                                  int const recvparts[], const MPI_Count recvcounts[],
                                  const MPI_Aint rdispls[], const MPI_Datatype recvtypes[],
                                  MPI_Comm comm, MPI_Info info, MPIX_Request* request);

#ifdef __cplusplus
}
#endif

#endif
