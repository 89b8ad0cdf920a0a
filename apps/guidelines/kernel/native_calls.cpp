// MPI's collectives in their blocking and nonblocking forms.
#include "kernel/native_calls.hpp"

#include "kernel/work.hpp"

namespace guidelines {
namespace {

struct blocking_calls {
  static constexpr auto allgather = MPI_Allgather;
  static constexpr auto allgatherv = MPI_Allgatherv;
  static constexpr auto alltoall = MPI_Alltoall;
  static constexpr auto alltoallv = MPI_Alltoallv;
  static constexpr auto alltoallw = MPI_Alltoallw;
  static constexpr auto neighbor_allgather = MPI_Neighbor_allgather;
  static constexpr auto neighbor_allgatherv = MPI_Neighbor_allgatherv;
  static constexpr auto neighbor_alltoall = MPI_Neighbor_alltoall;
  static constexpr auto neighbor_alltoallv = MPI_Neighbor_alltoallv;
  static constexpr auto neighbor_alltoallw = MPI_Neighbor_alltoallw;
};

struct nonblocking_calls {
  static constexpr auto allgather = MPI_Iallgather;
  static constexpr auto allgatherv = MPI_Iallgatherv;
  static constexpr auto alltoall = MPI_Ialltoall;
  static constexpr auto alltoallv = MPI_Ialltoallv;
  static constexpr auto alltoallw = MPI_Ialltoallw;
  static constexpr auto neighbor_allgather = MPI_Ineighbor_allgather;
  static constexpr auto neighbor_allgatherv = MPI_Ineighbor_allgatherv;
  static constexpr auto neighbor_alltoall = MPI_Ineighbor_alltoall;
  static constexpr auto neighbor_alltoallv = MPI_Ineighbor_alltoallv;
  static constexpr auto neighbor_alltoallw = MPI_Ineighbor_alltoallw;
};

using repeated = std::function<void(std::uint64_t)>;

template <class Call, class Arguments>
repeated blocking(Call call, Arguments const& arguments, native_scene const& on, char const* name) {
  auto const all = std::tuple_cat(arguments, std::tuple(on.comm.native()));
  return [=](std::uint64_t work) {
    seam::mpi::check(std::apply(call, all), name);
    count_down(work);
  };
}

template <class Call, class Arguments>
repeated nonblocking(Call call, Arguments const& arguments, native_scene const& on,
                     char const* name) {
  auto const all = std::tuple_cat(arguments, std::tuple(on.comm.native()));
  return [=](std::uint64_t work) {
    MPI_Request request = MPI_REQUEST_NULL;
    seam::mpi::check(std::apply(call, std::tuple_cat(all, std::tuple(&request))), name);
    count_down(work);
    seam::mpi::check(MPI_Wait(&request, MPI_STATUS_IGNORE), "MPI_Wait");
  };
}

} // namespace

repeated native_call(experiment const& described, native_scene& scene) {
  char const* const name = described.call->name.c_str();
  if (described.call->how == form::nonblocking)
    return visit_operation<nonblocking_calls>(described, scene,
                                              [&](auto call, auto const& arguments) {
                                                return nonblocking(call, arguments, scene, name);
                                              });
  return visit_operation<blocking_calls>(described, scene, [&](auto call, auto const& arguments) {
    return blocking(call, arguments, scene, name);
  });
}

} // namespace guidelines
