// Messages between endpoints in the C interface: those that are started again and again, and those
// that matched probes find; also between processes, where MPI carries them.
#include <seam/c/endpoints.h>
#include <seam/c/orthogonal.h>
#include <seam/c/partitioned.h>

#include <support/catch.hpp>
#include <support/orthogonal.hpp>

#include <array>
#include <atomic>
#include <random>
#include <thread>
#include <vector>

using seam::testing::text_of;

namespace {

constexpr int num_here = 3;

/// Runs `body(comm)` once for each endpoint of each process, in threads, or once for each process.
template <class Body>
void on_each(bool are_endpoints, Body const& body) {
  if (!are_endpoints)
    return body(MPI_COMM_WORLD);
  std::array<MPI_Comm, num_here> handles;
  REQUIRE(Seam_Comm_create_endpoints(MPI_COMM_WORLD, num_here, MPI_INFO_NULL, handles.data()) ==
          MPI_SUCCESS);
  {
    std::vector<std::jthread> threads;
    for (MPI_Comm const each : handles)
      threads.emplace_back([&body, each] { body(each); });
  }
  for (MPI_Comm& each : handles)
    Seam_Comm_free(&each);
}

struct place {
  int rank = 0, size = 0;
  explicit place(MPI_Comm comm) {
    Seam_Comm_rank(comm, &rank);
    Seam_Comm_size(comm, &size);
  }
};

/// Counts what is wrong: Catch2 takes assertions of one thread alone.
std::atomic<int> num_wrong;
void expect(bool holds) { num_wrong += holds ? 0 : 1; }

} // namespace

TEST_CASE("a prepared message carries the values of each start") {
  num_wrong = 0;
  on_each(GENERATE(true, false), [](MPI_Comm comm) {
    place const here(comm);
    int const next = (here.rank + 1) % here.size, before = (here.rank + here.size - 1) % here.size;
    MPI_Datatype column = MPI_DATATYPE_NULL;
    MPI_Type_vector(3, 1, 2, MPI_INT, &column);
    MPI_Type_commit(&column);
    std::array<int, 5> own{}, received{};
    std::array<MPI_Request, 2> requests;
    expect(Seam_Recv_init(received.data(), 1, column, before, 7, comm, &requests[0]) ==
           MPI_SUCCESS);
    expect(Seam_Send_init(own.data(), 1, column, next, 7, comm, &requests[1]) == MPI_SUCCESS);
    for (int step = 0; step < 30; ++step) {
      for (int k = 0; k < 5; ++k)
        own[k] = 1000 * here.rank + 10 * step + k;
      received.fill(-1);
      std::array<MPI_Status, 2> statuses;
      expect(MPIX_Startall(2, requests.data()) == MPI_SUCCESS);
      expect(MPIX_Waitall(2, requests.data(), statuses.data()) == MPI_SUCCESS);
      int const first = 1000 * before + 10 * step;
      expect(received == std::array{first, -1, first + 2, -1, first + 4});
      int count = 0;
      MPI_Get_elements(&statuses[0], MPI_INT, &count);
      expect(count == 3 && statuses[0].MPI_SOURCE == before && statuses[0].MPI_TAG == 7);
    }
    for (MPI_Request& each : requests)
      expect(MPIX_Request_free(&each) == MPI_SUCCESS && each == MPI_REQUEST_NULL);
    MPI_Type_free(&column);
  });
  CHECK(num_wrong == 0);
}

TEST_CASE("a message that a matched probe has found is received by its handle alone") {
  num_wrong = 0;
  on_each(GENERATE(true, false), [](MPI_Comm comm) {
    place const here(comm);
    int const next = (here.rank + 1) % here.size, before = (here.rank + here.size - 1) % here.size;
    constexpr int num_messages = 40;
    std::mt19937 draw(5); // the same lengths on all ranks
    std::vector<int> lengths(num_messages);
    for (int& each : lengths)
      each = static_cast<int>(draw() % 3 == 0 ? draw() % 5000 : draw() % 6);
    std::vector<std::vector<int>> sent;
    std::vector<MPI_Request> requests(num_messages);
    for (int k = 0; k < num_messages; ++k) {
      sent.emplace_back(lengths[k], 100 * here.rank + k);
      Seam_Isend(sent[k].data(), lengths[k], MPI_INT, next, k, comm, &requests[k]);
    }
    for (int k = 0; k < num_messages; ++k) {
      Seam_Message first = SEAM_MESSAGE_NULL, second = SEAM_MESSAGE_NULL;
      MPI_Status status;
      expect(Seam_Mprobe(before, k, comm, &first, &status) == MPI_SUCCESS);
      int again = -1, count = -1;
      expect(Seam_Improbe(before, k, comm, &again, &second, MPI_STATUS_IGNORE) == MPI_SUCCESS);
      expect(again == 0);
      MPI_Get_count(&status, MPI_INT, &count);
      expect(count == lengths[k] && status.MPI_SOURCE == before && status.MPI_TAG == k);
      std::vector<int> received(lengths[k], -1);
      expect(Seam_Mrecv(received.data(), lengths[k], MPI_INT, &first, MPI_STATUS_IGNORE) ==
             MPI_SUCCESS);
      expect(first == SEAM_MESSAGE_NULL);
      expect(received == std::vector<int>(lengths[k], 100 * before + k));
    }
    MPI_Waitall(num_messages, requests.data(), MPI_STATUSES_IGNORE);
  });
  CHECK(num_wrong == 0);
}

TEST_CASE("wrong uses of prepared messages and of found ones are codes with a line") {
  MPI_Comm own = MPI_COMM_NULL;
  REQUIRE(Seam_Comm_create_endpoints(MPI_COMM_SELF, 1, MPI_INFO_NULL, &own) == MPI_SUCCESS);
  MPI_Comm_set_errhandler(own, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  int value = 0;
  MPI_Request request = MPI_REQUEST_NULL;
  CHECK_THAT(text_of(Seam_Send_init(&value, 1, MPI_INT, 9, 0, own, &request)),
             Catch::Contains("rank 9 (expected 0 to 0)"));
  CHECK_THAT(text_of(Seam_Recv_init(&value, -1, MPI_INT, 0, 0, own, &request)),
             Catch::Contains("-1 elements"));
  CHECK_THAT(text_of(Seam_Recv_init(&value, 1, MPI_INT, 0, -7, own, &request)),
             Catch::Contains("tag -7"));
  REQUIRE(Seam_Recv_init(&value, 1, MPI_INT, 0, 0, own, &request) == MPI_SUCCESS);
  CHECK_THAT(text_of(MPIX_Pready(0, request)), Catch::Contains("a request of a message"));
  CHECK(MPIX_Start(&request) == MPI_SUCCESS);
  CHECK_THAT(text_of(MPIX_Start(&request)), Catch::Contains("in flight already"));
  CHECK(MPIX_Request_free(&request) == MPI_SUCCESS); // cancels the receive
  Seam_Message none = SEAM_MESSAGE_NULL;
  CHECK_THAT(text_of(Seam_Mrecv(&value, 1, MPI_INT, &none, MPI_STATUS_IGNORE)),
             Catch::Contains("SEAM_MESSAGE_NULL"));
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  CHECK(Seam_Comm_free(&own) == MPI_SUCCESS);
}
