// The C interface: every collective in every form as MPI's on plain communicators and as C++'s on
// graphs, errors as codes with a text, requests that live as MPI's do.
#include <seam/mapping/orthogonal.h>

#include <seam/exchange/checks.hpp>
#include <seam/exchange/collectives/allgather.hpp>
#include <seam/exchange/collectives/alltoall.hpp>
#include <seam/exchange/collectives/bcast.hpp>
#include <seam/exchange/collectives/gather.hpp>
#include <seam/exchange/collectives/reduce.hpp>
#include <seam/exchange/collectives/scatter.hpp>
#include <seam/exchange/mpi/collective.hpp>
#include <seam/mapping/named_communicator.hpp>

#include <support/catch.hpp>
#include <support/world.hpp>

#include <array>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

using namespace seam;

namespace {

using values = std::vector<int>;

/// One collective by seam, in its three forms, and by whom it is compared with: each reads `send`
/// and fills `receive`.
struct calls {
  std::function<int(values const& send, values& receive)> blocking;
  std::function<int(values const& send, values& receive, Seam_Request*)> nonblocking, persistent;
  std::function<int(values const& send, values& receive)> reference;
};

void compare(std::size_t sent, std::size_t received, calls const& by) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  values send(sent), expected(received, -1);
  std::iota(send.begin(), send.end(), 100 * rank);
  CHECK(by.reference(send, expected) == MPI_SUCCESS);

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

// Writes the three forms of one collective on `comm`; `arguments` name send and receive.
#define THREE_FORMS(comm, Name, name, ...)                                                         \
  [&](values const& send, values& receive) {                                                       \
    static_cast<void>(send), static_cast<void>(receive);                                           \
    return Seam_##Name(__VA_ARGS__, comm);                                                         \
  },                                                                                               \
      [&](values const& send, values& receive, Seam_Request* request) {                            \
        static_cast<void>(send), static_cast<void>(receive);                                       \
        return Seam_I##name(__VA_ARGS__, comm, request);                                           \
      },                                                                                           \
      [&](values const& send, values& receive, Seam_Request* request) {                            \
        static_cast<void>(send), static_cast<void>(receive);                                       \
        return Seam_##Name##_init(__VA_ARGS__, comm, request);                                     \
      }

// The same and MPI's, on all ranks.
#define ALL_FORMS(Name, name, ...)                                                                 \
  calls {                                                                                          \
    THREE_FORMS(MPI_COMM_WORLD, Name, name, __VA_ARGS__),                                          \
        [&](values const& send, values& receive) {                                                 \
          static_cast<void>(send), static_cast<void>(receive);                                     \
          return MPI_##Name(__VA_ARGS__, MPI_COMM_WORLD);                                          \
        }                                                                                          \
  }

/// What C++ does with the same buffers.
template <class Make>
std::function<int(values const&, values&)> by_cpp(Communicator const& over, Make make) {
  return [&over, make](values const& send, values& receive) {
    run(over, make(send, receive));
    return MPI_SUCCESS;
  };
}

elements ints(values const& list, int count, int first = 0) {
  return {list.data() + first, count, MPI_INT};
}

/// A graph whose processes have an edge to the next one and one to themselves, in C and in C++.
struct ring_of_two {
  ring_of_two() : cpp(Communicator::dup(MPI_COMM_WORLD)) {
    int const rank = cpp.rank(), size = cpp.size();
    std::array const sources{(rank + size - 1) % size, rank}, targets{(rank + 1) % size, rank};
    Seam_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, sources.data(), MPI_UNWEIGHTED, 2,
                                    targets.data(), MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &c);
    cpp = make_graph(cpp,
                     Topology::graph({{sources[0]}, {sources[1]}}, {{targets[0]}, {targets[1]}}));
  }
  ring_of_two(ring_of_two const&) = delete;
  ring_of_two& operator=(ring_of_two const&) = delete;
  ~ring_of_two() { MPI_Comm_free(&c); }

  Communicator cpp;
  MPI_Comm c = MPI_COMM_NULL;
};

/// Gives a variable of the environment a value for its own lifetime.
struct variable {
  variable(char const* name, char const* value) : name_(name) { setenv(name, value, 1); }
  variable(variable const&) = delete;
  variable& operator=(variable const&) = delete;
  ~variable() { unsetenv(name_); }

  char const* name_;
};

std::string text_of(int code) {
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int length = 0;
  MPI_Error_string(code, text.data(), &length);
  return std::string(text.data());
}

int num_errors = 0;
void count_error(MPI_Comm*, int*, ...) { ++num_errors; }

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
  compare(3, 3, ALL_FORMS(Exscan, exscan, send.data(), receive.data(), 3, MPI_INT, MPI_SUM));
  compare(3, 3,
          ALL_FORMS(Bcast, bcast, rank == last ? const_cast<int*>(send.data()) : receive.data(), 3,
                    MPI_INT, last));

  // The same by types of their own, with displacements in bytes.
  std::vector<MPI_Datatype> const types(p, MPI_INT);
  auto const in_bytes = [](values const& elements_before) {
    std::vector<MPI_Aint> bytes;
    for (int one : elements_before)
      bytes.push_back(one * MPI_Aint{sizeof(int)});
    return bytes;
  };
  auto const far = in_bytes(places), same_far = in_bytes(same_places);
  compare(mine, room,
          {THREE_FORMS(MPI_COMM_WORLD, Allgatherw, allgatherw, send.data(), rank + 1, MPI_INT,
                       receive.data(), counts.data(), far.data(), types.data()),
           [&](values const& send, values& receive) {
             return MPI_Allgatherv(send.data(), rank + 1, MPI_INT, receive.data(), counts.data(),
                                   places.data(), MPI_INT, MPI_COMM_WORLD);
           }});
  compare(room, p * (mine + 1),
          {THREE_FORMS(MPI_COMM_WORLD, Alltoallw, alltoallw, send.data(), counts.data(), far.data(),
                       types.data(), receive.data(), same.data(), same_far.data(), types.data()),
           [&](values const& send, values& receive) {
             return MPI_Alltoallv(send.data(), counts.data(), places.data(), MPI_INT,
                                  receive.data(), same.data(), same_places.data(), MPI_INT,
                                  MPI_COMM_WORLD);
           }});
}

TEST_CASE("a barrier has three forms on every topology") {
  ring_of_two const graph;
  for (MPI_Comm const comm : {MPI_COMM_WORLD, graph.c}) {
    CHECK(Seam_Barrier(comm) == MPI_SUCCESS);
    Seam_Request request = SEAM_REQUEST_NULL;
    CHECK(Seam_Ibarrier(comm, &request) == MPI_SUCCESS);
    CHECK(Seam_Wait(&request) == MPI_SUCCESS);
    CHECK(Seam_Barrier_init(comm, &request) == MPI_SUCCESS);
    CHECK(Seam_Start(&request) == MPI_SUCCESS);
    CHECK(Seam_Wait(&request) == MPI_SUCCESS);
    CHECK(Seam_Request_free(&request) == MPI_SUCCESS);
  }
}

TEST_CASE("on a graph every collective in every form is that of C++") {
  ring_of_two const graph;
  int const rank = graph.cpp.rank(), last = graph.cpp.size() - 1;
  bool const is_root = rank == last;
  compare(2, 4,
          {THREE_FORMS(graph.c, Allgather, allgather, send.data(), 2, MPI_INT, receive.data(), 2,
                       MPI_INT),
           by_cpp(graph.cpp, [](auto& send, auto& receive) { return allgather(send, receive); })});
  compare(4, 4,
          {THREE_FORMS(graph.c, Alltoall, alltoall, send.data(), 2, MPI_INT, receive.data(), 2,
                       MPI_INT),
           by_cpp(graph.cpp, [](auto& send, auto& receive) { return alltoall(send, receive); })});
  compare(
      3, 3,
      {THREE_FORMS(graph.c, Allreduce, allreduce, send.data(), receive.data(), 3, MPI_INT, MPI_SUM),
       by_cpp(graph.cpp,
              [](auto& send, auto& receive) { return allreduce(send, receive, MPI_SUM); })});
  compare(
      3, 3,
      {THREE_FORMS(graph.c, Reduce, reduce, send.data(), receive.data(), 3, MPI_INT, MPI_MAX, last),
       by_cpp(graph.cpp, [=](auto& send, auto& receive) {
         return seam::reduce(send, receive, MPI_MAX, last);
       })});
  compare(3, 3,
          {THREE_FORMS(graph.c, Bcast, bcast,
                       is_root ? const_cast<int*>(send.data()) : receive.data(), 3, MPI_INT, last),
           by_cpp(graph.cpp, [=](auto& send, auto& receive) {
             return bcast(ints(is_root ? send : receive, 3), last);
           })});
  compare(
      2, 4,
      {THREE_FORMS(graph.c, Gather, gather, send.data(), 2, MPI_INT, receive.data(), 2, MPI_INT,
                   last),
       by_cpp(graph.cpp, [=](auto& send, auto& receive) { return gather(send, receive, last); })});
  compare(
      4, 2,
      {THREE_FORMS(graph.c, Scatter, scatter, send.data(), 2, MPI_INT, receive.data(), 2, MPI_INT,
                   last),
       by_cpp(graph.cpp, [=](auto& send, auto& receive) { return scatter(send, receive, last); })});
}

TEST_CASE("on a graph the forms with lists of blocks are those of C++, too") {
  ring_of_two const graph;
  int const last = graph.cpp.size() - 1;
  // Two elements go to the next process and one stays, with a gap between them.
  std::array const counts{2, 1}, places{0, 3}, alike{2, 2};
  std::array<MPI_Aint, 2> const far{0, 3 * MPI_Aint{sizeof(int)}};
  std::array const types{MPI_INT, MPI_INT};
  auto const blocks = [](values const& all, std::array<int, 2> const& lengths) {
    return std::vector{ints(all, lengths[0]), ints(all, lengths[1], 3)};
  };
  compare(4, 4,
          {THREE_FORMS(graph.c, Alltoallv, alltoallv, send.data(), counts.data(), places.data(),
                       MPI_INT, receive.data(), counts.data(), places.data(), MPI_INT),
           by_cpp(graph.cpp, [=](auto& send, auto& receive) {
             return alltoallw(blocks(send, counts), blocks(receive, counts));
           })});
  compare(4, 4,
          {THREE_FORMS(graph.c, Alltoallw, alltoallw, send.data(), counts.data(), far.data(),
                       types.data(), receive.data(), counts.data(), far.data(), types.data()),
           by_cpp(graph.cpp, [=](auto& send, auto& receive) {
             return alltoallw(blocks(send, counts), blocks(receive, counts));
           })});
  compare(2, 5,
          {THREE_FORMS(graph.c, Allgatherv, allgatherv, send.data(), 2, MPI_INT, receive.data(),
                       alike.data(), places.data(), MPI_INT),
           by_cpp(graph.cpp, [=](auto& send, auto& receive) {
             return allgatherw(ints(send, 2), blocks(receive, alike));
           })});
  compare(2, 5,
          {THREE_FORMS(graph.c, Allgatherw, allgatherw, send.data(), 2, MPI_INT, receive.data(),
                       alike.data(), far.data(), types.data()),
           by_cpp(graph.cpp, [=](auto& send, auto& receive) {
             return allgatherw(ints(send, 2), blocks(receive, alike));
           })});
  compare(2, 5,
          {THREE_FORMS(graph.c, Gatherv, gatherv, send.data(), 2, MPI_INT, receive.data(),
                       alike.data(), places.data(), MPI_INT, last),
           by_cpp(graph.cpp, [=](auto& send, auto& receive) {
             return gatherw(ints(send, 2), blocks(receive, alike), last);
           })});
  compare(5, 2,
          {THREE_FORMS(graph.c, Scatterv, scatterv, send.data(), alike.data(), places.data(),
                       MPI_INT, receive.data(), 2, MPI_INT, last),
           by_cpp(graph.cpp, [=](auto& send, auto& receive) {
             return scatterw(blocks(send, alike), ints(receive, 2), last);
           })});
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
  MPI_Comm graph = MPI_COMM_NULL;
  MPI_Comm_set_errhandler(both, MPI_ERRORS_RETURN);
  CHECK_THAT(text_of(Seam_Dist_graph_create_adjacent(both, 0, nullptr, MPI_UNWEIGHTED, 0, nullptr,
                                                     MPI_UNWEIGHTED, MPI_INFO_NULL, 1, &graph)),
             Catch::Contains("graph: a bipartite communicator"));
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

TEST_CASE("parts of a graph are subgraphs in C, too") {
  ring_of_two const graph;
  int const rank = graph.cpp.rank(), size = graph.cpp.size();
  auto const check = [](MPI_Comm comm, std::optional<Communicator> const& expected) {
    CHECK((comm != MPI_COMM_NULL) == expected.has_value());
    if (!expected)
      return;
    CHECK(topology_of(comm) == expected->topology());
    CHECK(mpi::comm_view(comm).rank() == expected->rank());
    MPI_Comm_free(&comm);
  };
  MPI_Comm made = MPI_COMM_NULL;
  CHECK(Seam_Comm_dup(graph.c, &made) == MPI_SUCCESS);
  check(made, graph.cpp.dup());
  int const color = rank == 0 ? MPI_UNDEFINED : rank % 2;
  CHECK(Seam_Comm_split(graph.c, color, -rank, &made) == MPI_SUCCESS);
  check(made, graph.cpp.split(color, -rank));
  int const type = rank == 0 ? MPI_UNDEFINED : MPI_COMM_TYPE_SHARED;
  CHECK(Seam_Comm_split_type(graph.c, type, -rank, MPI_INFO_NULL, &made) == MPI_SUCCESS);
  check(made, graph.cpp.split_type(type, -rank));

  mpi::group all, low;
  MPI_Comm_group(graph.c, all.receive());
  int range[1][3] = {{0, (size - 1) / 2, 1}};
  MPI_Group_range_incl(all.native(), 1, range, low.receive());
  CHECK(Seam_Comm_create(graph.c, low.native(), &made) == MPI_SUCCESS);
  check(made, graph.cpp.create(low.native()));
  bool const is_low = rank <= (size - 1) / 2;
  CHECK(Seam_Comm_create_group(graph.c, low.native(), 3, &made) == MPI_SUCCESS);
  check(made, is_low ? std::optional(graph.cpp.create_group(low.native(), 3)) : std::nullopt);
}

TEST_CASE("some processes of a communicator that seam has not seen can make a group") {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm fresh = MPI_COMM_NULL, alone = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &fresh);
  if (rank == 0) {
    mpi::group all, first;
    MPI_Comm_group(fresh, all.receive());
    MPI_Group_incl(all.native(), 1, &rank, first.receive());
    CHECK(Seam_Comm_create_group(fresh, first.native(), 0, &alone) == MPI_SUCCESS);
    int sum = 0;
    CHECK(Seam_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, alone) == MPI_SUCCESS);
    MPI_Comm_free(&alone);
  }
  MPI_Comm_free(&fresh);
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
