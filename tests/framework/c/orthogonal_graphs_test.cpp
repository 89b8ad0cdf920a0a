// The C interface's graphs: which ranks may list their edges, which rank a process gets, and along
// which edges it may send.
#include <seam/c/endpoints.h>
#include <seam/c/orthogonal.h>

#include <seam/exchange/communicator/communicator.hpp>

#include <support/catch.hpp>
#include <support/orthogonal.hpp>

#include <cstdlib>
#include <string>
#include <vector>

using namespace seam;
using namespace seam::detail;
using seam::testing::text_of;

namespace {

using values = std::vector<int>;

/// Gives a variable of the environment a value for its own lifetime.
struct variable {
  variable(char const* name, char const* value) : name_(name) { setenv(name, value, 1); }
  variable(variable const&) = delete;
  variable& operator=(variable const&) = delete;
  ~variable() { unsetenv(name_); }

  char const* name_;
};

} // namespace

TEST_CASE("messages travel along edges, and Comm_base reaches the rest") {
  int rank = 0, size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (size < 2)
    return;
  int const next = (rank + 1) % size, before = (rank + size - 1) % size;
  MPI_Comm graph = MPI_COMM_NULL, base = MPI_COMM_NULL;
  Seam_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &before, MPI_UNWEIGHTED, 1, &next,
                                  MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph);
  CHECK(Comm_base(graph, &base) == MPI_SUCCESS);
  int kind = 0;
  CHECK(Seam_Topo_test(graph, &kind) == MPI_SUCCESS);
  CHECK(kind == MPI_DIST_GRAPH);
  auto const pass_on = [&](MPI_Comm comm, int to, int from) {
    int got = -1, count = 0;
    MPI_Status status;
    if (rank == 0)
      CHECK(Seam_Send(&rank, 1, MPI_INT, to, 7, comm) == MPI_SUCCESS);
    CHECK(Seam_Recv(&got, 1, MPI_INT, from, MPI_ANY_TAG, comm, &status) == MPI_SUCCESS);
    if (rank != 0)
      CHECK(Seam_Send(&rank, 1, MPI_INT, to, 7, comm) == MPI_SUCCESS);
    CHECK(got == from);
    CHECK(status.MPI_SOURCE == from);
    CHECK(status.MPI_TAG == 7);
    MPI_Get_count(&status, MPI_INT, &count);
    CHECK(count == 1);
  };
  pass_on(graph, next, before);
  pass_on(base, before, next);
  MPI_Comm_free(&base);
  MPI_Comm_free(&graph);
}

TEST_CASE("messages of every form are refused where no edge leads") {
  MPI_Comm parent = MPI_COMM_NULL, graph = MPI_COMM_NULL;
  if (GENERATE(false, true))
    REQUIRE(Seam_Comm_create_endpoints(MPI_COMM_WORLD, 1, MPI_INFO_NULL, &parent) == MPI_SUCCESS);
  else
    Seam_Comm_dup(MPI_COMM_WORLD, &parent);
  int rank = 0, size = 0;
  Seam_Comm_rank(parent, &rank);
  Seam_Comm_size(parent, &size);
  int const next = (rank + 1) % size, before = (rank + size - 1) % size;
  Seam_Dist_graph_create_adjacent(parent, 1, &before, MPI_UNWEIGHTED, 1, &next, MPI_UNWEIGHTED,
                                  MPI_INFO_NULL, 0, &graph);
  MPI_Comm_set_errhandler(graph, MPI_ERRORS_RETURN);
  int value = rank, got = -1, flag = 0;
  if (size > 1) {
    int const self = rank; // which has no edge to itself
    MPI_Request request = MPI_REQUEST_NULL;
    Seam_Message message = SEAM_MESSAGE_NULL;
    for (int const code : {Seam_Isend(&value, 1, MPI_INT, self, 1, graph, &request),
                           Seam_Send_init(&value, 1, MPI_INT, self, 1, graph, &request),
                           Seam_Irecv(&got, 1, MPI_INT, self, 1, graph, &request),
                           Seam_Recv_init(&got, 1, MPI_INT, self, 1, graph, &request),
                           Seam_Iprobe(self, 1, graph, &flag, MPI_STATUS_IGNORE),
                           Seam_Improbe(self, 1, graph, &flag, &message, MPI_STATUS_IGNORE)})
      CHECK_THAT(text_of(code), Catch::Contains("no neighbor of rank"));
  }
  MPI_Request requests[2];
  CHECK(Seam_Irecv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 2, graph, &requests[0]) == MPI_SUCCESS);
  CHECK(Seam_Isend(&value, 1, MPI_INT, next, 2, graph, &requests[1]) == MPI_SUCCESS);
  CHECK(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE) == MPI_SUCCESS);
  CHECK(got == before);
  Seam_Comm_free(&graph);
  Seam_Comm_free(&parent);
}

TEST_CASE("a graph's edges may be listed by anybody") {
  int rank = 0, size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  // The last rank lists a ring and all edges to itself; the first one another edge of the ring.
  values sources, degrees, destinations, weights;
  if (rank == 0) {
    sources = {1 % size};
    degrees = {1};
    destinations = {2 % size};
    weights = {50};
  }
  if (rank == size - 1)
    for (int r = 0; r < size; ++r) {
      sources.push_back(r);
      degrees.push_back(2);
      destinations.insert(destinations.end(), {(r + 1) % size, size - 1});
      weights.insert(weights.end(), {r, 100 + r});
    }
  if (size == 1) {
    sources = {0};
    degrees = {3};
    destinations = {0, 0, 0};
    weights = {50, 0, 100};
  }
  MPI_Comm graph = MPI_COMM_NULL;
  CHECK(Seam_Dist_graph_create(MPI_COMM_WORLD, static_cast<int>(sources.size()), sources.data(),
                               degrees.data(), destinations.data(), weights.data(), MPI_INFO_NULL,
                               0, &graph) == MPI_SUCCESS);
  std::vector<edge> in, out;
  if (rank == 1 % size)
    out.push_back({2 % size, 50});
  if (rank == 2 % size)
    in.push_back({1 % size, 50});
  int const before = (rank + size - 1) % size;
  out.insert(out.end(), {{(rank + 1) % size, rank}, {size - 1, 100 + rank}});
  for (int r = 0; r < size; ++r) {
    if (r == before)
      in.push_back({r, r});
    if (rank == size - 1)
      in.push_back({r, 100 + r});
  }
  CHECK(topology_of(graph) == Topology::graph(in, out));
  int const one = 1;
  int sum = -1;
  CHECK(Seam_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, graph) == MPI_SUCCESS);
  CHECK(sum == static_cast<int>(in.size()));
  MPI_Comm_free(&graph);

  MPI_Comm returning = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &returning);
  MPI_Comm_set_errhandler(returning, MPI_ERRORS_RETURN);
  int const edges = rank == size - 1 ? 1 : 0;
  CHECK_THAT(text_of(Seam_Dist_graph_create(returning, edges, &size, &one, &rank, MPI_UNWEIGHTED,
                                            MPI_INFO_NULL, 0, &graph)),
             Catch::Contains("graph: an edge from"));
  MPI_Comm_free(&returning);
}

TEST_CASE("reordered graphs have the edges of their ranks, whoever has the rank") {
  int rank = 0, size = 0, grid_size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  std::string const nodes = "node:" + std::to_string(size) + " core:1";
  variable const scattered("SEAM_MACHINE", nodes.c_str()), shuffled("SEAM_REORDERING", "random");
  MPI_Comm named = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &named);
  int const ring = 1;
  Cart_name(named, 1, ROWMAJOR, &size, &ring, &grid_size);
  int const next = (rank + 1) % size, before = (rank + size - 1) % size;
  for (int const reorder : {0, 1}) {
    MPI_Comm graph = MPI_COMM_NULL;
    CHECK(Seam_Dist_graph_create_adjacent(named, 1, &before, MPI_UNWEIGHTED, 1, &next,
                                          MPI_UNWEIGHTED, MPI_INFO_NULL, reorder,
                                          &graph) == MPI_SUCCESS);
    int there = -1, got = -1, moved = 0;
    MPI_Comm_rank(graph, &there);
    CHECK(Seam_Allgather(&there, 1, MPI_INT, &got, 1, MPI_INT, graph) == MPI_SUCCESS);
    CHECK(got == (there + size - 1) % size);
    int const differs = there != rank ? 1 : 0;
    MPI_Allreduce(&differs, &moved, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (size >= 3)
      CHECK((moved > 0) == (reorder != 0));
    MPI_Comm_free(&graph);
  }
  MPI_Comm_free(&named);
}

namespace {

/// Whether MPI says that a graph has weights, and frees it.
int weighted_flag_of(MPI_Comm graph) {
  int in = 0, out = 0, weighted = -1;
  MPI_Dist_graph_neighbors_count(graph, &in, &out, &weighted);
  MPI_Comm_free(&graph);
  return weighted;
}

} // namespace

TEST_CASE("a graph has weights if it was made with weights") {
  int rank = 0, size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int const next = (rank + 1) % size, before = (rank + size - 1) % size, one = 1, weight = 3;
  int const num_listed = rank == 0 ? 1 : 0; // the other ranks list nothing
  for (int reorder : {0, 1})
    for (bool const weighted : {false, true}) {
      INFO("reorder " << reorder << ", weighted " << weighted);
      int const* const given = weighted ? &weight : MPI_UNWEIGHTED;
      MPI_Comm graph = MPI_COMM_NULL, copy = MPI_COMM_NULL, part = MPI_COMM_NULL,
               listed = MPI_COMM_NULL;
      Seam_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &before, given, 1, &next, given,
                                      MPI_INFO_NULL, reorder, &graph);
      Seam_Comm_dup(graph, &copy);
      Seam_Comm_split(graph, rank % 2, 0, &part);
      int const* const of_list = weighted && num_listed == 0 ? MPI_WEIGHTS_EMPTY : given;
      Seam_Dist_graph_create(MPI_COMM_WORLD, num_listed, &rank, &one, &next, of_list, MPI_INFO_NULL,
                             reorder, &listed);
      for (MPI_Comm const comm : {graph, copy, part, listed})
        CHECK(weighted_flag_of(comm) == (weighted ? 1 : 0));
    }
}

TEST_CASE("what MPI has made without weights, seam copies without weights") {
  int rank = 0, size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int const next = (rank + 1) % size, before = (rank + size - 1) % size;
  MPI_Comm made = MPI_COMM_NULL;
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &before, MPI_UNWEIGHTED, 1, &next,
                                 MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &made);
  CHECK_FALSE(topology_of(made).is_weighted());
  CHECK_FALSE(Communicator::dup(made).split(0, 0)->topology().is_weighted());
  MPI_Comm copy = MPI_COMM_NULL;
  Seam_Comm_split(made, 0, 0, &copy);
  CHECK(weighted_flag_of(copy) == 0);
  MPI_Comm_free(&made);
  CHECK(Topology::graph({{0, 2}}, {{0, 2}}).inverse().is_weighted());
  CHECK(Topology::graph({{0, 2}}, {{0, 2}}).unweighted() == Topology::graph({{0}}, {{0}}));
}

TEST_CASE("lists of edges that cannot be are refused on all ranks") {
  int rank = 0, size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm quiet = MPI_COMM_NULL, graph = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &quiet);
  MPI_Comm_set_errhandler(quiet, MPI_ERRORS_RETURN);
  bool const is_last = rank == size - 1;
  auto const class_of = [](int code) {
    int error_class = 0;
    MPI_Error_class(code, &error_class);
    return error_class;
  };
  CHECK(class_of(Seam_Dist_graph_create_adjacent(quiet, is_last ? -1 : 0, &rank, MPI_UNWEIGHTED, 0,
                                                 &rank, MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                                                 &graph)) == MPI_ERR_ARG);
  int const one = 1;
  CHECK(class_of(Seam_Dist_graph_create(quiet, is_last ? 1 : 0, &rank, &one, nullptr,
                                        MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph)) == MPI_ERR_ARG);
  MPI_Comm_free(&quiet);
}
