// Communicators of endpoints in the C interface: of which they are made, how they compare, and which
// threads complete their requests.
#include <seam/c/endpoints.h>
#include <seam/c/orthogonal.h>

#include <support/catch.hpp>
#include <support/orthogonal.hpp>

#include <array>
#include <thread>

using seam::testing::text_of;

namespace {

int comparison(MPI_Comm first, MPI_Comm second) {
  int result = -1;
  CHECK(Seam_Comm_compare(first, second, &result) == MPI_SUCCESS);
  return result;
}

int class_of_code(int code) {
  int error_class = MPI_SUCCESS;
  MPI_Error_class(code, &error_class);
  return error_class;
}

} // namespace

TEST_CASE("endpoints of a bipartite communicator are refused") {
  int rank = 0, size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (size < 2)
    return;
  MPI_Comm own = MPI_COMM_NULL, sides = MPI_COMM_NULL, made = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &own);
  MPI_Intercomm_create(own, 0, MPI_COMM_WORLD, 1 - rank % 2, 5, &sides);
  MPI_Comm_set_errhandler(sides, MPI_ERRORS_RETURN);
  int const code = Seam_Comm_create_endpoints(sides, 1, MPI_INFO_NULL, &made);
  CHECK(class_of_code(code) == MPI_ERR_COMM);
  CHECK_THAT(text_of(code), Catch::Contains("endpoints: made of a bipartite communicator"));
  MPI_Comm_free(&sides);
  MPI_Comm_free(&own);
}

TEST_CASE("communicators of endpoints compare as those of processes do") {
  MPI_Comm first = MPI_COMM_NULL, other = MPI_COMM_NULL, copy = MPI_COMM_NULL;
  MPI_Comm turned = MPI_COMM_NULL, part = MPI_COMM_NULL;
  Seam_Comm_create_endpoints(MPI_COMM_WORLD, 1, MPI_INFO_NULL, &first);
  Seam_Comm_create_endpoints(MPI_COMM_WORLD, 1, MPI_INFO_NULL, &other);
  int rank = 0, size = 0;
  Seam_Comm_rank(first, &rank);
  Seam_Comm_size(first, &size);
  Seam_Comm_dup(first, &copy);
  Seam_Comm_split(first, 0, size - rank, &turned);
  Seam_Comm_split(first, rank, 0, &part);
  CHECK(comparison(first, first) == MPI_IDENT);
  CHECK(comparison(first, copy) == MPI_CONGRUENT);
  CHECK(comparison(first, turned) == (size == 1 ? MPI_CONGRUENT : MPI_SIMILAR));
  CHECK(comparison(first, part) == (size == 1 ? MPI_CONGRUENT : MPI_UNEQUAL));
  CHECK(comparison(first, other) == MPI_UNEQUAL);
  CHECK(comparison(first, MPI_COMM_WORLD) == MPI_UNEQUAL);
  CHECK(comparison(MPI_COMM_WORLD, MPI_COMM_WORLD) == MPI_IDENT);

  int* largest_tag = nullptr;
  int is_there = 0;
  CHECK(Seam_Comm_get_attr(copy, MPI_TAG_UB, &largest_tag, &is_there) == MPI_SUCCESS);
  REQUIRE(is_there == 1);
  int const sent = 7;
  int got = 0;
  CHECK(Seam_Sendrecv(&sent, 1, MPI_INT, rank, *largest_tag, &got, 1, MPI_INT, rank, *largest_tag,
                      copy, MPI_STATUS_IGNORE) == MPI_SUCCESS);
  CHECK(got == sent);
  for (MPI_Comm* const each : {&part, &turned, &copy, &other, &first})
    Seam_Comm_free(each);
}

TEST_CASE("a request is completed by threads of its own endpoint") {
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  REQUIRE(Seam_Init_endpoint(nullptr, nullptr, 2, MPI_THREAD_MULTIPLE, nullptr, nullptr) ==
          MPI_SUCCESS);
  MPI_Comm const clique = SEAM_COMM_CLIQUE, self = SEAM_COMM_SELF;
  int const sent = 3;
  std::array<int, 2> got{};
  std::array<MPI_Request, 2> receives{};
  for (int k = 0; k < 2; ++k) {
    CHECK(Seam_Irecv(&got[k], 1, MPI_INT, 0, k, self, &receives[k]) == MPI_SUCCESS);
    CHECK(Seam_Send(&sent, 1, MPI_INT, 0, k, self) == MPI_SUCCESS);
  }
  int elsewhere = MPI_SUCCESS;
  std::jthread([&] {
    Seam_Thread_attach(1, clique);
    elsewhere = MPI_Wait(&receives[0], MPI_STATUS_IGNORE);
    Seam_Thread_detach();
  }).join();
  CHECK(class_of_code(elsewhere) == SEAM_ERR_ENDPOINTS);
  CHECK_THAT(text_of(elsewhere), Catch::Contains("a thread of another endpoint"));
  CHECK(MPI_Wait(&receives[1], MPI_STATUS_IGNORE) == MPI_SUCCESS);
  CHECK(got[1] == sent);
  CHECK(Seam_Finalize() == MPI_SUCCESS);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}
