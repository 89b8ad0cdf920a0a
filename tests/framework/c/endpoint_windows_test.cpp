// Windows of endpoints in the C interface: memory of the user and of seam, and errors, which go to the
// handler of the endpoint's handle.
#include <seam/c/endpoints.h>
#include <seam/c/orthogonal.h>

#include <support/catch.hpp>
#include <support/on_endpoints.hpp>

#include <array>
#include <string>
#include <vector>

namespace {

constexpr int num_here = 3;

/// Does `body(handle, rank, size)` for each endpoint in a thread of its own.
template <class Body>
void on_handles(Body const& body) {
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN); // of calls without a window
  std::array<MPI_Comm, num_here> handles;
  REQUIRE(Seam_Comm_create_endpoints(MPI_COMM_WORLD, num_here, MPI_INFO_NULL, handles.data()) ==
          MPI_SUCCESS);
  seam::testing::in_threads(num_here, [&](int k) {
    MPI_Comm& own = handles[std::size_t(k)];
    MPI_Comm_set_errhandler(own, MPI_ERRORS_RETURN);
    int rank = -1, size = 0;
    Seam_Comm_rank(own, &rank);
    Seam_Comm_size(own, &size);
    body(own, rank, size);
    EXPECT(Seam_Comm_free(&own) == MPI_SUCCESS);
  });
}

bool has_line(int code, char const* part) {
  char text[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  Seam_Error_string(code, text, &length);
  return code != MPI_SUCCESS && std::string(text).find(part) != std::string::npos;
}

} // namespace

TEST_CASE("endpoints put, get and accumulate in memory of the user") {
  on_handles([](MPI_Comm own, int rank, int size) {
    int memory[3] = {-1, 0, 0}, seen = -1;
    int const next = (rank + 1) % size, before = (rank + size - 1) % size, one = 1;
    Seam_Win win = SEAM_WIN_NULL;
    EXPECT(Seam_Win_create(memory, sizeof(memory), sizeof(int), MPI_INFO_NULL, own, &win) ==
           MPI_SUCCESS);
    EXPECT(Seam_Win_fence(0, win) == MPI_SUCCESS);
    EXPECT(Seam_Put(&rank, 1, MPI_INT, next, 0, 1, MPI_INT, win) == MPI_SUCCESS);
    EXPECT(Seam_Accumulate(&one, 1, MPI_INT, 0, 1, 1, MPI_INT, MPI_SUM, win) == MPI_SUCCESS);
    EXPECT(Seam_Win_fence(0, win) == MPI_SUCCESS);
    EXPECT(memory[0] == before);
    EXPECT(memory[1] == (rank == 0 ? size : 0));
    EXPECT(Seam_Get(&seen, 1, MPI_INT, next, 0, 1, MPI_INT, win) == MPI_SUCCESS);
    EXPECT(Seam_Win_fence(MPI_MODE_NOSUCCEED, win) == MPI_SUCCESS);
    EXPECT(seen == rank);
    EXPECT(Seam_Win_free(&win) == MPI_SUCCESS);
    EXPECT(win == SEAM_WIN_NULL);
    EXPECT(has_line(Seam_Win_fence(0, win), "SEAM_WIN_NULL"));
  });
  SUCCEED();
}

TEST_CASE("endpoints count under locks in memory that seam allocates") {
  on_handles([](MPI_Comm own, int rank, int size) {
    long *memory = nullptr, seen = -1;
    long const one = 1;
    Seam_Win win = SEAM_WIN_NULL;
    EXPECT(Seam_Win_allocate(rank == 0 ? sizeof(long) : 0, sizeof(long), MPI_INFO_NULL, own,
                             &memory, &win) == MPI_SUCCESS);
    for (int round = 0; round < 10; ++round) {
      EXPECT(Seam_Win_lock(MPI_LOCK_SHARED, 0, 0, win) == MPI_SUCCESS);
      EXPECT(Seam_Accumulate(&one, 1, MPI_LONG, 0, 0, 1, MPI_LONG, MPI_SUM, win) == MPI_SUCCESS);
      EXPECT(Seam_Win_unlock(0, win) == MPI_SUCCESS);
    }
    EXPECT(Seam_Barrier(own) == MPI_SUCCESS);
    EXPECT(Seam_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win) == MPI_SUCCESS);
    EXPECT(Seam_Get(&seen, 1, MPI_LONG, 0, 0, 1, MPI_LONG, win) == MPI_SUCCESS);
    EXPECT(Seam_Win_unlock(0, win) == MPI_SUCCESS);
    EXPECT(seen == 10L * size);
    EXPECT(has_line(Seam_Put(&one, 1, MPI_LONG, 0, 0, 1, MPI_LONG, win), "no access is open"));
    EXPECT(has_line(Seam_Win_lock(MPI_LOCK_SHARED, size, 0, win), "(expected 0 to "));
    EXPECT(Seam_Win_free(&win) == MPI_SUCCESS);
  });
  SUCCEED();
}
