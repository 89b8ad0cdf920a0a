/* The C interface of seam: naming, neighborhoods and the one set of collectives of
 *
 *   [Traeff2021] J. L. Traeff, S. Hunold, G. Mercier, D. Holmes: MPI collective communication
 *                through a single set of interfaces: a case for orthogonality. Parallel Computing,
 *                2021,
 *
 * with the paper's names and signatures. docs/papers.md maps its listings and sections to this
 * header.
 *
 *     int const order[2] = {3, 2}, period[2] = {1, 1}, target[4] = {0, 1, 0, -1};
 *     int size, rank, ranks[2];
 *     double const out[2] = {1, 2};
 *     double in[2];
 *     MPI_Comm comm = MPI_COMM_WORLD, cartcomm;
 *     MPI_Comm_rank(comm, &rank);
 *     Cart_name(comm, 2, ROWMAJOR, order, period, &size);
 *     Cart_allranks_relative(comm, rank, 2, target, ranks);
 *     Seam_Dist_graph_create_adjacent(comm, 2, ranks, MPI_UNWEIGHTED, 2, ranks, MPI_UNWEIGHTED,
 *                                     MPI_INFO_NULL, 0, &cartcomm);
 *     Seam_Alltoall(out, 1, MPI_DOUBLE, in, 1, MPI_DOUBLE, cartcomm);
 *
 * All functions return MPI_SUCCESS or an error code of MPI whose string (Seam_Error_string) says
 * what was asked, expected and found; before they return an error they call the error handler of
 * the communicator. Communicators that they make have the error handler of the one passed. Any
 * communicator may be passed: its topology is decoded at its first use, which is collective over
 * it. <seam/exchange.hpp> and <seam/mapping.hpp> say what each function does.
 * One thread of a rank at a time makes collective calls.
 */
#ifndef SEAM_MAPPING_ORTHOGONAL_H
#define SEAM_MAPPING_ORTHOGONAL_H

#include <seam/framework/c/error_string.h>

#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Listing 1: makes the complete communicator of the same processes (of the own side, if `comm` is
 * bipartite). Collective. */
int Comm_base(MPI_Comm comm, MPI_Comm* basecomm);

/* Section 2: the topology of a communicator: MPI_UNDEFINED if it is complete, MPI_DIST_GRAPH of
 * graphs, MPI_INTER of bipartite ones. A Cartesian communicator of MPI is complete. Local. */
#define MPI_INTER (-3141)
int Seam_Topo_test(MPI_Comm comm, int* status);

/* Listing 3: names for processes. Orders are ROWMAJOR and COLMAJOR; Cart_get returns MPI_UNDEFINED
 * if C++ code has named the communicator by another permutation of the dimensions. Local. */
#define ROWMAJOR MPI_ORDER_C
#define COLMAJOR MPI_ORDER_FORTRAN
int Cart_name(MPI_Comm comm, int d, int dimorder, int const order[], int const period[], int* size);
int Cart_test(MPI_Comm cart, int* flag, int* d, int* size);
int Cart_get(MPI_Comm cart, int* dimorder, int maxd, int order[], int period[]);

/* Listing 4: convert between ranks and coordinates. Local. */
int Cart_rank(MPI_Comm cart, int const coordinates[], int* rank);
int Cart_coordinates(MPI_Comm cart, int rank, int coordinates[]);
int Cart_relative_rank(MPI_Comm cart, int source, int const relative[], int* dest);
int Cart_relative_coordinates(MPI_Comm cart, int source, int dest, int relative[]);
int Cart_relative_shift(MPI_Comm cart, int rank, int const relative[], int* inrank, int* outrank);
int Cart_allranks(MPI_Comm cart, int n, int const coordinates[], int ranks[]);
int Cart_allranks_relative(MPI_Comm cart, int source, int n, int const relatives[], int ranks[]);

/* Listing 5: makes one communicator for each combination of coordinates in the excluded dimensions
 * (dimension[i] not 0). Collective. */
int Cart_create_sub(MPI_Comm cart, int const dimension[], MPI_Comm* subcart);

/* Listing 6: relative coordinates of neighbors. Local. */
#define MANHATTAN_DISTANCE 1
#define CHEBYCHEV_DISTANCE 2
int Cart_neighbors_count(MPI_Comm cart, int rank, int metric, int shadow, int depth, int* size);
int Cart_neighbors(MPI_Comm cart, int rank, int metric, int shadow, int depth, int maxsize,
                   int neighbors[]);

/* As MPI_Dist_graph_create_adjacent and MPI_Dist_graph_create; on a named communicator they also
 * find out whether all processes have the same neighborhood (section 3.2). The general form orders
 * the edges of a process by the rank that lists them, and then as that rank lists them.
 *
 * With `reorder` the processes may have other ranks: rank k of `graph` has the edges that were
 * given for rank k of `comm`, and `graph` has the names of `comm`. So data belongs to ranks of
 * `graph`. Ranks stay where reordering gains nothing, as on one node; see mapping/reordering.hpp.
 *
 * Collective. */
int Seam_Dist_graph_create_adjacent(MPI_Comm comm, int indegree, int const sources[],
                                    int const* sourceweights, int outdegree,
                                    int const destinations[], int const* destweights, MPI_Info info,
                                    int reorder, MPI_Comm* graph);
int Seam_Dist_graph_create(MPI_Comm comm, int n, int const sources[], int const degrees[],
                           int const destinations[], int const* weights, MPI_Info info, int reorder,
                           MPI_Comm* graph);

/* As MPI_Dist_graph_neighbors_count and MPI_Dist_graph_neighbors, also for endpoints; edges that
 * lead nowhere have the rank MPI_PROC_NULL. Local. */
int Seam_Dist_graph_neighbors_count(MPI_Comm graph, int* indegree, int* outdegree, int* weighted);
int Seam_Dist_graph_neighbors(MPI_Comm graph, int maxindegree, int sources[], int* sourceweights,
                              int maxoutdegree, int destinations[], int* destweights);

/* Section 2.4: as MPI's functions, except that the new communicator of a graph is the subgraph that
 * its processes induce, with the order and the weights of the edges. Names are not inherited.
 *
 * Collective: over `comm`, Seam_Comm_create_group over `group` alone. */
int Seam_Comm_dup(MPI_Comm comm, MPI_Comm* newcomm);
int Seam_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm* newcomm);
int Seam_Comm_split_type(MPI_Comm comm, int split_type, int key, MPI_Info info, MPI_Comm* newcomm);
int Seam_Comm_create(MPI_Comm comm, MPI_Group group, MPI_Comm* newcomm);
int Seam_Comm_create_group(MPI_Comm comm, MPI_Group group, int tag, MPI_Comm* newcomm);

/* Section 2: messages along the edges of the communicator's topology; other peers are refused.
 * Local. */
int Seam_Send(void const* buffer, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm);
int Seam_Recv(void* buffer, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
              MPI_Status* status);
int Seam_Sendrecv(void const* sendbuf, int sendcount, MPI_Datatype sendtype, int dest, int sendtag,
                  void* recvbuf, int recvcount, MPI_Datatype recvtype, int source, int recvtag,
                  MPI_Comm comm, MPI_Status* status);

/* Section 2.5: windows, as MPI's functions, on any topology but a bipartite one. On a graph
 * Seam_Win_fence lets the process access its out-neighbors and exposes its memory to its
 * in-neighbors, and waits for these alone; other targets are refused, also by locks. Displacements
 * count in the `disp_unit` of the target. Seam_Win_allocate fills its memory with 0. Of the
 * assertions only MPI_MODE_NOSUCCEED has an effect: the epoch ends without a next one, which a lock
 * needs. Seam_Win_free ends open epochs. Windows that the MPI library does not offer are an error:
 * Open MPI 4 has none on memory of the user (Seam_Win_create) for one process alone. Windows of
 * endpoints are seam's own; those of endpoints of one process may overlap. Windows have no error
 * handlers of their own: errors call that of the communicator.
 *
 * Collective: creation, fence and free. */
typedef struct seam_window* Seam_Win;
#define SEAM_WIN_NULL ((Seam_Win)0)
int Seam_Win_create(void* base, MPI_Aint size, int disp_unit, MPI_Info info, MPI_Comm comm,
                    Seam_Win* win);
int Seam_Win_allocate(MPI_Aint size, int disp_unit, MPI_Info info, MPI_Comm comm, void* baseptr,
                      Seam_Win* win);
int Seam_Win_fence(int assertion, Seam_Win win);
int Seam_Win_lock(int lock_type, int rank, int assertion, Seam_Win win);
int Seam_Win_unlock(int rank, Seam_Win win);
int Seam_Win_free(Seam_Win* win);
int Seam_Put(void const* buffer, int count, MPI_Datatype type, int target, MPI_Aint target_disp,
             int target_count, MPI_Datatype target_type, Seam_Win win);
int Seam_Get(void* buffer, int count, MPI_Datatype type, int target, MPI_Aint target_disp,
             int target_count, MPI_Datatype target_type, Seam_Win win);
int Seam_Accumulate(void const* buffer, int count, MPI_Datatype type, int target,
                    MPI_Aint target_disp, int target_count, MPI_Datatype target_type, MPI_Op op,
                    Seam_Win win);

/* Section 2: the collectives, in the blocking, the nonblocking and the persistent form.
 * Seam_Request_free frees a persistent request; a nonblocking one is freed when it completes, as in
 * MPI. Requests are of MPI's type, and the functions of partitioned.h complete several at once.
 * Persistent collectives may be started in another order on each rank. Minima and maxima order unsigned values as such, also MPI_UNSIGNED_LONG, which Open MPI 4.1
 * takes for signed, and all unsigned types, which MPICH 4.0 does; but in Seam_Accumulate between
 * processes, which MPICH carries out.
 *
 * Collective: over `comm`, in the same order on all ranks. */
typedef MPI_Request Seam_Request;
#define SEAM_REQUEST_NULL MPI_REQUEST_NULL
int Seam_Start(Seam_Request* request);
int Seam_Test(Seam_Request* request, int* flag);
int Seam_Wait(Seam_Request* request);
int Seam_Request_free(Seam_Request* request);

int Seam_Barrier(MPI_Comm comm);
int Seam_Ibarrier(MPI_Comm comm, Seam_Request* request);
int Seam_Barrier_init(MPI_Comm comm, Seam_Request* request);

int Seam_Bcast(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm);
int Seam_Ibcast(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm,
                Seam_Request* request);
int Seam_Bcast_init(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm,
                    Seam_Request* request);

int Seam_Gather(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm);
int Seam_Igather(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                 int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm,
                 Seam_Request* request);
int Seam_Gather_init(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                     int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm,
                     Seam_Request* request);

int Seam_Gatherv(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                 int const recvcounts[], int const displs[], MPI_Datatype recvtype, int root,
                 MPI_Comm comm);
int Seam_Igatherv(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                  int const recvcounts[], int const displs[], MPI_Datatype recvtype, int root,
                  MPI_Comm comm, Seam_Request* request);
int Seam_Gatherv_init(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                      int const recvcounts[], int const displs[], MPI_Datatype recvtype, int root,
                      MPI_Comm comm, Seam_Request* request);

int Seam_Scatter(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                 int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm);
int Seam_Iscatter(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                  int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm,
                  Seam_Request* request);
int Seam_Scatter_init(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                      int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm,
                      Seam_Request* request);

int Seam_Scatterv(void const* sendbuf, int const sendcounts[], int const displs[],
                  MPI_Datatype sendtype, void* recvbuf, int recvcount, MPI_Datatype recvtype,
                  int root, MPI_Comm comm);
int Seam_Iscatterv(void const* sendbuf, int const sendcounts[], int const displs[],
                   MPI_Datatype sendtype, void* recvbuf, int recvcount, MPI_Datatype recvtype,
                   int root, MPI_Comm comm, Seam_Request* request);
int Seam_Scatterv_init(void const* sendbuf, int const sendcounts[], int const displs[],
                       MPI_Datatype sendtype, void* recvbuf, int recvcount, MPI_Datatype recvtype,
                       int root, MPI_Comm comm, Seam_Request* request);

int Seam_Allgather(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                   int recvcount, MPI_Datatype recvtype, MPI_Comm comm);
int Seam_Iallgather(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                    int recvcount, MPI_Datatype recvtype, MPI_Comm comm, Seam_Request* request);
int Seam_Allgather_init(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                        int recvcount, MPI_Datatype recvtype, MPI_Comm comm, Seam_Request* request);

int Seam_Allgatherv(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                    int const recvcounts[], int const displs[], MPI_Datatype recvtype,
                    MPI_Comm comm);
int Seam_Iallgatherv(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                     int const recvcounts[], int const displs[], MPI_Datatype recvtype,
                     MPI_Comm comm, Seam_Request* request);
int Seam_Allgatherv_init(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                         int const recvcounts[], int const displs[], MPI_Datatype recvtype,
                         MPI_Comm comm, Seam_Request* request);

int Seam_Allgatherw(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                    int const recvcounts[], const MPI_Aint displs[], const MPI_Datatype recvtypes[],
                    MPI_Comm comm);
int Seam_Iallgatherw(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                     int const recvcounts[], const MPI_Aint displs[],
                     const MPI_Datatype recvtypes[], MPI_Comm comm, Seam_Request* request);
int Seam_Allgatherw_init(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                         int const recvcounts[], const MPI_Aint displs[],
                         const MPI_Datatype recvtypes[], MPI_Comm comm, Seam_Request* request);

int Seam_Alltoall(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                  int recvcount, MPI_Datatype recvtype, MPI_Comm comm);
int Seam_Ialltoall(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                   int recvcount, MPI_Datatype recvtype, MPI_Comm comm, Seam_Request* request);
int Seam_Alltoall_init(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                       int recvcount, MPI_Datatype recvtype, MPI_Comm comm, Seam_Request* request);

int Seam_Alltoallv(void const* sendbuf, int const sendcounts[], int const sdispls[],
                   MPI_Datatype sendtype, void* recvbuf, int const recvcounts[],
                   int const rdispls[], MPI_Datatype recvtype, MPI_Comm comm);
int Seam_Ialltoallv(void const* sendbuf, int const sendcounts[], int const sdispls[],
                    MPI_Datatype sendtype, void* recvbuf, int const recvcounts[],
                    int const rdispls[], MPI_Datatype recvtype, MPI_Comm comm,
                    Seam_Request* request);
int Seam_Alltoallv_init(void const* sendbuf, int const sendcounts[], int const sdispls[],
                        MPI_Datatype sendtype, void* recvbuf, int const recvcounts[],
                        int const rdispls[], MPI_Datatype recvtype, MPI_Comm comm,
                        Seam_Request* request);

int Seam_Alltoallw(void const* sendbuf, int const sendcounts[], const MPI_Aint sdispls[],
                   const MPI_Datatype sendtypes[], void* recvbuf, int const recvcounts[],
                   const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm);
int Seam_Ialltoallw(void const* sendbuf, int const sendcounts[], const MPI_Aint sdispls[],
                    const MPI_Datatype sendtypes[], void* recvbuf, int const recvcounts[],
                    const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm,
                    Seam_Request* request);
int Seam_Alltoallw_init(void const* sendbuf, int const sendcounts[], const MPI_Aint sdispls[],
                        const MPI_Datatype sendtypes[], void* recvbuf, int const recvcounts[],
                        const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm,
                        Seam_Request* request);

/* With displacements of type int, as MPI_Alltoallw has them. */
int Seam_Alltoallw_int(void const* sendbuf, int const sendcounts[], int const sdispls[],
                       const MPI_Datatype sendtypes[], void* recvbuf, int const recvcounts[],
                       int const rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm);
int Seam_Ialltoallw_int(void const* sendbuf, int const sendcounts[], int const sdispls[],
                        const MPI_Datatype sendtypes[], void* recvbuf, int const recvcounts[],
                        int const rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm,
                        Seam_Request* request);
int Seam_Alltoallw_init_int(void const* sendbuf, int const sendcounts[], int const sdispls[],
                            const MPI_Datatype sendtypes[], void* recvbuf, int const recvcounts[],
                            int const rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm,
                            Seam_Request* request);

int Seam_Reduce(void const* sendbuf, void* recvbuf, int count, MPI_Datatype type, MPI_Op op,
                int root, MPI_Comm comm);
int Seam_Ireduce(void const* sendbuf, void* recvbuf, int count, MPI_Datatype type, MPI_Op op,
                 int root, MPI_Comm comm, Seam_Request* request);
int Seam_Reduce_init(void const* sendbuf, void* recvbuf, int count, MPI_Datatype type, MPI_Op op,
                     int root, MPI_Comm comm, Seam_Request* request);

int Seam_Allreduce(void const* sendbuf, void* recvbuf, int count, MPI_Datatype type, MPI_Op op,
                   MPI_Comm comm);
int Seam_Iallreduce(void const* sendbuf, void* recvbuf, int count, MPI_Datatype type, MPI_Op op,
                    MPI_Comm comm, Seam_Request* request);
int Seam_Allreduce_init(void const* sendbuf, void* recvbuf, int count, MPI_Datatype type, MPI_Op op,
                        MPI_Comm comm, Seam_Request* request);

int Seam_Reduce_scatter(void const* sendbuf, void* recvbuf, int const recvcounts[],
                        MPI_Datatype type, MPI_Op op, MPI_Comm comm);
int Seam_Ireduce_scatter(void const* sendbuf, void* recvbuf, int const recvcounts[],
                         MPI_Datatype type, MPI_Op op, MPI_Comm comm, Seam_Request* request);
int Seam_Reduce_scatter_init(void const* sendbuf, void* recvbuf, int const recvcounts[],
                             MPI_Datatype type, MPI_Op op, MPI_Comm comm, Seam_Request* request);

int Seam_Reduce_scatter_block(void const* sendbuf, void* recvbuf, int recvcount, MPI_Datatype type,
                              MPI_Op op, MPI_Comm comm);
int Seam_Ireduce_scatter_block(void const* sendbuf, void* recvbuf, int recvcount, MPI_Datatype type,
                               MPI_Op op, MPI_Comm comm, Seam_Request* request);
int Seam_Reduce_scatter_block_init(void const* sendbuf, void* recvbuf, int recvcount,
                                   MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                                   Seam_Request* request);

int Seam_Scan(void const* sendbuf, void* recvbuf, int count, MPI_Datatype type, MPI_Op op,
              MPI_Comm comm);
int Seam_Iscan(void const* sendbuf, void* recvbuf, int count, MPI_Datatype type, MPI_Op op,
               MPI_Comm comm, Seam_Request* request);
int Seam_Scan_init(void const* sendbuf, void* recvbuf, int count, MPI_Datatype type, MPI_Op op,
                   MPI_Comm comm, Seam_Request* request);

int Seam_Exscan(void const* sendbuf, void* recvbuf, int count, MPI_Datatype type, MPI_Op op,
                MPI_Comm comm);
int Seam_Iexscan(void const* sendbuf, void* recvbuf, int count, MPI_Datatype type, MPI_Op op,
                 MPI_Comm comm, Seam_Request* request);
int Seam_Exscan_init(void const* sendbuf, void* recvbuf, int count, MPI_Datatype type, MPI_Op op,
                     MPI_Comm comm, Seam_Request* request);

#ifdef __cplusplus
}
#endif

#endif
