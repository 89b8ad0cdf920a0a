/* The names that [Endpoints2011] prints, for programs that are written against it: they call seam
 * (endpoints.h, orthogonal.h) in place of MPI. Include it last.
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

#undef MPI_COMM_WORLD
#undef MPI_COMM_SELF
#define MPI_COMM_ENDPOINTS SEAM_COMM_ENDPOINTS
#define MPI_COMM_WORLD SEAM_COMM_WORLD
#define MPI_COMM_CLIQUE SEAM_COMM_CLIQUE
#define MPI_COMM_SELF SEAM_COMM_SELF
#define MPI_ERR_ENDPOINTS SEAM_ERR_ENDPOINTS

#define MPI_Init_endpoint Seam_Init_endpoint
#define MPI_Finalize Seam_Finalize
#define MPI_Thread_attach Seam_Thread_attach
#define MPI_Alloc_mem Seam_Alloc_mem
#define MPI_Free_mem Seam_Free_mem
#define MPI_Comm_create_endpoints Seam_Comm_create_endpoints
#define MPI_Comm_rank Seam_Comm_rank
#define MPI_Comm_size Seam_Comm_size
#define MPI_Comm_dup Seam_Comm_dup
#define MPI_Comm_split Seam_Comm_split
#define MPI_Comm_free Seam_Comm_free
#define MPI_Send Seam_Send
#define MPI_Recv Seam_Recv
#define MPI_Isend Seam_Isend
#define MPI_Irecv Seam_Irecv
#define MPI_Iprobe Seam_Iprobe
#define MPI_Probe Seam_Probe
#define MPI_Send_init Seam_Send_init
#define MPI_Recv_init Seam_Recv_init
#define MPI_Error_string Seam_Error_string
#define MPI_Start MPIX_Start
#define MPI_Startall MPIX_Startall
#define MPI_Wait MPIX_Wait
#define MPI_Waitall MPIX_Waitall
#define MPI_Test MPIX_Test
#define MPI_Testall MPIX_Testall
#define MPI_Request_free MPIX_Request_free
#define MPI_Barrier Seam_Barrier
#define MPI_Bcast Seam_Bcast
#define MPI_Gather Seam_Gather
#define MPI_Gatherv Seam_Gatherv
#define MPI_Scatter Seam_Scatter
#define MPI_Allgather Seam_Allgather
#define MPI_Alltoall Seam_Alltoall
#define MPI_Reduce Seam_Reduce
#define MPI_Allreduce Seam_Allreduce
#define MPI_Scan Seam_Scan

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

#endif
