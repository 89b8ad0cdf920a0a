// Errors as C programs see them: codes of MPI's classes, of which each error has one.
#include <seam/exchange/ground/error.hpp>
#include <seam/framework/c/errors.hpp>

#include <support/catch.hpp>

#include <array>
#include <set>
#include <string>

using namespace seam;
using namespace seam::detail;
using namespace seam::detail;

namespace {

int class_of(int code) {
  int error_class = MPI_SUCCESS;
  MPI_Error_class(code, &error_class);
  return error_class;
}

std::string text_of(int code) {
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int length = 0;
  Seam_Error_string(code, text.data(), &length);
  return text.data();
}

MPI_Comm quiet_communicator() {
  MPI_Comm quiet = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_SELF, &quiet);
  MPI_Comm_set_errhandler(quiet, MPI_ERRORS_RETURN);
  return quiet;
}

} // namespace

TEST_CASE("a code has the class and the line of its error") {
  MPI_Comm quiet = quiet_communicator();
  int const code = guarded(quiet, [] { refuse(MPI_ERR_COUNT, "bcast: -1 elements"); });
  CHECK(class_of(code) == MPI_ERR_COUNT);
  CHECK_THAT(text_of(code), Catch::StartsWith("bcast: -1 elements"));
#ifdef OPEN_MPI // MPICH 4.0 has another string for it
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int length = 0;
  MPI_Error_string(code, text.data(), &length);
  CHECK(text.data() == text_of(code));
  CHECK(length == std::ssize(text_of(code)));
#endif
  CHECK_THAT(text_of(MPI_ERR_ROOT), Catch::Contains("root"));
  int const failed = guarded(quiet, [] { throw mpi_error("MPI_Send failed", MPI_ERR_RANK); });
  CHECK(class_of(failed) == MPI_ERR_RANK);
  CHECK(class_of(guarded(quiet, [] { throw std::bad_alloc(); })) == MPI_ERR_NO_MEM);
  int const other = guarded(quiet, [] { refuse("naming: no such naming"); });
  CHECK(class_of(other) > MPI_ERR_LASTCODE - 1);
  CHECK(text_of(class_of(other)) == "seam refused a call");
  CHECK(guarded(quiet, [] {}) == MPI_SUCCESS);
  MPI_Comm_free(&quiet);
}

TEST_CASE("the same error has the same code however often it happens") {
  int const first = error_code_for({"root 9 (expected 0 to 3)", MPI_ERR_ROOT});
  for (int repeat = 0; repeat < 1000; ++repeat)
    REQUIRE(error_code_for({"root 9 (expected 0 to 3)", MPI_ERR_ROOT}) == first);
  CHECK(error_code_for({"root 8 (expected 0 to 3)", MPI_ERR_ROOT}) != first);
  CHECK(error_code_for({"root 9 (expected 0 to 3)", MPI_ERR_ARG}) != first);
  CHECK(error_code_for({std::string(2 * MPI_MAX_ERROR_STRING, 'x')}) ==
        error_code_for({std::string(3 * MPI_MAX_ERROR_STRING, 'x')}));
}

TEST_CASE("codes do not become more than the table has room for") {
  std::set<int> codes;
  for (int k = 0; k < 4 * most_error_codes; ++k) {
    int const code = error_code_for({"count " + std::to_string(k), MPI_ERR_COUNT});
    REQUIRE(class_of(code) == MPI_ERR_COUNT);
    REQUIRE(text_of(code) == "count " + std::to_string(k));
    codes.insert(code);
  }
  CHECK(std::ssize(codes) <= most_error_codes);
  CHECK(class_of(error_code_for({"a type", MPI_ERR_TYPE})) == MPI_ERR_TYPE);
}
