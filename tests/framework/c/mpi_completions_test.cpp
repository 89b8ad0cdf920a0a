// MPI's own calls on the requests of seam: they wait for the data, leave the request to be started
// again, and stand beside requests of MPI in one array.
#include <seam/c/endpoints.h>
#include <seam/c/partitioned.h>

#include <support/catch.hpp>
#include <support/orthogonal.hpp>

#include <array>
#include <numeric>
#include <string>

using seam::testing::text_of;

namespace {

constexpr int partitions = 2, length = 4;

int rank_of_world() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

/// A partitioned message to the next process and one from the process before, between a receive and
/// a send of MPI in one array.
struct ring {
  ring() {
    MPIX_Precv_init(into.data(), partitions, length / partitions, MPI_INT, before, 3,
                    MPI_COMM_WORLD, MPI_INFO_NULL, &requests[1]);
    MPIX_Psend_init(from.data(), partitions, length / partitions, MPI_INT, next, 3, MPI_COMM_WORLD,
                    MPI_INFO_NULL, &requests[2]);
    MPI_Recv_init(&plain_into, 1, MPI_INT, before, 4, MPI_COMM_WORLD, &requests[0]);
    MPI_Send_init(&plain_from, 1, MPI_INT, next, 4, MPI_COMM_WORLD, &requests[3]);
  }
  ring(ring const&) = delete;
  ring& operator=(ring const&) = delete;
  ~ring() {
    for (MPI_Request& each : requests)
      MPI_Request_free(&each);
  }

  /// Starts all; marks nothing.
  void start(int epoch) {
    std::iota(from.begin(), from.end(), 100 * rank + 10 * epoch);
    into.fill(-1);
    plain_from = 1000 * rank + epoch;
    plain_into = -1;
    CHECK(MPI_Startall(count, requests.data()) == MPI_SUCCESS);
  }

  void mark() { MPIX_Pready_range(0, partitions - 1, requests[2]); }

  void check(int epoch) const {
    std::array<int, length> expected{};
    std::iota(expected.begin(), expected.end(), 100 * before + 10 * epoch);
    CHECK(into == expected);
    CHECK(plain_into == 1000 * before + epoch);
  }

  static constexpr int count = 4;
  int rank = rank_of_world(), size = [] {
    int all = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &all);
    return all;
  }();
  int next = (rank + 1) % size, before = (rank + size - 1) % size;
  std::array<int, length> from{}, into{};
  int plain_from = 0, plain_into = 0;
  std::array<MPI_Request, count> requests{};
};

/// Completes all requests by calls of MPI, each way of them in another epoch.
constexpr int num_ways = 6;
void complete(int way, ring& on) {
  auto* const all = on.requests.data();
  int done = 0, index = 0;
  std::array<int, ring::count> indices{};
  switch (way) {
  case 0:
    for (MPI_Request& each : on.requests)
      CHECK(MPI_Wait(&each, MPI_STATUS_IGNORE) == MPI_SUCCESS);
    break;
  case 1: CHECK(MPI_Waitall(ring::count, all, MPI_STATUSES_IGNORE) == MPI_SUCCESS); break;
  case 2:
    for (int k = 0; k < ring::count; ++k)
      CHECK(MPI_Waitany(ring::count, all, &index, MPI_STATUS_IGNORE) == MPI_SUCCESS);
    break;
  case 3:
    for (int num = 0; num < ring::count; num += done)
      CHECK(MPI_Waitsome(ring::count, all, &done, indices.data(), MPI_STATUSES_IGNORE) ==
            MPI_SUCCESS);
    break;
  case 4:
    while (done == 0)
      MPI_Testall(ring::count, all, &done, MPI_STATUSES_IGNORE);
    break;
  default:
    for (MPI_Request& each : on.requests)
      for (done = 0; done == 0;)
        MPI_Test(&each, &done, MPI_STATUS_IGNORE);
  }
}

} // namespace

TEST_CASE("MPI's calls wait for the data of seam's requests, which may be started again") {
  ring on;
  for (int epoch = 0; epoch < 2 * num_ways; ++epoch) {
    on.start(epoch);
    int done = -1;
    CHECK(MPI_Test(&on.requests[1], &done, MPI_STATUS_IGNORE) == MPI_SUCCESS);
    CHECK(done == 0);
    CHECK(MPI_Request_get_status(on.requests[1], &done, MPI_STATUS_IGNORE) == MPI_SUCCESS);
    CHECK(done == 0);
    CHECK(MPI_Testall(ring::count, on.requests.data(), &done, MPI_STATUSES_IGNORE) == MPI_SUCCESS);
    CHECK(done == 0);
    MPI_Barrier(MPI_COMM_WORLD);
    on.mark();
    complete(epoch % num_ways, on);
    on.check(epoch);
  }
}

TEST_CASE("MPI's calls report the source, the tag and the length of partitioned messages") {
  ring on;
  on.start(0);
  on.mark();
  MPI_Status status;
  CHECK(MPI_Wait(&on.requests[1], &status) == MPI_SUCCESS);
  int received = 0;
  MPI_Get_elements(&status, MPI_INT, &received);
  CHECK(status.MPI_SOURCE == on.before);
  CHECK(status.MPI_TAG == 3);
  CHECK(received == length);
  complete(1, on);
  int done = 0, index = 0;
  CHECK(MPI_Testany(ring::count, on.requests.data(), &index, &done, MPI_STATUS_IGNORE) ==
        MPI_SUCCESS);
  CHECK(index == MPI_UNDEFINED);
  CHECK(MPI_Testsome(ring::count, on.requests.data(), &done, &index, MPI_STATUSES_IGNORE) ==
        MPI_SUCCESS);
  CHECK(done == MPI_UNDEFINED);
}

TEST_CASE("a partitioned request is not cancelled, and goes on") {
  ring on;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Request refused = MPI_REQUEST_NULL; // has the error handler of now
  int value = 0;
  MPIX_Precv_init(&value, 1, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &refused);
  CHECK(MPI_Cancel(&refused) == MPI_SUCCESS); // it is inactive
  CHECK(MPI_Start(&refused) == MPI_SUCCESS);
  CHECK_THAT(text_of(MPI_Cancel(&refused)),
             Catch::Contains("MPIX_Cancel: precv_init from MPI_PROC_NULL, tag 0, which cannot"));
  CHECK(MPI_Wait(&refused, MPI_STATUS_IGNORE) == MPI_SUCCESS);
  CHECK(MPI_Request_free(&refused) == MPI_SUCCESS);
  CHECK(refused == MPI_REQUEST_NULL);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

TEST_CASE("receives are cancelled, those of MPI too, and started again") {
  bool const is_of_endpoint = GENERATE(true, false);
  MPI_Comm own = MPI_COMM_NULL;
  if (is_of_endpoint)
    REQUIRE(Seam_Comm_create_endpoints(MPI_COMM_SELF, 1, MPI_INFO_NULL, &own) == MPI_SUCCESS);
  else
    MPI_Comm_dup(MPI_COMM_SELF, &own);
  int const sent = 5;
  int received = 0, is_cancelled = 0;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Status status;
  Seam_Recv_init(&received, 1, MPI_INT, 0, 1, own, &request);
  for (int round = 0; round < 3; ++round) {
    MPIX_Start(&request);
    CHECK(MPIX_Cancel(&request) == MPI_SUCCESS);
    CHECK(MPIX_Wait(&request, &status) == MPI_SUCCESS);
    MPI_Test_cancelled(&status, &is_cancelled);
    CHECK(is_cancelled == 1);

    MPI_Request sending = MPI_REQUEST_NULL;
    received = 0;
    MPIX_Start(&request);
    Seam_Isend(&sent, 1, MPI_INT, 0, 1, own, &sending);
    CHECK(MPI_Wait(&request, &status) == MPI_SUCCESS);
    CHECK(MPI_Wait(&sending, MPI_STATUS_IGNORE) == MPI_SUCCESS);
    MPI_Test_cancelled(&status, &is_cancelled);
    CHECK(is_cancelled == 0);
    CHECK(received == sent);
  }
  CHECK(MPIX_Request_free(&request) == MPI_SUCCESS);
  Seam_Comm_free(&own);
}
