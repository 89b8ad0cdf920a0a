// The C interface of sparse exchange: the paper's calls, and what it says to wrong ones.
#include <seam/c/sparse.h>

#include <support/catch.hpp>

#include <fmt/format.h>

#include <string>

namespace {

std::string last_error;

void remember_error(MPI_Comm*, int* code, ...) {
  char text[MPI_MAX_ERROR_STRING];
  int length = 0;
  Seam_Error_string(*code, text, &length);
  last_error.assign(text, static_cast<std::size_t>(length));
}

/// A communicator whose errors are remembered, as are those of MPI_COMM_WORLD meanwhile.
class remembering_comm {
public:
  remembering_comm() {
    MPI_Comm_create_errhandler(remember_error, &handler_);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm_);
    MPI_Comm_set_errhandler(comm_, handler_);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler_);
  }
  remembering_comm(remembering_comm const&) = delete;
  remembering_comm& operator=(remembering_comm const&) = delete;
  ~remembering_comm() {
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    MPI_Comm_free(&comm_);
    MPI_Errhandler_free(&handler_);
  }
  operator MPI_Comm() const { return comm_; }

private:
  MPI_Errhandler handler_ = MPI_ERRHANDLER_NULL;
  MPI_Comm comm_ = MPI_COMM_NULL;
};

/// What the error handler is told by `call`, or nothing.
template <class Call>
std::string error_of(Call call) {
  last_error.clear();
  call();
  return last_error;
}

using Catch::StartsWith;

} // namespace

TEST_CASE("the paper's calls exchange messages by sender") {
  comm_init(MPI_COMM_WORLD);
  int const rank = comm_rank(), size = comm_size();
  for (int to = 0; to < size; ++to)
    for (int piece = 0; piece < 2; ++piece) {
      double value = 100 * rank + to + 0.5 * piece;
      COMM_PACK(value, to);
    }
  comm_exch();
  for (int received = 0; received < 2 * size; ++received) {
    REQUIRE(comm_recv() != 0);
    CHECK(comm_from() == received / 2);
    double value = 0;
    COMM_UNPACK(value);
    CHECK(value == 100 * comm_from() + rank + 0.5 * (received % 2));
    int const answer = comm_from();
    COMM_PACK(answer, comm_from());
  }
  CHECK(comm_recv() == 0);
  comm_exch();
  while (comm_recv() != 0) {
    int answer[2] = {-1, -1};
    COMM_UNPACK(answer);
    CHECK(answer[0] == rank);
    CHECK(answer[1] == rank);
  }
  comm_finalize();
}

TEST_CASE("an empty message is received in C") {
  comm_init(MPI_COMM_WORLD);
  comm_pack(nullptr, 0, (comm_rank() + 1) % comm_size());
  comm_exch();
  CHECK(comm_recv() != 0);
  CHECK(comm_from() == (comm_rank() + comm_size() - 1) % comm_size());
  CHECK(comm_recv() == 0);
  comm_finalize();
}

TEST_CASE("each wrong call is told by its name and the state") {
  remembering_comm const comm;
  int value = 3;
  CHECK_THAT(error_of([] { comm_exch(); }),
             StartsWith("comm_exch in state UNINIT (expected comm_init before)"));
  CHECK_THAT(error_of([] { comm_finalize(); }), StartsWith("comm_finalize in state UNINIT"));
  CHECK_THAT(error_of([&] { COMM_PACK(value, 0); }), StartsWith("comm_pack in state UNINIT"));
  CHECK_THAT(error_of([] { CHECK(comm_recv() == 0); }), StartsWith("comm_recv in state UNINIT"));
  CHECK_THAT(error_of([&] { COMM_UNPACK(value); }), StartsWith("comm_unpack in state UNINIT"));
  CHECK_THAT(error_of([] { CHECK(comm_from() == -1); }), StartsWith("comm_from in state UNINIT"));
  CHECK_THAT(error_of([] { CHECK(comm_rank() == -1); }), StartsWith("comm_rank in state UNINIT"));
  CHECK_THAT(error_of([] { CHECK(comm_size() == -1); }), StartsWith("comm_size in state UNINIT"));
  CHECK_THAT(error_of([] { CHECK(comm_mpi() == MPI_COMM_NULL); }),
             StartsWith("comm_mpi in state UNINIT"));

  comm_init(comm);
  int const size = comm_size();
  CHECK_THAT(error_of([&] { comm_init(comm); }),
             StartsWith("comm_init in state IDLE (expected UNINIT: comm_finalize before)"));
  CHECK_THAT(error_of([] { comm_recv(); }),
             StartsWith("comm_recv: sparse exchange: receive in state IDLE"));
  CHECK_THAT(error_of([&] { COMM_PACK(value, size); }),
             StartsWith(fmt::format("comm_pack: sparse exchange: pack for destination {} in state "
                                    "IDLE (expected a rank, 0 to {})",
                                    size, size - 1)));
  COMM_PACK(value, 0);
  CHECK_THAT(error_of([] { comm_finalize(); }),
             StartsWith("comm_finalize: sparse exchange: close in state PACK"));
  comm_exch();
  CHECK_THAT(error_of([] { comm_exch(); }),
             StartsWith("comm_exch: sparse exchange: exchange in state UNPACK"));
  while (comm_recv() != 0) {
    double too_much = 0;
    CHECK_THAT(error_of([&] { COMM_UNPACK(too_much); }),
               StartsWith("comm_unpack: sparse exchange: in state UNPACK: unpack: 8 bytes"));
    CHECK_THAT(error_of([] { comm_recv(); }),
               StartsWith("comm_recv: sparse exchange: receive in state UNPACK leaves behind 4"));
    COMM_UNPACK(value);
  }
  comm_finalize();
  CHECK(error_of([] {}).empty());
}

TEST_CASE("a session may follow another on other processes") {
  for (int turn = 0; turn < 5; ++turn) {
    MPI_Comm part = MPI_COMM_NULL;
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank % (turn + 1), rank, &part);
    comm_init(part);
    MPI_Comm_free(&part);
    COMM_PACK(rank, 0);
    comm_exch();
    int num_received = 0;
    for (; comm_recv() != 0; ++num_received) {
      int other = -1;
      COMM_UNPACK(other);
      CHECK(other % (turn + 1) == rank % (turn + 1));
    }
    CHECK(num_received == (comm_rank() == 0 ? comm_size() : 0));
    comm_finalize();
  }
}
