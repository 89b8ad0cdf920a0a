// The C interface's errors: codes with a text where communicators return errors, and the handlers
// of what is made of a communicator.
#include <seam/c/orthogonal.h>

#include <seam/exchange/ground/checks.hpp>

#include <support/catch.hpp>
#include <support/orthogonal.hpp>

#include <array>
#include <numeric>
#include <string>
#include <vector>

using namespace seam;
using namespace seam::detail;
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

namespace {

int class_of(int code) {
  int error_class = MPI_SUCCESS;
  MPI_Error_class(code, &error_class);
  return error_class;
}

/// A communicator of this process alone that returns errors, and a graph of its edge to itself.
struct alone {
  alone() {
    MPI_Comm_dup(MPI_COMM_SELF, &plain);
    MPI_Comm_set_errhandler(plain, MPI_ERRORS_RETURN);
    int const self = 0;
    Seam_Dist_graph_create_adjacent(plain, 1, &self, MPI_UNWEIGHTED, 1, &self, MPI_UNWEIGHTED,
                                    MPI_INFO_NULL, 0, &graph);
  }
  alone(alone const&) = delete;
  alone& operator=(alone const&) = delete;
  ~alone() {
    MPI_Comm_free(&graph);
    MPI_Comm_free(&plain);
  }

  MPI_Comm plain = MPI_COMM_NULL, graph = MPI_COMM_NULL;
};

} // namespace

TEST_CASE("arguments that cannot be are codes of MPI's classes") {
  alone const own;
  int value = 1, room = -7;
  int const one = 1, less = -1, at = 0;
  for (bool const checked : {true, false})
    for (MPI_Comm const comm : {own.plain, own.graph}) {
      INFO("checks " << checked << ", graph " << (comm == own.graph));
      checks_in_scope const mode(checked);
      CHECK(class_of(Seam_Bcast(&value, -1, MPI_INT, 0, comm)) == MPI_ERR_COUNT);
      CHECK(class_of(Seam_Bcast(nullptr, 1, MPI_INT, 0, comm)) == MPI_ERR_BUFFER);
      CHECK(class_of(Seam_Bcast(&value, 1, MPI_DATATYPE_NULL, 0, comm)) == MPI_ERR_TYPE);
      CHECK(class_of(Seam_Bcast(&value, 1, MPI_INT, 1, comm)) == MPI_ERR_ROOT);
      CHECK(class_of(Seam_Allreduce(&value, &room, -1, MPI_INT, MPI_SUM, comm)) == MPI_ERR_COUNT);
      CHECK(class_of(Seam_Allreduce(&value, &room, 1, MPI_INT, MPI_OP_NULL, comm)) == MPI_ERR_OP);
      CHECK(class_of(Seam_Allreduce(&value, &room, 1, MPI_FLOAT, MPI_BAND, comm)) == MPI_ERR_OP);
      CHECK(class_of(Seam_Allreduce(&value, &room, 1, MPI_DATATYPE_NULL, MPI_SUM, comm)) ==
            MPI_ERR_TYPE);
      CHECK(class_of(Seam_Alltoall(&value, -1, MPI_INT, &room, 1, MPI_INT, comm)) == MPI_ERR_COUNT);
      CHECK(class_of(Seam_Alltoallv(&value, &less, &at, MPI_INT, &room, &one, &at, MPI_INT,
                                    comm)) == MPI_ERR_COUNT);
      CHECK(class_of(Seam_Alltoallv(&value, nullptr, &at, MPI_INT, &room, &one, &at, MPI_INT,
                                    comm)) == MPI_ERR_ARG);
      CHECK(class_of(Seam_Alltoallv(nullptr, &one, &one, MPI_INT, &room, &one, &at, MPI_INT,
                                    comm)) == MPI_ERR_BUFFER);
      CHECK(class_of(Seam_Allgatherv(&value, 1, MPI_INT, MPI_IN_PLACE, &one, &at, MPI_INT, comm)) ==
            MPI_ERR_BUFFER);
      CHECK(class_of(Seam_Gather(&value, 1, MPI_INT, &room, -1, MPI_INT, 0, comm)) ==
            MPI_ERR_COUNT);
      CHECK(class_of(Seam_Scatterv(&value, &less, &at, MPI_INT, &room, 1, MPI_INT, 0, comm)) ==
            MPI_ERR_COUNT);
      CHECK(class_of(Seam_Send(&value, 1, MPI_INT, 3, 0, comm)) == MPI_ERR_RANK);
      CHECK(class_of(Seam_Recv(&room, -1, MPI_INT, 0, 0, comm, MPI_STATUS_IGNORE)) ==
            MPI_ERR_COUNT);
      Seam_Request request = SEAM_REQUEST_NULL;
      CHECK(class_of(Seam_Bcast_init(&value, -1, MPI_INT, 0, comm, &request)) == MPI_ERR_COUNT);
      CHECK(class_of(Seam_Bcast_init(&value, 1, MPI_INT, 0, comm, nullptr)) == MPI_ERR_ARG);
      CHECK(request == SEAM_REQUEST_NULL);
      CHECK(room == -7);
    }
  int const first = Seam_Bcast(&value, -1, MPI_INT, 0, own.graph);
  for (int repeat = 0; repeat < 20; ++repeat)
    CHECK(Seam_Bcast(&value, -1, MPI_INT, 0, own.graph) == first);
}

TEST_CASE("handles that are none are codes of MPI's classes") {
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  int value = 1, flag = 0;
  CHECK(class_of(Seam_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_NULL)) == MPI_ERR_COMM);
  CHECK(class_of(Seam_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_NULL)) == MPI_ERR_COMM);
  CHECK(class_of(Cart_coordinates(MPI_COMM_NULL, 0, &value)) == MPI_ERR_COMM);
  MPI_Comm made = MPI_COMM_NULL;
  CHECK(class_of(Comm_base(MPI_COMM_NULL, &made)) == MPI_ERR_COMM);
  CHECK(class_of(Seam_Win_fence(0, SEAM_WIN_NULL)) == MPI_ERR_WIN);
  CHECK(class_of(Seam_Wait(nullptr)) == MPI_ERR_ARG);
  CHECK(class_of(Seam_Test(nullptr, &flag)) == MPI_ERR_ARG);
  Seam_Request none = SEAM_REQUEST_NULL;
  CHECK(class_of(Seam_Start(&none)) == MPI_ERR_REQUEST);
  CHECK(Seam_Wait(&none) == MPI_SUCCESS);
  CHECK(Seam_Test(&none, &flag) == MPI_SUCCESS);
  CHECK(flag == 1);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

TEST_CASE("a mistake of one rank is told to all where checks are on") {
  checks_in_scope const checked(true);
  int rank = 0, size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm plain = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &plain);
  MPI_Comm_set_errhandler(plain, MPI_ERRORS_RETURN);
  std::vector<int> out(std::size_t(size), 1), in(out), counts(out), places(out);
  std::iota(places.begin(), places.end(), 0);
  bool const is_last = rank == size - 1;
  int const* const given = is_last ? nullptr : counts.data();
  CHECK(class_of(Seam_Alltoallv(out.data(), given, places.data(), MPI_INT, in.data(), counts.data(),
                                places.data(), MPI_INT, plain)) == MPI_ERR_ARG);
  CHECK(class_of(Seam_Allreduce(out.data(), in.data(), 1, MPI_INT, is_last ? MPI_OP_NULL : MPI_SUM,
                                plain)) == MPI_ERR_OP);
  CHECK(Seam_Alltoallv(out.data(), counts.data(), places.data(), MPI_INT, in.data(), counts.data(),
                       places.data(), MPI_INT, plain) == MPI_SUCCESS);
  MPI_Comm_free(&plain);
}
