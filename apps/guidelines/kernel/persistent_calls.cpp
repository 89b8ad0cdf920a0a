// MPI's collectives as persistent requests: MPI 4's, or those that Open MPI 4 has as an extension. Other
// libraries have none.
#include "kernel/native_calls.hpp"

#include "kernel/work.hpp"

#if MPI_VERSION >= 4
#define SEAM_GUIDELINES_INIT(call) MPI_##call##_init
#else
#if __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif
#if defined(OMPI_HAVE_MPI_EXT_PCOLLREQ)
#define SEAM_GUIDELINES_INIT(call) MPIX_##call##_init
#endif
#endif

#include <memory>

#if defined(SEAM_GUIDELINES_INIT)

namespace guidelines {
namespace {

struct initializations {
  static constexpr auto allgather = SEAM_GUIDELINES_INIT(Allgather);
  static constexpr auto allgatherv = SEAM_GUIDELINES_INIT(Allgatherv);
  static constexpr auto alltoall = SEAM_GUIDELINES_INIT(Alltoall);
  static constexpr auto alltoallv = SEAM_GUIDELINES_INIT(Alltoallv);
  static constexpr auto alltoallw = SEAM_GUIDELINES_INIT(Alltoallw);
  static constexpr auto neighbor_allgather = SEAM_GUIDELINES_INIT(Neighbor_allgather);
  static constexpr auto neighbor_allgatherv = SEAM_GUIDELINES_INIT(Neighbor_allgatherv);
  static constexpr auto neighbor_alltoall = SEAM_GUIDELINES_INIT(Neighbor_alltoall);
  static constexpr auto neighbor_alltoallv = SEAM_GUIDELINES_INIT(Neighbor_alltoallv);
  static constexpr auto neighbor_alltoallw = SEAM_GUIDELINES_INIT(Neighbor_alltoallw);
};

} // namespace

std::optional<std::function<void(std::uint64_t)>> persistent_call(experiment const& described,
                                                                  native_scene& scene) {
  auto const request = std::make_shared<seam::mpi::request>();
  visit_operation<initializations>(described, scene, [&](auto call, auto const& arguments) {
    seam::mpi::check(
        std::apply(call, std::tuple_cat(arguments, std::tuple(scene.comm.native(), MPI_INFO_NULL,
                                                              request->receive()))),
        described.call->name.c_str());
  });
  return [request](std::uint64_t work) {
    seam::mpi::check(MPI_Start(request->receive()), "MPI_Start");
    count_down(work);
    seam::mpi::check(MPI_Wait(request->receive(), MPI_STATUS_IGNORE), "MPI_Wait");
  };
}

} // namespace guidelines

#else

std::optional<std::function<void(std::uint64_t)>> guidelines::persistent_call(experiment const&,
                                                                              native_scene&) {
  return std::nullopt;
}

#endif
