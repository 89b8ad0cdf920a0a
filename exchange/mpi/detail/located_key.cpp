#include <seam/exchange/mpi/detail/located_key.hpp>

#include <seam/exchange/mpi/detail/check.hpp>

#include <algorithm>
#include <tuple>

namespace seam::detail {

MPI_Datatype located_type() {
  static auto const type = [] {
    MPI_Datatype made = MPI_DATATYPE_NULL;
    mpi::check(MPI_Type_contiguous(std::tuple_size_v<located_key>, MPI_INT64_T, &made),
               "MPI_Type_contiguous");
    mpi::check(MPI_Type_commit(&made), "MPI_Type_commit");
    return made;
  }();
  return type;
}

MPI_Op least_located() {
  static auto const op = [] {
    MPI_User_function* const keep_least = [](void* from, void* into, int* count, MPI_Datatype*) {
      for (int i = 0; i < *count; ++i) {
        located_key& least = static_cast<located_key*>(into)[i];
        least = std::min(least, static_cast<located_key const*>(from)[i]);
      }
    };
    constexpr int commutes = 1;
    MPI_Op made = MPI_OP_NULL;
    mpi::check(MPI_Op_create(keep_least, commutes, &made), "MPI_Op_create");
    return made;
  }();
  return op;
}

} // namespace seam::detail
