/// Entries in the lists of rivals that are calls of the MPI library.
#pragma once

#include "arguments.hpp"
#include "rivals.hpp"

#include <memory>

namespace collective_bench {

/// A request of MPI, which the destructor frees.
class mpi_request {
public:
  mpi_request() = default;
  mpi_request(mpi_request const&) = delete;
  mpi_request& operator=(mpi_request const&) = delete;
  ~mpi_request() {
    if (native_ != MPI_REQUEST_NULL)
      MPI_Request_free(&native_);
  }

  MPI_Request* native() { return &native_; }
  void wait() { seam::mpi::check(MPI_Wait(&native_, MPI_STATUS_IGNORE), "MPI_Wait"); }

private:
  MPI_Request native_ = MPI_REQUEST_NULL;
};

/// A rival that runs call(arguments..., comm).
template <class Arguments, class Call>
rival blocking(std::string_view operation, place where, std::string name,
               Arguments const& arguments, Call call) {
  auto make = [=](problem& on) -> seam::variant {
    auto const all = std::tuple_cat(arguments(on), std::tuple(on.native));
    return {.name = name, .run = [=] { seam::mpi::check(std::apply(call, all), name.c_str()); }};
  };
  return {operation, where, form::blocking, name, make};
}

/// A rival that runs call(arguments..., comm, request) and waits for the request.
template <class Arguments, class Call>
rival nonblocking(std::string_view operation, place where, std::string name,
                  Arguments const& arguments, Call call) {
  auto make = [=](problem& on) -> seam::variant {
    auto const request = std::make_shared<mpi_request>();
    auto const all = std::tuple_cat(arguments(on), std::tuple(on.native, request->native()));
    return {.name = name, .run = [=] {
              seam::mpi::check(std::apply(call, all), name.c_str());
              request->wait();
            }};
  };
  return {operation, where, form::nonblocking, name, make};
}

/// A rival that makes a request by call(arguments..., comm, info, request) once, and starts it in
/// each run.
template <class Arguments, class Call>
rival persistent(std::string_view operation, place where, std::string name,
                 Arguments const& arguments, Call call) {
  auto make = [=](problem& on) -> seam::variant {
    auto const request = std::make_shared<mpi_request>();
    seam::mpi::check(
        std::apply(call, std::tuple_cat(arguments(on),
                                        std::tuple(on.native, MPI_INFO_NULL, request->native()))),
        name.c_str());
    return {.name = name, .run = [=] {
              seam::mpi::check(MPI_Start(request->native()), "MPI_Start");
              request->wait();
            }};
  };
  return {operation, where, form::persistent, name, make};
}

/// A rival whose runs end with a call of `after`.
template <class After>
rival followed_by(After after, rival first) {
  first.make = [=, make = first.make](problem& on) {
    seam::variant made = make(on);
    made.run = [=, &on, run = made.run] {
      run();
      after(on);
    };
    return made;
  };
  return first;
}

/// Adds up the blocks that arrived from all sources.
void add_arrived(problem& on);

} // namespace collective_bench
