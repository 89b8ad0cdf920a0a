// The C interface's errors: codes with a text where communicators return errors, and the handlers
// of what is made of a communicator.
#include <seam/mapping/orthogonal.h>

#include <seam/exchange/checks.hpp>

#include <support/catch.hpp>
#include <support/orthogonal.hpp>

#include <array>
#include <numeric>
#include <string>
#include <vector>

using namespace seam;
using seam::testing::text_of;

namespace {

int num_errors = 0;
void count_error(MPI_Comm*, int*, ...) { ++num_errors; }

} // namespace

TEST_CASE("a refused call is a code with a text, if the communicator returns errors") {
  int rank = 0, size = 0, grid_size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm named = MPI_COMM_NULL, graph = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &named);
  MPI_Comm_set_errhandler(named, MPI_ERRORS_RETURN);
  int coordinate = 0;
  CHECK_THAT(text_of(Cart_coordinates(named, rank, &coordinate)), Catch::Contains("has no naming"));
  int const ring = 1;
  CHECK(Cart_name(named, 1, ROWMAJOR, &size, &ring, &grid_size) == MPI_SUCCESS);
  CHECK(grid_size == size);
  CHECK(Cart_coordinates(named, rank, &coordinate) == MPI_SUCCESS);
  CHECK(coordinate == rank);
  CHECK_THAT(text_of(Cart_coordinates(named, size, &coordinate)), Catch::Contains("rank"));
  CHECK_THAT(text_of(Cart_allranks(named, -1, &coordinate, &rank)),
             Catch::Contains("a list of -1 vectors (expected 0 or more)"));
  CHECK_THAT(text_of(Cart_allranks_relative(named, rank, -1, &coordinate, &rank)),
             Catch::Contains("a list of -1 vectors (expected 0 or more)"));
  CHECK_THAT(text_of(Cart_name(named, -1, ROWMAJOR, &size, &ring, &grid_size)),
             Catch::Contains("-1 dimensions (expected 0 or more)"));

  int const next = (rank + 1) % size, before = (rank + size - 1) % size;
  CHECK(Seam_Dist_graph_create_adjacent(named, 1, &before, MPI_UNWEIGHTED, 1, &next, MPI_UNWEIGHTED,
                                        MPI_INFO_NULL, 0, &graph) == MPI_SUCCESS);
  int received = -1;
  CHECK(Seam_Allgather(&rank, 1, MPI_INT, &received, 1, MPI_INT, graph) == MPI_SUCCESS);
  CHECK(received == before);
  CHECK_THAT(text_of(Seam_Scan(&rank, &received, 1, MPI_INT, MPI_SUM, graph)),
             Catch::Contains("has no meaning on a graph"));
  CHECK_THAT(text_of(Seam_Bcast(&received, 1, MPI_INT, size, graph)), Catch::Contains("root"));
  if (size > 2) {
    MPI_Comm_set_errhandler(graph, MPI_ERRORS_RETURN);
    CHECK_THAT(text_of(Seam_Send(&rank, 1, MPI_INT, before, 0, graph)),
               Catch::Contains("no neighbor"));
    CHECK_THAT(text_of(Seam_Recv(&received, 1, MPI_INT, next, 0, graph, MPI_STATUS_IGNORE)),
               Catch::Contains("no neighbor"));
  }
  MPI_Comm_free(&graph);
  MPI_Comm_free(&named);
}

TEST_CASE("a root that is none is a code on all ranks, also of the calls with counts") {
  checks_in_scope const checked(true);
  int rank = 0, size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm plain = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &plain);
  MPI_Comm_set_errhandler(plain, MPI_ERRORS_RETURN);
  int const root = rank == size - 1 ? 99 : 0;
  std::vector<int> const one(1), counts(std::size_t(size), 1);
  std::vector<int> all(counts), places(counts), received(1);
  std::iota(places.begin(), places.end(), 0);
  CHECK(Seam_Gatherv(one.data(), 1, MPI_INT, all.data(), counts.data(), places.data(), MPI_INT,
                     root, plain) != MPI_SUCCESS);
  CHECK(Seam_Scatterv(all.data(), counts.data(), places.data(), MPI_INT, received.data(), 1,
                      MPI_INT, root, plain) != MPI_SUCCESS);
  CHECK(Seam_Gatherv(one.data(), 1, MPI_INT, all.data(), counts.data(), places.data(), MPI_INT, 0,
                     plain) == MPI_SUCCESS);
  MPI_Comm_free(&plain);
}

TEST_CASE("what is made of a communicator calls its error handler") {
  int rank = 0, size = 0, grid_size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm parent = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &parent);
  MPI_Errhandler counting = MPI_ERRHANDLER_NULL;
  MPI_Comm_create_errhandler(count_error, &counting);
  MPI_Comm_set_errhandler(parent, counting);
  int const ring = 1, all = 0, next = (rank + 1) % size, before = (rank + size - 1) % size;
  Cart_name(parent, 1, ROWMAJOR, &size, &ring, &grid_size);

  std::array<MPI_Comm, 6> made;
  made.fill(MPI_COMM_NULL);
  Seam_Dist_graph_create_adjacent(parent, 1, &before, MPI_UNWEIGHTED, 1, &next, MPI_UNWEIGHTED,
                                  MPI_INFO_NULL, 0, &made[0]);
  Comm_base(made[0], &made[1]);
  Seam_Comm_dup(made[0], &made[2]);
  Seam_Comm_split(made[0], 0, 0, &made[3]);
  Seam_Comm_split_type(parent, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &made[4]);
  Cart_create_sub(parent, &all, &made[5]);
  num_errors = 0;
  for (MPI_Comm& comm : made) {
    int const before_call = num_errors;
    int coordinate = 0;
    CHECK_THAT(text_of(Cart_coordinates(comm, 0, &coordinate)), Catch::Contains("has no naming"));
    CHECK(num_errors == before_call + 1);
    MPI_Comm_free(&comm);
  }
  MPI_Errhandler_free(&counting);
  MPI_Comm_free(&parent);
}
