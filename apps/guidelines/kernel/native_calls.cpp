// MPI's collectives in their three forms. Persistent ones are MPI 4's, or those that Open MPI 4 has as an
// extension; other libraries have none.
#include "kernel/calls.hpp"

#include <memory>
#include <tuple>
#include <type_traits>

#if MPI_VERSION >= 4
#define SEAM_GUIDELINES_INIT(Name) MPI_##Name##_init
#else
#if __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif
#if defined(OMPI_HAVE_MPI_EXT_PCOLLREQ)
#define SEAM_GUIDELINES_INIT(Name) MPIX_##Name##_init
#else
#define SEAM_GUIDELINES_INIT(Name) nullptr
#endif
#endif

/// A call in all forms, whose names differ in a letter.
#define SEAM_GUIDELINES_FORMS(Name, name) MPI_##Name, MPI_I##name, SEAM_GUIDELINES_INIT(Name)

namespace guidelines {
namespace {

/// Arguments of allgather and alltoall, up to the communicator.
auto equal_blocks(buffers& moved) {
  return std::tuple(moved.out.memory.data(), moved.count, moved.type, moved.in.memory.data(),
                    moved.count, moved.type);
}

/// Arguments of allgatherv.
auto one_block(buffers& moved) {
  return std::tuple(moved.out.memory.data(), moved.count, moved.type, moved.in.memory.data(),
                    moved.in.counts.data(), moved.in.places.data(), moved.type);
}

/// Arguments of alltoallv.
auto blocks_by_counts(buffers& moved) {
  return std::tuple(moved.out.memory.data(), moved.out.counts.data(), moved.out.places.data(),
                    moved.type, moved.in.memory.data(), moved.in.counts.data(),
                    moved.in.places.data(), moved.type);
}

/// Arguments of alltoallw; neighborhood collectives take displacements as MPI_Aint.
template <class Displacement>
auto blocks_by_types(buffers& moved, std::vector<Displacement> blocks::*places) {
  blocks &out = moved.out, &in = moved.in;
  return std::tuple(out.memory.data(), out.counts.data(), (out.*places).data(), out.types.data(),
                    in.memory.data(), in.counts.data(), (in.*places).data(), in.types.data());
}

template <class Init, class Arguments>
std::optional<repeated> persistent(Init init, Arguments const& arguments, native_scene const& on,
                                   char const* name) {
  if constexpr (std::is_null_pointer_v<Init>) {
    return std::nullopt;
  } else {
    auto const request = std::make_shared<seam::mpi::request>();
    seam::mpi::check(
        std::apply(init, std::tuple_cat(arguments, std::tuple(on.comm.native(), MPI_INFO_NULL,
                                                              request->receive()))),
        name);
    return [request](std::uint64_t work) {
      seam::mpi::check(MPI_Start(request->receive()), "MPI_Start");
      count_down(work);
      seam::mpi::check(MPI_Wait(request->receive(), MPI_STATUS_IGNORE), "MPI_Wait");
    };
  }
}

template <class Blocking, class Nonblocking, class Init, class Arguments>
std::optional<repeated> in_form(setup const& asked, native_scene const& on, Blocking blocking,
                                Nonblocking nonblocking, Init init, Arguments const& arguments) {
  char const* const name = asked.name.c_str();
  auto const all = std::tuple_cat(arguments, std::tuple(on.comm.native()));
  if (asked.how == form::persistent)
    return persistent(init, arguments, on, name);
  if (asked.how == form::blocking)
    return [=](std::uint64_t work) {
      seam::mpi::check(std::apply(blocking, all), name);
      count_down(work);
    };
  return [=](std::uint64_t work) {
    MPI_Request request = MPI_REQUEST_NULL;
    seam::mpi::check(std::apply(nonblocking, std::tuple_cat(all, std::tuple(&request))), name);
    count_down(work);
    seam::mpi::check(MPI_Wait(&request, MPI_STATUS_IGNORE), "MPI_Wait");
  };
}

} // namespace

std::optional<repeated> native_call(setup const& asked, native_scene& on) {
  auto const call = [&](auto const&... forms_and_arguments) {
    return in_form(asked, on, forms_and_arguments...);
  };
  bool const is_global = asked.of == family::global;
  std::string const& operation = asked.operation;
  buffers& moved = on.moved;
  if (operation == "allgather")
    return is_global ? call(SEAM_GUIDELINES_FORMS(Allgather, allgather), equal_blocks(moved))
                     : call(SEAM_GUIDELINES_FORMS(Neighbor_allgather, neighbor_allgather),
                            equal_blocks(moved));
  if (operation == "allgatherv")
    return is_global ? call(SEAM_GUIDELINES_FORMS(Allgatherv, allgatherv), one_block(moved))
                     : call(SEAM_GUIDELINES_FORMS(Neighbor_allgatherv, neighbor_allgatherv),
                            one_block(moved));
  if (operation == "alltoall")
    return is_global ? call(SEAM_GUIDELINES_FORMS(Alltoall, alltoall), equal_blocks(moved))
                     : call(SEAM_GUIDELINES_FORMS(Neighbor_alltoall, neighbor_alltoall),
                            equal_blocks(moved));
  if (operation == "alltoallv")
    return is_global ? call(SEAM_GUIDELINES_FORMS(Alltoallv, alltoallv), blocks_by_counts(moved))
                     : call(SEAM_GUIDELINES_FORMS(Neighbor_alltoallv, neighbor_alltoallv),
                            blocks_by_counts(moved));
  return is_global ? call(SEAM_GUIDELINES_FORMS(Alltoallw, alltoallw),
                          blocks_by_types(moved, &blocks::byte_places))
                   : call(SEAM_GUIDELINES_FORMS(Neighbor_alltoallw, neighbor_alltoallw),
                          blocks_by_types(moved, &blocks::far_places));
}

} // namespace guidelines
