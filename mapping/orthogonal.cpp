#include <seam/mapping/orthogonal.h>

#include <seam/exchange/collectives/allgather.hpp>
#include <seam/exchange/collectives/alltoall.hpp>
#include <seam/exchange/collectives/barrier.hpp>
#include <seam/exchange/collectives/bcast.hpp>
#include <seam/exchange/collectives/gather.hpp>
#include <seam/exchange/collectives/reduce.hpp>
#include <seam/exchange/collectives/reduce_scatter.hpp>
#include <seam/exchange/collectives/scan.hpp>
#include <seam/exchange/collectives/scatter.hpp>
#include <seam/exchange/error.hpp>
#include <seam/mapping/cartesianity.hpp>
#include <seam/mapping/named_communicator.hpp>
#include <seam/mapping/neighbors.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

/// A collective in flight, or a persistent one between two flights.
struct seam_request {
  MPI_Comm comm;
  std::optional<seam::operation> kept;
  std::optional<seam::in_flight> flying;
};

namespace {

using namespace seam;

/// A new error code of MPI whose string is `line`, as far as MPI's strings reach.
int error_code_for(std::string line) {
  static int const error_class = [] {
    int made = MPI_ERR_OTHER;
    MPI_Add_error_class(&made);
    MPI_Add_error_string(made, "seam refused a call");
    return made;
  }();
  int code = MPI_ERR_OTHER;
  MPI_Add_error_code(error_class, &code);
  line.resize(std::min<std::size_t>(line.size(), MPI_MAX_ERROR_STRING - 1));
  MPI_Add_error_string(code, line.c_str());
  return code;
}

/// Runs `body` and makes an exception an error of `comm`.
template <class Body>
int guarded(MPI_Comm comm, Body const& body) {
  int code = MPI_SUCCESS;
  try {
    body();
  } catch (std::exception const& problem) {
    code = error_code_for(problem.what());
  } catch (...) {
    code = error_code_for("seam: an exception that is not a std::exception");
  }
  if (code != MPI_SUCCESS)
    MPI_Comm_call_errhandler(comm == MPI_COMM_NULL ? MPI_COMM_WORLD : comm, code);
  return code;
}

CartesianNaming const& required_naming(MPI_Comm cart) {
  CartesianNaming const* const naming = naming_of(cart);
  if (naming == nullptr)
    refuse("naming: the communicator has no naming (expected Cart_name before)");
  return *naming;
}

std::span<int const> vector_of(CartesianNaming const& naming, int const* entries) {
  return {entries, static_cast<std::size_t>(naming.num_dimensions())};
}

std::span<int const> list_of(CartesianNaming const& naming, int n, int const* entries) {
  return {entries, static_cast<std::size_t>(n) * static_cast<std::size_t>(naming.num_dimensions())};
}

dimension_order order_of(int dimorder) {
  if (dimorder != ROWMAJOR && dimorder != COLMAJOR)
    refuse(fmt::format("naming: dimension order {} (expected ROWMAJOR or COLMAJOR)", dimorder));
  return dimorder == ROWMAJOR ? dimension_order::row_major() : dimension_order::column_major();
}

offset_list neighbors_of(MPI_Comm cart, int rank, int which, int shadow, int depth) {
  if (which != MANHATTAN_DISTANCE && which != CHEBYCHEV_DISTANCE)
    refuse(fmt::format("naming: metric {} (expected MANHATTAN_DISTANCE or CHEBYCHEV_DISTANCE)",
                       which));
  auto const distance = which == MANHATTAN_DISTANCE ? metric::manhattan : metric::chebyshev;
  return neighbors(required_naming(cart), rank, metric_neighborhood(distance, shadow, depth));
}

std::vector<edge> edges_of(int degree, int const* ranks, int const* weights) {
  bool const weighted = weights != MPI_UNWEIGHTED && weights != MPI_WEIGHTS_EMPTY;
  std::vector<edge> edges;
  for (int e = 0; e < degree; ++e)
    edges.push_back({ranks[e], weighted ? weights[e] : 1});
  return edges;
}

/// Blocks as the v-forms name them: displacements in elements.
std::vector<elements> blocks_of_v(std::size_t degree, void const* base, int const* counts,
                                  int const* displacements, MPI_Datatype type) {
  std::vector<elements> blocks;
  std::int64_t const extent = degree > 0 ? extent_of(type) : 0;
  for (std::size_t e = 0; e < degree; ++e)
    blocks.push_back({static_cast<std::byte const*>(base) + displacements[e] * extent, counts[e],
                      type});
  return blocks;
}

/// Blocks as the w-forms name them: displacements in bytes.
std::vector<elements> blocks_of_w(std::size_t degree, void const* base, int const* counts,
                                  MPI_Aint const* displacements, MPI_Datatype const* types) {
  std::vector<elements> blocks;
  for (std::size_t e = 0; e < degree; ++e)
    blocks.push_back({static_cast<std::byte const*>(base) + displacements[e], counts[e], types[e]});
  return blocks;
}

std::size_t in_degree(Communicator const& over) { return ports_of(over).topology.sources().size(); }
std::size_t out_degree(Communicator const& over) {
  return ports_of(over).topology.destinations().size();
}

// From MPI's arguments to collectives.

collective make_barrier(Communicator const&) { return barrier(); }

collective make_bcast(Communicator const&, void* buffer, int count, MPI_Datatype type, int root) {
  return bcast(elements{buffer, count, type}, root);
}

collective make_gather(Communicator const&, void const* sendbuf, int sendcount,
                       MPI_Datatype sendtype, void* recvbuf, int recvcount, MPI_Datatype recvtype,
                       int root) {
  return gather(elements{sendbuf, sendcount, sendtype}, elements{recvbuf, recvcount, recvtype},
                root);
}

collective make_gatherv(Communicator const& over, void const* sendbuf, int sendcount,
                        MPI_Datatype sendtype, void* recvbuf, int const* counts, int const* displs,
                        MPI_Datatype recvtype, int root) {
  std::size_t const blocks = edges_to_root(ports_of(over), root).at_root.size();
  return gatherw({sendbuf, sendcount, sendtype},
                 blocks_of_v(blocks, recvbuf, counts, displs, recvtype), root);
}

collective make_scatter(Communicator const&, void const* sendbuf, int sendcount,
                        MPI_Datatype sendtype, void* recvbuf, int recvcount, MPI_Datatype recvtype,
                        int root) {
  return scatter(elements{sendbuf, sendcount, sendtype}, elements{recvbuf, recvcount, recvtype},
                 root);
}

collective make_scatterv(Communicator const& over, void const* sendbuf, int const* counts,
                         int const* displs, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                         MPI_Datatype recvtype, int root) {
  std::size_t const blocks = edges_from_root(ports_of(over), root).at_root.size();
  return scatterw(blocks_of_v(blocks, sendbuf, counts, displs, sendtype),
                  {recvbuf, recvcount, recvtype}, root);
}

collective make_allgather(Communicator const&, void const* sendbuf, int sendcount,
                          MPI_Datatype sendtype, void* recvbuf, int recvcount,
                          MPI_Datatype recvtype) {
  return allgather(elements{sendbuf, sendcount, sendtype}, elements{recvbuf, recvcount, recvtype});
}

collective make_allgatherv(Communicator const& over, void const* sendbuf, int sendcount,
                           MPI_Datatype sendtype, void* recvbuf, int const* counts,
                           int const* displs, MPI_Datatype recvtype) {
  return allgatherw({sendbuf, sendcount, sendtype},
                    blocks_of_v(in_degree(over), recvbuf, counts, displs, recvtype));
}

collective make_allgatherw(Communicator const& over, void const* sendbuf, int sendcount,
                           MPI_Datatype sendtype, void* recvbuf, int const* counts,
                           MPI_Aint const* displs, MPI_Datatype const* types) {
  return allgatherw({sendbuf, sendcount, sendtype},
                    blocks_of_w(in_degree(over), recvbuf, counts, displs, types));
}

collective make_alltoall(Communicator const&, void const* sendbuf, int sendcount,
                         MPI_Datatype sendtype, void* recvbuf, int recvcount,
                         MPI_Datatype recvtype) {
  return alltoall(elements{sendbuf, sendcount, sendtype}, elements{recvbuf, recvcount, recvtype});
}

collective make_alltoallv(Communicator const& over, void const* sendbuf, int const* sendcounts,
                          int const* sdispls, MPI_Datatype sendtype, void* recvbuf,
                          int const* recvcounts, int const* rdispls, MPI_Datatype recvtype) {
  std::size_t const sends = sendbuf == MPI_IN_PLACE ? 0 : out_degree(over);
  return alltoallw(blocks_of_v(sends, sendbuf, sendcounts, sdispls, sendtype),
                   blocks_of_v(in_degree(over), recvbuf, recvcounts, rdispls, recvtype));
}

collective make_alltoallw(Communicator const& over, void const* sendbuf, int const* sendcounts,
                          MPI_Aint const* sdispls, MPI_Datatype const* sendtypes, void* recvbuf,
                          int const* recvcounts, MPI_Aint const* rdispls,
                          MPI_Datatype const* recvtypes) {
  std::size_t const sends = sendbuf == MPI_IN_PLACE ? 0 : out_degree(over);
  return alltoallw(blocks_of_w(sends, sendbuf, sendcounts, sdispls, sendtypes),
                   blocks_of_w(in_degree(over), recvbuf, recvcounts, rdispls, recvtypes));
}

collective make_reduce(Communicator const&, void const* sendbuf, void* recvbuf, int count,
                       MPI_Datatype type, MPI_Op op, int root) {
  return reduce(elements{sendbuf, count, type}, elements{recvbuf, count, type}, op, root);
}

collective make_allreduce(Communicator const&, void const* sendbuf, void* recvbuf, int count,
                          MPI_Datatype type, MPI_Op op) {
  return allreduce(elements{sendbuf, count, type}, elements{recvbuf, count, type}, op);
}

collective make_reduce_scatter(Communicator const& over, void const* sendbuf, void* recvbuf,
                               int const* counts, MPI_Datatype type, MPI_Op op) {
  return reduce_scatter({sendbuf, 0, type}, {recvbuf, 0, type},
                        std::vector<int>(counts, counts + over.size()), op);
}

collective make_reduce_scatter_block(Communicator const&, void const* sendbuf, void* recvbuf,
                                     int count, MPI_Datatype type, MPI_Op op) {
  return reduce_scatter_block({sendbuf, count, type}, {recvbuf, count, type}, op);
}

collective make_scan(Communicator const&, void const* sendbuf, void* recvbuf, int count,
                     MPI_Datatype type, MPI_Op op) {
  return scan(elements{sendbuf, count, type}, elements{recvbuf, count, type}, op);
}

collective make_exscan(Communicator const&, void const* sendbuf, void* recvbuf, int count,
                       MPI_Datatype type, MPI_Op op) {
  return exscan(elements{sendbuf, count, type}, elements{recvbuf, count, type}, op);
}

// The three forms of them all.

template <class Make, class... Arguments>
int run_now(MPI_Comm comm, Make make, Arguments... arguments) {
  return guarded(comm, [&] {
    Communicator const over = Communicator::attached_to(comm);
    run(over, make(over, arguments...));
  });
}

template <class Make, class... Arguments>
int start_one(MPI_Comm comm, Seam_Request* request, Make make, Arguments... arguments) {
  return guarded(comm, [&] {
    Communicator const over = Communicator::attached_to(comm);
    auto made = std::make_unique<seam_request>(seam_request{comm, {}, {}});
    made->flying.emplace(start(over, make(over, arguments...)));
    *request = made.release();
  });
}

template <class Make, class... Arguments>
int keep_one(MPI_Comm comm, Seam_Request* request, Make make, Arguments... arguments) {
  return guarded(comm, [&] {
    Communicator const over = Communicator::attached_to(comm);
    *request = new seam_request{comm, prepare(over, make(over, arguments...)), {}};
  });
}

/// What is to be done when a request has completed.
void complete(Seam_Request* request) {
  (*request)->flying.reset();
  if (!(*request)->kept) {
    delete *request;
    *request = SEAM_REQUEST_NULL;
  }
}

} // namespace

extern "C" {

int Comm_base(MPI_Comm comm, MPI_Comm* basecomm) {
  return guarded(comm, [&] { *basecomm = Communicator::attached_to(comm).base().give_to_mpi(); });
}

int Cart_name(MPI_Comm comm, int d, int dimorder, int const order[], int const period[],
              int* size) {
  return guarded(comm, [&] {
    std::vector<bool> const periodic(period, period + d);
    CartesianNaming naming(mpi::comm_view(comm).size(), {order, order + d}, periodic,
                           order_of(dimorder));
    *size = mpi::narrow(naming.size(), "Cart_name");
    name(comm, std::move(naming));
  });
}

int Cart_test(MPI_Comm cart, int* flag, int* d, int* size) {
  return guarded(cart, [&] {
    CartesianNaming const* const naming = naming_of(cart);
    *flag = naming != nullptr;
    if (naming != nullptr) {
      *d = naming->num_dimensions();
      *size = mpi::narrow(naming->size(), "Cart_test");
    }
  });
}

int Cart_get(MPI_Comm cart, int* dimorder, int maxd, int order[], int period[]) {
  return guarded(cart, [&] {
    CartesianNaming const& naming = required_naming(cart);
    *dimorder = naming.dimorder().is_column_major() ? COLMAJOR : ROWMAJOR;
    for (int i = 0; i < std::min(maxd, naming.num_dimensions()); ++i) {
      order[i] = naming.order()[static_cast<std::size_t>(i)];
      period[i] = naming.periodic()[static_cast<std::size_t>(i)];
    }
  });
}

int Cart_rank(MPI_Comm cart, int const coordinates[], int* rank) {
  return guarded(cart, [&] {
    CartesianNaming const& naming = required_naming(cart);
    *rank = naming.rank(vector_of(naming, coordinates));
  });
}

int Cart_coordinates(MPI_Comm cart, int rank, int coordinates[]) {
  return guarded(cart,
                 [&] { std::ranges::copy(required_naming(cart).coordinates(rank), coordinates); });
}

int Cart_relative_rank(MPI_Comm cart, int source, int const relative[], int* dest) {
  return guarded(cart, [&] {
    CartesianNaming const& naming = required_naming(cart);
    *dest = naming.relative_rank(source, vector_of(naming, relative));
  });
}

int Cart_relative_coordinates(MPI_Comm cart, int source, int dest, int relative[]) {
  return guarded(cart, [&] {
    std::ranges::copy(required_naming(cart).relative_coordinates(source, dest), relative);
  });
}

int Cart_relative_shift(MPI_Comm cart, int rank, int const relative[], int* inrank, int* outrank) {
  return guarded(cart, [&] {
    CartesianNaming const& naming = required_naming(cart);
    shift_ranks const ends = naming.relative_shift(rank, vector_of(naming, relative));
    *inrank = ends.in;
    *outrank = ends.out;
  });
}

int Cart_allranks(MPI_Comm cart, int n, int const coordinates[], int ranks[]) {
  return guarded(cart, [&] {
    CartesianNaming const& naming = required_naming(cart);
    std::ranges::copy(naming.allranks(list_of(naming, n, coordinates)), ranks);
  });
}

int Cart_allranks_relative(MPI_Comm cart, int source, int n, int const relatives[], int ranks[]) {
  return guarded(cart, [&] {
    CartesianNaming const& naming = required_naming(cart);
    std::ranges::copy(naming.allranks_relative(source, list_of(naming, n, relatives)), ranks);
  });
}

int Cart_create_sub(MPI_Comm cart, int const dimension[], MPI_Comm* subcart) {
  return guarded(cart, [&] {
    int const d = required_naming(cart).num_dimensions();
    *subcart = make_sub(cart, std::vector<bool>(dimension, dimension + d)).release();
  });
}

int Cart_neighbors_count(MPI_Comm cart, int rank, int metric, int shadow, int depth, int* size) {
  return guarded(cart, [&] {
    *size = static_cast<int>(neighbors_of(cart, rank, metric, shadow, depth).size());
  });
}

int Cart_neighbors(MPI_Comm cart, int rank, int metric, int shadow, int depth, int maxsize,
                   int neighbors[]) {
  return guarded(cart, [&] {
    offset_list const all = neighbors_of(cart, rank, metric, shadow, depth);
    auto const count = std::min(static_cast<std::size_t>(std::max(0, maxsize)), all.size());
    for (std::size_t i = 0; i < count; ++i)
      neighbors = std::ranges::copy(all[i], neighbors).out;
  });
}

int Seam_Dist_graph_create_adjacent(MPI_Comm comm, int indegree, int const sources[],
                                    int const* sourceweights, int outdegree,
                                    int const destinations[], int const* destweights, MPI_Info, int,
                                    MPI_Comm* graph) {
  return guarded(comm, [&] {
    Communicator const over = Communicator::attached_to(comm);
    auto const topology = Topology::graph(edges_of(indegree, sources, sourceweights),
                                          edges_of(outdegree, destinations, destweights));
    *graph = make_named_graph(over, topology).give_to_mpi();
  });
}

int Seam_Start(Seam_Request* request) {
  return guarded((*request)->comm, [&] {
    if (!(*request)->kept)
      refuse("Seam_Start: a request that is not persistent (expected one of an _init call)");
    (*request)->flying.emplace((*request)->kept->start());
  });
}

int Seam_Test(Seam_Request* request, int* flag) {
  *flag = 1;
  if (*request == SEAM_REQUEST_NULL || !(*request)->flying)
    return MPI_SUCCESS;
  return guarded((*request)->comm, [&] {
    *flag = (*request)->flying->test();
    if (*flag != 0)
      complete(request);
  });
}

int Seam_Wait(Seam_Request* request) {
  if (*request == SEAM_REQUEST_NULL || !(*request)->flying)
    return MPI_SUCCESS;
  return guarded((*request)->comm, [&] {
    (*request)->flying->wait();
    complete(request);
  });
}

int Seam_Request_free(Seam_Request* request) {
  if (*request == SEAM_REQUEST_NULL)
    return MPI_SUCCESS;
  return guarded((*request)->comm, [&] {
    delete *request;
    *request = SEAM_REQUEST_NULL;
  });
}

int Seam_Barrier(MPI_Comm comm) { return run_now(comm, make_barrier); }
int Seam_Ibarrier(MPI_Comm comm, Seam_Request* request) {
  return start_one(comm, request, make_barrier);
}
int Seam_Barrier_init(MPI_Comm comm, Seam_Request* request) {
  return keep_one(comm, request, make_barrier);
}

// Defines the blocking, the nonblocking and the persistent form of one collective.
#define SEAM_UNPACK(...) __VA_ARGS__
#define SEAM_FORMS(Blocking, Nonblocking, Persistent, make, parameters, arguments)                 \
  int Blocking(SEAM_UNPACK parameters, MPI_Comm comm) {                                            \
    return run_now(comm, make, SEAM_UNPACK arguments);                                             \
  }                                                                                                \
  int Nonblocking(SEAM_UNPACK parameters, MPI_Comm comm, Seam_Request* request) {                  \
    return start_one(comm, request, make, SEAM_UNPACK arguments);                                  \
  }                                                                                                \
  int Persistent(SEAM_UNPACK parameters, MPI_Comm comm, Seam_Request* request) {                   \
    return keep_one(comm, request, make, SEAM_UNPACK arguments);                                   \
  }

SEAM_FORMS(Seam_Bcast, Seam_Ibcast, Seam_Bcast_init, make_bcast,
           (void* buffer, int count, MPI_Datatype type, int root), (buffer, count, type, root))
SEAM_FORMS(Seam_Gather, Seam_Igather, Seam_Gather_init, make_gather,
           (void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
            MPI_Datatype recvtype, int root),
           (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root))
SEAM_FORMS(Seam_Gatherv, Seam_Igatherv, Seam_Gatherv_init, make_gatherv,
           (void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
            int const* recvcounts, int const* displs, MPI_Datatype recvtype, int root),
           (sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root))
SEAM_FORMS(Seam_Scatter, Seam_Iscatter, Seam_Scatter_init, make_scatter,
           (void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
            MPI_Datatype recvtype, int root),
           (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root))
SEAM_FORMS(Seam_Scatterv, Seam_Iscatterv, Seam_Scatterv_init, make_scatterv,
           (void const* sendbuf, int const* sendcounts, int const* displs, MPI_Datatype sendtype,
            void* recvbuf, int recvcount, MPI_Datatype recvtype, int root),
           (sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root))
SEAM_FORMS(Seam_Allgather, Seam_Iallgather, Seam_Allgather_init, make_allgather,
           (void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
            MPI_Datatype recvtype),
           (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype))
SEAM_FORMS(Seam_Allgatherv, Seam_Iallgatherv, Seam_Allgatherv_init, make_allgatherv,
           (void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
            int const* recvcounts, int const* displs, MPI_Datatype recvtype),
           (sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype))
SEAM_FORMS(Seam_Allgatherw, Seam_Iallgatherw, Seam_Allgatherw_init, make_allgatherw,
           (void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
            int const* recvcounts, MPI_Aint const* displs, MPI_Datatype const* recvtypes),
           (sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtypes))
SEAM_FORMS(Seam_Alltoall, Seam_Ialltoall, Seam_Alltoall_init, make_alltoall,
           (void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
            MPI_Datatype recvtype),
           (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype))
SEAM_FORMS(Seam_Alltoallv, Seam_Ialltoallv, Seam_Alltoallv_init, make_alltoallv,
           (void const* sendbuf, int const* sendcounts, int const* sdispls, MPI_Datatype sendtype,
            void* recvbuf, int const* recvcounts, int const* rdispls, MPI_Datatype recvtype),
           (sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype))
SEAM_FORMS(Seam_Alltoallw, Seam_Ialltoallw, Seam_Alltoallw_init, make_alltoallw,
           (void const* sendbuf, int const* sendcounts, MPI_Aint const* sdispls,
            MPI_Datatype const* sendtypes, void* recvbuf, int const* recvcounts,
            MPI_Aint const* rdispls, MPI_Datatype const* recvtypes),
           (sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes))
SEAM_FORMS(Seam_Reduce, Seam_Ireduce, Seam_Reduce_init, make_reduce,
           (void const* sendbuf, void* recvbuf, int count, MPI_Datatype type, MPI_Op op, int root),
           (sendbuf, recvbuf, count, type, op, root))
SEAM_FORMS(Seam_Allreduce, Seam_Iallreduce, Seam_Allreduce_init, make_allreduce,
           (void const* sendbuf, void* recvbuf, int count, MPI_Datatype type, MPI_Op op),
           (sendbuf, recvbuf, count, type, op))
SEAM_FORMS(Seam_Reduce_scatter, Seam_Ireduce_scatter, Seam_Reduce_scatter_init, make_reduce_scatter,
           (void const* sendbuf, void* recvbuf, int const* recvcounts, MPI_Datatype type,
            MPI_Op op),
           (sendbuf, recvbuf, recvcounts, type, op))
SEAM_FORMS(Seam_Reduce_scatter_block, Seam_Ireduce_scatter_block, Seam_Reduce_scatter_block_init,
           make_reduce_scatter_block,
           (void const* sendbuf, void* recvbuf, int recvcount, MPI_Datatype type, MPI_Op op),
           (sendbuf, recvbuf, recvcount, type, op))
SEAM_FORMS(Seam_Scan, Seam_Iscan, Seam_Scan_init, make_scan,
           (void const* sendbuf, void* recvbuf, int count, MPI_Datatype type, MPI_Op op),
           (sendbuf, recvbuf, count, type, op))
SEAM_FORMS(Seam_Exscan, Seam_Iexscan, Seam_Exscan_init, make_exscan,
           (void const* sendbuf, void* recvbuf, int count, MPI_Datatype type, MPI_Op op),
           (sendbuf, recvbuf, count, type, op))
#undef SEAM_FORMS
#undef SEAM_UNPACK

} // extern "C"
