// Errors of endpoints in the C interface: each endpoint has the handler of its own handle.
#include <seam/c/endpoints.h>
#include <seam/c/orthogonal.h>

#include <support/catch.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <thread>
#include <vector>

namespace {

constexpr int num_here = 4;

/// The handles of this process's endpoints, and how many errors the handler of each has got.
std::array<MPI_Comm, num_here> handles;
std::array<std::atomic<int>, num_here> num_errors;
std::array<MPI_Errhandler, num_here> own_handlers;

void count_error(MPI_Comm* of, int*, ...) {
  auto const found = std::ranges::find(handles, *of);
  if (found != handles.end())
    ++num_errors[found - handles.begin()];
}

void count_any_error(MPI_Comm*, int*, ...) { ++num_errors[0]; }

int class_of(int code) {
  int error_class = MPI_SUCCESS;
  MPI_Error_class(code, &error_class);
  return error_class;
}

/// Sends to a rank that does not exist. Returns the class of the error.
int wrong_send(MPI_Comm over) {
  int const value = 0, nobody = 1000;
  return class_of(Seam_Send(&value, 1, MPI_INT, nobody, 0, over));
}

} // namespace

TEST_CASE("errors of an endpoint go to the handler of its own handle") {
  REQUIRE(Seam_Comm_create_endpoints(MPI_COMM_WORLD, num_here, MPI_INFO_NULL, handles.data()) ==
          MPI_SUCCESS);
  MPI_Errhandler counting = MPI_ERRHANDLER_NULL;
  MPI_Comm_create_errhandler(count_error, &counting);
  for (int k = 0; k < num_here; ++k)
    MPI_Comm_set_errhandler(handles[k], k % 2 == 0 ? MPI_ERRORS_RETURN : counting);

  std::array<std::vector<int>, num_here> classes;
  {
    std::vector<std::jthread> threads;
    for (int k = 0; k < num_here; ++k)
      threads.emplace_back([&classes, k] {
        for (int error = 0; error <= k; ++error)
          classes[k].push_back(wrong_send(handles[k]));
      });
  }
  for (int k = 0; k < num_here; ++k) {
    INFO("endpoint " << k << " of the process");
    CHECK(std::ranges::count(classes[k], MPI_ERR_RANK) == k + 1);
    CHECK(num_errors[k] == (k % 2 == 0 ? 0 : k + 1));
  }
  MPI_Errhandler_free(&counting);
  for (MPI_Comm& each : handles)
    CHECK(Seam_Comm_free(&each) == MPI_SUCCESS);
}

TEST_CASE("handles of endpoints begin with the handler of the communicator that they are made of") {
  MPI_Errhandler before = MPI_ERRHANDLER_NULL, counting = MPI_ERRHANDLER_NULL;
  MPI_Comm_get_errhandler(MPI_COMM_WORLD, &before);
  MPI_Comm_create_errhandler(count_error, &counting);
  for (MPI_Errhandler const handler : {MPI_ERRORS_RETURN, MPI_ERRORS_ARE_FATAL, counting}) {
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    REQUIRE(Seam_Comm_create_endpoints(MPI_COMM_WORLD, num_here, MPI_INFO_NULL, handles.data()) ==
            MPI_SUCCESS);
    for (int k = 0; k < num_here; ++k)
      MPI_Comm_get_errhandler(handles[k], &own_handlers[k]);
    for (MPI_Comm& each : handles)
      CHECK(Seam_Comm_free(&each) == MPI_SUCCESS);
    for (MPI_Errhandler& own : own_handlers) {
      CHECK(own == handler);
      MPI_Errhandler_free(&own);
    }
  }
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, before);
  MPI_Errhandler_free(&before);
  MPI_Errhandler_free(&counting);
}

TEST_CASE("what is made of an endpoint's handle has its handler") {
  REQUIRE(Seam_Comm_create_endpoints(MPI_COMM_WORLD, 2, MPI_INFO_NULL, handles.data()) ==
          MPI_SUCCESS);
  MPI_Errhandler counting = MPI_ERRHANDLER_NULL;
  MPI_Comm_create_errhandler(count_any_error, &counting);
  MPI_Comm_set_errhandler(handles[0], counting);
  MPI_Comm_set_errhandler(handles[1], MPI_ERRORS_RETURN);
  num_errors[0] = 0;
  std::array<int, 2> classes{};
  {
    std::vector<std::jthread> threads;
    for (int k = 0; k < 2; ++k)
      threads.emplace_back([&classes, k] {
        MPI_Comm copy = MPI_COMM_NULL, part = MPI_COMM_NULL;
        Seam_Comm_dup(handles[k], &copy);
        Seam_Comm_split(handles[k], 0, 0, &part);
        classes[k] = std::max(wrong_send(copy), wrong_send(part));
        Seam_Comm_free(&part);
        Seam_Comm_free(&copy);
      });
  }
  CHECK(classes == std::array<int, 2>{MPI_ERR_RANK, MPI_ERR_RANK});
  CHECK(num_errors[0] == 2);
  MPI_Errhandler_free(&counting);
  for (int k = 0; k < 2; ++k)
    CHECK(Seam_Comm_free(&handles[k]) == MPI_SUCCESS);
}
