// The C interface: every collective in every form as MPI's on plain communicators, errors as codes
// with a text, requests that live as MPI's do.
#include <seam/mapping/orthogonal.h>

#include <seam/exchange/checks.hpp>
#include <seam/exchange/mpi/collective.hpp>
#include <seam/mapping/named_communicator.hpp>

#include <support/catch.hpp>
#include <support/world.hpp>

#include <array>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

using namespace seam;

namespace {

using values = std::vector<int>;

/// One collective by seam, in its three forms, and by MPI: each reads `send` and fills `receive`.
struct calls {
  std::function<int(values const& send, values& receive)> blocking;
  std::function<int(values const& send, values& receive, Seam_Request*)> nonblocking, persistent;
  std::function<int(values const& send, values& receive)> mpi;
};

void compare(std::size_t sent, std::size_t received, calls const& by) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  values send(sent), expected(received, -1);
  std::iota(send.begin(), send.end(), 100 * rank);
  CHECK(by.mpi(send, expected) == MPI_SUCCESS);

  values found(received, -1);
  CHECK(by.blocking(send, found) == MPI_SUCCESS);
  CHECK(found == expected);

  found.assign(received, -1);
  Seam_Request request = SEAM_REQUEST_NULL;
  CHECK(by.nonblocking(send, found, &request) == MPI_SUCCESS);
  CHECK(Seam_Wait(&request) == MPI_SUCCESS);
  CHECK(request == SEAM_REQUEST_NULL);
  CHECK(found == expected);

  CHECK(by.persistent(send, found, &request) == MPI_SUCCESS);
  for (int round = 0; round < 3; ++round) {
    std::ranges::fill(found, -1);
    CHECK(Seam_Start(&request) == MPI_SUCCESS);
    for (int complete = 0; complete == 0;)
      CHECK(Seam_Test(&request, &complete) == MPI_SUCCESS);
    CHECK(found == expected);
  }
  CHECK(Seam_Request_free(&request) == MPI_SUCCESS);
}

// Writes the four calls of one collective; `arguments` names send and receive.
#define ALL_FORMS(Name, name, ...)                                                                 \
  calls {                                                                                          \
    [&](values const& send, values& receive) { return Seam_##Name(__VA_ARGS__, MPI_COMM_WORLD); }, \
        [&](values const& send, values& receive, Seam_Request* request) {                          \
          return Seam_I##name(__VA_ARGS__, MPI_COMM_WORLD, request);                               \
        },                                                                                         \
        [&](values const& send, values& receive, Seam_Request* request) {                          \
          return Seam_##Name##_init(__VA_ARGS__, MPI_COMM_WORLD, request);                         \
        },                                                                                         \
        [&](values const& send, values& receive) {                                                 \
          return MPI_##Name(__VA_ARGS__, MPI_COMM_WORLD);                                          \
        }                                                                                          \
  }

} // namespace

TEST_CASE("on a plain communicator every collective in every form is MPI's") {
  int rank = 0, size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  auto const p = static_cast<std::size_t>(size);
  int const last = size - 1;
  compare(2, 2 * p,
          ALL_FORMS(Allgather, allgather, send.data(), 2, MPI_INT, receive.data(), 2, MPI_INT));
  compare(2 * p, 2 * p,
          ALL_FORMS(Alltoall, alltoall, send.data(), 2, MPI_INT, receive.data(), 2, MPI_INT));
  compare(3, 3, ALL_FORMS(Allreduce, allreduce, send.data(), receive.data(), 3, MPI_INT, MPI_SUM));
  compare(3, 3, ALL_FORMS(Reduce, reduce, send.data(), receive.data(), 3, MPI_INT, MPI_MAX, last));
  compare(3, 3, ALL_FORMS(Scan, scan, send.data(), receive.data(), 3, MPI_INT, MPI_SUM));
  compare(3 * p, 3,
          ALL_FORMS(Reduce_scatter_block, reduce_scatter_block, send.data(), receive.data(), 3,
                    MPI_INT, MPI_SUM));
  compare(2, rank == last ? 2 * p : 0,
          ALL_FORMS(Gather, gather, send.data(), 2, MPI_INT, receive.data(), 2, MPI_INT, last));
  compare(2 * p, 2,
          ALL_FORMS(Scatter, scatter, send.data(), 2, MPI_INT, receive.data(), 2, MPI_INT, last));

  // Blocks of r + 1 elements with gaps of one.
  values counts, places;
  for (int r = 0, place = 0; r < size; ++r) {
    counts.push_back(r + 1);
    places.push_back(place);
    place += r + 2;
  }
  auto const room = static_cast<std::size_t>(places.back() + counts.back());
  auto const mine = static_cast<std::size_t>(rank) + 1;
  compare(mine, room,
          ALL_FORMS(Allgatherv, allgatherv, send.data(), rank + 1, MPI_INT, receive.data(),
                    counts.data(), places.data(), MPI_INT));
  compare(mine, rank == 0 ? room : 0,
          ALL_FORMS(Gatherv, gatherv, send.data(), rank + 1, MPI_INT, receive.data(), counts.data(),
                    places.data(), MPI_INT, 0));
  compare(room, mine,
          ALL_FORMS(Scatterv, scatterv, send.data(), counts.data(), places.data(), MPI_INT,
                    receive.data(), rank + 1, MPI_INT, 0));
  values const same(p, rank + 1);
  values same_places;
  for (int r = 0; r < size; ++r)
    same_places.push_back(r * (rank + 2));
  compare(room, p * (mine + 1),
          ALL_FORMS(Alltoallv, alltoallv, send.data(), counts.data(), places.data(), MPI_INT,
                    receive.data(), same.data(), same_places.data(), MPI_INT));
  compare(room, mine,
          ALL_FORMS(Reduce_scatter, reduce_scatter, send.data(), receive.data(), counts.data(),
                    MPI_INT, MPI_SUM));
}

TEST_CASE("in place, what is received is what was sent") {
  int rank = 0, size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  auto const p = static_cast<std::size_t>(size);
  values seam_buffer(p), mpi_buffer;
  std::iota(seam_buffer.begin(), seam_buffer.end(), 100 * rank);
  mpi_buffer = seam_buffer;
  values const ones(p, 1);
  values places(p);
  std::iota(places.begin(), places.end(), 0);
  Seam_Alltoallv(MPI_IN_PLACE, nullptr, nullptr, MPI_INT, seam_buffer.data(), ones.data(),
                 places.data(), MPI_INT, MPI_COMM_WORLD);
  MPI_Alltoallv(MPI_IN_PLACE, nullptr, nullptr, MPI_INT, mpi_buffer.data(), ones.data(),
                places.data(), MPI_INT, MPI_COMM_WORLD);
  CHECK(seam_buffer == mpi_buffer);
  Seam_Allgatherv(MPI_IN_PLACE, 0, MPI_INT, seam_buffer.data(), ones.data(), places.data(), MPI_INT,
                  MPI_COMM_WORLD);
  MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_INT, mpi_buffer.data(), ones.data(), places.data(), MPI_INT,
                 MPI_COMM_WORLD);
  CHECK(seam_buffer == mpi_buffer);
}

TEST_CASE("a refused call is a code with a text, if the communicator returns errors") {
  int rank = 0, size = 0, grid_size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm named = MPI_COMM_NULL, graph = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &named);
  MPI_Comm_set_errhandler(named, MPI_ERRORS_RETURN);
  int coordinate = 0;
  auto const text_of = [](int code) {
    std::array<char, MPI_MAX_ERROR_STRING> text{};
    int length = 0;
    MPI_Error_string(code, text.data(), &length);
    return std::string(text.data());
  };
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

TEST_CASE("Cart_get returns the order that was given, and tells of one that C does not know") {
  int size = 0, grid_size = 0, dimorder = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm named = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &named);
  std::array const order{1, size, 1}, period{0, 1, 0};
  std::array<int, 3> found{};
  for (int const given : {ROWMAJOR, COLMAJOR}) {
    CHECK(Cart_name(named, 3, given, order.data(), period.data(), &grid_size) == MPI_SUCCESS);
    CHECK(Cart_get(named, &dimorder, 3, found.data(), found.data()) == MPI_SUCCESS);
    CHECK(dimorder == given);
  }
  auto const order_after = [&](std::vector<int> const& slowest_first) {
    name(named, CartesianNaming(size, {1, size, 1}, {false, true, false},
                                dimension_order::permutation(slowest_first)));
    CHECK(Cart_get(named, &dimorder, 3, found.data(), found.data()) == MPI_SUCCESS);
    return dimorder;
  };
  CHECK(order_after({0, 1, 2}) == ROWMAJOR);
  CHECK(order_after({2, 1, 0}) == COLMAJOR);
  CHECK(order_after({1, 2, 0}) == MPI_UNDEFINED);
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
  values const one(1), counts(std::size_t(size), 1);
  values all(counts), places(counts), received(1);
  std::iota(places.begin(), places.end(), 0);
  CHECK(Seam_Gatherv(one.data(), 1, MPI_INT, all.data(), counts.data(), places.data(), MPI_INT,
                     root, plain) != MPI_SUCCESS);
  CHECK(Seam_Scatterv(all.data(), counts.data(), places.data(), MPI_INT, received.data(), 1,
                      MPI_INT, root, plain) != MPI_SUCCESS);
  CHECK(Seam_Gatherv(one.data(), 1, MPI_INT, all.data(), counts.data(), places.data(), MPI_INT, 0,
                     plain) == MPI_SUCCESS);
  MPI_Comm_free(&plain);
}

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

TEST_CASE("the base of a bipartite communicator is its own side") {
  int rank = 0, size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (size < 2)
    return;
  int const half = size / 2;
  bool const low = rank < half;
  MPI_Comm side = MPI_COMM_NULL, both = MPI_COMM_NULL, base = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, low ? 0 : 1, rank, &side);
  MPI_Intercomm_create(side, 0, MPI_COMM_WORLD, low ? half : 0, 3, &both);
  CHECK(Comm_base(both, &base) == MPI_SUCCESS);
  int relation = MPI_UNEQUAL, kind = 0;
  CHECK(Seam_Topo_test(both, &kind) == MPI_SUCCESS);
  CHECK(kind == MPI_INTER);
  CHECK(Seam_Topo_test(base, &kind) == MPI_SUCCESS);
  CHECK(kind == MPI_UNDEFINED);
  MPI_Comm_compare(base, side, &relation);
  CHECK(relation == MPI_CONGRUENT);
  // Everybody gets the sum of the other side's ranks.
  int sum = -1, expected = 0;
  for (int other = low ? half : 0; other < (low ? size : half); ++other)
    expected += other;
  CHECK(Seam_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, both) == MPI_SUCCESS);
  CHECK(sum == expected);
  MPI_Comm_free(&base);
  MPI_Comm_free(&both);
  MPI_Comm_free(&side);
}

TEST_CASE("sub-communicators keep the coordinates that remain") {
  int rank = 0, size = 0, grid_size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm named = MPI_COMM_NULL, row = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &named);
  std::array order{0, 0}, period{0, 1}, place{0, 0};
  MPI_Dims_create(size, 2, order.data());
  Cart_name(named, 2, COLMAJOR, order.data(), period.data(), &grid_size);
  Cart_coordinates(named, rank, place.data());
  std::array const excluded{1, 0};
  CHECK(Cart_create_sub(named, excluded.data(), &row) == MPI_SUCCESS);
  int row_rank = -1, row_size = -1;
  MPI_Comm_rank(row, &row_rank);
  MPI_Comm_size(row, &row_size);
  CHECK(row_rank == place[1]);
  CHECK(row_size == order[1]);
  MPI_Comm_free(&row);
  MPI_Comm_free(&named);
}
