// The C interface's collectives: every one in every form as MPI's on plain communicators and as
// C++'s on graphs, with requests that live as MPI's do.
#include <seam/c/orthogonal.h>
#include <seam/c/partitioned.h>

#include <seam/exchange/collectives/allgather.hpp>
#include <seam/exchange/collectives/alltoall.hpp>
#include <seam/exchange/collectives/bcast.hpp>
#include <seam/exchange/collectives/gather.hpp>
#include <seam/exchange/collectives/reduce.hpp>
#include <seam/exchange/collectives/scatter.hpp>

#include <support/catch.hpp>
#include <support/orthogonal.hpp>

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <vector>

using namespace seam;
using namespace seam::detail;
using seam::testing::ring_of_two;

namespace {

using values = std::vector<int>;

/// One collective by seam in its three forms, or by what it is compared with: each reads `send` and
/// fills `receive`.
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
    for (int elements : elements_before)
      bytes.push_back(elements * MPI_Aint{sizeof(int)});
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

TEST_CASE("requests of collectives are completed in one array with others") {
  ring_of_two const graph;
  int rank = 0, size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int const own = rank + 1, all = size * (size + 1) / 2;
  int const next = (rank + 1) % size, before = (rank + size - 1) % size;
  int sum = -1, kept_sum = -1, got = -1;
  std::array<MPI_Request, 5> requests;
  CHECK(Seam_Allreduce_init(&own, &kept_sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[2]) ==
        MPI_SUCCESS);
  for (int round = 0; round < 3; ++round) {
    sum = kept_sum = got = -1;
    CHECK(Seam_Iallreduce(&own, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[0]) ==
          MPI_SUCCESS);
    MPI_Irecv(&got, 1, MPI_INT, before, 0, MPI_COMM_WORLD, &requests[1]);
    CHECK(MPIX_Start(&requests[2]) == MPI_SUCCESS);
    MPI_Isend(&rank, 1, MPI_INT, next, 0, MPI_COMM_WORLD, &requests[3]);
    CHECK(Seam_Ibarrier(graph.c, &requests[4]) == MPI_SUCCESS);
    CHECK((round == 1 ? MPI_Waitall : MPIX_Waitall)(5, requests.data(), MPI_STATUSES_IGNORE) ==
          MPI_SUCCESS);
    CHECK(sum == all);
    CHECK(kept_sum == all);
    CHECK(got == before);
    for (std::size_t const k : {0, 1, 3, 4})
      CHECK(requests[k] == MPI_REQUEST_NULL);
    CHECK(requests[2] != MPI_REQUEST_NULL);
  }
  CHECK(MPI_Request_free(&requests[2]) == MPI_SUCCESS);
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
