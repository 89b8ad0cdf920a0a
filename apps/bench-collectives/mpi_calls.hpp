/// Entries in the lists of rivals that are calls of the MPI library.
#pragma once

#include "arguments.hpp"
#include "rivals.hpp"

#include <memory>

namespace collective_bench {

inline void wait_for(seam::mpi::request& started) {
  seam::mpi::check(MPI_Wait(started.receive(), MPI_STATUS_IGNORE), "MPI_Wait");
}

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
    auto const request = std::make_shared<seam::mpi::request>();
    auto const all = std::tuple_cat(arguments(on), std::tuple(on.native, request->receive()));
    return {.name = name, .run = [=] {
              seam::mpi::check(std::apply(call, all), name.c_str());
              wait_for(*request);
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
    auto const request = std::make_shared<seam::mpi::request>();
    seam::mpi::check(
        std::apply(call, std::tuple_cat(arguments(on),
                                        std::tuple(on.native, MPI_INFO_NULL, request->receive()))),
        name.c_str());
    return {.name = name, .run = [=] {
              seam::mpi::check(MPI_Start(request->receive()), "MPI_Start");
              wait_for(*request);
            }};
  };
  return {operation, where, form::persistent, name, make};
}

} // namespace collective_bench
