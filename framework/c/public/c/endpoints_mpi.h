/* MPI's names for programs on endpoints, as [Endpoints2011] prints them: they call seam in place of
 * MPI, which takes an endpoint's handle for a communicator of one process. A communication call of
 * MPI 3.1 that seam does not have for endpoints does not compile. Include this header last.
 *
 *     int size, rank;
 *     MPI_Init_endpoint(NULL, NULL, 4, MPI_THREAD_MULTIPLE, &size, &rank);
 *     MPI_Thread_attach(0, MPI_COMM_CLIQUE);       // 1, 2 and 3 in three more threads
 *     MPI_Barrier(MPI_COMM_ENDPOINTS);
 *     MPI_Finalize();
 */
#ifndef SEAM_EXCHANGE_ENDPOINTS_MPI_H
#define SEAM_EXCHANGE_ENDPOINTS_MPI_H

#include <seam/c/endpoints.h>
#include <seam/c/orthogonal.h>
#include <seam/c/partitioned.h>

#include <mpi.h>
#include <stddef.h>

#undef MPI_COMM_WORLD
#undef MPI_COMM_SELF
#define MPI_COMM_ENDPOINTS SEAM_COMM_ENDPOINTS
#define MPI_COMM_WORLD SEAM_COMM_WORLD
#define MPI_COMM_CLIQUE SEAM_COMM_CLIQUE
#define MPI_COMM_SELF SEAM_COMM_SELF
#define MPI_ERR_ENDPOINTS SEAM_ERR_ENDPOINTS

/* The environment says how many endpoints a process has, unless MPI_Init_endpoint does. */
#define MPI_Init(argc, argv)                                                                       \
  Seam_Init_endpoint(argc, argv, SEAM_ENDPOINTS_OF_ENVIRONMENT, MPI_THREAD_SINGLE, NULL, NULL)
#define MPI_Init_endpoint Seam_Init_endpoint
#define MPI_Finalize Seam_Finalize
#define MPI_Thread_attach Seam_Thread_attach
#define MPI_Alloc_mem Seam_Alloc_mem
#define MPI_Free_mem Seam_Free_mem
#define MPI_Error_string Seam_Error_string

/* Communicators. */
#define MPI_Comm_create_endpoints Seam_Comm_create_endpoints
#define MPI_Comm_rank Seam_Comm_rank
#define MPI_Comm_size Seam_Comm_size
#define MPI_Comm_compare Seam_Comm_compare
#define MPI_Comm_dup Seam_Comm_dup
#define MPI_Comm_split Seam_Comm_split
#define MPI_Comm_split_type Seam_Comm_split_type
#define MPI_Comm_free Seam_Comm_free
#define MPI_Comm_get_attr Seam_Comm_get_attr
#define MPI_Attr_get Seam_Comm_get_attr
#define MPI_Dist_graph_create Seam_Dist_graph_create
#define MPI_Dist_graph_create_adjacent Seam_Dist_graph_create_adjacent
#define MPI_Dist_graph_neighbors_count Seam_Dist_graph_neighbors_count
#define MPI_Dist_graph_neighbors Seam_Dist_graph_neighbors
#define MPI_Topo_test Seam_Topo_test

/* Messages, and requests of every kind. */
#define MPI_Send Seam_Send
#define MPI_Recv Seam_Recv
#define MPI_Sendrecv Seam_Sendrecv
#define MPI_Isend Seam_Isend
#define MPI_Irecv Seam_Irecv
#define MPI_Send_init Seam_Send_init
#define MPI_Recv_init Seam_Recv_init
#define MPI_Iprobe Seam_Iprobe
#define MPI_Probe Seam_Probe
#undef MPI_MESSAGE_NULL
#define MPI_Message Seam_Message
#define MPI_MESSAGE_NULL SEAM_MESSAGE_NULL
#define MPI_Improbe Seam_Improbe
#define MPI_Mprobe Seam_Mprobe
#define MPI_Imrecv Seam_Imrecv
#define MPI_Mrecv Seam_Mrecv
#define MPI_Psend_init MPIX_Psend_init
#define MPI_Precv_init MPIX_Precv_init
#define MPI_Pready MPIX_Pready
#define MPI_Pready_range MPIX_Pready_range
#define MPI_Pready_list MPIX_Pready_list
#define MPI_Parrived MPIX_Parrived
#define MPI_Start MPIX_Start
#define MPI_Startall MPIX_Startall
#define MPI_Test MPIX_Test
#define MPI_Testall MPIX_Testall
#define MPI_Testany MPIX_Testany
#define MPI_Testsome MPIX_Testsome
#define MPI_Wait MPIX_Wait
#define MPI_Waitall MPIX_Waitall
#define MPI_Waitany MPIX_Waitany
#define MPI_Waitsome MPIX_Waitsome
#define MPI_Request_get_status MPIX_Request_get_status
#define MPI_Cancel MPIX_Cancel
#define MPI_Request_free MPIX_Request_free

/* Collectives: blocking, nonblocking, and prepared as in MPI 4. */
#define MPI_Barrier Seam_Barrier
#define MPI_Bcast Seam_Bcast
#define MPI_Gather Seam_Gather
#define MPI_Gatherv Seam_Gatherv
#define MPI_Scatter Seam_Scatter
#define MPI_Scatterv Seam_Scatterv
#define MPI_Allgather Seam_Allgather
#define MPI_Allgatherv Seam_Allgatherv
#define MPI_Alltoall Seam_Alltoall
#define MPI_Alltoallv Seam_Alltoallv
#define MPI_Alltoallw Seam_Alltoallw_int
#define MPI_Reduce Seam_Reduce
#define MPI_Allreduce Seam_Allreduce
#define MPI_Reduce_scatter Seam_Reduce_scatter
#define MPI_Reduce_scatter_block Seam_Reduce_scatter_block
#define MPI_Scan Seam_Scan
#define MPI_Exscan Seam_Exscan
#define MPI_Ibarrier Seam_Ibarrier
#define MPI_Ibcast Seam_Ibcast
#define MPI_Igather Seam_Igather
#define MPI_Igatherv Seam_Igatherv
#define MPI_Iscatter Seam_Iscatter
#define MPI_Iscatterv Seam_Iscatterv
#define MPI_Iallgather Seam_Iallgather
#define MPI_Iallgatherv Seam_Iallgatherv
#define MPI_Ialltoall Seam_Ialltoall
#define MPI_Ialltoallv Seam_Ialltoallv
#define MPI_Ialltoallw Seam_Ialltoallw_int
#define MPI_Ireduce Seam_Ireduce
#define MPI_Iallreduce Seam_Iallreduce
#define MPI_Ireduce_scatter Seam_Ireduce_scatter
#define MPI_Ireduce_scatter_block Seam_Ireduce_scatter_block
#define MPI_Iscan Seam_Iscan
#define MPI_Iexscan Seam_Iexscan

#define MPI_Barrier_init(comm, info, request) Seam_Barrier_init(comm, request)
#define MPI_Bcast_init(buffer, count, type, root, comm, info, request)                             \
  Seam_Bcast_init(buffer, count, type, root, comm, request)
#define MPI_Gather_init(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm,    \
                        info, request)                                                             \
  Seam_Gather_init(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, request)
#define MPI_Gatherv_init(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype,      \
                         root, comm, info, request)                                                \
  Seam_Gatherv_init(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root,     \
                    comm, request)
#define MPI_Scatter_init(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm,   \
                         info, request)                                                            \
  Seam_Scatter_init(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, request)
#define MPI_Scatterv_init(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype,     \
                          root, comm, info, request)                                               \
  Seam_Scatterv_init(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root,    \
                     comm, request)
#define MPI_Allgather_init(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, info, \
                           request)                                                                \
  Seam_Allgather_init(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request)
#define MPI_Allgatherv_init(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype,   \
                            comm, info, request)                                                   \
  Seam_Allgatherv_init(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm,  \
                       request)
#define MPI_Alltoall_init(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, info,  \
                          request)                                                                 \
  Seam_Alltoall_init(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request)
#define MPI_Alltoallv_init(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls,   \
                           recvtype, comm, info, request)                                          \
  Seam_Alltoallv_init(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls,        \
                      recvtype, comm, request)
#define MPI_Alltoallw_init(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls,  \
                           recvtypes, comm, info, request)                                         \
  Seam_Alltoallw_init_int(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls,   \
                          recvtypes, comm, request)
#define MPI_Reduce_init(sendbuf, recvbuf, count, type, op, root, comm, info, request)              \
  Seam_Reduce_init(sendbuf, recvbuf, count, type, op, root, comm, request)
#define MPI_Allreduce_init(sendbuf, recvbuf, count, type, op, comm, info, request)                 \
  Seam_Allreduce_init(sendbuf, recvbuf, count, type, op, comm, request)
#define MPI_Reduce_scatter_init(sendbuf, recvbuf, recvcounts, type, op, comm, info, request)       \
  Seam_Reduce_scatter_init(sendbuf, recvbuf, recvcounts, type, op, comm, request)
#define MPI_Reduce_scatter_block_init(sendbuf, recvbuf, recvcount, type, op, comm, info, request)  \
  Seam_Reduce_scatter_block_init(sendbuf, recvbuf, recvcount, type, op, comm, request)
#define MPI_Scan_init(sendbuf, recvbuf, count, type, op, comm, info, request)                      \
  Seam_Scan_init(sendbuf, recvbuf, count, type, op, comm, request)
#define MPI_Exscan_init(sendbuf, recvbuf, count, type, op, comm, info, request)                    \
  Seam_Exscan_init(sendbuf, recvbuf, count, type, op, comm, request)

/* Windows. */
#undef MPI_WIN_NULL
#define MPI_Win Seam_Win
#define MPI_WIN_NULL SEAM_WIN_NULL
#define MPI_Win_create Seam_Win_create
#define MPI_Win_allocate Seam_Win_allocate
#define MPI_Win_fence Seam_Win_fence
#define MPI_Win_lock Seam_Win_lock
#define MPI_Win_unlock Seam_Win_unlock
#define MPI_Win_free Seam_Win_free
#define MPI_Put Seam_Put
#define MPI_Get Seam_Get
#define MPI_Accumulate Seam_Accumulate

/* What seam does not have for endpoints. An object that cannot be called. */
struct Seam_no_function;
extern struct Seam_no_function Seam_has_no_such_call_for_endpoints;
#define MPI_Bsend Seam_has_no_such_call_for_endpoints
#define MPI_Bsend_init Seam_has_no_such_call_for_endpoints
#define MPI_Cart_coords Seam_has_no_such_call_for_endpoints
#define MPI_Cart_create Seam_has_no_such_call_for_endpoints
#define MPI_Cart_get Seam_has_no_such_call_for_endpoints
#define MPI_Cart_map Seam_has_no_such_call_for_endpoints
#define MPI_Cart_rank Seam_has_no_such_call_for_endpoints
#define MPI_Cart_shift Seam_has_no_such_call_for_endpoints
#define MPI_Cart_sub Seam_has_no_such_call_for_endpoints
#define MPI_Cartdim_get Seam_has_no_such_call_for_endpoints
#define MPI_Comm_accept Seam_has_no_such_call_for_endpoints
#define MPI_Comm_connect Seam_has_no_such_call_for_endpoints
#define MPI_Comm_create Seam_has_no_such_call_for_endpoints
#define MPI_Comm_create_group Seam_has_no_such_call_for_endpoints
#define MPI_Comm_disconnect Seam_has_no_such_call_for_endpoints
#define MPI_Comm_dup_with_info Seam_has_no_such_call_for_endpoints
#define MPI_Comm_get_parent Seam_has_no_such_call_for_endpoints
#define MPI_Comm_group Seam_has_no_such_call_for_endpoints
#define MPI_Comm_idup Seam_has_no_such_call_for_endpoints
#define MPI_Comm_join Seam_has_no_such_call_for_endpoints
#define MPI_Comm_remote_group Seam_has_no_such_call_for_endpoints
#define MPI_Comm_remote_size Seam_has_no_such_call_for_endpoints
#define MPI_Comm_spawn Seam_has_no_such_call_for_endpoints
#define MPI_Comm_spawn_multiple Seam_has_no_such_call_for_endpoints
#define MPI_Comm_test_inter Seam_has_no_such_call_for_endpoints
#define MPI_Compare_and_swap Seam_has_no_such_call_for_endpoints
#define MPI_Fetch_and_op Seam_has_no_such_call_for_endpoints
#define MPI_File_open Seam_has_no_such_call_for_endpoints
#define MPI_Get_accumulate Seam_has_no_such_call_for_endpoints
#define MPI_Graph_create Seam_has_no_such_call_for_endpoints
#define MPI_Graph_get Seam_has_no_such_call_for_endpoints
#define MPI_Graph_map Seam_has_no_such_call_for_endpoints
#define MPI_Graph_neighbors Seam_has_no_such_call_for_endpoints
#define MPI_Graph_neighbors_count Seam_has_no_such_call_for_endpoints
#define MPI_Graphdims_get Seam_has_no_such_call_for_endpoints
#define MPI_Ibsend Seam_has_no_such_call_for_endpoints
#define MPI_Ineighbor_allgather Seam_has_no_such_call_for_endpoints
#define MPI_Ineighbor_allgatherv Seam_has_no_such_call_for_endpoints
#define MPI_Ineighbor_alltoall Seam_has_no_such_call_for_endpoints
#define MPI_Ineighbor_alltoallv Seam_has_no_such_call_for_endpoints
#define MPI_Ineighbor_alltoallw Seam_has_no_such_call_for_endpoints
#define MPI_Intercomm_create Seam_has_no_such_call_for_endpoints
#define MPI_Intercomm_merge Seam_has_no_such_call_for_endpoints
#define MPI_Irsend Seam_has_no_such_call_for_endpoints
#define MPI_Issend Seam_has_no_such_call_for_endpoints
#undef MPI_Message_c2f // a macro of MPICH
#define MPI_Message_c2f Seam_has_no_such_call_for_endpoints
#define MPI_Neighbor_allgather Seam_has_no_such_call_for_endpoints
#define MPI_Neighbor_allgatherv Seam_has_no_such_call_for_endpoints
#define MPI_Neighbor_alltoall Seam_has_no_such_call_for_endpoints
#define MPI_Neighbor_alltoallv Seam_has_no_such_call_for_endpoints
#define MPI_Neighbor_alltoallw Seam_has_no_such_call_for_endpoints
#define MPI_Raccumulate Seam_has_no_such_call_for_endpoints
#define MPI_Rget Seam_has_no_such_call_for_endpoints
#define MPI_Rget_accumulate Seam_has_no_such_call_for_endpoints
#define MPI_Rput Seam_has_no_such_call_for_endpoints
#define MPI_Rsend Seam_has_no_such_call_for_endpoints
#define MPI_Rsend_init Seam_has_no_such_call_for_endpoints
#define MPI_Sendrecv_replace Seam_has_no_such_call_for_endpoints
#define MPI_Ssend Seam_has_no_such_call_for_endpoints
#define MPI_Ssend_init Seam_has_no_such_call_for_endpoints
#define MPI_Win_allocate_shared Seam_has_no_such_call_for_endpoints
#define MPI_Win_attach Seam_has_no_such_call_for_endpoints
#undef MPI_Win_c2f // a macro of MPICH
#define MPI_Win_c2f Seam_has_no_such_call_for_endpoints
#define MPI_Win_call_errhandler Seam_has_no_such_call_for_endpoints
#define MPI_Win_complete Seam_has_no_such_call_for_endpoints
#define MPI_Win_create_dynamic Seam_has_no_such_call_for_endpoints
#define MPI_Win_delete_attr Seam_has_no_such_call_for_endpoints
#define MPI_Win_detach Seam_has_no_such_call_for_endpoints
#define MPI_Win_flush Seam_has_no_such_call_for_endpoints
#define MPI_Win_flush_all Seam_has_no_such_call_for_endpoints
#define MPI_Win_flush_local Seam_has_no_such_call_for_endpoints
#define MPI_Win_flush_local_all Seam_has_no_such_call_for_endpoints
#define MPI_Win_get_attr Seam_has_no_such_call_for_endpoints
#define MPI_Win_get_errhandler Seam_has_no_such_call_for_endpoints
#define MPI_Win_get_group Seam_has_no_such_call_for_endpoints
#define MPI_Win_get_info Seam_has_no_such_call_for_endpoints
#define MPI_Win_get_name Seam_has_no_such_call_for_endpoints
#define MPI_Win_lock_all Seam_has_no_such_call_for_endpoints
#define MPI_Win_post Seam_has_no_such_call_for_endpoints
#define MPI_Win_set_attr Seam_has_no_such_call_for_endpoints
#define MPI_Win_set_errhandler Seam_has_no_such_call_for_endpoints
#define MPI_Win_set_info Seam_has_no_such_call_for_endpoints
#define MPI_Win_set_name Seam_has_no_such_call_for_endpoints
#define MPI_Win_shared_query Seam_has_no_such_call_for_endpoints
#define MPI_Win_start Seam_has_no_such_call_for_endpoints
#define MPI_Win_sync Seam_has_no_such_call_for_endpoints
#define MPI_Win_test Seam_has_no_such_call_for_endpoints
#define MPI_Win_unlock_all Seam_has_no_such_call_for_endpoints
#define MPI_Win_wait Seam_has_no_such_call_for_endpoints

#endif
