// Memory of endpoints in the C interface: what one has allocated no other gives back.
#include <seam/c/endpoints.h>

#include <seam/exchange/communicator/endpoints.hpp>

#include <support/catch.hpp>

#include <cstdint>
#include <cstring>
#include <string>
#include <thread>

namespace {

using seam::Endpoints;

/// Errors of MPI_COMM_WORLD are returned while it lives.
class errors_returned {
public:
  errors_returned() {
    MPI_Comm_get_errhandler(MPI_COMM_WORLD, &before_);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  }
  errors_returned(errors_returned const&) = delete;
  errors_returned& operator=(errors_returned const&) = delete;
  ~errors_returned() {
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, before_);
    MPI_Errhandler_free(&before_);
  }

private:
  MPI_Errhandler before_ = MPI_ERRHANDLER_NULL;
};

int class_of(int code) {
  int error_class = MPI_SUCCESS;
  MPI_Error_class(code, &error_class);
  return error_class;
}

std::string line_of(int code) {
  std::string line(MPI_MAX_ERROR_STRING, '\0');
  int length = 0;
  Seam_Error_string(code, line.data(), &length);
  line.resize(length);
  return line;
}

void* allocated(MPI_Aint size) {
  void* memory = nullptr;
  REQUIRE(Seam_Alloc_mem(size, MPI_INFO_NULL, &memory) == MPI_SUCCESS);
  return memory;
}

/// True if a line says that a thread of endpoint `by` gives back what is of endpoint `whose`, both of
/// this process.
bool tells(std::string const& line, Endpoints const& endpoints, int whose, int by) {
  int const first = endpoints.all().rank() - endpoints.clique().rank();
  return line.find("memory of endpoint " + std::to_string(first + whose) + " ") != line.npos &&
         line.find("by a thread of endpoint " + std::to_string(first + by) + " ") != line.npos;
}

/// The code of Seam_Free_mem by a thread of endpoint `by` of the process; -1: of none.
int given_back_by(int by, Endpoints const& endpoints, void* memory) {
  int code = MPI_SUCCESS;
  std::jthread([&] {
    if (by < 0)
      seam::detach();
    else
      seam::attach(by, endpoints.clique());
    code = Seam_Free_mem(memory);
  }).join();
  return code;
}

} // namespace

TEST_CASE("memory of an endpoint is given back by threads of that endpoint alone") {
  errors_returned const handler;
  Endpoints const endpoints(MPI_COMM_WORLD, 3);
  void* const memory = allocated(1000);
  CHECK(reinterpret_cast<std::uintptr_t>(memory) % 64 == 0);
  std::memset(memory, 1, 1000);

  int const refused = given_back_by(1, endpoints, memory);
  CHECK(class_of(refused) == Endpoints::error_class());
  CHECK(tells(line_of(refused), endpoints, 0, 1));
  int const of_none = given_back_by(-1, endpoints, memory);
  CHECK(class_of(of_none) == Endpoints::error_class());
  CHECK_THAT(line_of(of_none), Catch::Contains("attached to no endpoint"));

  // It is as it was, and another thread of its endpoint may give it back.
  CHECK(static_cast<char const*>(memory)[999] == 1);
  CHECK(given_back_by(0, endpoints, memory) == MPI_SUCCESS);
}

TEST_CASE("memory goes where the thread that allocates it is attached") {
  errors_returned const handler;
  Endpoints const endpoints(MPI_COMM_WORLD, 3);
  void* memory = nullptr;
  std::jthread([&] {
    seam::attach(2, endpoints.clique());
    Seam_Alloc_mem(8, MPI_INFO_NULL, &memory);
  }).join();
  CHECK(tells(line_of(Seam_Free_mem(memory)), endpoints, 2, 0));
  CHECK(given_back_by(2, endpoints, memory) == MPI_SUCCESS);
}

TEST_CASE("memory that is not known is refused") {
  errors_returned const handler;
  Endpoints const endpoints(MPI_COMM_WORLD, 2);
  int local = 0;
  CHECK(class_of(Seam_Free_mem(&local)) == MPI_ERR_BASE);
  CHECK(class_of(Seam_Free_mem(nullptr)) == MPI_ERR_BASE);
  void* const memory = allocated(0);
  CHECK(Seam_Free_mem(memory) == MPI_SUCCESS);
  int const again = Seam_Free_mem(memory);
  CHECK(class_of(again) == MPI_ERR_BASE);
  CHECK_THAT(line_of(again), Catch::Contains("was not given back yet"));
}

TEST_CASE("sizes that cannot be are refused") {
  errors_returned const handler;
  void* memory = nullptr;
  CHECK(class_of(Seam_Alloc_mem(-1, MPI_INFO_NULL, &memory)) == MPI_ERR_ARG);
  CHECK(class_of(Seam_Alloc_mem(8, MPI_INFO_NULL, nullptr)) == MPI_ERR_ARG);
  CHECK(memory == nullptr);
}

TEST_CASE(
    "memory that outlives its endpoint, and that of a process without, any thread gives back") {
  errors_returned const handler;
  void* memory = nullptr;
  {
    Endpoints const endpoints(MPI_COMM_WORLD, 2);
    memory = allocated(16);
  }
  CHECK(Seam_Free_mem(memory) == MPI_SUCCESS);
  void* const of_process = allocated(16);
  int code = MPI_ERR_OTHER;
  std::jthread([&] { code = Seam_Free_mem(of_process); }).join();
  CHECK(code == MPI_SUCCESS);
}
