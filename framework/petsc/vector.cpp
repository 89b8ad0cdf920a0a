#include <seam/framework/petsc/vector.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/communicator/endpoints.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/framework/petsc/petsc.hpp>

#include <fmt/format.h>
#include <petscsys.h>
#include <petscvec.h>

#include <limits>

namespace seam::detail {

petsc_length measure_length(mpi::comm_view over, std::int64_t num_owned) {
  petsc_length length{num_owned, 0, mpi::allreduce(over, num_owned, MPI_SUM)};
  constexpr std::int64_t most = std::numeric_limits<PetscInt>::max();
  if (length.all > most)
    throw usage_error(
        fmt::format("petsc: {} unknowns (expected at most {}, which this PETSc counts "
                    "to)",
                    length.all, most),
        true);
  length.first = mpi::sum_before(over, num_owned);
  return length;
}

} // namespace seam::detail

namespace seam {

struct petsc_vector::state {
  explicit state(shared_array of) : array(std::move(of)) {}
  state(state const&) = delete;
  state& operator=(state const&) = delete;
  ~state() {
    if (mpi::is_running())
      VecDestroy(&vector);
  }

  shared_array array;
  Vec vector = nullptr;
};

petsc_vector::petsc_vector(mpi::comm_view over, shared_array array)
    : state_(std::make_unique<state>(std::move(array))) {
  require_processes(over, "PETSc");
  start_petsc(over);
  auto const& [values, block, place] = state_->array;
  auto const length = detail::measure_length(over, std::ssize(values));
  check_petsc(VecCreateMPIWithArray(over.native(), block, static_cast<PetscInt>(length.owned),
                                    static_cast<PetscInt>(length.all), values.data(),
                                    &state_->vector),
              "VecCreateMPIWithArray");
}

namespace {

petsc_vector::shared_array own_array(std::int64_t length) {
  auto const values = std::make_shared<std::vector<double>>(length);
  return {*values, 1, [values] { return values->data(); }};
}

/// Makes PETSc discard what it has cached of the values, such as norms.
void mark_changed(Vec vector) {
  double* values = nullptr;
  check_petsc(VecGetArray(vector, &values), "VecGetArray");
  check_petsc(VecRestoreArray(vector, &values), "VecRestoreArray");
}

} // namespace

petsc_vector::petsc_vector(mpi::comm_view over, std::int64_t num_owned)
    : petsc_vector(over, collectively(over, [&] {
                     if (num_owned < 0)
                       refuse(fmt::format("petsc: a vector of {} values (expected at least 0)",
                                          num_owned));
                     return own_array(num_owned);
                   })) {}

petsc_vector::petsc_vector(petsc_vector&&) noexcept = default;
petsc_vector& petsc_vector::operator=(petsc_vector&&) noexcept = default;
petsc_vector::~petsc_vector() = default;

_p_Vec* petsc_vector::native() const {
  if (state_->array.place_now() != values().data())
    refuse("petsc: the field of a vector has got other memory since it was shared (expected one "
           "share() after each migration or swap)");
  mark_changed(state_->vector);
  return state_->vector;
}

std::span<double> petsc_vector::values() const noexcept { return state_->array.values; }

petsc_vector share(MeshField<double> const& field) {
  auto const count = std::int64_t{field.entities().num_owned} * field.num_components();
  auto const place_now = [state = field.shared(), kept = field.shared()->memory] {
    return reinterpret_cast<double const*>(state->memory.get());
  };
  return {field.mesh().base(), {field.values().first(count), field.num_components(), place_now}};
}

} // namespace seam
