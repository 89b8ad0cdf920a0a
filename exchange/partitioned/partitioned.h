/* The C interface of seam's partitioned communication, with the names and signatures of
 *
 *   [MPI4] MPI: a message-passing interface standard, version 4.0, section 4.2,
 *   [Holmes2021] D. Holmes, A. Skjellum, J. Jaeger, R. Grant, P. Bangalore, M. Dosanjh, A. Bienz,
 * D. Schafer: Partitioned collective communication. ExaMPI, 2021, figures 1 and 3,
 *
 * but that requests are of the type MPIX_Request.
 *
 *     MPIX_Pallreduce_init(in, out, 8, n, MPI_DOUBLE, MPI_SUM, comm, MPI_INFO_NULL, &request);
 *     MPIX_Start(&request);
 *     MPIX_Pready(p, request);                     any thread, for each p from 0 to 7
 *     MPIX_Parrived(request, p, &flag);            any thread
 *     MPIX_Wait(&request, MPI_STATUS_IGNORE);
 *     MPIX_Request_free(&request);
 *
 * A count is that of one partition, as in MPI_Psend_init; of collectives with a block for each
 * rank, each block has the partitions. All functions return MPI_SUCCESS or an error code of MPI
 * whose string (MPI_Error_string) says what was asked, expected and found; before they return an
 * error they call the error handler of the communicator. MPI is to be started with
 * MPI_THREAD_MULTIPLE, as a thread of seam's makes progress while the program computes. The C++
 * headers beside this one say what each does. On graph communicators collectives take place along
 * the edges, under either name; on inter-communicators from side to side, but for scans and
 * reduce-scatters, with MPI_ROOT and MPI_PROC_NULL as in MPI's.
 */
#ifndef SEAM_EXCHANGE_PARTITIONED_H
#define SEAM_EXCHANGE_PARTITIONED_H

#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct mpix_request* MPIX_Request;
#define MPIX_REQUEST_NULL ((MPIX_Request)0)

/* Keys of `info`, with the value "true"; they are assertions of the user ([Holmes2021] sec. V). */
#define MPIX_PBCAST_ROOT_PART_UNKNOWN "MPIX_PBCAST_ROOT_PART_UNKNOWN"
#define MPIX_PBCAST_LEAVES_ALL_PART_SAME "MPIX_PBCAST_LEAVES_ALL_PART_SAME"
#define MPIX_EACH_PARTITION_PAIR_SAME "MPIX_EACH_PARTITION_PAIR_SAME"
#define MPIX_ALL_SEND_PARTITIONS_SAME "MPIX_ALL_SEND_PARTITIONS_SAME"
#define MPIX_ALL_RECV_PARTITIONS_SAME "MPIX_ALL_RECV_PARTITIONS_SAME"

/* A number: messages in which the partitions of an edge leave, instead of what is observed. Not of
 * reductions, which carry each partition by itself whatever is said here. */
#define SEAM_PARTITION_MESSAGES "seam_partition_messages"

/* Starting and completing. Requests that are inactive, or MPIX_REQUEST_NULL, are complete, and
 * their status is empty. */
int MPIX_Start(MPIX_Request* request);
int MPIX_Startall(int count, MPIX_Request requests[]);
int MPIX_Test(MPIX_Request* request, int* flag, MPI_Status* status);
int MPIX_Wait(MPIX_Request* request, MPI_Status* status);
int MPIX_Waitall(int count, MPIX_Request requests[], MPI_Status statuses[]);
int MPIX_Waitany(int count, MPIX_Request requests[], int* index, MPI_Status* status);
int MPIX_Request_free(MPIX_Request* request);

/* Partitions. Figure 3: `dest` and `source` are ranks, on graphs indices of edges. */
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

/* Section VI.B: returns when the buffers of all that this process sends to are ready. */
int MPIX_Pbuf_prepare(MPIX_Request request);
int MPIX_Pbuf_prepareall(int count, MPIX_Request requests[]);

/* Between two processes ([MPI4] sec. 4.2). Local: their messages travel in `comm` itself, as a
 * context of their own would involve others, with tags above 32767. A receive of the program's with
 * MPI_ANY_TAG may not be open on `comm` meanwhile. (psend_init() on a Communicator has a context.)
 * On a graph communicator messages go along its edges alone.
 */
int MPIX_Psend_init(void const* buf, int partitions, MPI_Count count, MPI_Datatype datatype,
                    int dest, int tag, MPI_Comm comm, MPI_Info info, MPIX_Request* request);
int MPIX_Precv_init(void* buf, int partitions, MPI_Count count, MPI_Datatype datatype, int source,
                    int tag, MPI_Comm comm, MPI_Info info, MPIX_Request* request);

/* Figure 1. Collective, in the same order on all ranks. */
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

/* As the figure spells them. */
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

/* Along the edges of a graph communicator; others are refused. */
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
