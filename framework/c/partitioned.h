/* The C interface of seam's partitioned communication, with the names and signatures of
 *
 *   [MPI4] MPI: a message-passing interface standard, version 4.0, section 4.2,
 *   [Holmes2021] D. Holmes, A. Skjellum, J. Jaeger, R. Grant, P. Bangalore, M. Dosanjh, A. Bienz,
 * D. Schafer: Partitioned collective communication. ExaMPI, 2021, figures 1 and 3,
 *
 * but that the functions which start, complete and free requests are those of this header.
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
 * whose class is MPI's (MPI_ERR_ROOT, MPI_ERR_COUNT and so on, where MPI has one) and whose string
 * (MPI_Error_string) says what was asked, expected and found. Before they return an error they call
 * the error handler of the communicator, that of a request the one that its communicator had when
 * the request was made, also once that has been freed.
 *
 * Any thread level of MPI will do. Below MPI_THREAD_MULTIPLE the thread that started MPI makes all
 * calls (MPI_THREAD_SERIALIZED: one thread at a time does), and operations move in these alone;
 * with MPI_THREAD_MULTIPLE a thread of seam's moves them while the program computes, and partitions
 * may be marked by any thread.
 *
 * The C++ headers beside this one say what each function does. On graph communicators collectives
 * take place along the edges, under either name; on inter-communicators from side to side, but for
 * scans and reduce-scatters, with MPI_ROOT and MPI_PROC_NULL as in MPI's. Where several edges of a
 * graph lead from the root to one process, that process gets one block, and a bcast sends it along
 * the first of these edges, a scatter the block of the last.
 */
#ifndef SEAM_EXCHANGE_PARTITIONED_H
#define SEAM_EXCHANGE_PARTITIONED_H

#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A request of MPI's type, so that MPI's own requests may stand in the same arrays. Those that the
 * functions below make are for the functions below alone; these take MPI's own requests, too, where
 * they start, complete and free. */
typedef MPI_Request MPIX_Request;
#define MPIX_REQUEST_NULL MPI_REQUEST_NULL

/* Keys of `info`, with the value "true"; they are assertions of the user ([Holmes2021] sec. V). */
#define MPIX_PBCAST_ROOT_PART_UNKNOWN "MPIX_PBCAST_ROOT_PART_UNKNOWN"
#define MPIX_PBCAST_LEAVES_ALL_PART_SAME "MPIX_PBCAST_LEAVES_ALL_PART_SAME"
#define MPIX_EACH_PARTITION_PAIR_SAME "MPIX_EACH_PARTITION_PAIR_SAME"
#define MPIX_ALL_SEND_PARTITIONS_SAME "MPIX_ALL_SEND_PARTITIONS_SAME"
#define MPIX_ALL_RECV_PARTITIONS_SAME "MPIX_ALL_RECV_PARTITIONS_SAME"

/* A number from 1 to 4092: messages in which the partitions of an edge leave, instead of what is
 * observed. More partitions than 4092 share messages in any case. Not of reductions, which carry
 * each partition by itself whatever is said here. */
#define SEAM_PARTITION_MESSAGES "seam_partition_messages"

/* Starting and completing, as MPI's functions of these names do, of arrays in which partitioned
 * requests, MPI's own and MPIX_REQUEST_NULL may stand beside each other. Requests that are
 * inactive, or null, are complete and their status is empty; where one or some are waited for, they
 * are not looked at, and the index, or the number, is MPI_UNDEFINED if there are no others. Errors
 * of several requests are in the statuses (MPI_ERR_IN_STATUS). */
int MPIX_Start(MPIX_Request* request);
int MPIX_Startall(int count, MPIX_Request requests[]);
int MPIX_Test(MPIX_Request* request, int* flag, MPI_Status* status);
int MPIX_Testall(int count, MPIX_Request requests[], int* flag, MPI_Status statuses[]);
int MPIX_Testany(int count, MPIX_Request requests[], int* index, int* flag, MPI_Status* status);
int MPIX_Testsome(int count, MPIX_Request requests[], int* num_complete, int indices[],
                  MPI_Status statuses[]);
int MPIX_Wait(MPIX_Request* request, MPI_Status* status);
int MPIX_Waitall(int count, MPIX_Request requests[], MPI_Status statuses[]);
int MPIX_Waitany(int count, MPIX_Request requests[], int* index, MPI_Status* status);
int MPIX_Waitsome(int count, MPIX_Request requests[], int* num_complete, int indices[],
                  MPI_Status statuses[]);
int MPIX_Request_get_status(MPIX_Request request, int* flag, MPI_Status* status);
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
 * context of their own would involve others, with tags above 32767, or above 28671 where MPI_TAG_UB
 * is below 65535. A receive of the program's with MPI_ANY_TAG may not be open on `comm` meanwhile,
 * and `comm` lives as long as the requests. (psend_init() on a Communicator has a context.) On a
 * graph communicator messages go along its edges alone. Tags are from 0 on, also beyond MPI_TAG_UB.
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
/* Displacements in bytes, and a type for each block. */
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
